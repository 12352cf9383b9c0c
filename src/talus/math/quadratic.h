// Quadratic equations without loss of digits: the discriminant is formed with the rounding errors of its products.
#pragma once

#include <cmath>

#include "talus/math/host_device.h"

namespace talus::math {

/// A number as an unevaluated sum: `low` is what rounding took from `high`.
struct Split {
    double high = 0, low = 0;
};

/// a * b without error (Veltkamp and Dekker); factors must lie below 1e150 in size and the product above 1e-290.
TALUS_HD constexpr Split exact_product(double a, double b) {
    constexpr double cut = 0x1p27 + 1;
    const double ca = cut * a;
    const double cb = cut * b;
    const double ah = ca - (ca - a);
    const double bh = cb - (cb - b);
    const double al = a - ah;
    const double bl = b - bh;
    const double p = a * b;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/// a + b without error (Knuth).
TALUS_HD constexpr Split exact_sum(double a, double b) {
    const double s = a + b;
    const double back = s - a;
    return {s, (a - (s - back)) + (b - back)};
}

/// a b - c d, right to about one unit in the last place even where the products nearly cancel.
TALUS_HD constexpr double difference_of_products(double a, double b, double c, double d) {
    const Split p = exact_product(a, b);
    const Split q = exact_product(c, d);
    const Split s = exact_sum(p.high, -q.high);
    return s.high + (s.low + (p.low - q.low));
}

/// Real roots in ascending order; a double root counts once.
struct QuadraticRoots {
    int count = 0;
    double root[2] = {0, 0};
};

/// Of a t^2 + 2 h t + c = 0 (mind the 2). Also where a or h is zero; none where all of t or nothing solves it.
TALUS_HD inline QuadraticRoots solve_quadratic(double a, double h, double c) {
    if (a == 0) {
        return h == 0 ? QuadraticRoots{} : QuadraticRoots{1, {-0.5 * c / h, 0}};
    }
    const double discriminant = difference_of_products(h, h, a, c);
    if (discriminant < 0) {
        return {};
    }
    if (discriminant == 0) {
        return {1, {-h / a, 0}};
    }
    const double q = h < 0 ? std::sqrt(discriminant) - h : -(std::sqrt(discriminant) + h);  // no cancellation
    const double r1 = q / a;
    const double r2 = c / q;
    return {2, {r1 < r2 ? r1 : r2, r1 < r2 ? r2 : r1}};
}

}  // namespace talus::math
