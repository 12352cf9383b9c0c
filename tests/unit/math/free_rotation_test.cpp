// A free asymmetric body: energy over a million steps, order two, and the period of its tumbling in closed form.
#include "talus/math/free_rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace talus::math {
namespace {

constexpr Vec3d moment{1, 2, 3};
constexpr Vec3d inverse{1, 0.5, 1.0 / 3};

double energy(const Quaterniond& q, const Vec3d& angular) {
    return 0.5 * dot(angular, spin_of(angular, q, inverse));
}

/// Spin about the middle axis, a little off it: the body turns end over end again and again.
constexpr Vec3d angular{0.01, 2, 0.02};

Quaterniond run(double step, int steps) {
    Quaterniond q;
    for (int k = 0; k < steps; ++k) {
        q = turned_freely(q, angular, inverse, step);
    }
    return q;
}

TEST(FreeRotation, KeepsItsEnergyForAMillionSteps) {
    Quaterniond q;
    const double before = energy(q, angular);
    double worst = 0;
    for (int k = 0; k < 1'000'000; ++k) {
        q = turned_freely(q, angular, inverse, 1e-3);
        worst = std::max(worst, std::abs(energy(q, angular) / before - 1));
    }
    std::printf("energy of a free asymmetric body: within %.2g over 10^6 steps of a thousandth of a radian\n", worst);
    EXPECT_LT(worst, 1e-6);
}

TEST(FreeRotation, IsOfSecondOrderInOrientation) {
    const auto apart = [](const Quaterniond& a, const Quaterniond& b) {
        const Quaterniond between = a * conjugate(b);
        return 2 * norm(between.v);
    };
    const Quaterniond fine = run(1e-4, 100'000);
    const double coarse = apart(run(1e-2, 1000), fine);
    const double half = apart(run(5e-3, 2000), fine);
    EXPECT_NEAR(std::log2(coarse / half), 2, 0.05);
}

/// Euler's equations: with L^2 = 2 E I between those of the outer axes the spin about each axis is an elliptic function
/// of period 4 K(k) / sqrt((I3 - I2)(L^2 - 2 E I1) / (I1 I2 I3)) (Landau and Lifshitz, Mechanics, 37).
TEST(FreeRotation, TumblesWithEulersPeriod) {
    const double twice = 2 * energy({}, angular);
    const double l2 = norm2(angular);
    double i1 = moment.x;
    double i3 = moment.z;
    if (l2 < twice * moment.y) {  // the formula's case is the other one
        std::swap(i1, i3);
    }
    const double i2 = moment.y;
    const double rate = std::sqrt((i3 - i2) * (l2 - twice * i1) / (i1 * i2 * i3));
    const double k2 = (i2 - i1) * (twice * i3 - l2) / ((i3 - i2) * (l2 - twice * i1));
    const double expected = 4 * std::comp_ellint_1(std::sqrt(k2)) / rate;
    // The spin about the middle axis changes its sign twice a period.
    constexpr double step = 1e-3;
    Quaterniond q;
    const auto middle = [&] { return transpose_times(to_matrix(q), spin_of(angular, q, inverse)).y; };
    std::vector<double> crossings;
    double last = middle();
    for (int k = 1; crossings.size() < 9; ++k) {
        ASSERT_LT(k, 1'000'000);
        q = turned_freely(q, angular, inverse, step);
        const double now = middle();
        if ((last > 0) != (now > 0)) {
            crossings.push_back(step * (k - now / (now - last)));
        }
        last = now;
    }
    const double period = (crossings[8] - crossings[0]) / 4;
    std::printf("end over end every %.6f s, by Euler's equations %.6f s\n", period, expected);
    EXPECT_NEAR(period, expected, 1e-5 * expected);
}

}  // namespace
}  // namespace talus::math
