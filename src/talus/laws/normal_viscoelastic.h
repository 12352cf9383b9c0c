// Viscoelastic spheres, F = k x^alpha + k_beta x^beta x' (SOLVER Eqs. 2, 3, 5 and 6 with erratum 1).
#pragma once

#include "talus/laws/contact.h"
#include "talus/math/portable_power.h"

namespace talus::laws {

struct NormalViscoelastic {
    struct Params {
        double modulus;  // Pa, E*: k = (4/3) E* sqrt(R*), SI numbers if alpha is not 3/2
        double alpha;
        double k_beta;  // N s / m^(1 + beta)
        double beta;
    };
    struct Force {
        double repulsion, damping, elastic, stored, root;  // as in NormalHooke; root from the stiffness dF/dx
    };

    TALUS_HD static Force respond(const Kinematics<double>& contact, const Params& p, double opening) {
        const double stiff = stiffness(contact, p) * math::power(contact.overlap, p.alpha - 1);
        const double elastic = stiff * contact.overlap;
        const double damping = p.k_beta * math::power(contact.overlap, p.beta);
        return {elastic - damping * opening, damping, elastic, elastic * contact.overlap / (p.alpha + 1),
                std::sqrt(p.alpha * stiff * contact.mass)};
    }

    /// By how much the repulsion has changed over the last step.
    TALUS_HD static double change(const Kinematics<double>& contact, const Params& p, const Force& now, double opening,
                                  double dt) {
        const double before = larger(contact.overlap + dt * opening, 0.0);
        const double lower = p.k_beta * math::power(before, p.beta);
        return now.elastic - spring(contact, p, before).force - dt * lower * now.repulsion * contact.inverse_mass -
               (now.damping - lower) * opening;
    }

    TALUS_HD static Spring<double> spring(const Kinematics<double>& contact, const Params& p, double overlap) {
        const double elastic = stiffness(contact, p) * math::power(overlap, p.alpha - 1) * overlap;
        return {elastic, elastic * overlap / (p.alpha + 1)};
    }

    /// The paper's resistances to spin act from the first touch on.
    TALUS_HD static double duration(const Kinematics<double>&, const Params&) { return 0; }

    TALUS_HD static double stiffness(const Kinematics<double>& contact, const Params& p) {
        return (4.0 / 3.0) * p.modulus * std::sqrt(1.0 / contact.curvature);
    }

    static constexpr bool needs_curvature = true;
};

}  // namespace talus::laws
