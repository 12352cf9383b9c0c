// A contact law put together from independent parts: normal, tangential, rolling, twisting (SSDEM Eqs. 22-23).
#pragma once

#include "talus/laws/contact.h"
#include "talus/laws/spin_friction.h"

namespace talus::laws {

template <class Normal, class Tangential, class Rolling, class Twisting>
struct GranularLaw {
    struct Params {
        typename Normal::Params normal;
        typename Tangential::Params tangential;
        typename Rolling::Params rolling;
        typename Twisting::Params twisting;
    };
    template <class T>
    struct History {
        typename Tangential::template History<T> tangential;
        T age;  // s, since the contact began
    };
    static constexpr int history_size = static_cast<int>(sizeof(History<double>) / sizeof(double));
    static constexpr bool needs_curvature = Normal::needs_curvature;

    /// Whether the law can give a moment beside force and couple.
    TALUS_HD static bool has_moment(const Params& p) { return p.rolling.friction > 0 || p.twisting.friction > 0; }

    template <class T>
    TALUS_HOT static Response<T, History<T>> respond(const Kinematics<T>& contact, const Params& p,
                                                     const History<T>& old, double dt) {
        const Vec3<T>& n = contact.normal;
        const T opening_speed = dot(contact.velocity, n);
        const auto normal = Normal::respond(contact, p.normal, opening_speed);
        const Vec3<T> slip = contact.velocity - n * opening_speed;
        // For the ledger, predicted velocities are corrected by what the contact's own force has changed in half a
        // step: all of it when the contact begins (damping sets in at once), its rate of change otherwise.
        const T half_kick = T(0.5 * dt) * contact.inverse_mass;
        const auto begins = old.age <= T(0.0);
        const T change = select(begins, normal.repulsion, Normal::change(contact, p.normal, normal, opening_speed, dt));
        const auto tangential = Tangential::respond(contact, p.tangential, old.tangential, slip, normal.repulsion,
                                                    normal.root, select(begins, half_kick, T(0.0)), dt);
        const Vec3<T> couple = cross(n, tangential.force);
        Response<T, History<T>> out;
        out.force = tangential.force - n * normal.repulsion;
        out.couple = couple;
        out.moment = {T(0.0), T(0.0), T(0.0)};
        out.history.tangential = tangential.history;
        out.history.age = old.age + T(dt);
        out.stored_normal = normal.stored;
        out.stored_tangential = tangential.stored;
        out.normal_damping = normal.damping * opening_speed * (opening_speed + change * half_kick);
        out.tangential_damping = tangential.damping;
        out.sliding = tangential.sliding;
        out.rolling = T(0.0);
        out.twisting = T(0.0);
        out.time_step = T(0.0);
        if (any(begins)) {
            // The first force acts for a whole step, as if the contact had begun half a step ago; what its spring took
            // from the motion beyond what it holds is the time step's error, k x (h u - x) / 2 for a linear spring.
            const T error = -0.5 * normal.elastic * opening_speed - normal.stored * T(1.0 / dt);
            // Grains that were put there overlapping have not come this way.
            const auto came = begins && contact.overlap < T(-2.0 * dt) * opening_speed;
            out.time_step = select(came, error, T(0.0));
        }
        if (has_moment(p)) {
            // Grains that merely bounce feel neither (end of Sect. 2.5).
            const auto lasts = old.age >= Normal::duration(contact, p.normal);
            const T repulsion = select(lasts, larger(normal.repulsion, T(0.0)), T(0.0));
            const Vec3<T> roll = Rolling::moment(contact, p.rolling, repulsion, dt);
            const Vec3<T> twist = Twisting::moment(contact, p.twisting, repulsion, dt);
            out.moment = roll + twist;
            out.rolling = -dot(roll, contact.spin);
            out.twisting = -dot(twist, contact.spin);
        }
        return out;
    }

    /// A contact that was there at the last step and is open now. `released` energy of the tangential spring is lost;
    /// the normal spring pushed for half a step more than it had energy for.
    template <class T>
    TALUS_HOT static Ending<T> end(const Kinematics<T>& contact, const Params& p, const History<T>& last, double dt) {
        const T opening_speed = dot(contact.velocity, contact.normal);
        const T overlap = larger(contact.overlap + dt * opening_speed, T(0.0));  // of the last step
        const Spring<T> spring = Normal::spring(contact, p.normal, overlap);
        const T inverse_dt(1.0 / dt);
        const T error = spring.stored * inverse_dt - 0.5 * spring.force * opening_speed;
        // A contact that is made to end while it still overlaps has no such error.
        return {Tangential::released(p.tangential, last.tangential) * inverse_dt,
                select(contact.overlap > T(0.0), T(0.0), error)};
    }
};

}  // namespace talus::laws
