// Logarithm and exponential from + - * / alone, so that parameters derived from them have the same bits on every
// machine. Errors stay within two units in the last place. Built-in functions in place of the library's: a GPU has them
// too.
#pragma once

#include <cstdint>

#include "talus/math/host_device.h"

namespace talus::math {

inline constexpr double ln2_high = 0x1.62e42fefa3800p-1;  // upper 40 bits of ln 2: exact when times a small integer
inline constexpr double ln2_low = 0x1.ef35793c76730p-45;

/// Natural logarithm of a positive, finite, normal number.
TALUS_HD constexpr double log(double x) {
    auto bits = __builtin_bit_cast(std::uint64_t, x);
    int exponent = static_cast<int>(bits >> 52U) - 1023;
    double mantissa = __builtin_bit_cast(double, (bits & 0xFFFFFFFFFFFFFU) | 0x3FF0000000000000U);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        ++exponent;
    }
    // ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172
    const double s = (mantissa - 1) / (mantissa + 1);
    const double s2 = s * s;
    double series = 0;
    for (int k = 23; k >= 3; k -= 2) {
        series = (series + 1.0 / k) * s2;
    }
    const double e = exponent;
    return e * ln2_high + (2 * s + (2 * s * series + e * ln2_low));
}

/// Exponential; zero below the smallest normal number, infinite above the largest.
TALUS_HD constexpr double exp(double x) {
    if (x < -708) {
        return 0;
    }
    if (x > 709.7) {
        return __builtin_inf();
    }
    const int k = static_cast<int>(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    const double r = (x - k * ln2_high) - k * ln2_low;  // |r| < 0.35
    double series = 1;
    for (int n = 14; n >= 1; --n) {
        series = 1 + series * r / n;
    }
    const double scale = __builtin_bit_cast(double, static_cast<std::uint64_t>(k + 1022) << 52U);  // 2^(k - 1)
    return series * scale * 2;
}

}  // namespace talus::math
