// SOLVER's four contact models (Sects. 2.3.2-2.3.5 with errata 1-3) as laws. They share the normal force and differ in
// friction and in the resistance to spin.
#pragma once

#include "talus/laws/granular_law.h"
#include "talus/laws/normal_viscoelastic.h"
#include "talus/laws/slip_friction.h"
#include "talus/laws/tangential_saturating.h"

namespace talus::laws {

/// Eqs. 3 and 5 with erratum 3: a moment against the relative spin, whatever its direction.
struct SpinFriction {
    struct Params {
        double friction;  // m, mu_r
    };
    template <class T>
    TALUS_HOT static Vec3<T> moment(const Kinematics<T>& contact, const Params& p, const T& press, double step) {
        return opposing_moment<T>(contact.spin, p.friction * press, contact.inertia, step);
    }
};

/// Eq. 6 with erratum 3: a moment that grows with the relative spin.
struct SpinDrag {
    struct Params {
        double friction;  // m s, mu_tau
    };
    template <class T>
    TALUS_HOT static Vec3<T> moment(const Kinematics<T>& contact, const Params& p, const T& press, double step) {
        using std::sqrt;
        const T speed = sqrt(norm2(contact.spin));
        return opposing_moment<T>(contact.spin, p.friction * press * speed, contact.inertia, step);
    }
};

/// `law = "solver_basic"`, Eq. 2.
using SolverBasic = GranularLaw<NormalViscoelastic, ViscousFriction, SpinFriction, TwistingFriction>;
/// `law = "solver_static"`, Eqs. 3-4.
using SolverStatic = GranularLaw<NormalViscoelastic, PathFriction, SpinFriction, TwistingFriction>;
/// `law = "solver_damped"`, Eq. 5.
using SolverDamped = GranularLaw<NormalViscoelastic, TangentialSaturating, SpinFriction, TwistingFriction>;

/// What holds grains on an object: not a force of one contact, but what a body gets once all its forces are summed
/// (Eq. 7, Algorithm 2).
struct Stiction {
    double mu_q;   // a body that its object presses with N resists tangential forces up to mu_q N
    double k_s;    // part of its momentum along the object that is taken away in t_q, at most 1
    double k_tau;  // part of its angular momentum, likewise
    double t_q;    // s
};

/// `law = "solver_object"`, Eq. 6; the engine adds the stiction.
struct SolverObject : GranularLaw<NormalViscoelastic, ViscousFriction, SpinDrag, TwistingFriction> {
    using Contact = GranularLaw<NormalViscoelastic, ViscousFriction, SpinDrag, TwistingFriction>;
    struct Params : Contact::Params {
        Stiction hold;
    };
    static Stiction stiction(const Params& p) { return p.hold; }
};

}  // namespace talus::laws
