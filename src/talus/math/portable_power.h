// Powers and cube roots with the same bits on every machine, from the portable logarithm and exponential.
#pragma once

#include <cmath>
#include <cstdint>

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

/// A third of the exponent: right to 3.2 %.
TALUS_HD inline double rough_cube_root(double x) {
    return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, x) / 3 + 0x2a9f74bc6a7ef9dcU);
}
/// Two steps after Halley and one after Newton make it right to a unit in the last place.
template <class T>
TALUS_HOT T refined_cube_root(const T& x, T y) {
    for (int k = 0; k < 2; ++k) {
        const T cube = y * y * y;
        y = y * ((cube + 2.0 * x) / (2.0 * cube + x));
    }
    return y - (y - x / (y * y)) * (1.0 / 3);
}
/// Of x >= 0.
TALUS_HD inline double cube_root(double x) {
    return x > smallest_normal ? refined_cube_root(x, rough_cube_root(x)) : 0.0;
}

}  // namespace talus::math
