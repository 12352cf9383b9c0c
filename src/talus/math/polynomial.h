// Polynomials of fixed degree and all their real roots in an interval. Between neighbouring roots of the derivative a
// polynomial rises or falls, so a change of sign there means one root and no change means none: no root can be missed.
#pragma once

#include "talus/math/host_device.h"
#include "talus/math/quadratic.h"
#include "talus/math/root.h"

namespace talus::math {

template <int n>
struct Polynomial {
    static constexpr int degree = n;
    double c[static_cast<unsigned>(n) + 1] = {};  // of t^0, t^1, ... t^n

    /// Plain Horner's rule.
    TALUS_HD constexpr double operator()(double t) const {
        double sum = c[n];
        for (int k = n - 1; k >= 0; --k) {
            sum = sum * t + c[k];
        }
        return sum;
    }
};

template <int n>
TALUS_HD constexpr Polynomial<n - 1> derivative(const Polynomial<n>& p) {
    static_assert(n > 0);
    Polynomial<n - 1> d;
    for (int k = 1; k <= n; ++k) {
        d.c[k - 1] = k * p.c[k];
    }
    return d;
}

template <int n, int m>
TALUS_HD constexpr Polynomial<n + m> operator*(const Polynomial<n>& p, const Polynomial<m>& q) {
    Polynomial<n + m> product;
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= m; ++j) {
            product.c[i + j] += p.c[i] * q.c[j];
        }
    }
    return product;
}
template <int n>
TALUS_HD constexpr Polynomial<n> operator*(double s, const Polynomial<n>& p) {
    Polynomial<n> product;
    for (int k = 0; k <= n; ++k) {
        product.c[k] = s * p.c[k];
    }
    return product;
}
TALUS_HD constexpr int larger_degree(int n, int m) {
    return n > m ? n : m;
}
/// The sum; the degrees may differ.
template <int n, int m>
TALUS_HD constexpr Polynomial<larger_degree(n, m)> operator+(const Polynomial<n>& p, const Polynomial<m>& q) {
    Polynomial<larger_degree(n, m)> sum;
    for (int k = 0; k <= larger_degree(n, m); ++k) {
        sum.c[k] = (k <= n ? p.c[k] : 0) + (k <= m ? q.c[k] : 0);
    }
    return sum;
}

/// The value, as if Horner's rule had been worked with twice the digits wherever the plain one is in doubt; zero where
/// even those cannot tell it from zero, nor the place itself from its neighbouring doubles.
template <int n>
TALUS_HD constexpr double careful_value(const Polynomial<n>& p, double t) {
    double sum = p.c[n];
    double size = sum < 0 ? -sum : sum;
    const double abs_t = t < 0 ? -t : t;
    for (int k = n - 1; k >= 0; --k) {
        sum = sum * t + p.c[k];
        size = size * abs_t + (p.c[k] < 0 ? -p.c[k] : p.c[k]);
    }
    const double doubt = (2 * n) * epsilon * size;
    if (sum > doubt || sum < -doubt) {
        return sum;
    }
    sum = p.c[n];
    double lost = 0;  // the rounding errors go through Horner's rule themselves
    for (int k = n - 1; k >= 0; --k) {
        const Split product = exact_product(sum, t);
        const Split next = exact_sum(product.high, p.c[k]);
        sum = next.high;
        lost = lost * t + (product.low + next.low);
    }
    const double value = sum + lost;
    const double rest = (4 * n * n) * epsilon * epsilon * size;
    return value > rest || value < -rest ? value : 0.0;
}

/// Real roots in ascending order.
template <int n>
struct Roots {
    int count = 0;
    double root[static_cast<unsigned>(n)] = {};

    TALUS_HD constexpr void add(double t) { root[count++] = t; }
};

/// All roots in [low, high], both finite. Each change of sign gives one root; where the polynomial touches zero without
/// changing sign (a root of even order, to twice the digits of a double) the place of contact is one root.
template <int n>
TALUS_HD Roots<n> roots_between(const Polynomial<n>& p, double low, double high) {
    Roots<n> found;
    if constexpr (n == 1) {
        const double t = p.c[1] == 0 ? low - 1 : -p.c[0] / p.c[1];
        if (t >= low && t <= high) {
            found.add(t);
        }
    } else if constexpr (n == 2) {
        const QuadraticRoots both = solve_quadratic(p.c[2], 0.5 * p.c[1], p.c[0]);
        for (int k = 0; k < both.count; ++k) {
            if (both.root[k] >= low && both.root[k] <= high) {
                found.add(both.root[k]);
            }
        }
    } else {
        if (p.c[n] == 0) {  // of lower degree
            Polynomial<n - 1> lower;
            for (int k = 0; k < n; ++k) {
                lower.c[k] = p.c[k];
            }
            const Roots<n - 1> same = roots_between(lower, low, high);
            for (int k = 0; k < same.count; ++k) {
                found.add(same.root[k]);
            }
            return found;
        }
        const Polynomial<n - 1> slope = derivative(p);
        const Roots<n - 1> turns = roots_between(slope, low, high);
        const auto sample = [&](double t) { return Sample{careful_value(p, t), slope(t)}; };
        double left = low;
        double at_left = careful_value(p, left);
        if (at_left == 0) {
            found.add(left);
        }
        for (int k = 0; k <= turns.count && found.count < n; ++k) {
            const double right = k < turns.count ? turns.root[k] : high;
            const double at_right = careful_value(p, right);
            if (right > left) {
                if (at_right == 0) {
                    found.add(right);
                } else if (at_left != 0 && (at_left > 0) != (at_right > 0)) {
                    found.add(bracketed_root(sample, left, right, at_left > 0, left, 0));
                }
            }
            left = right;
            at_left = at_right;
        }
    }
    return found;
}

/// A bound on the size of every root (Cauchy); the leading coefficient must not be zero.
template <int n>
TALUS_HD constexpr double root_bound(const Polynomial<n>& p) {
    double largest = 0;
    for (int k = 0; k < n; ++k) {
        const double ratio = p.c[k] / p.c[n];
        const double size = ratio < 0 ? -ratio : ratio;
        largest = size > largest ? size : largest;
    }
    return 1 + largest;
}

}  // namespace talus::math
