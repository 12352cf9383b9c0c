// A run that is stopped and resumed equals one that never stopped: state, series and frames, bit for bit.
#include <gtest/gtest.h>

#include <string>

#include "restart/same_run.h"
#include "small_hopper.h"
#include "talus/base/diagnostics.h"
#include "talus/output/checkpoint.h"
#include "temporary_folder.h"
#include "unit/simulation/staged_scene.h"

namespace talus::tests {
namespace {

/// Stops after `stop_after` steps, resumes on another number of threads, and compares with the run that never stopped.
void expect_no_trace(std::int64_t stop_after) {
    const TemporaryFolder folder;
    simulation::Run whole(small_hopper(600, 0.08, 0.03), folder.path() / "whole", options(1));
    const simulation::RunResult expected = whole.go();
    ASSERT_TRUE(expected.finished);

    simulation::RunOptions stopping = options(2);
    stopping.stop_after = stop_after;
    {
        simulation::Run part(small_hopper(600, 0.08, 0.03), folder.path() / "parts", stopping);
        const simulation::RunResult result = part.go();
        ASSERT_FALSE(result.finished);
        ASSERT_EQ(result.manifest.status, "interrupted");
    }
    const auto resumed = simulation::Run::resume(folder.path() / "parts", options(1));
    const simulation::RunResult result = resumed->go();
    expect_same_run(result, folder.path() / "parts", expected, folder.path() / "whole");
}

TEST(Resume, LeavesNoTraceWhenStoppedInFreeFall) {
    expect_no_trace(500);
}
TEST(Resume, LeavesNoTraceWhenStoppedInADenseMoment) {
    expect_no_trace(5500);
}
TEST(Resume, LeavesNoTraceWhenStoppedDuringTheDischarge) {
    expect_no_trace(8000);
}

TEST(Resume, LeavesNoTraceWhenStoppedRightAfterAStageActed) {
    const TemporaryFolder folder;
    simulation::Run probe(small_hopper(600, 0.08, 0.03), folder.path() / "probe", options(1));
    std::int64_t steps = 0;
    while (probe.simulation().stage_name() == "fill") {
        probe.simulation().step();
        ++steps;
    }
    expect_no_trace(steps);
}

TEST(Resume, FallsBackToThePreviousCheckpointWhenTheLastIsDamaged) {
    const TemporaryFolder folder;
    const fs::path run = folder.path() / "run";
    simulation::RunOptions stopping = options(1);
    stopping.stop_after = 2000;
    simulation::Run(small_hopper(200, 0.05, 0.02), run, stopping).go();
    stopping.stop_after = 1000;
    simulation::Run::resume(run, stopping)->go();
    fs::resize_file(output::checkpoint_path(run), fs::file_size(output::checkpoint_path(run)) / 2);
    const simulation::RunResult result = simulation::Run::resume(run, options(1))->go();
    EXPECT_TRUE(result.finished);
    const TemporaryFolder other;
    const simulation::RunResult expected =
        simulation::Run(small_hopper(200, 0.05, 0.02), other.path() / "run", options(1)).go();
    EXPECT_EQ(result.manifest.state_hash, expected.manifest.state_hash);
}

TEST(Resume, NeedsNeitherTheSceneNorTheFilesOfItsFills) {
    const TemporaryFolder folder;
    const auto load = [&] {
        return simulation::StagedScene("0,0,0.02\n0.001,0,0.05\n0,0.001,0.09\n")
            .load(std::string(simulation::floor_wall) + R"(
[[stages]]
name = "fall"
until = { duration = 0.05 }
[[stages]]
name = "stiffer"
do = [ { contact = { between = ["grain", "*"], law = "hooke", kn = { max_speed = 2, overlap = 0.02 }, restitution = 0.5 } } ]
until = { duration = 0.1 }
)");
    };
    const simulation::RunResult expected = simulation::Run(load(), folder / "whole", options(1)).go();
    simulation::RunOptions stopping = options(1);
    stopping.stop_after = 400;  // before the contact changes, whose stiffness came from the grains of the file
    simulation::Run(load(), folder / "parts", stopping).go();
    fs::rename(folder / "parts", folder / "moved");
    const simulation::RunResult result = simulation::Run::resume(folder / "moved", options(1))->go();
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.manifest.state_hash, expected.manifest.state_hash);
    EXPECT_EQ(contents(output::series_path(folder / "moved")), contents(output::series_path(folder / "whole")));
}

TEST(Resume, SaysClearlyWhenThereIsNothingToResume) {
    const TemporaryFolder folder;
    EXPECT_THROW(simulation::Run::resume(folder.path(), options(1)), base::InputError);
}

}  // namespace
}  // namespace talus::tests
