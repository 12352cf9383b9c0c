// A wall that forces move: free along or about an axis, with a mass and a load.
#pragma once

#include "talus/math/vec3.h"

namespace talus::model {

using math::Vec3d;

/// Units of a wall that slides; those of one that turns stand behind the bar.
struct Drive {
    bool turns = false;   // about the axis; otherwise along it
    Vec3d axis{0, 0, 1};  // unit vector, world frame
    Vec3d through;        // m, a point on the axis of turning, before any motion
    double inertia = 1;   // kg | kg m2
    double load = 0;      // N | N m, along or about the axis
    double damping = 0;   // N s/m | N m s
    double weight = 0;    // kg, that gravity pulls on
    Vec3d centre;         // m, from `through` to where gravity pulls, before any motion
    double start = 0;     // s; held until then

    // State.
    double way = 0;    // m | rad, since it was let go
    double speed = 0;  // m/s | rad/s
    double rate = 0;   // m/s2 | rad/s2, at the end of the last step
};

}  // namespace talus::model
