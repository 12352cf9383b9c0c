// Charges and dipoles in fields that turn: a run that is stopped and resumed equals one that never stopped, also where
// charged grains come later; and its frames hold what grains carry.
#include <gtest/gtest.h>

#include <string>

#include "restart/same_run.h"
#include "talus/output/frame_columns.h"
#include "talus/scene/scene.h"
#include "temporary_folder.h"

namespace talus::tests {
namespace {

scene::Scene charged_ball(const std::string& method) {
    return scene::load_text(R"(
title = "charges in a ball"
seed  = 8
[time]
step = "20 us"
[integration]
method = ")" + method + R"("
[gravity]
uniform = [0, 0, "-1 g0"]
[fields]
electric = { value = ["20 kV/m", 0, 0], axis = [0, 1, 0], period = "30 ms" }
magnetic = [0, "2 T", 0]
[forces]
gravity  = "1e-3 m3/kg/s2"
electric = true
magnetic = true
[materials.glass]
density = 2500
charge  = "5 nC"
[materials.wall]
[[contacts]]
between     = ["*", "*"]
law         = "hooke"
kn          = 2e4
restitution = 0.6
friction    = { static = 0.3 }
[[walls]]
name     = "ball"
shape    = { sphere = { radius = "4 cm" } }
material = "wall"
[[fill]]
material        = "glass"
radius          = "2 mm"
random          = {}
count           = 40
electric_dipole = [0, 0, "5 nC mm"]
ball            = { radius = "35 mm" }
[[stages]]
name  = "few"
until = { duration = "10 ms" }
[[stages]]
name  = "more"
until = { duration = "10 ms" }
do    = [ { fill = { material = "glass", radius = "1 mm", random = {}, count = 10, magnetic_dipole = [0, 0, "1 mA m2"], ball = { radius = "35 mm" } } },
          { remove_below = { z = "-25 mm" } } ]
[output]
frames = "5 ms"
series = "1 ms"
)",
                            "charges.toml");
}

class ChargedRun : public testing::TestWithParam<const char*> {};

TEST_P(ChargedRun, GoesOnAsIfItHadNeverStopped) {
    const TemporaryFolder folder;
    const simulation::RunResult expected = simulation::Run(charged_ball(GetParam()), folder / "whole", options(2)).go();
    ASSERT_TRUE(expected.finished);
    for (const std::int64_t stop : {133, 500, 601}) {  // before, at and after the second stage
        const fs::path parts = folder / std::to_string(stop);
        simulation::RunOptions stopping = options(1);
        stopping.stop_after = stop;
        ASSERT_FALSE(simulation::Run(charged_ball(GetParam()), parts, stopping).go().finished);
        expect_same_run(simulation::Run::resume(parts, options(2))->go(), parts, expected, folder / "whole");
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, ChargedRun, testing::Values("leapfrog", "midpoint", "rkf45"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(ChargedRun, FramesHoldChargesAndDipolesAsTheyAreTurned) {
    const TemporaryFolder folder;
    simulation::Run(charged_ball("leapfrog"), folder / "run", options(1)).go();
    const auto frames = output::list_frames(folder / "run");
    const fs::path last = frames.back();
    const output::GrainColumn charge = output::read_grain_column(last, "charge");
    EXPECT_EQ(charge.width, 1U);
    EXPECT_DOUBLE_EQ(charge.values[0], 5e-9);
    const output::GrainColumn early = output::read_grain_column(frames.front(), "electric_dipole");
    const output::GrainColumn late = output::read_grain_column(last, "electric_dipole");
    ASSERT_EQ(early.width, 3U);
    EXPECT_NEAR(
        early.values[0] * early.values[0] + early.values[1] * early.values[1] + early.values[2] * early.values[2],
        25e-24, 1e-34);
    EXPECT_NE(early.values[0], late.values[0]);  // it has turned
    EXPECT_EQ(output::read_grain_column(last, "magnetic_dipole").width, 3U);
}

}  // namespace
}  // namespace talus::tests
