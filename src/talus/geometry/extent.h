// How far a shape reaches, and whether turning it about its own axis changes where it is.
#pragma once

#include <cmath>

#include "talus/geometry/shape.h"

namespace talus::geometry {

/// Radius (m) of the smallest ball about the shape's own origin that holds it; infinite for the unbounded kinds.
TALUS_HD inline double bounding_radius(const Shape& shape) {
    const double a = shape.a;
    const double b = shape.b;
    const double c = shape.c;
    switch (shape.kind) {
        case ShapeKind::plane:
        case ShapeKind::cylinder:
        case ShapeKind::line:
            return HUGE_VAL;
        case ShapeKind::disk:
            return b;
        case ShapeKind::rectangle:
            return std::sqrt(a * a + b * b);
        case ShapeKind::triangle: {
            const double far = std::sqrt(b * b + c * c);
            return a > far ? a : far;
        }
        case ShapeKind::tube: {
            const double widest = a > b ? a : b;
            return std::sqrt(widest * widest + 0.25 * c * c);
        }
        case ShapeKind::sphere:
        case ShapeKind::ring:
        case ShapeKind::segment:
        case ShapeKind::mesh:
            return a;
        case ShapeKind::point:
            return 0;
    }
    return HUGE_VAL;
}

/// Whether turning about the shape's own z axis leaves its surface in place. A wall that only spins so needs no new
/// search for neighbours.
TALUS_HD constexpr bool is_round_about_z(const Shape& shape) {
    return shape.kind != ShapeKind::rectangle && shape.kind != ShapeKind::triangle && shape.kind != ShapeKind::mesh;
}

}  // namespace talus::geometry
