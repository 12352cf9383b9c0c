// The second contact of a grain with a round wall. In a hole, a ring, a pipe, a cone or a cavity a grain can reach the
// wall on both sides of its axis (of its centre, for a sphere) at once. The nearest point alone jumps from one side to
// the other when the grain crosses the axis; it and the opposite one together do not.
#pragma once

#include <cmath>

#include "talus/geometry/nearest.h"

namespace talus::geometry {

/// Whether a shape closes round an axis or a centre of its own, with room for a grain in between.
TALUS_HD constexpr bool has_opposite(const Shape& shape) {
    switch (shape.kind) {
        case ShapeKind::disk:
            return shape.a > 0;
        case ShapeKind::cylinder:
        case ShapeKind::tube:
        case ShapeKind::sphere:
        case ShapeKind::ring:
            return true;
        default:
            return false;
    }
}

namespace detail {

/// Nearer to the axis than this fraction of the shape's radius, the half-plane is kept from the last step: a grain that
/// rests on the axis would otherwise have its contacts turned about by rounding. What is neglected is of second order.
inline constexpr double kept_half_plane_fraction = 1e-9;

/// What of a point counts as its distance from the axis (or centre): the part that must vanish on it.
TALUS_HD constexpr Vec3d off_axis(const Shape& shape, const Vec3d& p) {
    return shape.kind == ShapeKind::sphere ? p : Vec3d{p.x, p.y, 0};
}

TALUS_HD constexpr double widest_radius(const Shape& shape) {
    return shape.kind == ShapeKind::tube && shape.b > shape.a ? shape.b : shape.a;
}

TALUS_HD inline bool is_near_axis(const Shape& shape, const Vec3d& p) {
    const double limit = kept_half_plane_fraction * widest_radius(shape);
    return norm2(off_axis(shape, p)) <= limit * limit;
}

/// The unit vector from the axis towards `p`. Near the axis: along `last`, turned over if `p` lies on the other side.
TALUS_HD inline Vec3d towards(const Shape& shape, const Vec3d& p, const Vec3d& last) {
    const Vec3d off = off_axis(shape, p);
    if (!is_near_axis(shape, p)) {
        return off / norm(off);
    }
    const Vec3d kept = off_axis(shape, last);
    const double length = norm(kept);
    // Without a last contact, or after one that pointed along the axis, any half-plane will do.
    const Vec3d e = length > 1e-6 ? kept / length : Vec3d{1, 0, 0};
    return dot(off, e) < 0 ? -e : e;
}

/// The nearest point on the side of the axis that the unit vector `e` points to; `p` may lie on the other side.
TALUS_HD inline Nearest nearest_on_side(const Shape& shape, const Vec3d& p, const Vec3d& e) {
    const double s = dot(p, e);  // signed distance from the axis
    const auto place = [&](double rho, double z) { return Vec3d{rho * e.x, rho * e.y, z}; };
    const Vec3d here = place(s, p.z);
    switch (shape.kind) {
        case ShapeKind::sphere:
            return {shape.a - s, e, shape.a * e, Feature::face, true};
        case ShapeKind::cylinder:
            return {shape.a - s, e, place(shape.a, p.z), Feature::face, true};
        case ShapeKind::tube: {
            const TubeProfile tube(shape.a, shape.b, shape.c);
            const double along = tube.foot(s, p.z);
            if (along >= 0 && along <= 1) {
                const double d = tube.beyond(s, p.z);
                const Vec3d normal = place(shape.c / tube.length, (shape.a - shape.b) / tube.length);
                return {d > 0 ? d : -d, d > 0 ? -normal : normal,
                        place(shape.a + along * (shape.b - shape.a), shape.c * (along - 0.5)), Feature::face, true};
            }
            const bool low = along < 0;
            const double rim = low ? shape.a : shape.b;
            return contact_at(here, place(rim, low ? -0.5 * shape.c : 0.5 * shape.c),
                              rim > 0 ? Feature::edge : Feature::corner, {0, 0, low ? 1.0 : -1.0});
        }
        default:  // a ring, or a hole: from the other side or near the axis its rim is nearest
            return contact_at(here, place(shape.a, 0), Feature::edge, {0, 0, -1});
    }
}

/// Whether the far side is out of sight: seen from outside, a cylinder, a ball or a closed cone has one side only.
TALUS_HD inline bool is_outside(const Shape& shape, const Vec3d& p) {
    const double rho = norm(off_axis(shape, p));
    switch (shape.kind) {
        case ShapeKind::cylinder:
        case ShapeKind::sphere:
            return rho > shape.a;
        case ShapeKind::tube: {
            if (shape.a > 0 && shape.b > 0) {
                return false;  // a grain may slip from outside over the rim
            }
            const TubeProfile tube(shape.a, shape.b, shape.c);
            const double along = tube.foot(rho, p.z);
            const bool past_mouth = shape.a > 0 ? along < 0 : along > 1;
            return !past_mouth && tube.beyond(rho, p.z) > 0;
        }
        default:
            return false;
    }
}

}  // namespace detail

/// As nearest(), but with a true point also on the axis, where a whole circle is nearest: the one in the direction of
/// the `last` contact (zero: none). Only for shapes with an opposite side.
TALUS_HD inline Nearest nearest_side(const Shape& shape, const Vec3d& p, const Vec3d& last) {
    return detail::is_near_axis(shape, p) ? detail::nearest_on_side(shape, p, detail::towards(shape, p, last))
                                          : nearest(shape, p);
}

/// The nearest point beyond the axis: in the same plane through the axis, on the other side of it; the antipode, for a
/// sphere. `acts` is false where that side cannot be reached past the near one. Its distance changes by no more than
/// the grain and the wall's surface move: it is the least over all circles of the greatest distance to each.
TALUS_HD inline Nearest opposite_side(const Shape& shape, const Vec3d& p, const Vec3d& last) {
    Nearest far = detail::nearest_on_side(shape, p, -detail::towards(shape, p, last));
    far.acts = !detail::is_outside(shape, p);
    return far;
}

/// The nearest point of any shape to a grain that moves: where both sides of a round one are as near, as on its axis,
/// or several faces of a mesh, the one that the grain moves towards.
TALUS_HD inline Nearest nearest_ahead(const Shape& shape, const Vec3d& p, const Vec3d& velocity) {
    if (shape.kind == ShapeKind::mesh) {
        return detail::nearest_of_mesh_ahead(shape, p, velocity);
    }
    return has_opposite(shape) ? nearest_side(shape, p, velocity) : nearest(shape, p);
}

}  // namespace talus::geometry
