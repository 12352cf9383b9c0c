// A contact law put together from independent parts: normal, tangential, rolling, twisting (SSDEM Eqs. 22-23).
#pragma once

#include "talus/laws/contact.h"
#include "talus/laws/spin_friction.h"
#include "talus/laws/touching.h"

namespace talus::laws {

template <class Normal, class Tangential, class Rolling, class Twisting>
struct GranularLaw : Touching {
    struct Params {
        typename Normal::Params normal;
        typename Tangential::Params tangential;
        typename Rolling::Params rolling;
        typename Twisting::Params twisting;
    };
    template <class T>
    struct History {
        [[no_unique_address]] typename Tangential::template History<T> tangential;
        T age;  // s, since the contact began
    };
    static constexpr int history_size = static_cast<int>(sizeof(History<double>) / sizeof(double));
    /// Calls visit(number) for each number of a history, in the order in which they are stored; the age is the last.
    template <class AnyHistory, class Visit>
    TALUS_HOT static void for_numbers(AnyHistory& history, const Visit& visit) {
        Tangential::for_numbers(history.tangential, visit);
        visit(history.age);
    }
    static constexpr bool needs_curvature = Normal::needs_curvature;
    static constexpr bool packs = true;  // `respond` takes packs of contacts

    /// Whether the law can give a moment beside force and couple.
    TALUS_HD static bool has_moment(const Params& p) { return p.rolling.friction > 0 || p.twisting.friction > 0; }

    /// `stored`: work out the energies held too.
    template <class T, bool stored = true>
    TALUS_HOT static Response<T, History<T>> respond(const Kinematics<T>& contact, const Params& p,
                                                     const History<T>& old, double dt) {
        return answer<T, stored>(contact, p, old, dt, dt);
    }
    /// Histories advance by `dt`; within a step of several stages that is 0: they stay as they are and nothing is said
    /// of losses, while `step` is the length of the whole.
    template <class T, bool stored = true>
    TALUS_HOT static Response<T, History<T>> respond(const Kinematics<T>& contact, const Params& p,
                                                     const History<T>& old, double dt, double step) {
        Response<T, History<T>> out = answer<T, stored>(contact, p, old, dt, step);
        if (!(dt > 0)) {
            out.history = old;
        }
        return out;
    }

    /// N, that presses the surfaces together: what friction lives on. Without adhesion it is the repulsion.
    template <class T>
    TALUS_HOT static T press(const Kinematics<T>& contact, const Params& p) {
        return pressed_by(Normal::respond(contact, p.normal, contact.opening));
    }

private:
    template <class Force>
    TALUS_HOT static auto pressed_by(const Force& normal) {
        if constexpr (requires { normal.press; }) {
            return normal.press;
        } else {
            return normal.repulsion;
        }
    }

    /// Friction without a spring is told the step, within which it must not turn the slip round.
    template <class T, class Before>
    TALUS_HOT static auto rub(const Kinematics<T>& contact, const typename Tangential::Params& p, const Before& old,
                              const T& press, const T& root, double dt, double step) {
        if constexpr (requires { Tangential::respond(contact, p, old, press, root, dt, step); }) {
            return Tangential::respond(contact, p, old, press, root, dt, step);
        } else {
            return Tangential::respond(contact, p, old, press, root, dt);
        }
    }

    template <class T, bool stored>
    TALUS_HOT static Response<T, History<T>> answer(const Kinematics<T>& contact, const Params& p,
                                                    const History<T>& old, double dt, double step) {
        const Vec3<T>& n = contact.normal;
        const auto normal = Normal::respond(contact, p.normal, contact.opening);
        const auto press = pressed_by(normal);
        const auto tangential = rub(contact, p.tangential, old.tangential, press, normal.root, dt, step);
        Response<T, History<T>> out;
        out.force = less_product(tangential.force, n, normal.repulsion);
        out.couple = fused_cross(n, tangential.force);
        out.moment = {T(0.0), T(0.0), T(0.0)};
        out.history.tangential = tangential.history;
        out.history.age = old.age + T(dt);
        if constexpr (stored) {
            out.stored_normal = normal.stored;
            out.stored_tangential = Tangential::stored(p.tangential, old.tangential, tangential.history);
            // In the half step up to now the motion has lost F_d.v h/2 + (F_d h)^2 / 8 m to a resistance F_d: the kick
            // has taken place, the other half of the step's work, at a velocity lower by F_d h/m, has not.
            const T dashpot = normal.damping * contact.opening;
            out.ahead = T(0.25 * dt) * contact.inverse_mass *
                        (dashpot * dashpot + p.tangential.mobility * tangential.resistance2);
        }
        // For the ledger, predicted velocities are corrected by what the contact's own force has changed in half a
        // step: by its rate of change.
        const T half_kick = T(0.5 * dt) * contact.inverse_mass;
        const T change = Normal::change(contact, p.normal, normal, contact.opening, dt);
        out.normal_damping = normal.damping * contact.opening * (contact.opening + change * half_kick);
        out.tangential_damping = tangential.damping;
        out.sliding = tangential.sliding;
        out.rolling = T(0.0);
        out.twisting = T(0.0);
        out.time_step = T(0.0);
        out.slips = tangential.slips;
        const auto begins = old.age <= T(0.0) && contact.overlap > T(0.0);
        out.begins = any(begins);
        if (out.begins) {
            // All of the force is new when a contact begins: damping and friction set in at once.
            const T sudden = normal.damping * contact.opening * (contact.opening + normal.repulsion * half_kick);
            out.normal_damping = select(begins, sudden, out.normal_damping);
            const T less = norm2(tangential.force) * (p.tangential.mobility * half_kick);
            const auto slides = begins && (tangential.sliding < T(0.0) || tangential.sliding > T(0.0));
            const auto sticks = begins && !slides;
            out.sliding = select(slides, tangential.sliding - less, out.sliding);
            out.tangential_damping = select(sticks, tangential.damping - less, out.tangential_damping);
            // The first force acts for a whole step, as if the contact had begun half a step ago; what its spring took
            // from the motion beyond what it holds is the time step's error, k x (h u - x) / 2 for a linear spring.
            const T error = -0.5 * normal.elastic * contact.opening - normal.stored * T(1.0 / dt);
            // Grains that were put there overlapping have not come this way.
            const auto came = begins && contact.overlap < T(-2.0 * dt) * contact.opening;
            out.time_step = select(came, error, T(0.0));
        }
        if (has_moment(p)) {
            // Grains that merely bounce feel neither (end of Sect. 2.5).
            const auto lasts = old.age >= Normal::duration(contact, p.normal);
            const T pressed = select(lasts, larger(press, T(0.0)), T(0.0));
            const Vec3<T> roll = Rolling::moment(contact, p.rolling, pressed, step);
            const Vec3<T> twist = Twisting::moment(contact, p.twisting, pressed, step);
            out.moment = roll + twist;
            out.rolling = -dot(roll, contact.spin);
            out.twisting = -dot(twist, contact.spin);
        }
        return out;
    }

public:
    /// The history of a contact whose normal has jumped: what lies in the new tangent plane is kept.
    template <class T>
    TALUS_HD static History<T> projected(const History<T>& old, const Vec3<T>& normal) {
        return {Tangential::projected(old.tangential, normal), old.age};
    }

    /// J, held by the tangential spring.
    template <class T>
    TALUS_HD static T released(const Params& p, const History<T>& last) {
        return Tangential::released(p.tangential, last.tangential);
    }

    /// A contact that was there at the last step and is open now. `released` energy of the tangential spring is lost;
    /// the normal spring pushed for half a step more than it had energy for.
    template <class T>
    TALUS_HOT static Ending<T> end(const Kinematics<T>& contact, const Params& p, const History<T>& last, double dt) {
        const T overlap = larger(contact.overlap + dt * contact.opening, T(0.0));  // of the last step
        const Spring<T> spring = Normal::spring(contact, p.normal, overlap);
        const T inverse_dt(1.0 / dt);
        const T error = spring.stored * inverse_dt - 0.5 * spring.force * contact.opening;
        // A contact that is made to end while it still overlaps has no such error.
        return {Tangential::released(p.tangential, last.tangential) * inverse_dt,
                select(contact.overlap > T(0.0), T(0.0), error)};
    }
};

}  // namespace talus::laws
