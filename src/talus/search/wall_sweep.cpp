#include "talus/search/wall_sweep.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "talus/geometry/extent.h"
#include "talus/geometry/surface.h"
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
    std::array<double, 3> change2{};  // of the wall's own axes
    for (int k = 0; k < 3; ++k) {
        change2[static_cast<std::size_t>(k)] = norm2(to.rotation.column(k) - from.rotation.column(k));
    }
    // What lies off the axis of a turn by an angle goes 2 sin(angle / 2) times as far as it is off, and so do two unit
    // vectors across the axis: the squares of all three sum to twice that.
    const double turn = std::sqrt(0.5 * (change2[0] + change2[1] + change2[2])) * (1 + 1e-9) + 1e-15;
    if (wall.shape.kind == geometry::ShapeKind::mesh) {
        return shift + wall.shape.surface->farthest_way(
                           turn, {std::sqrt(change2[0]), std::sqrt(change2[1]), std::sqrt(change2[2])});
    }
    const bool is_round = geometry::is_round_about_z(wall.shape);
    return shift + (is_round ? std::sqrt(change2[2]) : turn) * geometry::bounding_radius(wall.shape);
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
