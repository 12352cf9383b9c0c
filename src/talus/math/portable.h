// Sine and cosine from + - * / alone. The C library's differ from machine to machine, so whatever feeds a trajectory
// uses these: the same bits with every compiler and on a GPU.
#pragma once

#include <cmath>
#include <cstdint>

#include "talus/math/host_device.h"

namespace talus::math {

struct SinCos {
    double sin = 0, cos = 1;
};

namespace detail {

/// An angle less a whole number of quarter turns, as an unevaluated sum hi + lo with |hi| <= pi/4 (or a hair more).
struct ReducedAngle {
    double hi = 0, lo = 0;
    std::int64_t quarter = 0;
};

/// Cody and Waite's reduction: pi/2 in four parts, the first three with 23 bits each, so that the products with a
/// count of quarter turns below 2^30 are exact. Beyond |x| = 1e9 the error grows to about the spacing of doubles at x.
TALUS_HD constexpr ReducedAngle reduce_angle(double x) {
    constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
    constexpr double part1 = 0x1.921fb4p+0;
    constexpr double part2 = 0x1.4442dp-24;
    constexpr double part3 = 0x1.846988p-48;
    constexpr double part4 = 0x1.8cc51701b839ap-72;
    const double turns = x * two_over_pi;
    const auto quarter = static_cast<std::int64_t>(turns < 0 ? turns - 0.5 : turns + 0.5);
    const auto n = static_cast<double>(quarter);
    const double r = (x - n * part1) - n * part2;  // exact
    const double y = n * part3;                    // exact
    const double s = r - y;
    const double back = s - r;
    const double error = (r - (s - back)) - (y + back);  // of the difference s
    const double t = error - n * part4;
    const double hi = s + t;
    const double part_of_t = hi - s;
    const double lo = (s - (hi - part_of_t)) + (t - part_of_t);
    return {hi, lo, quarter};
}

/// sin(hi + lo) for |hi| <= pi/4: the Taylor series to hi^17 leaves less than 1e-19.
TALUS_HD constexpr double sin_series(double hi, double lo) {
    const double q = hi * hi;
    double p = 1.0 / 355687428096000.0;
    p = p * q - 1.0 / 1307674368000.0;
    p = p * q + 1.0 / 6227020800.0;
    p = p * q - 1.0 / 39916800.0;
    p = p * q + 1.0 / 362880.0;
    p = p * q - 1.0 / 5040.0;
    p = p * q + 1.0 / 120.0;
    p = p * q - 1.0 / 6.0;
    return hi + (lo * (1.0 - 0.5 * q) + hi * q * p);
}

/// cos(hi + lo) for |hi| <= pi/4: the Taylor series to hi^16; the rounding error of 1 - hi^2/2 is kept.
TALUS_HD constexpr double cos_series(double hi, double lo) {
    const double q = hi * hi;
    double p = 1.0 / 20922789888000.0;
    p = p * q - 1.0 / 87178291200.0;
    p = p * q + 1.0 / 479001600.0;
    p = p * q - 1.0 / 3628800.0;
    p = p * q + 1.0 / 40320.0;
    p = p * q - 1.0 / 720.0;
    p = p * q + 1.0 / 24.0;
    const double half = 0.5 * q;
    const double head = 1.0 - half;
    return head + (((1.0 - head) - half) + (q * q * p - hi * lo));
}

}  // namespace detail

/// Sine and cosine of `x` (rad), right to 1.2e-16 for |x| <= 1e9. NaN for NaN, infinities and |x| >= 2^50, where
/// neighbouring doubles lie a quarter of a radian apart.
TALUS_HD constexpr SinCos sincos(double x) {
    if (!(x < 0x1p50 && x > -0x1p50)) {
        return {static_cast<double>(NAN), static_cast<double>(NAN)};
    }
    const detail::ReducedAngle r = detail::reduce_angle(x);
    const double s = detail::sin_series(r.hi, r.lo);
    const double c = detail::cos_series(r.hi, r.lo);
    switch (r.quarter & 3) {
        case 0:
            return {s, c};
        case 1:
            return {c, -s};
        case 2:
            return {-s, -c};
        default:
            return {-c, s};
    }
}

TALUS_HD constexpr double sin(double x) {
    return sincos(x).sin;
}
TALUS_HD constexpr double cos(double x) {
    return sincos(x).cos;
}

}  // namespace talus::math
