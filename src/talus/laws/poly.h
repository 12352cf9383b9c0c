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
    template <class T>
    using Force = NormalHertz::Force<T>;

    template <class T>
    TALUS_HOT static Force<T> respond(const Kinematics<T>& contact, const Params& p, const T& opening) {
        Force<T> out = NormalHertz::respond(contact, {p.modulus, 0, 0}, opening);
        const auto parts = opening > T(slowest);
        // The force that is missing, as a dashpot's.
        out.damping = select(parts, (1 - p.kept) * out.elastic / select(parts, opening, T(1.0)), out.damping);
        out.repulsion = select(parts, p.kept * out.elastic, out.repulsion);
        return out;
    }
    template <class T>
    TALUS_HOT static T change(const Kinematics<T>& contact, const Params& p, const Force<T>& now, const T& opening,
                              double dt) {
        const T before = larger(contact.overlap + dt * opening, T(0.0));
        const T part = select(opening > T(slowest), T(p.kept), T(1.0));
        return now.repulsion - part * spring(contact, p, before).force;
    }
    template <class T>
    TALUS_HOT static Spring<T> spring(const Kinematics<T>& contact, const Params& p, const T& overlap) {
        return NormalHertz::spring(contact, {p.modulus, 0, 0}, overlap);
    }
    template <class T>
    TALUS_HD static T duration(const Kinematics<T>& contact, const Params& p) {
        return NormalHertz::duration(contact, {p.modulus, 0, 0});
    }

    static constexpr double slowest = 1e-100;  // m/s, below which nothing parts
    static constexpr bool needs_curvature = true;
};

using Poly = GranularLaw<NormalUnloading, RegularisedFriction, RollingFriction, TwistingFriction>;

}  // namespace talus::laws
