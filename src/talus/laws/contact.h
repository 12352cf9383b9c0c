// What a contact law is told and what it answers. Geometry hands a wall over as a body of infinite mass, so a law never
// asks what it touches.
#pragma once

#include "talus/math/fused.h"
#include "talus/math/select.h"
#include "talus/math/vec3.h"

namespace talus::laws {

using math::any;
using math::cross_add;
using math::fused_cross;
using math::fused_dot;
using math::larger;
using math::less_product;
using math::multiply_add;
using math::select;
using math::smaller;
using math::Vec3;

/// A contact between body i and body j (j may be a wall). n points from i to j. In a pack some pairs may not touch:
/// they have neither overlap nor motion nor history, and a law answers nothing for them.
template <class T>
struct Kinematics {
    Vec3<T> normal;      // unit vector n from i to j
    T overlap;           // m, Eq. 2
    T opening;           // m/s, rate at which the overlap shrinks: the normal part of the velocity
    Vec3<T> slip;        // m/s, tangential velocity of j's surface relative to i's: Eq. 8 with its erratum
    Vec3<T> spin;        // rad/s, w_i - w_j
    T spin_sum;          // rad/s, (w_i + w_j) . n
    Vec3<T> half_turn;   // half the change of n over the last step
    T lever_i, lever_j;  // m, from the centres to the contact point, Eqs. 9-10 (lever_j: 0 for a wall)
    T rolling_lever;     // m, the smaller lever, or i's at a wall
    T radius_i;          // m
    T curvature;         // 1/m, 1/R_i + 1/R_j, signed (a cavity counts negative)
    T mass;              // kg, reduced
    T inverse_mass;      // 1/kg, its inverse
    T inertia;           // kg m2, reduced: 1 / (1/I_i + 1/I_j)
};

/// What comparing two T gives: a truth value, or one for each lane of a pack.
template <class T>
using MaskFor = decltype(T(0.0) < T(0.0));

/// A normal spring at some overlap.
template <class T>
struct Spring {
    T force;   // N
    T stored;  // J
};

/// What a law answers. The force is on i; j feels the opposite one. The torques are couple * lever_i + moment on i and
/// couple * lever_j - moment on j, which conserves angular momentum whatever the law.
template <class T, class History>
struct Response {
    Vec3<T> force;                       // N, on i
    Vec3<T> couple;                      // N, n x force
    Vec3<T> moment;                      // N m, on i
    History history;                     // to be kept if the step is
    T stored_normal, stored_tangential;  // J, at this instant; worked out if asked for
    T ahead;  // W, that damping at this instant has taken beyond half of its step's work; worked out if asked for
    // W, by mechanism, in the order of model::Mechanism; counts from half a step before to half a step after
    T normal_damping, tangential_damping, sliding, rolling, twisting, time_step;
    MaskFor<T> slips;  // which contacts slip; otherwise `sliding` is zero
    bool begins;       // some contact begins; otherwise `time_step` is zero
};

/// What is left to book when a contact has ended.
template <class T>
struct Ending {
    T sliding;    // W over one step: what the spring still held
    T time_step;  // W over one step: the error of the last step in touch
};

}  // namespace talus::laws
