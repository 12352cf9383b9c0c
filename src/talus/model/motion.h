// Motions of a wall as functions of time, and of how far forces have driven it. A pose is always computed from these
// themselves, never accumulated, so that it does not drift and a resumed run finds the same bits. Motions of one wall
// add up.
#pragma once

#include <utility>
#include <vector>

#include "talus/model/drive.h"
#include "talus/model/pose.h"

namespace talus::model {

/// Constant velocity from `start` on.
struct Translation {
    Vec3d velocity;    // m/s
    double start = 0;  // s
};

/// Displacement amplitude * sin(omega (t - start) + phase), measured from its value at `start`.
struct Oscillation {
    Vec3d amplitude;   // m, direction included
    double omega = 0;  // rad/s
    double phase = 0;  // rad
    double start = 0;  // s
};

/// Turning about an axis through a point that is carried along by the wall's translations.
struct Spin {
    Vec3d axis{0, 0, 1};  // unit vector, world frame
    Vec3d through;        // m, world frame at the time of `start`
    double rate = 0;      // rad/s
    double start = 0;     // s
};

/// Which parts of a spin are not given but follow the wall: the direction of its own axis, the place of its origin.
struct OwnAxis {
    bool direction = false;
    bool place = false;
};

/// Displacement and rotation vector, interpolated linearly between given times and held before and after.
struct Keyframe {
    double time = 0;     // s, absolute
    Vec3d displacement;  // m, from the wall's base pose
    Vec3d rotation;      // rad, rotation vector about the wall's origin
};

struct Motion {
    std::vector<Translation> translations;
    std::vector<Oscillation> oscillations;
    std::vector<Spin> spins;
    std::vector<Keyframe> keyframes;  // ascending in time
    std::vector<Drive> drives;        // at most one: by forces

    bool at_rest() const {
        return translations.empty() && oscillations.empty() && spins.empty() && keyframes.empty() && drives.empty();
    }
};

/// The pose at time `t` of a wall that rests at `base` without its motions. Keyframes turn the wall about its own
/// origin, then the spins turn it in their order, then its drive; velocity and spin are the exact derivatives. A motion
/// acts from its start on, the start included; a wall without motions gets `base` itself.
Pose pose_at(const Pose& base, const Motion& motion, double t);

/// How far translations, oscillations and keyframes have carried a wall from its base at time `t`.
Vec3d displacement_at(const Motion& motion, double t);

/// Gives each spin that `own` marks (one entry a spin) the wall's own axis, its own origin or both, as they are when
/// that spin starts: displaced by the motions, and turned by the spins before it in the list.
void take_own_axes(const Pose& base, Motion& motion, const std::vector<OwnAxis>& own);

/// A new base and motion for a wall that is at `now` at time `t0` and goes on with `relative`, whose times count from
/// `t0`. The pose is continuous there, unless `relative` has a keyframe at zero that displaces the wall.
std::pair<Pose, Motion> restart_motion(const Pose& now, const Motion& relative, double t0);

}  // namespace talus::model
