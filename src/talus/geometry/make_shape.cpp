#include "talus/geometry/make_shape.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "talus/math/rotation.h"

namespace talus::geometry {

namespace {

/// Edges of a rectangle may miss the right angle by this (rad): typed decimals pass, a real slant does not.
constexpr double right_angle_tolerance = 1e-6;
/// A triangle flatter than this fraction of its size has no normal worth having.
constexpr double collinear_tolerance = 1e-10;

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

void need_finite(const Vec3d& v, const char* what) {
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
        refuse(std::string(what) + " must consist of finite numbers");
    }
}

void need_finite(double x, const char* what) {
    if (!std::isfinite(x)) {
        refuse(std::string(what) + " must be a finite number");
    }
}

void need_positive(double x, const char* what) {
    need_finite(x, what);
    if (x <= 0) {
        refuse(std::string(what) + " must be positive");
    }
}

void need_not_negative(double x, const char* what) {
    need_finite(x, what);
    if (x < 0) {
        refuse(std::string(what) + " must not be negative");
    }
}

double largest_component(const Vec3d& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// The unit vector along `v`, scaled first so that neither very long nor very short ones are lost.
Vec3d unit(const Vec3d& v, const char* what) {
    need_finite(v, what);
    const double scale = largest_component(v);
    if (scale == 0) {
        refuse(std::string(what) + " must not be the zero vector");
    }
    return normalized(v / scale);
}

/// The length of a difference of two given points, which must not be zero (or so small that it is rounding).
double length_between(const Vec3d& from, const Vec3d& to, const char* what) {
    const double length = norm(to - from);
    need_finite(length, what);
    if (length <= 1e-14 * std::max(largest_component(from), largest_component(to))) {
        refuse(std::string(what) + " must not be zero");
    }
    return length;
}

}  // namespace

Placed make_plane(const Vec3d& point, const Vec3d& normal) {
    need_finite(point, "the point of a plane");
    return {{ShapeKind::plane}, point, math::frame_from_normal(unit(normal, "the normal of a plane"))};
}

Placed make_disk(const Vec3d& center, const Vec3d& normal, double radius, double hole) {
    need_finite(center, "the center of a disk");
    need_positive(radius, "the radius of a disk");
    need_not_negative(hole, "the hole of a disk");
    if (hole >= radius) {
        refuse("the hole of a disk must be smaller than the disk");
    }
    return {{ShapeKind::disk, hole, radius}, center, math::frame_from_normal(unit(normal, "the normal of a disk"))};
}

Placed make_rectangle(const Vec3d& corner, const Vec3d& edge1, const Vec3d& edge2) {
    need_finite(corner, "the corner of a rectangle");
    const Vec3d x = unit(edge1, "the first edge of a rectangle");
    const Vec3d second = unit(edge2, "the second edge of a rectangle");
    if (std::abs(dot(x, second)) > right_angle_tolerance) {
        refuse("the edges of a rectangle must stand at right angles");
    }
    const Vec3d y = normalized(second - dot(x, second) * x);
    return {{ShapeKind::rectangle, norm(edge1), norm(edge2)}, corner, Mat3d::from_columns(x, y, cross(x, y))};
}

Placed make_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    need_finite(a, "the first corner of a triangle");
    need_finite(b, "the second corner of a triangle");
    need_finite(c, "the third corner of a triangle");
    const double ab = length_between(a, b, "the side of a triangle");
    const double ac = length_between(a, c, "the side of a triangle");
    length_between(b, c, "the side of a triangle");
    const Vec3d x = (b - a) / ab;
    const Vec3d normal = cross(x, (c - a) / ac);
    if (norm(normal) <= collinear_tolerance) {
        refuse("the corners of a triangle must not lie on one line");
    }
    const Vec3d z = normalized(normal);
    const Vec3d y = cross(z, x);
    return {{ShapeKind::triangle, ab, dot(c - a, x), dot(c - a, y)}, a, Mat3d::from_columns(x, y, z)};
}

Placed make_cylinder(const Vec3d& point, const Vec3d& axis, double radius) {
    need_finite(point, "the point of a cylinder");
    need_positive(radius, "the radius of a cylinder");
    return {{ShapeKind::cylinder, radius}, point, math::frame_from_normal(unit(axis, "the axis of a cylinder"))};
}

Placed make_tube(const Vec3d& from, const Vec3d& to, double radius_from, double radius_to) {
    need_finite(from, "the start of a cylinder's axis");
    need_finite(to, "the end of a cylinder's axis");
    need_not_negative(radius_from, "the radius of a cylinder's first end");
    need_not_negative(radius_to, "the radius of a cylinder's second end");
    if (radius_from == 0 && radius_to == 0) {
        refuse("the radii of a cylinder's two ends must not both be zero");
    }
    const double length = length_between(from, to, "the length of a cylinder");
    return {{ShapeKind::tube, radius_from, radius_to, length},
            0.5 * (from + to),
            math::frame_from_normal(unit(to - from, "the axis of a cylinder"))};
}

Placed make_sphere(const Vec3d& center, double radius) {
    need_finite(center, "the center of a sphere");
    need_positive(radius, "the radius of a sphere");
    return {{ShapeKind::sphere, radius}, center};
}

Placed make_ring(const Vec3d& center, const Vec3d& normal, double radius) {
    need_finite(center, "the center of a ring");
    need_positive(radius, "the radius of a ring");
    return {{ShapeKind::ring, radius}, center, math::frame_from_normal(unit(normal, "the normal of a ring"))};
}

Placed make_line(const Vec3d& point, const Vec3d& direction) {
    need_finite(point, "the point of a line");
    return {{ShapeKind::line}, point, math::frame_from_normal(unit(direction, "the direction of a line"))};
}

Placed make_segment(const Vec3d& from, const Vec3d& to) {
    need_finite(from, "the start of a segment");
    need_finite(to, "the end of a segment");
    const double length = length_between(from, to, "the length of a segment");
    return {{ShapeKind::segment, length}, from, math::frame_from_normal(unit(to - from, "the axis of a segment"))};
}

Placed make_point(const Vec3d& at) {
    need_finite(at, "the position of a point");
    return {{ShapeKind::point}, at};
}

}  // namespace talus::geometry
