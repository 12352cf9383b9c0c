// Powers and cube roots with the same bits on every machine, from the portable logarithm and exponential.
#pragma once

#include <cmath>

#include "talus/math/portable_log.h"

namespace talus::math {

inline constexpr double smallest_normal = 0x1p-1022;

/// x^p for x >= 0, p not negative where x is zero; halves up to 5/2 by multiplication and square root alone. What lies
/// below the normal numbers counts as zero.
TALUS_HD inline double power(double x, double p) {
    if (!(x > smallest_normal)) {
        return p > 0 ? 0.0 : 1.0;
    }
    if (p == 0.5) {
        return std::sqrt(x);
    }
    if (p == 1.5) {
        return x * std::sqrt(x);
    }
    if (p == 1) {
        return x;
    }
    if (p == 2) {
        return x * x;
    }
    if (p == 2.5) {
        return x * x * std::sqrt(x);
    }
    return p == 0 ? 1.0 : exp(p * log(x));
}

/// Of x >= 0, right to a unit or two in the last place.
TALUS_HD inline double cube_root(double x) {
    if (!(x > smallest_normal)) {
        return 0;
    }
    const double y = exp(log(x) / 3);
    return y - (y - x / (y * y)) / 3;
}

}  // namespace talus::math
