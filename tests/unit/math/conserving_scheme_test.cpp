// POLY Eqs. 70-75: a scheme that keeps an energy exactly, whatever the step, while the energy that one would look at
// wavers about it. The table of docs/integrators.md comes from here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace talus::tests {
namespace {

constexpr double m = 1;

double potential(double x) {
    return x * x / 2 + x * x * x * x / 4;
}
/// (V(p) - V(q)) / (p - q), without the division.
double slope(double p, double q) {
    return (p + q) / 2 + (p + q) * (p * p + q * q) / 4;
}
double curvature(double x) {
    return 1 + 3 * x * x;
}

/// x(t + h) of Eq. 70, by Newton's method: the left side grows with it, so that there is one root.
double next(double now, double before, double h) {
    double x = 2 * now - before;
    for (int k = 0; k < 50; ++k) {
        const double off = m * (x - 2 * now + before) / (h * h) + slope(x, before);
        x -= off / (m / (h * h) + 0.5 + (3 * x * x + 2 * x * before + before * before) / 4);
    }
    return x;
}

struct Wavering {
    double drift = 0;   // of the energy of Eq. 71, relative
    double wiggle = 0;  // largest of Eq. 73 less Eq. 71
    double left = 0;    // largest of what Eq. 74 does not explain
};

/// Let go at x = 1, until t = 20.
Wavering swing(double h) {
    Wavering out;
    double before = 1;
    double now = 1;
    const double kept = potential(1);
    for (int n = 1; n * h < 20; ++n) {
        const double after = next(now, before, h);
        const double v = (now - before) / h;
        const double v_after = (after - now) / h;
        const double a = (after - 2 * now + before) / (h * h);
        const double energy = m / 2 * v * v + (potential(now) + potential(before)) / 2;
        const double mean = (after - before) / (2 * h);
        const double seen = m / 2 * mean * mean + potential(now);
        const double told = h * h / 8 * (m * a * a - 2 * curvature(before) * v * v_after);
        out.drift = std::max(out.drift, std::abs(energy / kept - 1));
        out.wiggle = std::max(out.wiggle, std::abs(seen - energy));
        out.left = std::max(out.left, std::abs(seen - energy - told));
        before = now;
        now = after;
    }
    return out;
}

TEST(ConservingScheme, KeepsItsEnergyForAnyStep) {
    for (const double h : {0.001, 0.01, 0.1, 0.5, 1.0, 3.0, 10.0}) {
        EXPECT_LT(swing(h).drift, 1e-16 * (20 / h) / h + 1e-14) << h;  // rounding of x counts 1/h times in v
    }
}

TEST(ConservingScheme, WaversAsTheFormulaSays) {
    std::ifstream file(TALUS_SOURCE_DIR "/docs/integrators.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    Wavering last;
    for (const double h : {0.2, 0.1, 0.05, 0.025}) {
        const Wavering found = swing(h);
        if (last.left > 0) {
            EXPECT_NEAR(last.wiggle / found.wiggle, 4, 0.4) << h;
            EXPECT_GT(last.left / found.left, 6.5) << h;
        }
        last = found;
        char row[100];
        std::snprintf(row, sizeof row, "| %g | %.3e | %.3e |", h, found.wiggle, found.left);
        EXPECT_THAT(page, testing::HasSubstr(row));
    }
}

}  // namespace
}  // namespace talus::tests
