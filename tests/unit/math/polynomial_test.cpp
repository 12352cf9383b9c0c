// Roots of polynomials made from known roots: spread out, close together and multiple, in exact arithmetic where the
// coefficients allow it.
#include "talus/math/polynomial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "talus/base/random.h"

namespace talus::math {
namespace {

template <int n>
Polynomial<n> from_roots(const std::vector<double>& roots, double leading) {
    std::vector<long double> c{static_cast<long double>(leading)};
    for (const double r : roots) {
        c.insert(c.begin(), 0);
        for (std::size_t k = 0; k + 1 < c.size(); ++k) {
            c[k] -= static_cast<long double>(r) * c[k + 1];
        }
    }
    while (c.size() < n + 1) {  // factors t^2 + 1, without real roots
        c.insert(c.begin(), 2, 0);
        for (std::size_t k = 0; k + 2 < c.size(); ++k) {
            c[k] += c[k + 2];
        }
    }
    Polynomial<n> p;
    for (std::size_t k = 0; k < c.size(); ++k) {
        p.c[k] = static_cast<double>(c[k]);
    }
    return p;
}

TEST(Quadratic, KeepsAllDigitsWhereTheUsualFormulaLosesThem) {
    const QuadraticRoots far = solve_quadratic(1, -0.5e8, 1);  // t^2 - 1e8 t + 1
    ASSERT_EQ(far.count, 2);
    EXPECT_NEAR(far.root[0] * 1e8, 1, 1e-15);
    EXPECT_DOUBLE_EQ(far.root[1], 1e8);
    // (t - 1)(t - 1 - 2^-26), all coefficients exact: the discriminant 2^-54 drowns in the rounding of h^2.
    const double d = 0x1p-26;
    const QuadraticRoots close = solve_quadratic(1, -(1 + 0.5 * d), 1 + d);
    ASSERT_EQ(close.count, 2);
    EXPECT_DOUBLE_EQ(close.root[0], 1);
    EXPECT_DOUBLE_EQ(close.root[1], 1 + d);
}

TEST(Quadratic, KnowsItsDegenerateForms) {
    EXPECT_EQ(solve_quadratic(0, 0, 1).count, 0);
    EXPECT_EQ(solve_quadratic(0, 2, -8).root[0], 2);
    EXPECT_EQ(solve_quadratic(1, 0, 1).count, 0);
    EXPECT_EQ(solve_quadratic(3, 0, 0).count, 1);
    EXPECT_EQ(solve_quadratic(1, -3, 9).root[0], 3);
    EXPECT_EQ(solve_quadratic(1, 1, 0).root[0], -2);
    EXPECT_EQ(solve_quadratic(1, 1, 0).root[1], 0);
}

TEST(Quadratic, AgreesWithExtendedPrecision) {
    base::Random random(51, 0);
    for (int i = 0; i < 100000; ++i) {
        const double a = random.uniform(-1, 1);
        const double h = random.uniform(-1, 1) * std::pow(10.0, random.uniform(-6, 6));
        // As often as not nearly a double root: c next to h^2/a.
        const double off = std::pow(10.0, random.uniform(-8, 0)) * random.uniform(-1, 1);
        const double c = random.uniform() < 0.5 ? h * h / a * (1 + off) : random.uniform(-1, 1);
        const auto wide_a = static_cast<long double>(a);
        const auto wide_h = static_cast<long double>(h);
        const auto wide_c = static_cast<long double>(c);
        const long double discriminant = wide_h * wide_h - wide_a * wide_c;
        const QuadraticRoots found = solve_quadratic(a, h, c);
        ASSERT_EQ(found.count, discriminant > 0 ? 2 : 0);
        if (discriminant > 0) {
            const long double root = std::sqrt(discriminant);
            const long double q = h > 0 ? -(wide_h + root) : root - wide_h;
            const auto r1 = static_cast<double>(q / wide_a);
            const auto r2 = static_cast<double>(wide_c / q);
            ASSERT_NEAR(found.root[0] / std::min(r1, r2), 1, 1e-14);
            ASSERT_NEAR(found.root[1] / std::max(r1, r2), 1, 1e-14);
        }
    }
}

template <int n>
void check_random_roots(int cases) {
    base::Random random(52, n);
    for (int i = 0; i < cases; ++i) {
        constexpr int most_pairs = n / 2;
        const int real = n - 2 * static_cast<int>(random.uniform() * (most_pairs + 1));
        std::vector<double> roots;
        for (int k = 0; k < real; ++k) {
            roots.push_back(std::floor(random.uniform(-64, 64)) / 32);
        }
        std::sort(roots.begin(), roots.end());
        roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
        if ((n - static_cast<int>(roots.size())) % 2 != 0) {
            continue;
        }
        const Polynomial<n> p = from_roots<n>(roots, random.uniform() < 0.5 ? 1 : -2);
        const double bound = root_bound(p);
        const Roots<n> found = roots_between(p, -bound, bound);
        ASSERT_EQ(found.count, static_cast<int>(roots.size())) << n;
        for (std::size_t k = 0; k < roots.size(); ++k) {
            ASSERT_NEAR(found.root[k], roots[k], 1e-10);
        }
        const Roots<n> half = roots_between(p, 0, bound);  // an end on a root counts
        ASSERT_EQ(half.count, std::count_if(roots.begin(), roots.end(), [](double r) { return r >= 0; }));
    }
}

TEST(Polynomial, HasAllItsRoots) {
    check_random_roots<3>(20000);
    check_random_roots<4>(20000);
    check_random_roots<5>(5000);
    check_random_roots<7>(5000);
    check_random_roots<8>(5000);
}

TEST(Polynomial, TellsCloseRootsFromNone) {
    // (t - 1)^2 - e and (t - 1)^2 + e, times t^2 - 4: exact in doubles for e = 2^-2k down to 2^-48.
    for (int k = 1; k <= 24; ++k) {
        const double e = std::ldexp(1.0, -2 * k);
        const Polynomial<2> apart{{1 - e, -2, 1}};
        const Polynomial<2> above{{1 + e, -2, 1}};
        const Polynomial<2> others{{-4, 0, 1}};
        const Roots<4> two = roots_between(apart * others, -3, 3);
        ASSERT_EQ(two.count, 4) << k;
        EXPECT_NEAR(two.root[1], 1 - std::ldexp(1.0, -k), 1e-15);
        EXPECT_NEAR(two.root[2], 1 + std::ldexp(1.0, -k), 1e-15);
        EXPECT_EQ(roots_between(above * others, -3, 3).count, 2) << k;
    }
}

TEST(Polynomial, TouchesWhereARootIsDouble) {
    base::Random random(53, 0);
    for (int i = 0; i < 20000; ++i) {
        const double a = std::floor(random.uniform(-1000, 1000)) / 256;
        const double b = std::floor(random.uniform(-1000, 1000)) / 256;
        const double c = std::floor(random.uniform(-1000, 1000)) / 256;
        if (a == b || a == c || b == c) {
            continue;
        }
        const Polynomial<4> p = from_roots<4>({a, a, b, c}, 1);  // exact: 40 bits
        const Roots<4> found = roots_between(p, -5, 5);
        std::vector<double> expected{a, b, c};
        for (const double r : expected) {
            double nearest = 10;
            for (int k = 0; k < found.count; ++k) {
                nearest = std::min(nearest, std::abs(found.root[k] - r));
            }
            ASSERT_LT(nearest, 1e-12) << a << ' ' << b << ' ' << c;
        }
    }
    const Polynomial<4> fourfold = from_roots<4>({1, 1, 1, 1}, 1);
    EXPECT_GE(roots_between(fourfold, -3, 3).count, 1);
    EXPECT_NEAR(roots_between(fourfold, -3, 3).root[0], 1, 1e-7);
}

TEST(Polynomial, OfLowerDegreeThanItsFormIsSolvedToo) {
    const Roots<4> found = roots_between(Polynomial<4>{{-6, 3, 0, 0, 0}}, -5, 5);
    ASSERT_EQ(found.count, 1);
    EXPECT_EQ(found.root[0], 2);
    EXPECT_EQ(roots_between(Polynomial<4>{{1, 0, 0, 0, 0}}, -5, 5).count, 0);
}

TEST(BracketedRoot, IsFoundWhereNewtonAloneFails) {
    // Flat on both sides: Newton's steps from the outside lead away from the root.
    const auto step = [](double x) {
        const double s = std::sqrt(1 + 1e8 * x * x);
        return Sample{1e4 * x / s, 1e4 / (s * s * s)};
    };
    EXPECT_NEAR(bracketed_root(step, -1, 2, false, 2, 0), 0, 1e-15);
    const auto cubic = [](double x) { return Sample{8 - x * x * x, -3 * x * x}; };
    EXPECT_DOUBLE_EQ(bracketed_root(cubic, 0, 100, true, 50, 0), 2);
}

}  // namespace
}  // namespace talus::math
