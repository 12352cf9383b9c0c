#include "talus/search/wall_sweep.h"

#include <algorithm>
#include <cmath>

#include "talus/geometry/extent.h"
#include "talus/model/motion.h"

namespace talus::search {

using math::Vec3d;

namespace {

bool is_unbounded(const model::Wall& wall) {
    return std::isinf(geometry::bounding_radius(wall.shape));
}

}  // namespace

bool tilts_without_bounds(const model::Wall& wall) {
    if (!is_unbounded(wall)) {
        return false;
    }
    const Vec3d axis = wall.pose.rotation.column(2);
    for (const model::Spin& spin : wall.motion.spins) {
        if (norm2(cross(spin.axis, axis)) > 1e-20) {
            return true;
        }
    }
    return std::any_of(wall.motion.keyframes.begin(), wall.motion.keyframes.end(),
                       [](const model::Keyframe& k) { return norm2(k.rotation) > 0; });
}

double surface_shift(const model::Wall& wall, const model::Pose& from, const model::Pose& to) {
    const double shift = norm(to.position - from.position);
    if (is_unbounded(wall)) {
        return shift;
    }
    double turn2 = norm2(to.rotation.column(2) - from.rotation.column(2));
    if (!geometry::is_round_about_z(wall.shape)) {
        turn2 += norm2(to.rotation.column(0) - from.rotation.column(0)) +
                 norm2(to.rotation.column(1) - from.rotation.column(1));
    }
    return shift + std::sqrt(turn2) * geometry::bounding_radius(wall.shape);
}

}  // namespace talus::search
