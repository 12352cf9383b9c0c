// Bodies that leave: beyond open borders, into absorbing walls, onto sticky ones, or by a stage's wish. Their contacts
// end at this very instant, which is the middle of what the last step booked.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "talus/backends/cpu/pair_kinematics.h"
#include "talus/engines/soft/engine.h"
#include "talus/laws/packed_laws.h"
#include "talus/model/leaving.h"
#include "talus/model/sticking.h"
#include "talus/search/wall_search.h"

namespace talus::engines::soft {

namespace phases = backends::cpu;

namespace {

/// Takes a contact's last half step back from the books, and what it holds from the energy stored; returns the latter.
template <class Law>
double take_back(model::Ledger& ledger, const laws::Kinematics<double>& contact, const typename Law::Params& params,
                 const double* history, std::size_t stride, double dt) {
    std::array<double, static_cast<std::size_t>(Law::history_size)> raw;
    for (std::size_t k = 0; k < raw.size(); ++k) {
        raw[k] = history[k * stride];
    }
    if (raw.back() < 1.5 * dt) {  // it has just begun: there was none before
        raw.fill(0.0);
    }
    const auto before = std::bit_cast<typename Law::template History<double>>(raw);
    const auto answer = Law::respond(contact, params, before, dt);
    const double power[model::mechanism_count] = {answer.normal_damping - answer.ahead,
                                                  answer.tangential_damping,
                                                  answer.sliding,
                                                  answer.rolling,
                                                  answer.twisting,
                                                  0};
    for (std::size_t m = 0; m < model::mechanism_count; ++m) {
        ledger.dissipated[m] -= 0.5 * dt * power[m];
        ledger.power[m] -= power[m];
    }
    ledger.stored.normal -= answer.stored_normal;
    ledger.stored.tangential -= answer.stored_tangential;
    return answer.stored_normal + answer.stored_tangential;
}

}  // namespace

double Engine::cut_short_wall(std::size_t wall_pair) {
    model::WallPairList& pairs = system_.wall_pairs;
    model::Wall& wall = system_.walls[pairs.wall[wall_pair]];
    const phases::WallSlot& slot = work_.wall_slot[wall_pair];
    const Vec3d& point = work_.wall_point[wall_pair];
    const double h = system_.clock.step;
    const double half = 0.5 * h;
    const double power = dot(slot.force, wall.pose.velocity_at(point)) - dot(slot.torque_j, wall.pose.spin);
    wall.record.work -= half * power;
    wall.record.power -= power;
    wall.record.impulse += slot.force * half;
    wall.record.angular_impulse -= (slot.torque_j - cross(point - wall.pose.position, slot.force)) * half;

    const std::uint32_t i = pairs.body[wall_pair];
    const phases::Record& record = work_.record[work_.place_of[i]];
    const model::PairLaw& between = system_.materials.between(system_.bodies.material[i], wall.material);
    double held = 0;
    laws::visit_packed(between.law, [&](auto kind) {
        using Law = decltype(kind);
        const Vec3d& normal = pairs.normal[wall_pair];
        const double distance = dot(point - record.position, normal);
        const auto contact = phases::wall_kinematics(record, wall, point, normal, distance, normal);
        held = take_back<Law>(system_.ledger, contact, between.parameters.as<typename Law::Params>(),
                              &pairs.history[wall_pair * pairs.history_size], 1, h);
    });
    pairs.touching[wall_pair] = 0;
    std::fill_n(pairs.history.begin() + static_cast<std::ptrdiff_t>(wall_pair * pairs.history_size), pairs.history_size,
                0.0);
    return held;
}

double Engine::cut_short_pair(std::size_t contact) {
    phases::Contacts& contacts = work_.contacts;
    const std::size_t b = contact / 8;
    const std::size_t lane = contact % 8;
    if (!(phases::age_of(contacts, contact) > 0)) {
        return 0;
    }
    const phases::Record& i = work_.record[contacts.ends[b].i[lane]];
    const phases::Record& j = work_.record[contacts.ends[b].j[lane]];
    phases::PairColumns<double> pair;
    pair.d = j.position - i.position + search::image_shift(system_.domain, contacts.image[b][lane]);
    pair.distance2 = norm2(pair.d);
    pair.sum_of_radii = i.radius + j.radius;
    pair.radius_i = i.radius;
    pair.dv = j.velocity - i.velocity;
    pair.inverse_mass = i.inverse_mass + j.inverse_mass;
    pair.spin_sum = i.spin + j.spin;
    pair.spin_less = i.spin - j.spin;
    pair.inverse_inertia = i.inverse_inertia + j.inverse_inertia;
    const auto material = [&](std::uint32_t place) { return system_.bodies.material[work_.body_at[place]]; };
    const model::PairLaw& between =
        system_.materials.between(material(contacts.ends[b].i[lane]), material(contacts.ends[b].j[lane]));
    double held = 0;
    double* history = &contacts.history[b * contacts.history_size * 8 + lane];
    laws::visit_packed(between.law, [&](auto kind) {
        using Law = decltype(kind);
        const double dt = system_.clock.step;
        const double distance = std::sqrt(pair.distance2);
        laws::Kinematics<double> kinematics;
        phases::set_motion<double, false, true>(kinematics, pair, distance, 1.0 / distance, dt);
        phases::set_nature<double, false, true, Law::needs_curvature>(kinematics, pair);
        held =
            take_back<Law>(system_.ledger, kinematics, between.parameters.as<typename Law::Params>(), history, 8, dt);
    });
    for (std::size_t k = 0; k < contacts.history_size; ++k) {
        history[k * 8] = 0;
    }
    work_.looked.clear(contact);
    return held;
}

void Engine::stick(std::uint32_t i, std::uint32_t wall_index) {
    const model::Bodies& bodies = system_.bodies;
    model::stick(system_, i, wall_index);

    // Contacts between things that no force can move end here, and what their springs held goes with the motion.
    for (std::uint32_t q = system_.wall_pairs.row[i]; q < system_.wall_pairs.row[i + 1]; ++q) {
        if (system_.wall_pairs.touching[q]) {
            system_.ledger.injected -= cut_short_wall(q);
        }
    }
    const std::uint32_t place = work_.place_of[i];
    phases::for_contacts(work_.contacts, place, [&](std::uint32_t contact, std::uint32_t side) {
        const phases::Ends& ends = work_.contacts.ends[contact / 8];
        const std::uint32_t partner = side == 0 ? ends.j[contact % 8] : ends.i[contact % 8];
        if (bodies.is_held(work_.body_at[partner])) {
            system_.ledger.injected -= cut_short_pair(contact);
        }
    });
    const auto later = [&](std::uint32_t held, std::uint32_t body) { return work_.body_at[held] < body; };
    const auto at = std::lower_bound(work_.held.begin(), work_.held.end(), i, later);
    if (at == work_.held.end() || *at != place) {
        work_.held.insert(at, place);
    }
    lists_stale_ = true;  // its slots must be kept, and its mass is another
}

bool Engine::is_trapped() const {
    if (!has_traps_) {
        return false;
    }
    const model::WallPairList& pairs = system_.wall_pairs;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
        if (pairs.touching[q] && system_.walls[pairs.wall[q]].behaviour != model::WallBehaviour::normal) {
            return true;
        }
    }
    return false;
}

void Engine::stick_and_remove(const std::vector<std::uint32_t>& outside) {
    model::Leaving leaving(system_);
    for (const std::uint32_t i : outside) {
        leaving.leave_domain(i);
    }
    const model::WallPairList& pairs = system_.wall_pairs;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
        model::Wall& wall = system_.walls[pairs.wall[q]];
        if (!pairs.touching[q] || wall.behaviour == model::WallBehaviour::normal) {
            continue;
        }
        const std::uint32_t i = pairs.body[q];
        if (wall.behaviour == model::WallBehaviour::absorbing) {
            leaving.absorb(i, wall);
        } else if (system_.bodies.stuck_to[i] < 0) {
            stick(i, pairs.wall[q]);
        }
    }
    if (!leaving.empty()) {
        remove(leaving.keep());
    }
}

void Engine::remove(const std::vector<char>& keep) {
    model::Bodies& bodies = system_.bodies;
    model::Ledger& ledger = system_.ledger;
    const auto nowhere = static_cast<std::uint32_t>(work_.body_at.size());  // the sphere that never touches
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (keep[i]) {
            continue;
        }
        model::book_removal(system_, i);
        for (std::uint32_t q = system_.wall_pairs.row[i]; q < system_.wall_pairs.row[i + 1]; ++q) {
            if (system_.wall_pairs.touching[q]) {
                ledger.removed += cut_short_wall(q);
            }
        }
        const std::uint32_t place = work_.place_of[i];
        phases::for_contacts(work_.contacts, place, [&](std::uint32_t contact, std::uint32_t) {
            ledger.removed += cut_short_pair(contact);
            work_.contacts.ends[contact / 8].i[contact % 8] = nowhere;
            work_.contacts.ends[contact / 8].j[contact % 8] = nowhere + 1;
        });
        phases::bury(system_, work_, place);
    }
    if (published_) {
        model::compact(system_.pairs, keep);
    }
    const auto kept_walls = search::compact_wall_pairs(system_.wall_pairs, keep);
    const auto squeeze = [&](auto& column) {
        for (std::size_t k = 0; k < kept_walls.size(); ++k) {
            column[k] = column[kept_walls[k]];
        }
        column.resize(kept_walls.size());
    };
    squeeze(work_.wall_slot);
    squeeze(work_.wall_point);
    squeeze(work_.wall_wake);
    bodies.compact(keep);
    phases::renumber(work_, keep);
}

}  // namespace talus::engines::soft
