// Hard grains: a run that is stopped and resumed equals one that never stopped, in either flight or stepped, wherever
// it stops.
#include <gtest/gtest.h>

#include <string>

#include "hard_stages.h"
#include "restart/same_run.h"
#include "temporary_folder.h"

namespace talus::tests {
namespace {

class HardResume : public testing::TestWithParam<std::string> {
protected:
    static scene::Scene scene() { return hard_stages(GetParam()); }

    /// Steps after which the stage of that name has begun, its actions included.
    static std::int64_t steps_to(const std::string& stage) {
        simulation::Simulation probe(scene(), {1, 0});
        while (probe.stage_name() != stage) {
            probe.step();
        }
        return probe.clock().steps;
    }
    void expect_same_as_whole(const simulation::RunResult& result, const fs::path& parts) {
        expect_same_run(result, parts, expected, folder / "whole");
    }
    void SetUp() override {
        expected = simulation::Run(scene(), folder / "whole", options(1)).go();
        ASSERT_TRUE(expected.finished);
    }

    TemporaryFolder folder;
    simulation::RunResult expected;
};

TEST_P(HardResume, LeavesNoTrace) {
    // In flight with grains on the plate, right after the actions of a stage, and while grains drain.
    const std::int64_t stir = steps_to("stir");
    const std::int64_t drain = steps_to("drain");
    for (const std::int64_t stop : {stir / 2, stir, drain, (drain + expected.manifest.steps) / 2}) {
        const fs::path parts = folder / std::to_string(stop);
        simulation::RunOptions stopping = options(2);
        stopping.stop_after = stop;
        ASSERT_FALSE(simulation::Run(scene(), parts, stopping).go().finished);
        expect_same_as_whole(simulation::Run::resume(parts, options(1))->go(), parts);
    }
}

TEST_P(HardResume, LeavesNoTraceOfManyStops) {
    const fs::path parts = folder / "parts";
    simulation::RunOptions stopping = options(1);
    stopping.stop_after = expected.manifest.steps / 9;
    simulation::RunResult result = simulation::Run(scene(), parts, stopping).go();
    for (int k = 0; k < 20 && !result.finished; ++k) {
        result = simulation::Run::resume(parts, stopping)->go();
    }
    expect_same_as_whole(result, parts);
}

INSTANTIATE_TEST_SUITE_P(Flights, HardResume, testing::Values("drift", "ballistic", "stepped"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace talus::tests
