// The out folder of a run: what is in it, what it says, and what is left alone.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "staged_scene.h"
#include "talus/base/diagnostics.h"
#include "talus/base/version.h"
#include "talus/output/atomic_file.h"
#include "talus/output/checkpoint.h"
#include "talus/output/frame.h"
#include "talus/output/run_folder.h"
#include "talus/simulation/run.h"
#include "unit/analysis/table_cell.h"

namespace talus::simulation {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

RunOptions options() {
    RunOptions options;
    options.simulation = one_thread();
    return options;
}

/// One grain rests on the floor and two fall on it; a lid comes in the second stage.
class RunFolder : public ::testing::Test {
protected:
    scene::Scene load(const std::string& rest = "") const {
        return grains_.load(std::string(floor_wall) + R"(
[[stages]]
name = "fall"
until = { duration = 0.1 }
[[stages]]
name = "lid"
do = [ { add_wall = { name = "lid", shape = { plane = { point = [0, 0, 0.3] } }, material = "steel" } } ]
until = { duration = 0.06 }
[[measure]]
height = {}
[[measure]]
name = "slices"
profile = { low = 0, high = 0.1, bins = 5, box = { low = [-0.1, -0.1, 0], high = [0.1, 0.1, 0.1] } }
[output]
series = 0.01
frames = 0.025
)" + rest);
    }
    RunResult run(const scene::Scene& scene, const RunOptions& how = options()) const {
        return simulation::Run(scene, out(), how).go();
    }
    fs::path out() const { return grains_.folder() / "out"; }

    StagedScene grains_{"0,0,0.00997905604\n0.03,0,0.06\n0,0.03,0.07\n"};
};

TEST_F(RunFolder, ManifestTellsWhatWasRun) {
    const RunResult result = run(load());
    EXPECT_TRUE(result.finished);
    const output::Manifest manifest = output::read_manifest(output::manifest_path(out()));
    EXPECT_EQ(manifest.title, "staged");
    EXPECT_EQ(manifest.status, "finished");
    EXPECT_EQ(manifest.engine, "soft");
    EXPECT_EQ(manifest.threads, 1);
    EXPECT_EQ(manifest.seed, 1U);
    EXPECT_EQ(manifest.version, base::version());
    EXPECT_EQ(manifest.grains, 3);
    EXPECT_GT(manifest.hardware.cores, 0);
    EXPECT_GT(manifest.timings.at("total"), 0);
    EXPECT_GT(manifest.timings.at("sweep"), 0);
    EXPECT_FALSE(manifest.started.empty());
    EXPECT_GE(manifest.ended, manifest.started);
    ASSERT_EQ(manifest.stages.size(), 2U);
    EXPECT_EQ(manifest.stages[1].name, "lid");
    EXPECT_EQ(manifest.stages[1].ended_by, "duration");
    EXPECT_NEAR(manifest.time, 0.16, 1e-4);
    std::vector<std::string> events;
    for (const output::Event& event : manifest.events) {
        events.push_back(event.text);
    }
    EXPECT_THAT(events, Contains(HasSubstr("stage \"fall\" ended at t = 0.1")));

    // The text as run is the scene: it gives the same start and the same end.
    scene::Scene again = scene::load_text(manifest.scene_text, "again", {}, grains_.folder());
    Simulation repeated(again, one_thread());
    EXPECT_EQ(repeated.state_hash(), Simulation(load(), one_thread()).state_hash());
    run_to_end(repeated);
    EXPECT_EQ(output::hash_text(repeated.state_hash()), manifest.state_hash);
}

TEST_F(RunFolder, ResultsCarryUnitsAndErrors) {
    const RunResult result = run(load());
    const auto json = nlohmann::json::parse(result.manifest.result);
    const auto& height = json.at("height.max");
    EXPECT_EQ(height.at("unit"), "m");
    EXPECT_GT(height.at("value").get<double>(), 0.01);
    EXPECT_GT(height.at("error").get<double>(), 0);
    EXPECT_EQ(height.at("samples"), 17);
    EXPECT_EQ(json.at("grains").at("value"), 3);
    EXPECT_LT(std::abs(json.at("energy.balance_error").at("value").get<double>()), 1e-3);
}

TEST_F(RunFolder, SeriesHasARowAnIntervalAndColumnsForWallsToCome) {
    run(load());
    const output::Series series = output::read_series(output::series_path(out()));
    const std::vector<double> time = series.column("time");
    const double step = load().system.clock.step;
    ASSERT_EQ(time.size(), 17U);  // 0, 10, ... 160 ms
    for (std::size_t k = 0; k < time.size(); ++k) {
        EXPECT_NEAR(time[k], 0.01 * static_cast<double>(k), 0.5001 * step) << "row " << k;
    }
    const std::vector<double> lid = series.column("wall.lid.force.z");
    for (std::size_t k = 0; k < time.size(); ++k) {
        EXPECT_EQ(std::isnan(lid[k]), k < 10) << "the lid comes at 0.1 s; row " << k;
    }
    const std::vector<double> stage = series.column("stage");
    EXPECT_EQ(stage.front(), 0);
    EXPECT_EQ(stage[11], 1);
    // A column in its own words: potential and kinetic energy in free fall.
    const std::vector<double> kinetic = series.column("energy.translational");
    const std::vector<double> potential = series.column("energy.potential");
    EXPECT_NEAR(kinetic[5] + potential[5], potential[0], 1e-9 * potential[0]);
    for (const char* name : {"grains", "contacts", "wall_contacts", "energy.rotational", "energy.stored_normal",
                             "energy.lost.normal_damping", "energy.lost.sliding", "momentum.x", "angular_momentum.z",
                             "wall.floor.force.x", "wall.floor.torque.y", "wall.floor.impulse.z", "left_domain",
                             "overlap.largest", "energy.balance_error", "height.p99"}) {
        EXPECT_THAT(series.columns, Contains(name));
    }
}

TEST_F(RunFolder, FramesComeAtTheirIntervalWithFirstAndLast) {
    run(load());
    const auto frames = output::list_frames(out());
    ASSERT_EQ(frames.size(), 8U);  // 0, 25, ... 150 ms, and the end
    EXPECT_EQ(output::read_frame(frames[0]).time, 0);
    EXPECT_NEAR(output::read_frame(frames[2]).time, 0.05, 1e-4);
    const output::FrameFile last = output::read_frame(frames.back());
    EXPECT_NEAR(last.time, 0.16, 1e-4);
    EXPECT_EQ(last.walls.size(), 2U);
    ASSERT_FALSE(last.contacts.empty());
    EXPECT_EQ(last.contacts[0].a, 0);
    EXPECT_EQ(last.contacts[0].wall, 0);
    EXPECT_NEAR(last.contacts[0].force.z, last.mass[0] * 10, 1e-6) << "the floor carries it";

    run(load("contacts = false"), [] {
        RunOptions how = options();
        how.overwrite = true;
        return how;
    }());
    EXPECT_TRUE(output::read_frame(output::list_frames(out()).back()).contacts.empty());
}

TEST_F(RunFolder, TheLastTwoCheckpointsAreKept) {
    run(load());
    const output::Checkpoint last = output::load_checkpoint(output::checkpoint_path(out()));
    const output::Checkpoint previous =
        output::load_checkpoint(output::previous_checkpoint_path(output::checkpoint_path(out())));
    EXPECT_NEAR(last.system.clock.time(), 0.16, 1e-4);
    EXPECT_LT(previous.system.clock.time(), last.system.clock.time());
    for (const auto& entry : fs::recursive_directory_iterator(out())) {
        EXPECT_NE(entry.path().extension(), ".tmp") << "a temporary file was left behind";
    }
}

TEST_F(RunFolder, TablesOfProfilesAreWritten) {
    run(load());
    const std::string table = output::read_text_file(out() / "slices.csv");
    EXPECT_THAT(table, HasSubstr("packing_error"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 6) << "a header and five slices";
}

TEST_F(RunFolder, AMeasureWithItsOwnIntervalLeavesTheOthersTheirs) {
    const auto samples = [this](const std::string& rest) {
        scene::Scene scene = load(rest);
        RunOptions how = options();
        how.overwrite = true;
        simulation::Run going(scene, out(), how);
        EXPECT_TRUE(going.go().finished);
        return going.simulation().measures().at(0)->summary().at(0).samples;
    };
    const auto alone = samples("");
    EXPECT_EQ(alone, 17) << "every 10 ms of 0.16 s";
    EXPECT_EQ(samples("[[measure]]\ncoordination = {}\ninterval = 0.001\n"), alone);
}

TEST_F(RunFolder, AColumnAtRestCarriesTheWeightAboveEachCell) {
    std::string grains;
    for (int k = 0; k < 8; ++k) {
        grains += fmt::format("0,0,{}\n", 0.01 + 0.02 * k);
    }
    const StagedScene column(grains);
    const double side = 0.04;
    const scene::Scene scene = column.load(std::string(floor_wall) + R"(
[domain]
low = [-0.02, -0.02, -1]
high = [0.02, 0.02, 1]
periodic = ["x", "y"]
[[stages]]
name = "settle"
until = { duration = 1.5 }
[[stages]]
name = "rest"
until = { duration = 0.05 }
[[measure]]
name = "cells"
stage = "rest"
profile = { box = { low = [-0.02, -0.02, 0], high = [0.02, 0.02, 0.16] }, bins = [1, 1, 8] }
[output]
series = 0.01
)");
    const model::System& system = scene.system;
    const double weight = system.bodies.mass[0] * 10;
    simulation::Run going(scene, column.folder() / "out", options());
    ASSERT_TRUE(going.go().finished);
    const analysis::Table table = going.simulation().measures().at(0)->tables().at(0);
    for (std::size_t k = 0; k < 8; ++k) {
        const double above = 8 - static_cast<double>(k) - 0.5;  // grains, half of the cell's own included
        const double expected = above * weight / (side * side);
        EXPECT_NEAR(analysis::cell(table, k, "stress_zz"), expected, 0.02 * expected);
        // The difference are the springs, which shorten the arms of the forces below and above.
        const double below_force = (above + 0.5) * weight;
        const double above_force = (above - 0.5) * weight;
        const double below_arm = 0.01 - below_force / 2000 / (k == 0 ? 1 : 2);
        const double above_arm = 0.01 - above_force / 2000 / 2;
        const double exact = (below_force * below_arm + above_force * above_arm) / (side * side * 0.02);
        EXPECT_NEAR(analysis::cell(table, k, "stress_zz"), exact, 3e-4 * exact) << "still ringing a little";
        EXPECT_NEAR(analysis::cell(table, k, "stress_xx"), 0, 1e-6 * expected);
        EXPECT_NEAR(analysis::cell(table, k, "stress_xz"), 0, 1e-6 * expected);
        EXPECT_NEAR(analysis::cell(table, k, "kinetic_pressure"), 0, 1e-6 * expected);
        EXPECT_GE(analysis::cell(table, k, "samples"), 5);
    }
    const std::string file = output::read_text_file(column.folder() / "out/cells.csv");
    EXPECT_EQ(file, table.csv());
}

TEST_F(RunFolder, AnEarlierRunIsNotOverwrittenUnasked) {
    run(load());
    const std::string before = output::read_text_file(output::manifest_path(out()));
    try {
        run(load());
        FAIL() << "the folder was taken";
    } catch (const base::InputError& e) {
        EXPECT_THAT(e.what(), HasSubstr("--resume"));
        EXPECT_THAT(e.what(), HasSubstr("--overwrite"));
    }
    EXPECT_EQ(output::read_text_file(output::manifest_path(out())), before);
    RunOptions overwriting = options();
    overwriting.overwrite = true;
    scene::Scene shorter = load();
    shorter.plan.output.frame_interval = 0;
    run(shorter, overwriting);
    EXPECT_EQ(output::list_frames(out()).size(), 2U) << "no frame of the earlier run is left";
}

TEST_F(RunFolder, NothingIsWrittenForWhatCannotBeBuilt) {
    const auto broken = [this] {
        scene::Scene scene = load();
        model::MeasureSpec packing;
        packing.name = "packing";
        packing.kind = model::MeasureKind::packing;  // of all space
        scene.plan.measures.push_back(packing);
        return scene;
    };
    EXPECT_THROW(run(broken()), base::InputError);
    EXPECT_FALSE(fs::exists(out()));
    run(load());
    RunOptions overwriting = options();
    overwriting.overwrite = true;
    EXPECT_THROW(run(broken(), overwriting), base::InputError);
    EXPECT_EQ(output::read_manifest(output::manifest_path(out())).status, "finished")
        << "the earlier run is still there";
}

TEST_F(RunFolder, ResumingAFinishedRunTouchesNothing) {
    const RunResult first = run(load());
    const std::string before = output::read_text_file(output::manifest_path(out()));
    const RunResult again = simulation::Run::resume(out(), options())->go();
    EXPECT_TRUE(again.finished);
    EXPECT_EQ(again.manifest.result, first.manifest.result);
    EXPECT_THAT(again.report.back(), HasSubstr("finished before"));
    EXPECT_EQ(output::read_text_file(output::manifest_path(out())), before);
}

TEST_F(RunFolder, AManifestOfAnInterruptedRunSaysHowFarItCame) {
    RunOptions stopping = options();
    stopping.stop_after = 100;
    const RunResult result = run(load(), stopping);
    EXPECT_FALSE(result.finished);
    const output::Manifest manifest = output::read_manifest(output::manifest_path(out()));
    EXPECT_EQ(manifest.status, "interrupted");
    EXPECT_EQ(manifest.steps, 100);
    EXPECT_FALSE(manifest.stages.at(0).end.has_value());
    const auto resumed = simulation::Run::resume(out(), options());
    const output::Manifest running = output::read_manifest(output::manifest_path(out()));
    EXPECT_EQ(running.status, "running");
    EXPECT_EQ(running.resumed.size(), 1U);
    EXPECT_TRUE(running.state_hash.empty());
}

TEST_F(RunFolder, AGrainThrownOutIsNamedAndTheCheckpointStays) {
    const scene::Scene scene = load(R"(
[[stages]]
name = "blow"
do = [ { set_velocity = { velocity = [1e6, 0, 0], below = { y = 0.01 }, above = { x = 0.01 } } } ]
until = { duration = 0.1 }
)");
    try {
        run(scene);
        FAIL() << "a grain at 1e6 m/s was taken";
    } catch (const base::RunError& e) {
        EXPECT_THAT(e.what(), HasSubstr("grain 1 was thrown out at t = 0.16"));
        EXPECT_THAT(e.what(), HasSubstr("--resume"));
    }
    const output::Manifest manifest = output::read_manifest(output::manifest_path(out()));
    EXPECT_EQ(manifest.status, "failed");
    EXPECT_NEAR(manifest.time, 0.16, 2e-4);
    EXPECT_THAT(manifest.events.back().text, HasSubstr("grain 1"));
    EXPECT_EQ(output::load_latest(out()).system.clock.steps, 0);
    EXPECT_THROW(simulation::Run::resume(out(), options())->go(), base::RunError)
        << "it goes wrong in the same place again";
}

TEST_F(RunFolder, LargeOverlapsAreCountedAndWarnedOfOnce) {
    const RunResult result = run(load("[checks]\noverlap_limit = 0.02\n"));
    int warnings = 0;
    for (const output::Event& event : result.manifest.events) {
        if (event.text.starts_with("overlap of")) {
            ++warnings;
            EXPECT_THAT(event.text, HasSubstr("at grain 1")) << "the lower one lands first";
        }
    }
    EXPECT_EQ(warnings, 1);
    const output::Series series = output::read_series(output::series_path(out()));
    EXPECT_GT(series.column("overlap.beyond_limit").back(), 3);
    EXPECT_GT(series.column("overlap.largest").back(), 0.02);
}

TEST(Run, SaysClearlyThatAScenesWarningsWereMet) {
    const StagedScene scene("0,0,0.05\n");
    scene.load(std::string(floor_wall) + "[[stages]]\nname = \"all\"\nuntil = { time = 0.01 }\n");
    const scene::Scene coarse = scene::load(scene.folder() / "staged.toml", {"time.step=2e-4"});
    ASSERT_EQ(coarse.warnings.list().size(), 1U);
    const RunResult result = simulation::Run(coarse, scene.folder() / "out", options()).go();
    ASSERT_EQ(result.manifest.warnings.size(), 1U);
    EXPECT_THAT(result.manifest.warnings[0], HasSubstr("step"));
}

}  // namespace
}  // namespace talus::simulation
