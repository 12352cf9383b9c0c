// Linear normal spring and dashpot (SSDEM Eqs. 3, 13, 15, 16).
#pragma once

#include <cmath>

#include "talus/laws/contact.h"

namespace talus::laws {

struct NormalHooke {
    struct Params {
        double kn;             // N/m
        double damping_ratio;  // of critical: C_n = 2 ratio sqrt(k_n mass); 1 for restitution 0
        double cn;             // kg/s, added to the above
    };
    template <class T>
    struct Force {
        T repulsion;  // N, pushes i and j apart; negative late in a damped contact (see SSDEM erratum 2)
        T damping;    // kg/s
        T elastic;    // N, its part from the spring
        T stored;     // J
        T root;       // sqrt(k_n mass), kg/s: the natural unit of damping, shared with the tangential part
    };

    template <class T>
    TALUS_HOT static Force<T> respond(const Kinematics<T>& contact, const Params& p, const T& opening_speed) {
        using std::sqrt;
        const T root = sqrt(p.kn * contact.mass);
        const T damping = 2.0 * p.damping_ratio * root + p.cn;
        const T elastic = p.kn * contact.overlap;
        return {less_product(elastic, damping, opening_speed), damping, elastic, 0.5 * elastic * contact.overlap, root};
    }

    /// By how much the repulsion has changed over the last step.
    template <class T>
    TALUS_HOT static T change(const Kinematics<T>& contact, const Params& p, const Force<T>& now,
                              const T& opening_speed, double dt) {
        return T(-dt) * multiply_add(now.damping * contact.inverse_mass, now.repulsion, p.kn * opening_speed);
    }

    /// Spring force and energy at another overlap.
    template <class T>
    TALUS_HOT static Spring<T> spring(const Kinematics<T>&, const Params& p, const T& overlap) {
        const T elastic = p.kn * overlap;
        return {elastic, 0.5 * elastic * overlap};
    }

    /// Eq. 38, the duration after which a contact counts as lasting. A critically damped contact has none; the ratio is
    /// then taken as that of restitution 0.1.
    template <class T>
    TALUS_HD static T duration(const Kinematics<T>& contact, const Params& p) {
        using std::sqrt;
        const double ratio = p.damping_ratio < largest_ratio ? p.damping_ratio : largest_ratio;
        return pi * sqrt(contact.mass / (p.kn * (1.0 - ratio * ratio)));
    }

    static constexpr double pi = 3.14159265358979323846;
    static constexpr double largest_ratio = 0.591155033798897;  // of restitution 0.1
    static constexpr bool needs_curvature = false;
};

}  // namespace talus::laws
