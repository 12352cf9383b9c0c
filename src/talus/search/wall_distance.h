// Nearest point of a placed wall in world coordinates, and the one opposite, across periodic boundaries too.
#pragma once

#include <array>
#include <cmath>

#include "talus/geometry/opposite.h"
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

namespace detail {

/// The contact with the wall's nearest copy in the wall's own frame, and where `x` lies in that copy's neighbourhood.
struct NearestCopy {
    geometry::Nearest local;
    Vec3d seen_from;
};

inline NearestCopy nearest_copy(const model::Wall& wall, const model::Domain& domain, const Vec3d& x,
                                const Vec3d& last) {
    const bool round = geometry::has_opposite(wall.shape);
    const auto query = [&](const Vec3d& at) {
        const Vec3d p = wall.pose.to_local(at);
        return round ? geometry::nearest_side(wall.shape, p, math::transpose_times(wall.pose.rotation, last))
                     : geometry::nearest(wall.shape, p);
    };
    NearestCopy best{query(x), x};
    if (!domain.any_periodic()) {
        return best;
    }
    const std::array<int, 3> range = image_range(wall, domain);
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
                if (other.distance < best.local.distance) {
                    best = {other, at};
                }
            }
        }
    }
    return best;
}

inline geometry::Nearest in_world(const model::Wall& wall, geometry::Nearest near, const Vec3d& seen_from) {
    near.direction = wall.pose.rotation * near.direction;
    near.point = seen_from + near.direction * near.distance;
    return near;
}

}  // namespace detail

/// The nearest point of the wall's nearest copy: one copy a wall, so that a wall that spans a period has no seam.
/// Distance and direction are seen from `x`; the point is given as if `x` were near that copy. On the axis of a round
/// wall the point next to the `last` direction is taken (zero: any).
inline geometry::Nearest nearest_wall_point(const model::Wall& wall, const model::Domain& domain, const Vec3d& x,
                                            const Vec3d& last = {}) {
    const detail::NearestCopy copy = detail::nearest_copy(wall, domain, x, last);
    return detail::in_world(wall, copy.local, copy.seen_from);
}

/// The point opposite to that one, of the same copy. The wall's shape must have an opposite side.
inline geometry::Nearest opposite_wall_point(const model::Wall& wall, const model::Domain& domain, const Vec3d& x,
                                             const Vec3d& last = {}) {
    const Vec3d from = domain.any_periodic() ? detail::nearest_copy(wall, domain, x, last).seen_from : x;
    const Vec3d last_local = math::transpose_times(wall.pose.rotation, last);
    return detail::in_world(wall, geometry::opposite_side(wall.shape, wall.pose.to_local(from), last_local), from);
}

}  // namespace talus::search
