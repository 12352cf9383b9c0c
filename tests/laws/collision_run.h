// Whole collisions of two balls under any law of the registry, step by step as an engine does it, with their books.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "laws/contact_samples.h"
#include "talus/laws/registry.h"
#include "talus/laws/visit.h"

namespace talus::tests {

/// A law by name and the values that a scene would hand over, defaults filled in.
struct LawCase {
    std::string name;
    laws::ParameterValues values;
};

struct DerivedLaw {
    int law = -1;
    laws::ParameterBlock block;
    const laws::LawInfo& info() const { return laws::registry()[static_cast<std::size_t>(law)]; }
};

inline DerivedLaw derived(const LawCase& of) {
    DerivedLaw out;
    laws::ParameterValues values = of.values;
    const int asked = laws::find_law(of.name);
    for (const laws::ParameterInfo& p : laws::registry()[static_cast<std::size_t>(asked)].parameters) {
        if (p.default_value) {
            values.try_emplace(p.key, *p.default_value);
        }
    }
    out.law = laws::form_of(asked, values);
    std::vector<laws::ParameterFault> faults;
    out.block = out.info().derive(values, faults);
    for (const laws::ParameterFault& fault : faults) {
        ADD_FAILURE() << of.name << ": " << fault.key << " " << fault.message;
    }
    return out;
}

inline double kinetic_energy(const BallPair& pair) {
    double sum = 0;
    for (const Ball* ball : {&pair.i, &pair.j}) {
        sum += 0.5 * ball->mass * norm2(ball->velocity) + 0.5 * ball->inertia() * norm2(ball->spin);
    }
    return sum;
}

struct Collision {
    BallPair last;
    bool parted = false;
    double duration = 0;  // s, in contact
    double deepest = 0;   // m
    double before = 0;    // J, kinetic
    double after = 0;     // J, kinetic and held
    double most = 0;      // J, the greatest sum of kinetic energy and what is held, seen once there is a contact
    double lost = 0;      // J, by the books
    double pull = 0;      // N, the greatest attraction
};

/// Half kick, drift, prediction, force, half kick. Stops when the balls have parted, or after `longest` steps.
template <class Law>
Collision collide(const typename Law::Params& params, BallPair pair, double h, int longest = 200000) {
    Collision out;
    out.before = kinetic_energy(pair);
    typename Law::template History<double> history{};
    struct {
        Vec3d i, j, turn_i, turn_j;
    } rate;
    const auto kick = [&](BallPair& who, double time) {
        who.i.velocity += rate.i * time;
        who.j.velocity += rate.j * time;
        who.i.spin += rate.turn_i * time;
        who.j.spin += rate.turn_j * time;
    };
    double held = 0;
    for (int step = 0; step < longest && !out.parted; ++step) {
        kick(pair, 0.5 * h);
        pair.i.position += pair.i.velocity * h;
        pair.j.position += pair.j.velocity * h;
        BallPair predicted = pair;
        kick(predicted, 0.5 * h);
        const auto contact = contact_of(predicted.i, predicted.j, h);
        rate = {};
        held = 0;
        const bool acts = Law::acts(contact, params, history);
        if (acts) {
            const auto r = Law::respond(contact, params, history, h, h);
            history = r.history;
            const Torques torque = torques_of(contact, r);
            rate = {r.force / pair.i.mass, -r.force / pair.j.mass, torque.i / pair.i.inertia(),
                    torque.j / pair.j.inertia()};
            out.lost +=
                h * (r.normal_damping + r.tangential_damping + r.sliding + r.rolling + r.twisting + r.time_step);
            out.duration += h;
            out.deepest = std::max(out.deepest, contact.overlap);
            out.pull = std::max(out.pull, dot(r.force, contact.normal));
            held = r.stored_normal + r.stored_tangential;
        } else if (history.age > 0) {
            out.lost += Law::released(params, history);
            out.parted = true;
        }
        kick(pair, 0.5 * h);
        if (acts) {
            out.most = std::max(out.most, kinetic_energy(pair) + held);
        }
    }
    out.last = pair;
    out.after = kinetic_energy(pair) + held;
    return out;
}

/// Runs `use(Law{}, params)` with the law's type.
template <class Use>
void with_law(const DerivedLaw& of, const Use& use) {
    laws::visit(of.law, [&](auto kind) {
        using Law = decltype(kind);
        use(kind, of.block.as<typename Law::Params>());
    });
}
inline Collision collide(const DerivedLaw& of, const BallPair& pair, double h, int longest = 200000) {
    Collision out;
    with_law(of, [&](auto kind, const auto& params) { out = collide<decltype(kind)>(params, pair, h, longest); });
    return out;
}

/// Two equal balls of 1 cm and 4 g that meet head on at `speed`, a few steps before they touch.
inline BallPair meeting(double speed, double h) {
    BallPair pair;
    pair.i.velocity = {0.5 * speed, 0, 0};
    pair.j.velocity = {-0.5 * speed, 0, 0};
    pair.j.position = {0.02 + 2.3 * h * speed, 0, 0};
    return pair;
}
inline double parting_speed(const Collision& c) {
    return c.last.j.velocity.x - c.last.i.velocity.x;
}

}  // namespace talus::tests
