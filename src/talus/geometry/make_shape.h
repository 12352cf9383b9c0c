// Wall shapes from what a user says in the world's frame. Each maker checks its numbers and throws
// std::invalid_argument with one sentence that says what is wrong; the caller knows where it was said.
#pragma once

#include "talus/geometry/shape.h"
#include "talus/math/mat3.h"

namespace talus::geometry {

using math::Mat3d;

/// A shape and where its own frame lies in the world: a point p of the frame is at position + rotation * p.
struct Placed {
    Shape shape;
    Vec3d position;  // m
    Mat3d rotation = Mat3d::identity();
};

/// Directions (normal, axis, direction) need not be unit vectors; lengths in metres.
Placed make_plane(const Vec3d& point, const Vec3d& normal);
Placed make_disk(const Vec3d& center, const Vec3d& normal, double radius, double hole = 0);
/// The edges must stand at right angles; the shape's origin is the corner, its normal edge1 x edge2.
Placed make_rectangle(const Vec3d& corner, const Vec3d& edge1, const Vec3d& edge2);
/// The shape's origin is the first corner, its normal (b - a) x (c - a).
Placed make_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c);
/// Infinite in both directions of its axis.
Placed make_cylinder(const Vec3d& point, const Vec3d& axis, double radius);
/// A finite cylinder, funnel (two radii) or cone (one radius zero); the shape's origin is the middle of its axis.
Placed make_tube(const Vec3d& from, const Vec3d& to, double radius_from, double radius_to);
Placed make_sphere(const Vec3d& center, double radius);
Placed make_ring(const Vec3d& center, const Vec3d& normal, double radius);
Placed make_line(const Vec3d& point, const Vec3d& direction);
Placed make_segment(const Vec3d& from, const Vec3d& to);
Placed make_point(const Vec3d& at);

}  // namespace talus::geometry
