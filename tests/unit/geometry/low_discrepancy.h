// Points that fill a box evenly: an independent quadrature for tests.
#pragma once

#include <cmath>
#include <vector>

#include "talus/geometry/sphere_union.h"

namespace talus::geometry {

/// The additive recurrence with the powers of the root of x^4 = x + 1; its error falls almost as 1/count.
inline Vec3d even_point(int k, const Vec3d& low, const Vec3d& high) {
    constexpr double g = 1.22074408460575947536;
    const auto part = [k](double step) {
        const double x = 0.5 + k * step;
        return x - std::floor(x);
    };
    const Vec3d u{part(1 / g), part(1 / (g * g)), part(1 / (g * g * g))};
    return {low.x + (high.x - low.x) * u.x, low.y + (high.y - low.y) * u.y, low.z + (high.z - low.z) * u.z};
}

inline bool covers(const std::vector<Ball>& balls, const Vec3d& p) {
    for (const Ball& ball : balls) {
        if (norm2(p - ball.center) <= ball.radius * ball.radius) {
            return true;
        }
    }
    return false;
}

}  // namespace talus::geometry
