// Listing never changes the physics: whatever the skin, however often lists are rebuilt, with any number of threads.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/random_scene.h"

namespace talus::tests {
namespace {

/// More grains than a serial loop takes, of every size, with walls at rest, turning, sticky and absorbing, in a box
/// that is periodic along y, from which some fall out.
model::System busy_scene(const std::string& law) {
    laws::ParameterValues values{{"kt", 4e3},
                                 {"restitution", 0.6},
                                 {"ct", 0.05},
                                 {"friction.static", 0.4},
                                 {"friction.rolling", 0.02},
                                 {"friction.twisting", 0.02},
                                 {"slip_memory", 0.5}};
    if (law == "hooke") {
        values["kn"] = 1.4e4;
    } else {
        values["young"] = 1e7;
    }
    model::System system = make_system(law, values, 0);
    system.domain.low = {-0.1, -0.06, -0.05};
    system.domain.high = {0.1, 0.06, 1};
    system.domain.periodic = {false, true, false};
    system.gravity = {0.5, 1, -9.81};
    add_wall(system, geometry::make_rectangle({-0.08, -0.06, 0}, {0.14, 0, 0}, {0, 0.12, 0}));
    const std::size_t roller = add_wall(system, geometry::make_cylinder({0, 0, 0.03}, {0, 1, 0}, 0.015));
    system.walls[roller].motion.spins.push_back({{0, 1, 0}, {0, 0, 0.03}, 40, 0});
    const std::size_t paddle = add_wall(system, geometry::make_disk({0.03, 0, 0.05}, {1, 0, 1}, 0.02));
    system.walls[paddle].motion.spins.push_back({{1, 0, 0}, {0.03, 0, 0.05}, 60, 0});
    system.walls[paddle].motion.oscillations.push_back({{0, 0, 0.01}, 80, 0, 0});
    system.walls[add_wall(system, geometry::make_sphere({-0.05, 0, 0.02}, 0.01))].behaviour =
        model::WallBehaviour::sticky;
    const std::size_t trap = add_wall(system, geometry::make_disk({0.06, 0.02, 0.05}, {0, 0, 1}, 0.03));
    system.walls[trap].behaviour = model::WallBehaviour::absorbing;
    add_cloud(system, {.count = 700,
                       .low = {-0.08, -0.06, 0.06},
                       .high = {0.08, 0.06, 0.17},
                       .smallest = 0.002,
                       .largest = 0.007,
                       .speed = 1.0,
                       .spin = 50,
                       .seed = 77});
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        system.bodies.velocity[i].z -= 4;
    }
    const double lightest = *std::min_element(system.bodies.mass.begin(), system.bodies.mass.end());
    system.clock.step = collision_time(system, 0.5 * lightest, 0.001, 2) / 20;
    return system;
}

struct Result {
    std::uint64_t hash = 0;
    std::size_t left = 0;
    std::int64_t collisions = 0, rebuilds = 0;
};

Result run(const std::string& law, const engines::soft::Options& options) {
    constexpr int steps = 1500;
    model::System system = busy_scene(law);
    engines::soft::Engine engine(system, options, false);
    std::int64_t collisions = 0;
    for (int k = 0; k < steps; ++k) {
        engine.step();
        collisions += contacts_begun(system);
    }
    return {model::state_hash(system), system.bodies.size(), collisions, engine.rebuilds()};
}

class Lists : public testing::TestWithParam<std::string> {};

TEST_P(Lists, DoNotChangeABit) {
    const Result normal = run(GetParam(), {});
    std::printf("%s: hash %016lx, %ld collisions, %zu grains left, %ld rebuilds\n", GetParam().c_str(),
                static_cast<unsigned long>(normal.hash), static_cast<long>(normal.collisions), normal.left,
                static_cast<long>(normal.rebuilds));
    EXPECT_GT(normal.collisions, 300);
    EXPECT_LT(normal.left, 700U);
    EXPECT_GT(normal.rebuilds, 3);
    const Result every_step = run(GetParam(), {.rebuild_every_step = true});
    EXPECT_EQ(every_step.hash, normal.hash) << "rebuilt at every step";
    EXPECT_GE(every_step.rebuilds, 1500);
    for (const double skin : {1e-9, 2e-4, 4e-3, 2e-2}) {
        const Result other = run(GetParam(), {.skin = skin});
        EXPECT_EQ(other.hash, normal.hash) << "skin " << skin << ", " << other.rebuilds << " rebuilds";
    }
}

TEST_P(Lists, AndLoopsAreTheSameForAnyNumberOfThreads) {
    const Result one = run(GetParam(), {});
    for (const int threads : {2, 3, 8}) {
        EXPECT_EQ(run(GetParam(), {.threads = threads}).hash, one.hash) << threads << " threads";
    }
    EXPECT_EQ(run(GetParam(), {.threads = 3, .rebuild_every_step = true}).hash, one.hash);
}

TEST_P(Lists, HoldExactlyTheContactsThatLookingAtEverythingFinds) {
    model::System system = busy_scene(GetParam());
    engines::soft::Engine engine(system, {}, false);
    std::size_t looked_at = 0;
    for (int k = 1; k <= 1500; ++k) {
        engine.step();
        if (k % 150 != 0) {
            continue;
        }
        std::size_t overlapping = 0;
        const model::Bodies& bodies = system.bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            for (std::size_t j = i + 1; j < bodies.size(); ++j) {
                const Vec3d d = nearest_difference(system.domain, bodies.position[j] - bodies.position[i]);
                const bool immovable = bodies.stuck_to[i] >= 0 && bodies.stuck_to[j] >= 0;
                overlapping += norm(d) < bodies.radius[i] + bodies.radius[j] && !immovable ? 1U : 0U;
            }
        }
        EXPECT_EQ(engine.touching_pairs(), overlapping) << "after " << k << " steps";
        looked_at += overlapping;
    }
    EXPECT_GT(looked_at, 30U);
}

INSTANTIATE_TEST_SUITE_P(Laws, Lists, testing::Values("hooke", "hertz"));

}  // namespace
}  // namespace talus::tests
