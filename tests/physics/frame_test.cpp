// A whole scene, boosted and rotated, gives the boosted and rotated result.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"
#include "physics/random_scene.h"
#include "talus/math/rotation.h"

namespace talus::tests {
namespace {

/// Grains with spins fall into a funnel with a floor below, over a ball; friction of every kind.
model::System scene(const std::string& law) {
    laws::ParameterValues values{{"kt", 5e3},
                                 {"restitution", 0.6},
                                 {"ct", 0.2},
                                 {"friction.static", 0.4},
                                 {"friction.rolling", 0.05},
                                 {"friction.twisting", 0.1},
                                 {"slip_memory", 0.5}};
    if (law == "hooke") {
        values["kn"] = 2e4;
    } else {
        values["young"] = 1e7;
        values["poisson"] = 0.3;
    }
    model::System system = make_system(law, values, 0);
    system.gravity = {1, -2, -9};
    add_wall(system, geometry::make_tube({0, 0, 0}, {0, 0, 0.1}, 0.03, 0.05));
    add_wall(system, geometry::make_disk({0, 0, 0}, {0, 0, 1}, 0.03));
    add_wall(system, geometry::make_sphere({0.01, 0, 0.01}, 0.012));
    add_cloud(system, {.count = 50,
                       .low = {-0.02, -0.02, 0.032},
                       .high = {0.02, 0.02, 0.08},
                       .smallest = 0.003,
                       .largest = 0.007,
                       .speed = 0.5,
                       .spin = 30,
                       .seed = 8});
    const double lightest = *std::min_element(system.bodies.mass.begin(), system.bodies.mass.end());
    system.clock.step = collision_time(system, lightest, 0.003, 1) / 50;
    return system;
}

model::System transformed(model::System system, const math::Mat3d& turn, const Vec3d& boost) {
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        system.bodies.position[i] = turn * system.bodies.position[i];
        system.bodies.velocity[i] = turn * system.bodies.velocity[i] + boost;
        system.bodies.spin[i] = turn * system.bodies.spin[i];
    }
    system.gravity = turn * system.gravity;
    for (model::Wall& wall : system.walls) {
        wall.base.position = turn * wall.base.position;
        wall.base.rotation = turn * wall.base.rotation;
        wall.pose = wall.base;
        wall.motion.translations.push_back({boost, 0});
    }
    return system;
}

void compare(const std::string& law, const Vec3d& axis, double angle, const Vec3d& boost) {
    const math::Mat3d turn = math::rotation_matrix(normalized(axis), angle);
    model::System plain = scene(law);
    model::System moved = transformed(plain, turn, boost);
    engines::soft::Engine plain_engine(plain, {}, false);
    engines::soft::Engine moved_engine(moved, {}, false);
    LedgerWatch ledger(plain, plain_engine);
    LedgerWatch moved_ledger(moved, moved_engine);
    double place = 0;
    double spin = 0;
    double greatest = 0;
    std::int64_t contacts = 0;
    while (plain.clock.time() < 0.05) {
        plain_engine.step();
        moved_engine.step();
        contacts += contacts_begun(plain);
        if (plain.clock.steps % 50 == 0) {
            ledger.look();
            moved_ledger.look();
        }
    }
    ASSERT_EQ(plain.bodies.size(), moved.bodies.size());
    const double t = plain.clock.time();
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
        place = std::max(place, norm(turn * plain.bodies.position[i] + boost * t - moved.bodies.position[i]) /
                                    plain.bodies.radius[i]);
        spin = std::max(spin, norm(turn * plain.bodies.spin[i] - moved.bodies.spin[i]));
        greatest = std::max(greatest, norm(plain.bodies.spin[i]));
    }
    std::printf(
        "%s boosted by %.1f m/s and turned by %.1f: %ld steps, %ld collisions, places differ by %.1e radii, "
        "spins by %.1e of %.0f rad/s; ledgers %.1e %.1e\n",
        law.c_str(), norm(boost), angle, static_cast<long>(plain.clock.steps), static_cast<long>(contacts), place, spin,
        greatest, ledger.error(), moved_ledger.error());
    EXPECT_GT(contacts, 50);
    // Rounding grows with every collision; 0.05 s is a handful of them.
    EXPECT_LT(place, 1e-9);
    EXPECT_LT(spin, 1e-8 * greatest);
    EXPECT_LT(ledger.error(), 1e-3);
    EXPECT_LT(moved_ledger.error(), 1e-3);
}

TEST(Frame, ARotatedSceneGivesTheRotatedResult) {
    compare("hooke", {1, 2, 3}, 1.1, {});
    compare("hooke", {1, 0, 0}, 1.5707963267948966, {});
    compare("hertz", {-1, 2, 1}, 2.5, {});
}

TEST(Frame, ABoostedSceneGivesTheBoostedResult) {
    compare("hooke", {1, 0, 0}, 0, {0.7, -0.4, 1.1});
}

TEST(Frame, ABoostedAndRotatedSceneGivesTheBoostedAndRotatedResult) {
    compare("hooke", {0, 3, 1}, -0.8, {-0.5, 0.6, 0.2});
    compare("hertz", {0, 3, 1}, 3.0, {-0.5, 0.6, 0.2});
}

}  // namespace
}  // namespace talus::tests
