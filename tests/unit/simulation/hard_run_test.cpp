// Scenes of hard grains as simulations: every action, no trace of looking, threads or writing, and what is counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hard_stages.h"
#include "staged_scene.h"
#include "talus/simulation/run.h"
#include "talus/simulation/series_row.h"
#include "temporary_folder.h"

namespace talus::simulation {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using tests::hard_stages;

/// By name, as the last row of a series has it.
double column(const Simulation& simulation, const std::string& name) {
    const auto columns = series_columns(simulation);
    const auto at = std::find(columns.begin(), columns.end(), name);
    EXPECT_NE(at, columns.end()) << name;
    return series_row(simulation).at(static_cast<std::size_t>(at - columns.begin()));
}

std::int64_t stuck_grains(const model::System& system) {
    return std::count_if(system.bodies.stuck_to.begin(), system.bodies.stuck_to.end(),
                         [](std::int32_t wall) { return wall >= 0; });
}

class HardStages : public testing::TestWithParam<std::string> {};

TEST_P(HardStages, CarryOutEveryAction) {
    Simulation simulation(hard_stages(GetParam()), one_thread());
    const model::System& system = simulation.system();
    while (simulation.time() < 0.24) {
        simulation.step();
    }
    EXPECT_LT(system.counters.largest_overlap, 1e-9);
    run_to_stage(simulation, "stir");
    EXPECT_GT(stuck_grains(system), 0);
    EXPECT_EQ(system.gravity.x, 1);
    EXPECT_EQ(system.walls.size(), 5U);
    EXPECT_EQ(system.materials.between(0, 1).impact.restitution, 0.3);
    EXPECT_GT(system.counters.removed_by_stage, 0);
    for (const math::Vec3d& x : system.bodies.position) {
        EXPECT_LE(x.z, 0.3);
    }
    const auto before = simulation.grains();
    EXPECT_EQ(before + static_cast<std::size_t>(system.counters.removed_by_stage + system.counters.left_domain), 120U);
    run_to_stage(simulation, "drain");
    EXPECT_EQ(stuck_grains(system), 0) << "without the plate they are free";
    EXPECT_FALSE(system.walls[2].present);
    EXPECT_TRUE(system.walls[4].motion.at_rest());
    run_to_end(simulation);
    EXPECT_GT(system.walls[3].record.absorbed, 0);
    EXPECT_EQ(
        simulation.grains() + static_cast<std::size_t>(system.counters.removed_by_stage + system.counters.left_domain +
                                                       system.walls[3].record.absorbed),
        120U);
    EXPECT_LT(std::abs(simulation.balance().relative()), 1e-9);
    EXPECT_GT(column(simulation, "impacts.grains"), 100);
    EXPECT_GT(column(simulation, "impacts.walls"), 100);
    EXPECT_GT(column(simulation, "impacts.held"), 0);
}

TEST_P(HardStages, NoBitDependsOnLooking) {
    Simulation often(hard_stages(GetParam()), one_thread());
    Simulation seldom(hard_stages(GetParam()), {2, 0});
    while (!often.finished()) {
        often.step();
        if (often.clock().steps % 100 == 0) {
            often.energies();
            often.engine().publish();
        }
    }
    while (!seldom.finished()) {
        seldom.step(100000);
    }
    EXPECT_EQ(often.state_hash(), seldom.state_hash());
    EXPECT_EQ(often.engine().impacts(), seldom.engine().impacts());
}

TEST_P(HardStages, NoBitDependsOnWhatIsWritten) {
    const tests::TemporaryFolder folder;
    const auto run = [&](const std::string& name, const std::vector<std::string>& overrides) {
        RunOptions options;
        options.simulation.threads = 1;
        return simulation::Run(hard_stages(GetParam(), overrides), folder / name, options).go().manifest.state_hash;
    };
    const std::string expected = run("a", {});
    EXPECT_EQ(run("b", {"output.series=3.7 ms", "output.frames=0"}), expected);
    EXPECT_EQ(run("c", {"output.series=0.31", "output.frames=0.05", "output.contacts=false"}), expected);
}

INSTANTIATE_TEST_SUITE_P(Flights, HardStages, testing::Values("drift", "ballistic"),
                         [](const auto& instance) { return instance.param; });

// --- a soft scene with another engine -------------------------------------------------------------------------------

class SoftSceneAsHard : public testing::TestWithParam<std::string> {};

TEST_P(SoftSceneAsHard, BouncesAsItsRestitutionSays) {
    // From 0.11 m the grain falls 0.1 m onto the floor; restitution 0.5 lets it rise a quarter of that.
    const StagedScene scene("0,0,0.11\n");
    const scene::Scene soft =
        scene.load(std::string(floor_wall) + "[[stages]]\nname = \"fall\"\nuntil = { time = 0.3 }\n");
    Simulation simulation(
        scene::load_text(soft.text, "s.toml", {"engine=hard", "flight=" + GetParam()}, scene.folder()), one_thread());
    double highest = 0;
    while (!simulation.finished()) {
        simulation.step();
        if (simulation.time() > 0.142) {  // the impact is at sqrt(0.02) s
            highest = std::max(highest, simulation.system().bodies.position[0].z);
        }
    }
    EXPECT_NEAR(highest, 0.01 + 0.025, GetParam() == "drift" ? 1e-4 : 1e-8);  // kicks are half a step off
    EXPECT_EQ(simulation.engine().impacts(), 2) << "and again after sqrt(0.02) s";
    EXPECT_EQ(simulation.engine().takes_steps(), GetParam() == "drift");
    EXPECT_THAT(simulation.engine().report(), Contains(HasSubstr("2 impacts: 0 between grains, 2 on walls")));
}

TEST_P(SoftSceneAsHard, SettlesWhenOnlyItTrembles) {
    const StagedScene scene("0,0,0.02\n0.003,0.002,0.045\n-0.002,0.001,0.07\n");
    const std::string rest = std::string(floor_wall) + R"(
[[stages]]
name = "settle"
until = { settled = { timeout = 20 } }
[[walls]]
name = "cup"
shape = { cylinder = { from = [0, 0, 0], to = [0, 0, 0.5], radius = 0.03 } }
material = "steel"
)";
    Simulation simulation(scene::load_text(scene.load(rest).text, "s.toml",
                                           {"engine=hard", "flight=" + GetParam(), "time.step=1 ms"}, scene.folder()),
                          one_thread());
    run_to_end(simulation);
    EXPECT_EQ(simulation.stage_records().at(0).ended_by, "settled");
    EXPECT_GT(simulation.time(), 0.1) << "grains at rest in the air are not settled";
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_LT(norm(simulation.system().bodies.velocity[i]), 4 * simulation.system().flight_rules.elastic_below);
    }
}

INSTANTIATE_TEST_SUITE_P(Flights, SoftSceneAsHard, testing::Values("drift", "ballistic"),
                         [](const auto& instance) { return instance.param; });

TEST(HardRun, SaysImpactsWhereASoftOneSaysSteps) {
    const tests::TemporaryFolder folder;
    RunOptions options;
    options.simulation.threads = 1;
    const RunResult drift = simulation::Run(hard_stages("drift"), folder / "drift", options).go();
    EXPECT_TRUE(drift.has_steps);
    EXPECT_GT(drift.impacts.value(), 1000);
    EXPECT_GT(drift.impacts_per_second, 0);
    const RunResult ballistic = simulation::Run(hard_stages("ballistic"), folder / "ballistic", options).go();
    EXPECT_FALSE(ballistic.has_steps);
    EXPECT_GT(ballistic.impacts.value(), 1000);
    EXPECT_THAT(ballistic.manifest.result, HasSubstr("\"impacts.grains\":{\"unit\":\"\",\"value\":"));
    EXPECT_THAT(ballistic.report, Contains(HasSubstr(" impacts: ")));
    EXPECT_EQ(ballistic.manifest.engine, "hard");
    EXPECT_EQ(ballistic.manifest.threads, 1);
}

}  // namespace
}  // namespace talus::simulation
