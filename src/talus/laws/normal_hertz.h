// Hertzian normal spring with a dashpot that gives a restitution independent of the impact speed.
#pragma once

#include <cmath>

#include "talus/laws/contact.h"

namespace talus::laws {

struct NormalHertz {
    struct Params {
        double modulus;  // Pa, E* = E / (2 (1 - nu^2)) for two bodies of one material
        double
            damping_ratio;  // alpha = sqrt(5) * ratio below: the ratio of the linear spring with the same restitution
        double cn;          // kg/s, added
    };
    template <class T>
    struct Force {
        T repulsion, damping, elastic, stored, root;  // as in NormalHooke; root from the stiffness dF/dx
    };

    /// F = k x^(3/2) with k = (4/3) E* sqrt(R*), and C_n = sqrt(5) ratio sqrt(mass k) x^(1/4): with
    /// ratio = -ln e / sqrt(pi^2 + ln^2 e) the restitution is e at every speed (Antypov and Elliott 2011).
    template <class T>
    TALUS_HOT static Force<T> respond(const Kinematics<T>& contact, const Params& p, const T& opening_speed) {
        using std::sqrt;
        const T root_x = sqrt(contact.overlap);
        const T k = stiffness(contact, p);
        const T damping = sqrt5 * p.damping_ratio * sqrt(contact.mass * k * root_x) + p.cn;
        const T elastic = k * root_x * contact.overlap;
        const T tangent = 1.5 * k * root_x;
        return {elastic - damping * opening_speed, damping, elastic, 0.4 * elastic * contact.overlap,
                sqrt(tangent * contact.mass)};
    }

    /// By how much the repulsion has changed over the last step. Spring and dashpot both stiffen with the overlap, so
    /// steeply at first that their rates will not do.
    template <class T>
    TALUS_HOT static T change(const Kinematics<T>& contact, const Params& p, const Force<T>& now,
                              const T& opening_speed, double dt) {
        using std::sqrt;
        const T before = larger(contact.overlap + dt * opening_speed, T(0.0));
        const T softer = sqrt(sqrt(before / larger(contact.overlap, T(tiny))));
        const T lower_damping = (now.damping - p.cn) * softer + p.cn;
        return now.elastic - spring(contact, p, before).force -
               T(dt) * lower_damping * now.repulsion * contact.inverse_mass -
               (now.damping - lower_damping) * opening_speed;
    }

    /// Spring force and energy at another overlap.
    template <class T>
    TALUS_HOT static Spring<T> spring(const Kinematics<T>& contact, const Params& p, const T& overlap) {
        using std::sqrt;
        const T elastic = stiffness(contact, p) * sqrt(overlap) * overlap;
        return {elastic, 0.4 * elastic * overlap};
    }

    /// Half a period at the present overlap: the time scale of a contact that lasts.
    template <class T>
    TALUS_HD static T duration(const Kinematics<T>& contact, const Params& p) {
        using std::sqrt;
        return pi * sqrt(contact.mass / (1.5 * stiffness(contact, p) * sqrt(contact.overlap)));
    }

    template <class T>
    TALUS_HD static T stiffness(const Kinematics<T>& contact, const Params& p) {
        using std::sqrt;
        return (4.0 / 3.0) * p.modulus * sqrt(1.0 / contact.curvature);
    }

    static constexpr double tiny = 1e-300;  // m, for lanes that do not touch
    static constexpr double pi = 3.14159265358979323846;
    static constexpr double sqrt5 = 2.23606797749978969641;
    static constexpr bool needs_curvature = true;
};

}  // namespace talus::laws
