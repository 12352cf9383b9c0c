// When a grain in flight first touches a wall of the model, whatever the wall's motion.
#pragma once

#include "talus/geometry/impact.h"
#include "talus/model/wall.h"

namespace talus::model {

/// How often one call may look where a wall that turns or swings is before it gives up.
inline constexpr int looks_a_search = 20000;

/// The first time in [from, to] at which a grain touches the wall and comes nearer to it. The flight is given in the
/// world's frame; `clock` is the time of the run at which the flight's own clock reads zero, and `from`, `to` and the
/// result are times on that clock. `to` may be infinite if the wall neither turns nor swings nor has keyframes then.
///
/// A wall at rest, or moving uniformly, is exact (geometry/impact.h); motions that leave the surface in place, such as
/// a cylinder's spin about its axis, count as rest. Others are searched (geometry/impact_moving.h). If the search grows
/// too long it answers "no touch before `time`" with a time short of `to`: ask again from there.
geometry::FirstTouch first_touch(const Wall& wall, const geometry::Flight& flight, double clock, double radius,
                                 double from, double to, int looks = looks_a_search);

/// The same for a shape that rests at `base` without the motion.
geometry::FirstTouch first_touch(const geometry::Shape& shape, const Pose& base, const Motion& motion,
                                 const geometry::Flight& flight, double clock, double radius, double from, double to,
                                 int looks = looks_a_search);

}  // namespace talus::model
