// Grains at walls that move, hold, attract or absorb, grains that are held themselves, and steps that are rejected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/geometry/make_shape.h"
#include "unit/engines_grains/soft_grains.h"

namespace talus::tests {
namespace {

using std::numbers::pi;

constexpr auto sliding = static_cast<std::size_t>(model::Mechanism::sliding);

void add_floor(model::System& system, const Vec3d& velocity = {}) {
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    if (norm2(velocity) > 0) {
        system.walls.back().motion.translations.push_back({velocity, 0});
    }
}

TEST(GrainsAtWalls, ARejectedStepForgetsNoHistory) {
    // A sphere at rest on a steep floor, held by the spring of its friction alone, and turning held.
    model::System system =
        space(law_of("mindlin", {{"young", 1e7}, {"restitution", 0.3}, {"friction.static", 0.8}}), 0.01);
    system.gravity = {3, 0, -9};
    system.integration.method = Method::rkf45;
    system.integration.successive = false;
    system.integration.tolerance = 1e-5;
    system.integration.shortest = 1e-7;
    add(system, -1, {0, 0, 0.05}, {}, {}, {}, 0.05);
    system.bodies.flags[0] |= model::rotation_held;
    add_floor(system);
    add(system, -1, {0, 0, 50}, {}, {}, {}, 0.05);
    add(system, -1, {1, 0, 50}, {}, {}, {}, 0.05);
    Engine engine(system, {}, false);
    engine.advance(100);
    const double stored = system.ledger.stored.tangential;
    const Vec3d at = system.bodies.position[0];
    EXPECT_GT(stored, 0);
    EXPECT_EQ(system.ledger.dissipated[sliding], 0);
    // The other two are pressed into each other: a step of a frame would throw them far away.
    engine.publish();
    system.bodies.position[2] = system.bodies.position[1] + Vec3d{0.06, 0, 0};
    system.integration_state.suggested = system.clock.step;
    engine.system_changed();
    const std::int64_t rejected = system.integration_state.rejected;
    engine.advance(100);
    EXPECT_GT(system.integration_state.rejected, rejected);
    EXPECT_GT(norm(system.bodies.position[2] - system.bodies.position[1]), 1);
    EXPECT_NEAR(system.ledger.stored.tangential, stored, 1e-3 * stored);
    EXPECT_LT(norm(system.bodies.position[0] - at), 1e-8);
    EXPECT_EQ(system.ledger.dissipated[sliding], 0);
}

TEST(GrainsAtWalls, AMovingFloorTakesThemAlongAndPaysForIt) {
    for (const Method method : {Method::leapfrog, Method::rkf45}) {
        model::System system = space(law_of("solver_object", {{"young", 1e7},
                                                              {"poisson", 0.3},
                                                              {"k_b", 1e5},
                                                              {"mu_q", 0.5},
                                                              {"k_q", 1e3},
                                                              {"mu_tau", 5e-4},
                                                              {"k_s", 1},
                                                              {"k_tau", 0.1},
                                                              {"t_q", 1e-3}}),
                                     1e-4);
        system.integration.method = method;
        if (system.integration.adaptive()) {
            system.clock.step = 1e-2;
            system.integration.tolerance = 1e-4;
            system.integration.shortest = 1e-5;
            system.integration.successive = false;
        }
        system.gravity = {0, 0, -9.81};
        system.grains.shapes.push_back(model::make_grain_shape(
            "flat", {{{0, 0, 0}, 0.1}, {{0.15, 0, 0}, 0.1}, {{0, 0.15, 0}, 0.1}, {{0.15, 0.15, 0}, 0.1}}));
        add(system, 0, {0, 0, 0.3}, {}, {}, {}, 0.5);
        const double speed = 0.4;
        add_floor(system, {speed, 0, 0});
        const double initial = mechanical(system);
        Engine engine(system, {}, false);
        engine.advance(static_cast<std::int64_t>(2 / system.clock.step));
        const double mass = system.bodies.mass[0];
        const model::WallRecord& record = system.walls[0].record;
        EXPECT_NEAR(system.bodies.velocity[0].x, speed, 1e-6);
        EXPECT_LT(norm(system.bodies.spin[0]), 1e-6);
        EXPECT_NEAR(record.impulse.x, -mass * speed, 1e-3 * mass * speed);
        EXPECT_NEAR(record.work, mass * speed * speed, 1e-2 * mass * speed * speed);
        EXPECT_LT(imbalance(system, initial), 5e-3) << static_cast<int>(method);
    }
}

TEST(GrainsAtWalls, AdhesionHoldsASphereOutToItsPullOff) {
    const double w = 2;
    const double radius = 0.01;
    model::System system = space(law_of("jkr", {{"young", 1e6}, {"work_of_adhesion", w}, {"restitution", 0.2}}), 2e-6);
    add(system, -1, {0, 0, radius * (1 - 1e-9)}, {}, {}, {}, radius);
    add_floor(system);
    const double pull_off = 1.5 * pi * w * radius / system.bodies.mass[0];  // m/s2
    system.gravity = {0, 0, 0.5 * pull_off};
    Engine engine(system, {}, false);
    engine.advance(100'000);
    for (int k = 0; k < 50; ++k) {  // slowly to 0.99 of it
        system.gravity.z = (0.5 + 0.01 * k) * pull_off;
        engine.advance(2000);
    }
    engine.advance(20'000);
    EXPECT_GT(system.bodies.position[0].z, radius);  // beyond touch
    EXPECT_LT(norm(system.bodies.velocity[0]), 1e-4);
    EXPECT_EQ(engine.contacts().size(), 1U);
    EXPECT_NEAR(engine.contacts()[0].force.z, -0.99 * pull_off * system.bodies.mass[0],
                1e-3 * pull_off * system.bodies.mass[0]);
    system.gravity.z = 1.01 * pull_off;
    engine.advance(50'000);
    EXPECT_EQ(engine.contacts().size(), 0U);
    EXPECT_GT(system.bodies.position[0].z, 2 * radius);
}

TEST(GrainsAtWalls, AreAbsorbedByTheFirstTouchWithinAFrame) {
    model::System system = space(smooth(), 1.0 / 24);
    system.integration.method = Method::rkf45;
    system.grains.shapes.push_back(model::make_grain_shape("dumbbell", {{{0, 0, 0}, 0.03}, {{0.04, 0, 0}, 0.03}}));
    add(system, 0, {0, 0, 0.2}, {0, 0, -8}, {2, 1, 3}, {}, 0.5);
    add_floor(system);
    system.walls[0].behaviour = model::WallBehaviour::absorbing;
    Engine engine(system, {}, false);
    engine.advance(1);  // 0.33 m: it would be back on its way up
    EXPECT_EQ(system.walls[0].record.absorbed, 1);
    EXPECT_EQ(system.bodies.size(), 0U);
}

TEST(AdaptiveSteps, LeaveAFallThatIsLongBesideTheGrainAsItIs) {
    model::System system = space(rough(), 1.0 / 24);
    system.integration.method = Method::rkf45;
    system.gravity = {0, 0, -9.81};
    add(system, -1, {0, 0, 0}, {3, 0, -5}, {}, {}, 1e-3);  // 250 radii a frame
    Engine engine(system, {}, false);
    engine.advance(24);
    EXPECT_LT(norm(system.bodies.position[0] - Vec3d{3, 0, -5 - 0.5 * 9.81}), 1e-11);
    EXPECT_LE(system.integration_state.longest * 20, 1e-3 * 4);  // no farther than a radius or so
}

class HeldGrain : public testing::TestWithParam<Method> {};

TEST_P(HeldGrain, TurnsAndMovesAsItIsTold) {
    model::System system = space(smooth(), 1e-3);
    system.integration.method = GetParam();
    system.grains.shapes.push_back(model::make_grain_shape("boomerang", four));
    const Vec3d spin{0.3, -1.1, 0.7};
    add(system, 0, {}, {0.2, 0, 0}, spin, {}, 0.5);
    system.bodies.flags[0] |= model::rotation_held | model::position_held;
    Engine engine(system, {}, false);
    engine.advance(1000);
    EXPECT_LT(norm(system.bodies.position[0] - Vec3d{0.2, 0, 0}), 1e-12);
    const math::Mat3d turned = to_matrix(system.grains.turn[0]);
    const math::Mat3d told = to_matrix(math::quaternion_from_rotation_vector(spin));
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        EXPECT_LT(norm(turned * axis - told * axis), 1e-6);
    }
}

TEST_P(HeldGrain, PaysForWhatItDoesToOthers) {
    model::System system = space(rough(), 2e-5);
    system.integration.method = GetParam();
    if (system.integration.adaptive()) {
        system.clock.step = 1e-3;
        system.integration.tolerance = 1e-5;
        system.integration.shortest = 1e-5;
        system.integration.successive = false;
    }
    system.grains.shapes.push_back(model::make_grain_shape("boomerang", four));
    add(system, 0, {}, {0.5, 0, 0}, {0, 0, 4}, {}, 0.5);
    system.bodies.flags[0] |= model::rotation_held | model::position_held;
    for (const double y : {-0.9, 0.3, 1.3}) {
        add(system, 0, {1.2, y, 0}, {}, {}, {0.3, y, 2}, 0.5);
    }
    const double initial = mechanical(system);
    Engine engine(system, {}, false);
    engine.advance(static_cast<std::int64_t>(2 / system.clock.step));
    const double given = mechanical(system) - initial;
    EXPECT_GT(std::abs(given), 1);  // J: of some 500 J of the paddle's own
    EXPECT_LT(imbalance(system, initial), 2e-3);
    EXPECT_EQ(system.bodies.velocity[0].x, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Methods, HeldGrain, testing::Values(Method::leapfrog, Method::midpoint, Method::rkf45),
                         name_of);

}  // namespace
}  // namespace talus::tests
