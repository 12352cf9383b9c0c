// Nearest point of a placed wall in world coordinates, across periodic boundaries too.
#pragma once

#include <array>
#include <cmath>

#include "talus/geometry/nearest.h"
#include "talus/model/domain.h"
#include "talus/model/wall.h"

namespace talus::search {

using math::Vec3d;

/// Along which axes copies of a wall must be looked at: the periodic ones along which it is not invariant.
inline std::array<int, 3> image_range(const model::Wall& wall, const model::Domain& domain) {
    std::array<int, 3> range{};
    const Vec3d axis = wall.pose.rotation.column(2);
    for (std::size_t a = 0; a < 3; ++a) {
        if (!domain.periodic[a]) {
            continue;
        }
        const double along = std::abs(axis[static_cast<int>(a)]);
        const bool flat = wall.shape.kind == geometry::ShapeKind::plane && along < 1e-9;
        const bool long_way =
            (wall.shape.kind == geometry::ShapeKind::cylinder || wall.shape.kind == geometry::ShapeKind::line) &&
            along > 1 - 1e-9;
        range[a] = flat || long_way ? 0 : 1;
    }
    return range;
}

/// The nearest point of the wall's nearest copy: one contact a wall, so that a wall that spans a period has no seam.
/// Distance and direction are seen from `x`; the point is given as if `x` were near that copy.
inline geometry::Nearest nearest_wall_point(const model::Wall& wall, const model::Domain& domain,
                                            const std::array<int, 3>& range, const Vec3d& x) {
    const auto query = [&wall](const Vec3d& at) { return geometry::nearest(wall.shape, wall.pose.to_local(at)); };
    geometry::Nearest best = query(x);
    Vec3d best_at = x;
    if (range[0] + range[1] + range[2] > 0) {
        const Vec3d period = domain.size();
        for (int kx = -range[0]; kx <= range[0]; ++kx) {
            for (int ky = -range[1]; ky <= range[1]; ++ky) {
                for (int kz = -range[2]; kz <= range[2]; ++kz) {
                    if (kx == 0 && ky == 0 && kz == 0) {
                        continue;
                    }
                    const Vec3d at{range[0] ? x.x + kx * period.x : x.x, range[1] ? x.y + ky * period.y : x.y,
                                   range[2] ? x.z + kz * period.z : x.z};
                    const geometry::Nearest other = query(at);
                    if (other.distance < best.distance) {
                        best = other;
                        best_at = at;
                    }
                }
            }
        }
    }
    best.direction = wall.pose.rotation * best.direction;
    best.point = best_at + best.direction * best.distance;
    return best;
}

}  // namespace talus::search
