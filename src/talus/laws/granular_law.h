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
        const T rate = normal.stiffness * opening_speed + normal.damping * normal.repulsion * contact.inverse_mass;
        const T change = select(begins, normal.repulsion, -dt * rate);
        const auto tangential = Tangential::respond(contact, p.tangential, old.tangential, slip, normal.repulsion,
                                                    normal.root, select(begins, half_kick, T(0.0)), dt);
        const Vec3<T> couple = cross(n, tangential.force);
        Response<T, History<T>> out;
        out.force = tangential.force - n * normal.repulsion;
        out.torque_i = couple * contact.lever_i;
        out.torque_j = couple * contact.lever_j;
        out.history.tangential = tangential.history;
        out.history.age = old.age + T(dt);
        out.stored_normal = normal.stored;
        out.stored_tangential = tangential.stored;
        out.normal_damping = normal.damping * opening_speed * (opening_speed + change * half_kick);
        out.tangential_damping = tangential.damping;
        out.sliding = tangential.sliding;
        out.rolling = T(0.0);
        out.twisting = T(0.0);
        if (p.rolling.friction > 0 || p.twisting.friction > 0) {
            // Grains that merely bounce feel neither (end of Sect. 2.5).
            const auto lasts = old.age >= Normal::duration(contact, p.normal);
            const T repulsion = select(lasts, larger(normal.repulsion, T(0.0)), T(0.0));
            const Vec3<T> roll = Rolling::moment(contact, p.rolling, repulsion, dt);
            const Vec3<T> twist = Twisting::moment(contact, p.twisting, repulsion, dt);
            out.torque_i += roll + twist;
            out.torque_j -= roll + twist;
            out.rolling = -dot(roll, contact.spin);
            out.twisting = -dot(twist, contact.spin);
        }
        return out;
    }

    /// J, lost when a contact ends with its spring still strained.
    TALUS_HD static double released(const Params& p, const History<double>& last) {
        return Tangential::released(p.tangential, last.tangential);
    }
};

}  // namespace talus::laws
