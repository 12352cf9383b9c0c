// Walls that forces move: a run that is stopped and resumed equals one that never stopped, on any number of threads.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "restart/same_run.h"
#include "talus/scene/scene.h"
#include "temporary_folder.h"

namespace talus::tests {
namespace {

/// Grains under a servo lid, which is then let go as a piston; a flap on a hinge among them.
scene::Scene lid_and_flap(const std::string& top) {
    return scene::load_text(top + R"(
title  = "driven"
seed   = 3
[gravity]
uniform = [0, 0, "-1 g0"]
[domain]
low      = [0, 0, "open"]
high     = [0.08, 0.08, "open"]
periodic = ["x", "y"]
[materials.glass]
density = 2500
[materials.wall]
[[contacts]]
between     = ["*", "*"]
law         = "hooke"
kn          = 500
kt          = "2/7 kn"
restitution = 0.6
friction    = { static = 0.3 }
[[walls]]
name     = "floor"
shape    = { plane = {} }
material = "wall"
[[walls]]
name     = "lid"
shape    = { plane = { point = [0, 0, 0.12] } }
material = "wall"
motion   = [ { translate = { velocity = [0.1, 0, 0] } }, { servo = { along = [0, 0, -1], pressure = 200, speed = 0.5 } } ]
[[walls]]
name     = "flap"
shape    = { rectangle = { corner = [0.04, 0.01, 0.01], edge1 = [0, 0.06, 0], edge2 = [0, 0, 0.04] } }
material = "wall"
motion   = [ { hinge = { axis = [0, 1, 0], through = [0.04, 0, 0.05], inertia = 1e-4, mass = 0.1, center = [0.04, 0.04, 0.03], rate = 3 } } ]
[[fill]]
material = "glass"
radius   = "6 mm"
random   = {}
count    = 100
box      = { low = [0, 0, 0.002], high = [0.08, 0.08, 0.11] }
[[stages]]
name  = "servo"
until = { duration = 0.2 }
[[stages]]
name  = "piston"
until = { duration = 0.2 }
do    = [ { set_motion = "lid", motion = [ { free = { along = [0, 0, -1], mass = 0.2, load = 2, speed = -0.5 } } ] } ]
[output]
frames = 0.05
series = 0.01
)",
                            "driven.toml");
}

struct Way {
    std::string name, top;
    std::int64_t steps;  // in 0.1 s

    friend std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name; }
};

class DrivenResume : public testing::TestWithParam<Way> {};

TEST_P(DrivenResume, LeavesNoTrace) {
    const auto scene = [] { return lid_and_flap(GetParam().top); };
    const TemporaryFolder folder;
    const simulation::RunResult expected = simulation::Run(scene(), folder / "whole", options(1)).go();
    ASSERT_TRUE(expected.finished);
    const std::int64_t tenth = GetParam().steps;
    for (const std::int64_t stop : {tenth / 2, 2 * tenth, 3 * tenth + 1}) {
        const fs::path parts = folder / std::to_string(stop);
        simulation::RunOptions stopping = options(stop % 2 == 0 ? 2 : 3);
        stopping.stop_after = stop;
        ASSERT_FALSE(simulation::Run(scene(), parts, stopping).go().finished);
        expect_same_run(simulation::Run::resume(parts, options(1))->go(), parts, expected, folder / "whole");
    }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, DrivenResume,
    testing::Values(Way{"packed", "time = { step = \"0.1 ms\" }\n", 1000},
                    Way{"midpoint", "time = { step = \"0.1 ms\" }\nintegration = { method = \"midpoint\" }\n", 1000},
                    Way{"rkf45", "time = { step = \"1 ms\" }\nintegration = { method = \"rkf45\" }\n", 100}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace talus::tests
