// When a grain in flight first touches a wall of the model, whatever the wall's motion.
#pragma once

#include "talus/geometry/carried_point.h"
#include "talus/geometry/impact.h"
#include "talus/model/wall.h"

namespace talus::model {

/// How often one call may look where a wall that turns or swings is before it gives up.
inline constexpr int looks_a_search = 20000;

/// What a grain in flight may touch: a shape that rests at `base` without its motion, or, with an offset, a place that
/// is carried along in the frame of the shape (the centre of a grain that sticks to a wall; the shape is then a point).
struct Target {
    const geometry::Shape& shape;
    const Pose& base;
    const Motion& motion;
    Vec3d offset{};  // m, in the shape's frame

    static Target of(const Wall& wall) { return {wall.shape, wall.base, wall.motion}; }
};

/// The first time in [from, to] at which a grain touches the target and comes nearer to it. The flight is given in the
/// world's frame; `clock` is the time of the run at which the flight's own clock reads zero, and `from`, `to` and the
/// result are times on that clock. `to` may be infinite if the target is steady from then on.
///
/// A wall at rest, or moving uniformly, is exact (geometry/impact.h); motions that leave the surface in place, such as
/// a cylinder's spin about its axis, count as rest. Others are searched (geometry/impact_moving.h). If the search grows
/// too long it answers "no touch before `time`" with a time short of `to`: ask again from there.
geometry::FirstTouch first_touch(const Target& target, const geometry::Flight& flight, double clock, double radius,
                                 double from, double to, int looks = looks_a_search);
inline geometry::FirstTouch first_touch(const Wall& wall, const geometry::Flight& flight, double clock, double radius,
                                        double from, double to, int looks = looks_a_search) {
    return first_touch(Target::of(wall), flight, clock, radius, from, to, looks);
}

inline geometry::FirstTouch first_touch(const geometry::Shape& shape, const Pose& base, const Motion& motion,
                                        const geometry::Flight& flight, double clock, double radius, double from,
                                        double to, int looks = looks_a_search) {
    return first_touch(Target{shape, base, motion}, flight, clock, radius, from, to, looks);
}

/// The same for a sphere of a grain that turns, whatever the wall's motion by a search. It must be off the grain's
/// centre, and the grain must turn; the times must lie within the span of its arc.
geometry::FirstTouch first_touch(const Target& target, const geometry::CarriedPoint& point, double clock, double radius,
                                 double from, double to, int looks = looks_a_search);

/// A time in [from, to] before which the grain certainly does not touch the target, from one look at their distance and
/// bounds on their speeds; `from` if nothing can be said.
double clear_until(const Target& target, const geometry::Flight& flight, double clock, double radius, double from,
                   double to);

/// Whether the surface rests or moves uniformly for ever, so that touches can be foreseen without end.
bool is_steady(const Target& target);

/// m/s, a bound on how fast the target's material moves that is at `at` at the time `clock`, from then on for `span`.
double material_speed(const Target& target, const Vec3d& at, double clock, double span);

}  // namespace talus::model
