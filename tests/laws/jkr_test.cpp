// Adhesive spheres against the closed forms of Johnson, Kendall and Roberts.
#include "talus/laws/jkr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "laws/collision_run.h"

namespace talus::tests {
namespace {

using laws::NormalJkr;
using std::numbers::pi;

constexpr double modulus = 1e7;
constexpr double radius = 0.005;  // R* of head_on
constexpr NormalJkr::Params params(double w) {
    return {modulus, w, 0, 0};
}
/// The definitions, by the contact radius.
double overlap_at(double a, double w) {
    return a * a / radius - std::sqrt(2 * pi * w * a / modulus);
}
double force_at(double a, double w) {
    return 4 * modulus * a * a * a / (3 * radius) - std::sqrt(8 * pi * w * modulus * a * a * a);
}
double least_radius(double w) {
    return std::cbrt(pi * w * radius * radius / (8 * modulus));
}

TEST(Jkr, ForceBelongsToTheContactRadius) {
    for (const double w : {1e-3, 0.1, 10.0}) {
        for (double a = least_radius(w) * 1.001; a < 3e-3; a *= 1.1) {
            const auto f = NormalJkr::respond(head_on(overlap_at(a, w)), params(w), 0);
            EXPECT_NEAR(f.elastic, force_at(a, w), 1e-9 * (std::abs(f.elastic) + pi * w * radius)) << a;
            EXPECT_NEAR(f.root * f.root / 0.002 / (2 * modulus * a), 1, 1e-7);
        }
    }
}

TEST(Jkr, PullOffIsThreeHalvesPiWR) {
    const double w = 0.3;
    double most = 0;
    for (double a = least_radius(w); a < 1e-3; a *= 1.0005) {
        most = std::max(most, -NormalJkr::respond(head_on(overlap_at(a, w)), params(w), 0).repulsion);
    }
    EXPECT_NEAR(most / (1.5 * pi * w * radius), 1, 1e-6);
    EXPECT_DOUBLE_EQ(NormalJkr::pull_off(radius, params(w)), 1.5 * pi * w * radius);
    const double a = least_radius(w);
    EXPECT_NEAR(NormalJkr::longest_gap(radius, params(w)) / -overlap_at(a, w), 1, 1e-12);
    EXPECT_NEAR(NormalJkr::longest_gap(radius, params(w)) / (3 * a * a / radius), 1, 1e-12);
    // At the end of its reach the pull is 5/9 of the greatest.
    EXPECT_NEAR(-force_at(a, w) / (1.5 * pi * w * radius), 5.0 / 9, 1e-12);
}

TEST(Jkr, WithoutAdhesionItIsHertz) {
    for (const double x : {1e-7, 1e-4}) {
        const auto f = NormalJkr::respond(head_on(x), params(1e-12), 0);
        EXPECT_NEAR(f.elastic / (4.0 / 3 * modulus * std::sqrt(radius) * std::pow(x, 1.5)), 1, 1e-4);
    }
}

TEST(Jkr, EnergyIsTheIntegralOfTheForceAndZeroAtPullOff) {
    const double w = 0.3;
    const double low = -NormalJkr::longest_gap(radius, params(w));
    for (const double high : {0.5 * low, 0.0, 1e-5, 1e-3}) {
        constexpr int n = 4000;
        double sum = 0;
        for (int k = 0; k <= n; ++k) {  // Simpson in a variable that tames the root at the pull-off
            const double t = k / static_cast<double>(n);
            const double x = low + (high - low) * t * t;
            sum += (k == 0 || k == n ? 1 : (k % 2 ? 4 : 2)) * 2 * t * (high - low) *
                   NormalJkr::spring(head_on(x), params(w), x).force;
        }
        const double energy = NormalJkr::spring(head_on(high), params(w), high).stored;
        EXPECT_NEAR(sum / (3.0 * n), energy, 1e-6 * std::abs(energy));
    }
    EXPECT_GT(NormalJkr::snap(radius, params(w)), 0);
}

TEST(Jkr, SlowGrainsStickAndFastOnesPartAtTheirReach) {
    const double w = 0.5;
    const DerivedLaw law =
        derived({"jkr", {{"young", 1e7}, {"poisson", 0}, {"work_of_adhesion", w}, {"restitution", 1}}});
    const NormalJkr::Params p{5e6, w, 0, 0};
    const double needed = NormalJkr::snap(radius, p);  // to leave again, without damping
    const double limit = std::sqrt(2 * needed / 0.002);
    for (const double part : {0.5, 0.9, 1.1, 3.0}) {
        const double speed = part * limit;
        const double h = law.info().collision_time(law.block, 0.002, radius, speed) / 1000;
        const Collision c = collide(law, meeting(speed, h), h, 30000);
        EXPECT_EQ(c.parted, part > 1) << part;
        EXPECT_NEAR(c.pull / (1.5 * pi * w * radius), 1, part > 0.6 ? 0.01 : 0.05);
        if (c.parted) {
            EXPECT_NEAR(parting_speed(c) / speed, std::sqrt(1 - 1 / (part * part)), 0.01);
        }
    }
}

TEST(Jkr, AContactBeginsAtTouchAndEndsAtPullOff) {
    const DerivedLaw of = derived({"jkr", {{"young", 1e7}, {"work_of_adhesion", 0.5}, {"restitution", 0.9}}});
    using Law = laws::ExtendedLaw<laws::AdhesiveMindlin>;
    const auto p = of.block.as<Law::Params>();
    const double reach = Law::range(p, 0.01, 0.01);
    Law::History<double> none{};
    Law::History<double> old{};
    old.age = 1e-3;
    EXPECT_FALSE(Law::acts(head_on(-0.5 * reach), p, none));
    EXPECT_TRUE(Law::acts(head_on(-0.999 * reach), p, old));
    EXPECT_FALSE(Law::acts(head_on(-1.001 * reach), p, old));
    EXPECT_TRUE(Law::acts(head_on(1e-9), p, none));
    EXPECT_GT(Law::range(p, 0.01, 0), reach);
}

}  // namespace
}  // namespace talus::tests
