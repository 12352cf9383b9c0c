// Stages end when their rule says so, and the record says which rule it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "staged_scene.h"
#include "talus/base/diagnostics.h"

namespace talus::simulation {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// The last time that counts as `t`: the step nearest to it.
void expect_time(double reached, double t, const Simulation& simulation) {
    EXPECT_NEAR(reached, t, 0.5001 * simulation.system().clock.step);
}

TEST(Stages, EndAtATimeAndAfterADuration) {
    const StagedScene scene("0,0,1\n");
    Simulation simulation(scene.load(R"(
[[stages]]
name = "first"
until = { time = 0.05 }
[[stages]]
name = "second"
until = { duration = 0.02 }
[[stages]]
name = "third"
until = { time = 0.1 }
)"),
                          one_thread());
    EXPECT_EQ(simulation.stage_name(), "first");
    EXPECT_DOUBLE_EQ(simulation.latest_end().value(), 0.1);
    run_to_end(simulation);
    const auto& records = simulation.stage_records();
    ASSERT_EQ(records.size(), 3U);
    expect_time(records[0].end.value(), 0.05, simulation);
    expect_time(records[1].end.value() - records[1].start, 0.02, simulation);
    expect_time(records[2].end.value(), 0.1, simulation);
    EXPECT_EQ(records[1].start, records[0].end);
    EXPECT_EQ(records[0].ended_by, "time");
    EXPECT_EQ(records[1].ended_by, "duration");
    const std::int64_t steps = simulation.system().clock.steps;
    simulation.step();
    EXPECT_EQ(simulation.system().clock.steps, steps) << "a finished run takes no more steps";
}

TEST(Stages, ContactsCanBeLookedAtRightAfterGrainsHaveCome) {
    const StagedScene scene("0,0,0.01\n");
    Simulation simulation(scene.load(std::string(floor_wall) + R"(
[[stages]]
name = "first"
until = { duration = 0.02 }
[[stages]]
name = "second"
until = { duration = 0.001 }
do = [ { fill = { material = "grain", radius = 0.01, random = {}, count = 50, box = { low = [-0.1, -0.1, 0.1], high = [0.1, 0.1, 0.3] } } } ]
)"),
                          one_thread());
    while (!simulation.finished()) {
        simulation.step();
        EXPECT_EQ(simulation.engine().contacts().size(), 1U);  // the one at rest on the floor
    }
    EXPECT_EQ(simulation.grains(), 51U);
}

TEST(Stages, ATimeThatHasPassedEndsTheStageAtOnce) {
    const StagedScene scene("0,0,1\n");
    Simulation simulation(scene.load(R"(
[[stages]]
name = "late"
until = { time = 0.03 }
[[stages]]
name = "missed"
until = { time = 0.02 }
do = [ { gravity = [1, 0, 0] } ]
)"),
                          one_thread());
    run_to_end(simulation);
    expect_time(simulation.time(), 0.03, simulation);
    EXPECT_EQ(simulation.system().gravity.x, 1) << "its actions are carried out all the same";
}

TEST(Stages, SettledMeansAtRest) {
    // A little pile that has to fall over first.
    const StagedScene scene("0,0,0.05\n0.003,0.002,0.075\n-0.002,0.001,0.1\n0.001,-0.003,0.13\n0.004,0,0.16\n");
    Simulation simulation(scene.load(std::string(floor_wall) + R"(
[[stages]]
name = "settle"
until = { settled = { timeout = 20 } }
[[walls]]
name = "cup"
shape = { cylinder = { from = [0, 0, 0], to = [0, 0, 0.5], radius = 0.03 } }
material = "steel"
)"),
                          one_thread());
    run_to_end(simulation);
    ASSERT_EQ(simulation.stage_records().at(0).ended_by, "settled");
    EXPECT_GT(simulation.time(), 0.1) << "grains at rest in the air are not settled";
    const model::System& system = simulation.system();
    double weight = 0;
    double kinetic = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        weight += 10 * system.bodies.mass[i];
        kinetic += 0.5 * system.bodies.mass[i] * norm2(system.bodies.velocity[i]);
    }
    EXPECT_LT(kinetic, 1e-5 * weight * 0.01);
    const double carried = -(system.walls[0].record.force.z + system.walls[1].record.force.z);
    EXPECT_NEAR(carried, weight, 0.01 * weight);
    // Nothing moves on afterwards.
    const auto before = system.bodies.position;
    Engine& engine = simulation.engine();
    const auto steps = static_cast<int>(0.2 / system.clock.step);
    for (int k = 0; k < steps; ++k) {
        engine.advance(1);
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_LT(norm(system.bodies.position[i] - before[i]), 1e-4) << "grain " << i;
    }
}

TEST(Stages, ATimeOutIsSaid) {
    const StagedScene scene("0,0,0.05\n");
    Simulation simulation(scene.load(std::string(floor_wall) + R"(
[[contacts]]
between = ["grain", "steel"]
law = "hooke"
kn = 2000
restitution = 1
[[stages]]
name = "settle"
until = { settled = { timeout = 0.3 } }
[[stages]]
name = "wait"
until = { count_at_most = 0, timeout = 0.1 }
)"),
                          one_thread());
    run_to_end(simulation);
    EXPECT_EQ(simulation.stage_records().at(0).ended_by, "timeout");
    EXPECT_EQ(simulation.stage_records().at(1).ended_by, "timeout");
    expect_time(simulation.time(), 0.4, simulation);
    const std::vector<std::string> messages = simulation.take_messages();
    EXPECT_THAT(messages, Contains(HasSubstr("stage \"settle\" ended at t = 0.3")));
    EXPECT_THAT(messages, Contains(HasSubstr("s: timed out after 0.3 s")));
    EXPECT_TRUE(simulation.take_messages().empty()) << "each message is handed out once";
}

TEST(Stages, EndWhenFewEnoughGrainsAreLeft) {
    // They fall out of the domain 0.1, 0.2, 0.3 and 0.4 m below.
    const StagedScene scene("0,0,0.1\n0,0,0.2\n0,0,0.3\n0,0,0.4\n");
    Simulation simulation(scene.load(R"(
[domain]
low = ["open", "open", 0]
[[stages]]
name = "empty"
until = { count_at_most = 2 }
)"),
                          one_thread());
    EXPECT_FALSE(simulation.latest_end().has_value()) << "the grains alone decide when this ends";
    run_to_end(simulation);
    EXPECT_EQ(simulation.stage_records().at(0).ended_by, "count");
    EXPECT_EQ(simulation.system().bodies.size(), 2U);
    EXPECT_EQ(simulation.system().counters.left_domain, 2);
    // sqrt(2 h / g), seen at most 100 steps late.
    EXPECT_NEAR(simulation.time(), std::sqrt(2 * 0.2 / 10), 101 * simulation.system().clock.step);
}

TEST(Stages, EndWhenEnoughGrainsAreInARegion) {
    const StagedScene scene("0,0,0.1\n0,0,0.2\n0,0,0.3\n0,0,0.4\n");
    Simulation simulation(scene.load(R"(
[[stages]]
name = "arrive"
until = { count_at_least = 3, below = 0 }
)"),
                          one_thread());
    run_to_end(simulation);
    EXPECT_EQ(simulation.stage_records().at(0).ended_by, "count");
    EXPECT_NEAR(simulation.time(), std::sqrt(2 * 0.3 / 10), 101 * simulation.system().clock.step);
    EXPECT_GT(simulation.time(), std::sqrt(2 * 0.3 / 10) - simulation.system().clock.step);
}

TEST(Stages, DoNotWaitForGrainsThatAreGone) {
    const StagedScene scene("0,0,0.01\n");
    Simulation simulation(scene.load(R"(
[domain]
low = ["open", "open", 0]
[[stages]]
name = "settle"
until = "settled"
)"),
                          one_thread());
    run_to_end(simulation);
    EXPECT_EQ(simulation.stage_records().at(0).ended_by, "empty");
    EXPECT_LT(simulation.time(), 1);
}

TEST(Stages, AWallThatAnEarlierStageRemovedCannotBeNamed) {
    const StagedScene scene("0,0,0.05\n");
    const std::string text = std::string(floor_wall) + R"(
[[stages]]
name = "open"
do = [ { remove_wall = "floor" } ]
until = { duration = 0.01 }
[[stages]]
name = "move"
do = [ { set_motion = "floor", motion = [] } ]
until = { duration = 0.01 }
)";
    try {
        scene.load(text);
        FAIL() << "the scene was taken";
    } catch (const base::InputError& e) {
        EXPECT_THAT(e.what(), HasSubstr("floor"));
        EXPECT_THAT(e.what(), HasSubstr("staged.toml:"));
        EXPECT_THAT(e.what(), HasSubstr("set_motion"));
    }
}

}  // namespace
}  // namespace talus::simulation
