// The angle of a vector in the plane with the same bits on every machine: a short polynomial, put right by the portable
// sine and cosine.
#pragma once

#include <cmath>

#include "talus/math/portable.h"

namespace talus::math {

/// rad, from the x axis to (x, y), in (-pi, pi]; 0 for no vector at all. Right to a few units in the last place.
inline double angle_of(double x, double y) {
    const double ax = std::abs(x);
    const double ay = std::abs(y);
    const double largest = ax > ay ? ax : ay;
    if (largest == 0) {
        return 0;
    }
    const double t = (ax > ay ? ay : ax) / largest;  // tan of an angle up to pi/4
    const double t2 = t * t;
    const double rough =
        t * (0.9998660 + t2 * (-0.3302995 + t2 * (0.1801410 + t2 * (-0.0851330 + t2 * 0.0208351))));  // to 2e-5
    // sin(true - rough), then its arc sine.
    const SinCos at = sincos(rough);
    const double off = (t * at.cos - at.sin) / std::sqrt(1 + t2);
    const double angle = rough + off * (1 + off * off / 6);
    constexpr double half_turn = 3.14159265358979323846;
    const double first = ax > ay ? angle : 0.5 * half_turn - angle;
    const double upper = x < 0 ? half_turn - first : first;
    return y < 0 ? -upper : upper;
}

}  // namespace talus::math
