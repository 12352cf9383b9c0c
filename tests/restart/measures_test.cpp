// Measures that remember more than averages go on exactly when a run is resumed: series, results and tables.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

#include "talus/output/run_folder.h"
#include "talus/simulation/run.h"
#include "temporary_folder.h"
#include "unit/simulation/staged_scene.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Grains that fall on a floor and fly across periodic borders; some are taken away on the way.
scene::Scene falling_grains() {
    std::string grains;
    for (int i = 0; i < 200; ++i) {
        grains += fmt::format("{},{},{},{},{},0\n", 0.011 + 0.022 * (i % 8), 0.011 + 0.022 * (i / 8 % 5),
                              0.02 + 0.022 * (i / 40), 0.5 * (i % 3), -0.7 * (i % 2));
    }
    return simulation::StagedScene(grains, true).load(std::string(simulation::floor_wall) + R"(
[domain]
low = [0, 0, -1]
high = ["18 cm", "12 cm", 1]
periodic = ["x", "y"]
[output]
series = "2 ms"
[[stages]]
name = "fall"
until = { duration = 0.06 }
[[stages]]
name = "fewer"
do = [ { remove_above = { x = "15 cm" } } ]
until = { duration = 0.06 }
[[measure]]
scale_heights = { after = "30 ms" }
[[measure]]
surface_slope = {}
[[measure]]
velocity_distribution = { bins = 12 }
name = "velocities"
[[measure]]
displacement = {}
start = "10 ms"
)");
}

TEST(Resume, LeavesNoTraceInMeasuresOfMotionAndSurfaces) {
    const TemporaryFolder folder;
    simulation::RunOptions options;
    options.simulation.threads = 1;
    const fs::path whole = folder.path() / "whole";
    const fs::path parts = folder.path() / "parts";
    const simulation::RunResult expected = simulation::Run(falling_grains(), whole, options).go();
    simulation::RunOptions stopping = options;
    stopping.stop_after = 1300;  // in the second stage
    EXPECT_FALSE(simulation::Run(falling_grains(), parts, stopping).go().finished);
    const simulation::RunResult result = simulation::Run::resume(parts, options)->go();
    ASSERT_TRUE(result.finished);
    EXPECT_EQ(result.manifest.result, expected.manifest.result);
    EXPECT_EQ(result.report, expected.report);
    EXPECT_EQ(contents(output::series_path(parts)), contents(output::series_path(whole)));
    EXPECT_NE(contents(output::series_path(whole)).find("scale_heights.grain.height"), std::string::npos);
    const std::string table = contents(whole / "velocities.csv");
    EXPECT_EQ(table.rfind("middle,low,high,samples,density,density_error,maxwell\n", 0), 0U);
    EXPECT_EQ(contents(parts / "velocities.csv"), table);
    EXPECT_NE(expected.report.at(3).find("lost)"), std::string::npos) << expected.report.at(3);
    EXPECT_NE(expected.report.at(1).find("straight to"), std::string::npos) << expected.report.at(1);
}

}  // namespace
}  // namespace talus::tests
