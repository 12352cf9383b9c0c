// Sticky walls hold and carry grains, absorbing walls remove and count them, bounds count who leaves: nobody is lost.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"
#include "physics/random_scene.h"

namespace talus::tests {
namespace {

laws::ParameterValues elastic() {
    return {{"kn", 1e5}, {"restitution", 1.0}};
}
laws::ParameterValues rough() {
    return {{"kn", 1e5}, {"kt", 1e5 * 2 / 7}, {"restitution", 0.7}, {"ct", 1.0}, {"friction.static", 0.5}};
}

TEST(StickyWall, HoldsAndCarriesWhatTouchesIt) {
    // A plate that moves, shakes and turns picks up a grain in passing.
    model::System system = make_system("hooke", rough(), 0);
    const std::size_t plate = add_wall(system, geometry::make_disk({0, 0, 0}, {0, 0, 1}, 0.1));
    model::Wall& wall = system.walls[plate];
    wall.behaviour = model::WallBehaviour::sticky;
    wall.motion.translations.push_back({{0.1, 0, 0.2}, 0});
    wall.motion.oscillations.push_back({{0, 0.01, 0}, 30, 0, 0});
    wall.motion.spins.push_back({normalized(Vec3d{0, 1, 2}), {}, 5, 0});
    add_sphere(system, {0.05, 0.02, 0.05}, 0.01, {0.3, 0, -1}, {10, 0, 30});
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 100;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    while (system.bodies.stuck_to[0] < 0 && system.clock.time() < 0.2) {
        engine.step();
        ledger.look();
    }
    ASSERT_EQ(system.bodies.stuck_to[0], static_cast<std::int32_t>(plate));
    EXPECT_EQ(system.walls[plate].record.stuck, 1);
    const Vec3d held_at = system.walls[plate].pose.to_local(system.bodies.position[0]);
    double worst = 0;
    while (system.clock.time() < 0.5) {
        engine.step();
        const model::Pose& pose = system.walls[plate].pose;
        worst = std::max({worst, norm(pose.to_local(system.bodies.position[0]) - held_at),
                          norm(system.bodies.velocity[0] - pose.velocity_at(system.bodies.position[0])),
                          norm(system.bodies.spin[0] - pose.spin)});
        ledger.look();
    }
    std::printf("sticky plate carries a grain within %.1e of its own motion; ledger %.1e\n", worst, ledger.error());
    EXPECT_LT(worst, 1e-12);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(StickyWall, MakesAGrainActAsInfiniteMass) {
    // A grain stuck to a moving plate is struck by another: it does not budge, the other leaves as from a wall.
    model::System system = make_system("hooke", elastic(), 0);
    const std::size_t plate = add_wall(system, geometry::make_plane({0, 0, 0}, {0, 0, 1}));
    system.walls[plate].behaviour = model::WallBehaviour::sticky;
    system.walls[plate].motion.translations.push_back({{0, 0, 0.25}, 0});
    add_sphere(system, {0, 0, 0.0099999}, 0.01);
    add_sphere(system, {0, 0, 0.035}, 0.01, {0, 0, -0.75});
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 100;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    engine.step();
    ASSERT_EQ(system.bodies.stuck_to[0], 0);
    while (system.clock.time() < 0.015) {
        engine.step();
        // What holds a grain against a contact books its work by whole steps, so the ledger is looked at in between.
        if (engine.touching_pairs() == 0) {
            ledger.look();
        }
    }
    std::printf("stuck grain moves at %.6f m/s, the other leaves at %.6f (expected 1.25); ledger %.1e\n",
                system.bodies.velocity[0].z, system.bodies.velocity[1].z, ledger.error());
    EXPECT_DOUBLE_EQ(system.bodies.velocity[0].z, 0.25);
    EXPECT_NEAR(system.bodies.velocity[1].z, 0.25 + 1.0, 1e-3);
    // The plate gives the first grain its own speed and takes the blow that it passes on.
    EXPECT_NEAR(system.walls[plate].record.impulse.z / (-2.25 * system.bodies.mass[1]), 1, 1e-4);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(StickyWall, HoldsALayerThatTouchesItself) {
    // Grains that overlap one another when they stick must not push any more.
    model::System system = make_system("hooke", rough(), 0);
    system.gravity = {0, 0, -9.81};
    const std::size_t floor = add_wall(system, geometry::make_plane({0, 0, 0}, {0, 0, 1}));
    system.walls[floor].behaviour = model::WallBehaviour::sticky;
    system.domain.low = {0, 0, -1};
    system.domain.high = {0.1, 0.1, 1};
    system.domain.periodic = {true, true, false};
    add_cloud(system, {.count = 60,
                       .low = {0, 0, 0.012},
                       .high = {0.1, 0.1, 0.07},
                       .smallest = 0.006,
                       .largest = 0.01,
                       .speed = 0.3,
                       .spin = 10,
                       .seed = 2});
    system.clock.step = collision_time(system, 0.5 * 9e-4) / 100;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    while (system.clock.time() < 0.4) {
        engine.step();
        if (system.clock.steps % 20 == 0) {
            ledger.look();
        }
    }
    std::size_t stuck = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if (system.bodies.stuck_to[i] >= 0) {
            ++stuck;
            EXPECT_EQ(norm(system.bodies.velocity[i]), 0);
            EXPECT_EQ(norm(system.bodies.spin[i]), 0);
        }
    }
    std::printf("sticky floor holds %zu of %zu grains; ledger %.1e\n", stuck, system.bodies.size(), ledger.error());
    EXPECT_EQ(system.bodies.size(), 60U);
    EXPECT_GT(stuck, 15U);
    EXPECT_LT(stuck, 60U);
    EXPECT_EQ(system.walls[floor].record.stuck, static_cast<std::int64_t>(stuck));
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(AbsorbingWall, RemovesAndCountsAndBoundsCountWhoLeaves) {
    // A loose heap falls: some grains onto an absorbing disk, some past it and out of the bounds.
    model::System system = make_system("hooke", rough(), 0);
    system.gravity = {0, 0, -9.81};
    const std::size_t trap = add_wall(system, geometry::make_disk({0, 0, 0}, {0, 0, 1}, 0.05));
    system.walls[trap].behaviour = model::WallBehaviour::absorbing;
    const std::size_t cone = add_wall(system, geometry::make_tube({0, 0, 0.05}, {0, 0, 0.08}, 0.0, 0.03));
    system.domain.low = {-0.2, -0.2, -0.05};
    system.domain.high = {0.2, 0.2, 0.5};
    add_cloud(system, {.count = 80,
                       .low = {-0.05, -0.05, 0.12},
                       .high = {0.05, 0.05, 0.2},
                       .smallest = 0.004,
                       .largest = 0.009,
                       .speed = 0.5,
                       .spin = 20,
                       .seed = 6});
    double mass = 0;
    for (const double m : system.bodies.mass) {
        mass += m;
    }
    const auto counted = [&] {
        return static_cast<std::int64_t>(system.bodies.size()) + system.walls[trap].record.absorbed +
               system.counters.left_domain;
    };
    system.clock.step = collision_time(system, 0.5 * 2.7e-4) / 100;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    while (system.clock.time() < 0.25) {
        engine.step();
        ASSERT_EQ(counted(), 80);
        ASSERT_TRUE(std::is_sorted(system.bodies.id.begin(), system.bodies.id.end()));
        if (system.clock.steps % 20 == 0) {
            ledger.look();
        }
    }
    double left = 0;
    for (const double m : system.bodies.mass) {
        left += m;
    }
    std::printf("80 grains: %zu still there, %ld absorbed, %ld left the bounds; ledger %.1e\n", system.bodies.size(),
                static_cast<long>(system.walls[trap].record.absorbed), static_cast<long>(system.counters.left_domain),
                ledger.error());
    EXPECT_GT(system.walls[trap].record.absorbed, 10);
    EXPECT_GT(system.counters.left_domain, 5);
    EXPECT_EQ(system.walls[cone].record.absorbed, 0);
    EXPECT_NEAR(left + system.walls[trap].record.absorbed_mass + system.counters.left_domain_mass, mass, 1e-14);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(AbsorbingWall, ARunGoesOnWhenNobodyIsLeft) {
    model::System system = make_system("hooke", rough(), 2e-6);
    const std::size_t trap = add_wall(system, geometry::make_sphere({}, 0.05));
    system.walls[trap].behaviour = model::WallBehaviour::absorbing;
    system.walls[trap].motion.translations.push_back({{0, 0, 0.2}, 0});
    add_sphere(system, {0, 0, 0}, 0.01, {1, 0, 0});
    add_sphere(system, {0, 0.03, 0}, 0.01, {1, 0, 0});
    engines::soft::Engine engine(system, {}, false);
    const double before = ledger_total(system, engine);
    for (int k = 0; k < 100000; ++k) {
        engine.step();
    }
    EXPECT_EQ(system.bodies.size(), 0U);
    EXPECT_EQ(system.walls[trap].record.absorbed, 2);
    EXPECT_NEAR(ledger_total(system, engine) / before, 1, 1e-3);
}

}  // namespace
}  // namespace talus::tests
