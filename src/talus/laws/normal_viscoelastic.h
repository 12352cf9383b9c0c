// Viscoelastic spheres, F = k x^alpha + k_beta x^beta x' (SOLVER Eqs. 2, 3, 5 and 6 with erratum 1).
#pragma once

#include <cmath>

#include "talus/laws/contact.h"
#include "talus/math/portable_power.h"

namespace talus::laws {

using math::power;

struct NormalViscoelastic {
    struct Params {
        double modulus;  // Pa, E*: k = (4/3) E* sqrt(R*), SI numbers if alpha is not 3/2
        double alpha;
        double k_beta;  // N s / m^(1 + beta)
        double beta;
    };
    template <class T>
    struct Force {
        T repulsion, damping, elastic, stored, root;  // as in NormalHooke; root from the stiffness dF/dx
    };

    template <class T>
    TALUS_HOT static Force<T> respond(const Kinematics<T>& contact, const Params& p, const T& opening) {
        using std::sqrt;
        const T stiff = stiffness(contact, p) * power(contact.overlap, p.alpha - 1);
        const T elastic = stiff * contact.overlap;
        const T damping = p.k_beta * power(contact.overlap, p.beta);
        return {elastic - damping * opening, damping, elastic, elastic * contact.overlap * (1 / (p.alpha + 1)),
                sqrt(p.alpha * stiff * contact.mass)};
    }

    /// By how much the repulsion has changed over the last step.
    template <class T>
    TALUS_HOT static T change(const Kinematics<T>& contact, const Params& p, const Force<T>& now, const T& opening,
                              double dt) {
        const T before = larger(contact.overlap + dt * opening, T(0.0));
        const T lower = p.k_beta * power(before, p.beta);
        return now.elastic - spring(contact, p, before).force - dt * lower * now.repulsion * contact.inverse_mass -
               (now.damping - lower) * opening;
    }

    template <class T>
    TALUS_HOT static Spring<T> spring(const Kinematics<T>& contact, const Params& p, const T& overlap) {
        const T elastic = stiffness(contact, p) * power(overlap, p.alpha - 1) * overlap;
        return {elastic, elastic * overlap * (1 / (p.alpha + 1))};
    }

    /// The paper's resistances to spin act from the first touch on.
    template <class T>
    TALUS_HD static T duration(const Kinematics<T>&, const Params&) {
        return T(0.0);
    }

    template <class T>
    TALUS_HOT static T stiffness(const Kinematics<T>& contact, const Params& p) {
        using std::sqrt;
        return (4.0 / 3.0) * p.modulus * sqrt(1.0 / contact.curvature);
    }

    static constexpr bool needs_curvature = true;
};

}  // namespace talus::laws
