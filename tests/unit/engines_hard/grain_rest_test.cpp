// Hard grains of several spheres that lie still: on two or three contact points, in a heap, and until something hits
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grain_systems.h"
#include "talus/engines/hard/grain_engine.h"

namespace talus::tests {
namespace {

using engines::hard::GrainEngine;
using engines::hard::Options;

constexpr double fall_speed = 4.43;  // m/s, through one metre

Options options_of(const model::System& system) {
    Options out;
    out.impacts = {system.materials.pair_law[0].impact};
    out.step = system.clock.step;
    out.slow = {0.02 * fall_speed * std::sqrt(0.5), 0.002 * fall_speed * std::sqrt(0.5)};
    out.resting = true;
    return out;
}

model::System above_a_floor(const laws::ImpactParams& rule) {
    model::System out = space(rule, 2e-3);
    out.gravity = {0, 0, -9.81};
    out.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    return out;
}

/// m, of the lowest surface of a grain.
double lowest(const model::System& system, std::size_t i) {
    double out = 1e300;
    for (const geometry::Ball& ball : model::spheres_of(system.bodies, system.grains, i)) {
        out = std::min(out, ball.center.z - ball.radius);
    }
    return out;
}

TEST(HardGrainsAtRest, ADroppedDumbbellLiesDownOnBothEnds) {
    for (const double tilt : {0.0, 0.3, 1.4, 1.55}) {
        model::System system = above_a_floor({0.5, 0, 0.5});
        add(system, 1, {0, 0, 2}, {}, {}, {0, tilt, 0});
        const double before = mechanical(system);
        GrainEngine engine(system, options_of(system), false);
        double sunk = 0;
        for (int n = 0; n < 100; ++n) {
            engine.advance_steps(50);
            sunk = std::min(sunk, lowest(system, 0));
        }
        EXPECT_EQ(engine.measures().asleep, 1) << tilt;
        EXPECT_GT(sunk, -1e-12);
        EXPECT_LT(system.counters.largest_overlap, 1e-12);
        EXPECT_NEAR(system.bodies.position[0].z, 0.5, 0.01);  // both ends on the floor
        EXPECT_EQ(system.bodies.velocity[0], Vec3d{});
        EXPECT_EQ(system.bodies.spin[0], Vec3d{});
        EXPECT_LT(imbalance(system, before), 1e-12) << tilt;
        EXPECT_LT(engine.measures().wall_collisions, 5000);
    }
}

TEST(HardGrainsAtRest, ARodThatStandsUprightStaysSo) {
    model::System system = above_a_floor({0.5, 0, 0.5});
    add(system, 1, {0, 0, 1.2}, {}, {}, {0, 0.5 * std::numbers::pi, 0});
    GrainEngine engine(system, options_of(system), false);
    engine.advance_steps(3000);
    EXPECT_EQ(engine.measures().asleep, 1);
    EXPECT_NEAR(system.bodies.position[0].z, 1, 0.01);
}

TEST(HardGrainsAtRest, AGrainOfFourLiesOnThreeOfThem) {
    base::Random random(2, 1);
    for (int k = 0; k < 5; ++k) {
        model::System system = above_a_floor({0.5, 0, 0.5});
        add(system, 0, {0, 0, 2}, {}, random_vector(random, 2), random_vector(random, 3));
        const double before = mechanical(system);
        GrainEngine engine(system, options_of(system), false);
        engine.advance_steps(10'000);
        EXPECT_EQ(engine.measures().asleep, 1);
        std::vector<double> gaps;
        for (const geometry::Ball& ball : model::spheres_of(system.bodies, system.grains, 0)) {
            gaps.push_back(ball.center.z - ball.radius);
        }
        std::sort(gaps.begin(), gaps.end());
        EXPECT_GT(gaps[0], -1e-12);
        EXPECT_LT(gaps[2], 0.02);
        EXPECT_LT(imbalance(system, before), 1e-12);
    }
}

TEST(HardGrainsAtRest, AHardHitWakesAndASlowOneDoesNot) {
    for (const double speed : {0.01, 1.0}) {
        model::System system = above_a_floor({0.5, 0, 0.5});
        add(system, 1, {0, 0, 0.51}, {});
        GrainEngine engine(system, options_of(system), false);
        engine.advance_steps(3000);
        ASSERT_EQ(engine.measures().asleep, 1);
        const Vec3d at = system.bodies.position[0];
        model::System struck = system;
        add(struck, -1, {at.x, std::sqrt(0.81 - 0.25) + 0.4 * speed, at.z}, {0, -speed, 0}, {}, {}, 0.4);
        struck.grains.resize(struck.bodies);
        struck.flights.anchor.push_back(struck.bodies.position[1]);
        struck.flights.anchor_turn.emplace_back();
        struck.flights.calm.push_back(struck.clock.time());
        struck.flights.knocks.push_back(0);
        struck.impulses = {};
        struck.gravity = {0, 0, -1e-9};  // weight enough to rest, too little to fall
        GrainEngine other(struck, options_of(struck), true);
        other.advance_steps(300);
        EXPECT_EQ(other.measures().collisions > 0, speed > 0.5);
        EXPECT_EQ(norm(struck.bodies.position[0] - at) > 0, speed > 0.5);
    }
}

TEST(HardGrainsAtRest, AHeapComesToRestAndKeepsItsHeight) {
    model::System system = above_a_floor({0.3, 0, 0.5});
    base::Random random(8, 1);
    constexpr int edge = 4;
    for (int n = 0; n < 64; ++n) {
        add(system, n % 3 - 1, site(n, edge) + Vec3d{0.5, 0.5, 0.5}, {}, {}, random_vector(random, 3), 0.48);
    }
    for (const double at : {0.0, static_cast<double>(edge)}) {
        system.walls.push_back(wall_of(geometry::make_plane({at, 0, 0}, {1, 0, 0})));
        system.walls.push_back(wall_of(geometry::make_plane({0, at, 0}, {0, 1, 0})));
    }
    const double before = mechanical(system);
    GrainEngine engine(system, options_of(system), false);
    engine.advance_steps(6000);
    EXPECT_GT(engine.measures().asleep, 55);
    EXPECT_LT(imbalance(system, before), 1e-10);
    EXPECT_LT(system.counters.largest_overlap, 1e-10);
    const auto height = [&] {
        double sum = 0;
        for (const Vec3d& x : system.bodies.position) {
            sum += x.z;
        }
        return sum / 64;
    };
    const double settled = height();
    engine.advance_steps(2000);
    EXPECT_NEAR(height(), settled, 1e-3 * settled);
}

}  // namespace
}  // namespace talus::tests
