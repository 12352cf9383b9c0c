// Grains of many spheres, hard, time-stepped and soft under every integrator: a run that is stopped and resumed equals
// one that never stopped, also where the first such grain comes only later.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "restart/same_run.h"
#include "talus/scene/scene.h"
#include "temporary_folder.h"

namespace talus::tests {
namespace {

/// Spheres in a spinning barrel on a shaking floor; then peanuts and dice come, are stirred, and drain into a wall that
/// takes them.
scene::Scene stages(const std::string& top, const std::string& contact, bool moving) {
    return scene::load_text(top + R"(
title  = "grains"
seed   = 5
[gravity]
uniform = [0, 0, "-1 g0"]
[domain]
low  = [-0.3, -0.3, "open"]
high = [0.3, 0.3, "open"]
[materials.glass]
density = 2500
[materials.wall]
[grains.peanut]
dumbbell = { radius = "6 mm", distance = "8 mm" }
[grains.die]
cube = { radius = "4 mm", edge = "5 mm" }
[[contacts]]
between = ["*", "*"]
)" + contact + R"(
[[walls]]
name     = "floor"
shape    = { disk = { radius = 0.15 } }
material = "wall"
)" + std::string(moving ? "motion = [ { oscillate = { amplitude = [0, 0, \"3 mm\"], frequency = 15 } } ]" : "") +
                                R"(
[[walls]]
name     = "barrel"
shape    = { cylinder = { from = [0, 0, -0.05], to = [0, 0, 0.6], radius = 0.08 } }
material = "wall"
)" + std::string(moving ? "motion = [ { spin = { rate = \"30 rpm\", axis = [0, 0, 1] } } ]" : "") +
                                R"(
[[walls]]
name      = "catcher"
shape     = { plane = { point = [0, 0, -0.1] } }
material  = "wall"
behaviour = "absorbing"
[[fill]]
material = "glass"
radius   = "8 mm"
random   = {}
count    = 30
cylinder = { from = [0, 0, 0.02], to = [0, 0, 0.12], radius = 0.07 }
[[stages]]
name  = "spheres"
until = { duration = 0.05 }
[[stages]]
name  = "grains"
until = { duration = 0.3 }
do    = [ { fill = { material = "glass", grain = ["peanut", "die"], random = {}, count = 40, cylinder = { from = [0, 0, 0.15], to = [0, 0, 0.35], radius = 0.07 } } } ]
[[stages]]
name  = "drain"
until = { duration = 0.15 }
do    = [ { remove_wall = "floor" }, { set_velocity = { spin = [0, 20, 5], box = { low = [-1, -1, -1], high = [1, 1, 0.05] } } } ]
[output]
frames = 0.02
series = 0.01
)",
                            "grains.toml");
}

struct Way {
    std::string name, top, contact;
    std::int64_t steps;  // in 0.1 s
    bool moving = true;  // walls do

    friend std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name; }
};

const std::string hooke = "law = \"hooke\"\nkn = 500\nrestitution = 0.6\nkt = \"2/7 kn\"\nfriction = { static = 0.3 }";
const std::string bridges =
    "law = \"mindlin\"\nyoung = 3e5\nrestitution = 0.6\nfriction = { static = 0.3 }\n"
    "cohesion = { surface_tension = 0.07, volume = 1e-10 }";
const std::string impact = "law = \"impact\"\nrestitution = 0.6\nfriction = 0.3";

class GrainsResume : public testing::TestWithParam<Way> {};

TEST_P(GrainsResume, LeavesNoTrace) {
    const auto scene = [] { return stages(GetParam().top, GetParam().contact, GetParam().moving); };
    const TemporaryFolder folder;
    const simulation::RunResult expected = simulation::Run(scene(), folder / "whole", options(1)).go();
    ASSERT_TRUE(expected.finished);
    const std::int64_t tenth = GetParam().steps;
    // Before the grains come, right after, with them, and while they drain.
    for (const std::int64_t stop : {3 * tenth / 10, tenth / 2 + 1, 5 * tenth / 2, 43 * tenth / 10}) {
        const fs::path parts = folder / std::to_string(stop);
        simulation::RunOptions stopping = options(stop % 2 == 0 ? 2 : 3);
        stopping.stop_after = stop;
        ASSERT_FALSE(simulation::Run(scene(), parts, stopping).go().finished);
        expect_same_run(simulation::Run::resume(parts, options(1))->go(), parts, expected, folder / "whole");
    }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, GrainsResume,
    testing::Values(
        Way{"stepped", "engine = \"stepped\"\ntime = { step = \"0.1 ms\" }\nstepping = { sweeps = 2 }\n", impact, 1000},
        Way{"hard", "engine = \"hard\"\ntime = { step = \"0.4 ms\" }\n", impact, 250},
        Way{"resting", "engine = \"hard\"\ntime = { step = \"0.4 ms\" }\n", impact, 250, false},
        Way{"leapfrog", "time = { step = \"0.1 ms\" }\n", hooke, 1000},
        Way{"bridges", "time = { step = \"0.1 ms\" }\n", bridges, 1000},
        Way{"midpoint", "time = { step = \"0.1 ms\" }\nintegration = { method = \"midpoint\" }\n", hooke, 1000},
        Way{"rkf45", "time = { step = \"1 ms\" }\nintegration = { method = \"rkf45\" }\n", hooke, 100}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace talus::tests
