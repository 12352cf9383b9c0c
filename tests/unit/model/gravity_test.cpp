// The work of gravity is read from where bodies are, against a reference that is shifted when they do not fall there.
#include <gtest/gtest.h>

#include <algorithm>

#include "talus/base/random.h"
#include "talus/model/system.h"

namespace talus::model {
namespace {

System three_grains() {
    System system;
    for (std::int64_t id = 0; id < 3; ++id) {
        system.bodies.add_sphere(id, {}, 0.1, 1000, 0);
    }
    system.bodies.mass = {2, 3, 5};
    system.bodies.position = {{1, 0, 0}, {0, 2, 0}, {0, 1, 4}};
    system.gravity = {1, -10, 0.5};
    return system;
}

TEST(GravityLift, IsTheSumOfWeightsTimesPlaces) {
    EXPECT_DOUBLE_EQ(gravity_lift(three_grains()), 2 * 1 + 3 * -20 + 5 * (-10 + 2));
    EXPECT_EQ(gravity_lift(System{}), 0);
}

TEST(GravityLift, LeavesOutBodiesThatGravityCannotMove) {
    System system = three_grains();
    system.bodies.flags[1] = position_held;
    EXPECT_DOUBLE_EQ(gravity_lift(system), 2 * 1 + 5 * (-10 + 2));
    system.bodies.stuck_to[2] = 0;
    EXPECT_DOUBLE_EQ(gravity_lift(system), 2);
    system.bodies.flags[0] = rotation_held;  // falls like any other
    EXPECT_DOUBLE_EQ(gravity_lift(system), 2);
}

TEST(GravityWork, IsWhatTheFieldDidSinceTheReference) {
    System system = three_grains();
    system.ledger.gravity_reference = gravity_lift(system);
    EXPECT_EQ(gravity_work(system), 0);
    system.bodies.position[1].y -= 0.5;
    EXPECT_DOUBLE_EQ(gravity_work(system), 3 * 10 * 0.5);
    system.bodies.position[0].x -= 2;
    EXPECT_DOUBLE_EQ(gravity_work(system), 15 - 2 * 2);
}

TEST(GravityLift, DoesNotDependOnTheOrderOfBodies) {
    System system;
    system.gravity = {0.1, 0.2, -9.81};
    base::Random random(4, 0);
    for (std::int64_t id = 0; id < 400; ++id) {
        const auto place = [&] { return random.uniform(-1, 1) / random.uniform(1e-6, 1); };
        system.bodies.add_sphere(id, {place(), place(), place()}, random.uniform(1e-3, 1), 1000, 0);
    }
    System turned = system;
    std::reverse(turned.bodies.position.begin(), turned.bodies.position.end());
    std::reverse(turned.bodies.mass.begin(), turned.bodies.mass.end());
    EXPECT_EQ(gravity_lift(turned), gravity_lift(system));
}

}  // namespace
}  // namespace talus::model
