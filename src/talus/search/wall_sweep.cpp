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

/// An unbounded wall that tilts sweeps arbitrarily far.
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
    for (const model::Drive& drive : wall.motion.drives) {
        if (drive.turns && norm2(cross(drive.axis, axis)) > 1e-20) {
            return true;
        }
    }
    return std::any_of(wall.motion.keyframes.begin(), wall.motion.keyframes.end(),
                       [](const model::Keyframe& k) { return norm2(k.rotation) > 0; });
}

}  // namespace

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

void WallWatch::begin(std::span<const model::Wall> walls) {
    poses_.clear();
    everywhere_.clear();
    for (const model::Wall& wall : walls) {
        poses_.push_back(wall.pose);
        everywhere_.push_back(tilts_without_bounds(wall) ? 1 : 0);
    }
}

double WallWatch::farthest(std::span<const model::Wall> walls) const {
    double out = 0;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (walls[w].present && !walls[w].motion.at_rest() && !everywhere_[w]) {
            out = std::max(out, surface_shift(walls[w], poses_[w], walls[w].pose));
        }
    }
    return out;
}

bool stays_in_place(const model::Wall& wall) {
    const model::Motion& motion = wall.motion;
    if (!motion.translations.empty() || !motion.oscillations.empty() || !motion.keyframes.empty() ||
        !motion.drives.empty()) {
        return false;
    }
    const Vec3d axis = wall.base.rotation.column(2);
    return std::all_of(motion.spins.begin(), motion.spins.end(), [&](const model::Spin& spin) {
        return geometry::is_round_about_z(wall.shape) && norm2(cross(spin.axis, axis)) < 1e-24 &&
               norm2(cross(spin.axis, wall.base.position - spin.through)) == 0;
    });
}

}  // namespace talus::search
