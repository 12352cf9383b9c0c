// Walls of every kind in random sizes, degenerate ones included, for all tests of geometry.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/base/random.h"
#include "talus/geometry/shape.h"

namespace talus::geometry::cases {

using base::Random;

inline Shape random_shape(ShapeKind kind, Random& random) {
    const double a = random.uniform(0.2, 2);
    const double b = random.uniform(0.2, 2);
    const double c = random.uniform(0.2, 2);
    const double choice = random.uniform();
    switch (kind) {
        case ShapeKind::disk:
            return {kind, choice < 0.3 ? 0 : b * random.uniform(0.01, 0.99), b};
        case ShapeKind::triangle:
            return {kind, a, random.uniform(-2, 3), c * (choice < 0.1 ? 1e-3 : 1.0)};
        case ShapeKind::tube:
            if (choice < 0.2) {
                return {kind, a, a, c};
            }
            if (choice < 0.4) {
                return {kind, choice < 0.3 ? 0 : a, choice < 0.3 ? b : 0, c};
            }
            return {kind, a, b, choice < 0.5 ? 0.05 * c : c};  // one in ten nearly flat
        default:
            return {kind, a, b, c};
    }
}

/// The R of |distance - s| <= 1e-12 (R + s): how far from its frame's origin a wall that ends somewhere reaches, or how
/// far it curves.
inline double size_of(const Shape& shape) {
    switch (shape.kind) {
        case ShapeKind::plane:
        case ShapeKind::line:
        case ShapeKind::point:
            return 0;
        case ShapeKind::disk:
            return shape.b;
        case ShapeKind::rectangle:
            return std::max(shape.a, shape.b);
        case ShapeKind::triangle:
        case ShapeKind::tube:
            return std::max({shape.a, std::abs(shape.b), shape.c});
        default:
            return shape.a;
    }
}

inline Vec3d random_direction(Random& random) {
    const double z = random.uniform(-1, 1);
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace talus::geometry::cases
