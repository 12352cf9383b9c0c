// The nearest point of any wall shape to a point, both in the shape's own frame (SSDEM appendix, with its errata).
#pragma once

#include "talus/geometry/nearest_flat.h"
#include "talus/geometry/nearest_round.h"
#include "talus/geometry/nearest_thin.h"
#include "talus/geometry/shape.h"

namespace talus::geometry {

namespace detail {

// Meshes stay on the host (surface.cpp): no device has them.
Nearest nearest_of_surface(const Shape& shape, const Vec3d& p);
Nearest nearest_of_surface_ahead(const Shape& shape, const Vec3d& p, const Vec3d& velocity);

TALUS_HD inline Nearest nearest_of_mesh([[maybe_unused]] const Shape& shape, [[maybe_unused]] const Vec3d& p) {
#ifdef __CUDA_ARCH__
    return {};
#else
    return nearest_of_surface(shape, p);
#endif
}
TALUS_HD inline Nearest nearest_of_mesh_ahead([[maybe_unused]] const Shape& shape, [[maybe_unused]] const Vec3d& p,
                                              [[maybe_unused]] const Vec3d& velocity) {
#ifdef __CUDA_ARCH__
    return {};
#else
    return nearest_of_surface_ahead(shape, p, velocity);
#endif
}

}  // namespace detail

/// `p + distance * direction` is the contact point. On the surface itself the distance is zero and the direction that
/// of a point a hair above (flat shapes) or inside (round ones). Uses only + - * / and sqrt.
TALUS_HD inline Nearest nearest(const Shape& shape, const Vec3d& p) {
    switch (shape.kind) {
        case ShapeKind::plane:
            return detail::contact_with_face(p);
        case ShapeKind::disk:
            return detail::nearest_disk(shape.a, shape.b, p);
        case ShapeKind::rectangle:
            return detail::nearest_rectangle(shape.a, shape.b, p);
        case ShapeKind::triangle:
            return detail::nearest_triangle(shape.a, shape.b, shape.c, p);
        case ShapeKind::cylinder:
            return detail::nearest_cylinder(shape.a, p);
        case ShapeKind::tube:
            return detail::nearest_tube(shape.a, shape.b, shape.c, p);
        case ShapeKind::sphere:
            return detail::nearest_sphere(shape.a, p);
        case ShapeKind::ring:
            return detail::nearest_ring(shape.a, p);
        case ShapeKind::line:
            return detail::nearest_line(p);
        case ShapeKind::segment:
            return detail::nearest_segment(shape.a, p);
        case ShapeKind::point:
            return detail::nearest_point(p);
        case ShapeKind::mesh:
            return detail::nearest_of_mesh(shape, p);
    }
    return {};  // not reached: every kind is named above
}

}  // namespace talus::geometry
