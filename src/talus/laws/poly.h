// `law = "poly"`: POLY's forces (Sect. 5 with erratum 3). Hertz's force on the way in, less on the way out, and
// friction that fades with the slip.
#pragma once

#include "talus/laws/granular_law.h"
#include "talus/laws/normal_hertz.h"
#include "talus/laws/slip_friction.h"

namespace talus::laws {

/// Eqs. 56-57. In means of two bodies, F = (sqrt(2)/3) E~ sqrt(r~) x^(3/2) is Hertz's with E* = E~/2 and R* = r~/2.
struct NormalUnloading {
    struct Params {
        double modulus;  // Pa, E*
        double kept;     // delta, the part of the force that is left while the surfaces part: restitution squared
    };
    using Force = NormalHertz::Force<double>;

    TALUS_HD static Force respond(const Kinematics<double>& contact, const Params& p, double opening) {
        Force out = NormalHertz::respond(contact, {p.modulus, 0, 0}, opening);
        if (opening > slowest) {
            out.damping = (1 - p.kept) * out.elastic / opening;  // the force that is missing, as a dashpot's
            out.repulsion = p.kept * out.elastic;
        }
        return out;
    }
    TALUS_HD static double change(const Kinematics<double>& contact, const Params& p, const Force& now, double opening,
                                  double dt) {
        const double before = larger(contact.overlap + dt * opening, 0.0);
        const double part = opening > slowest ? p.kept : 1.0;
        return now.repulsion - part * spring(contact, p, before).force;
    }
    TALUS_HD static Spring<double> spring(const Kinematics<double>& contact, const Params& p, double overlap) {
        return NormalHertz::spring(contact, {p.modulus, 0, 0}, overlap);
    }
    TALUS_HD static double duration(const Kinematics<double>& contact, const Params& p) {
        return NormalHertz::duration(contact, {p.modulus, 0, 0});
    }

    static constexpr double slowest = 1e-100;  // m/s, below which nothing parts
    static constexpr bool needs_curvature = true;
};

using Poly = GranularLaw<NormalUnloading, RegularisedFriction, RollingFriction, TwistingFriction>;

}  // namespace talus::laws
