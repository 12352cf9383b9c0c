// Time-stepped grains of many spheres: a run that is stopped and resumed equals one that never stopped, also where the
// first such grain comes only later.
#include <gtest/gtest.h>

#include "restart/same_run.h"
#include "talus/scene/scene.h"
#include "temporary_folder.h"

namespace talus::tests {
namespace {

/// Spheres in a spinning barrel on a shaking floor; then peanuts and dice come, are stirred, and drain into a wall that
/// takes them.
scene::Scene stages() {
    return scene::load_text(R"(
title  = "stepped grains"
engine = "stepped"
seed   = 5
[time]
step = "0.1 ms"
[stepping]
sweeps = 2
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
between     = ["*", "*"]
law         = "impact"
restitution = 0.6
friction    = 0.3
[[walls]]
name     = "floor"
shape    = { disk = { radius = 0.15 } }
material = "wall"
motion   = [ { oscillate = { amplitude = [0, 0, "3 mm"], frequency = 15 } } ]
[[walls]]
name     = "barrel"
shape    = { cylinder = { from = [0, 0, -0.05], to = [0, 0, 0.6], radius = 0.08 } }
material = "wall"
motion   = [ { spin = { rate = "30 rpm", axis = [0, 0, 1] } } ]
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
                            "stepped_grains.toml");
}

TEST(SteppedGrainsResume, LeavesNoTrace) {
    const TemporaryFolder folder;
    const simulation::RunResult expected = simulation::Run(stages(), folder / "whole", options(1)).go();
    ASSERT_TRUE(expected.finished);
    EXPECT_GT(expected.impacts, 500);
    for (const std::int64_t stop : {300, 501, 2500, 4300}) {  // before the grains, with them, while they drain
        const fs::path parts = folder / std::to_string(stop);
        simulation::RunOptions stopping = options(2);
        stopping.stop_after = stop;
        ASSERT_FALSE(simulation::Run(stages(), parts, stopping).go().finished);
        expect_same_run(simulation::Run::resume(parts, options(1))->go(), parts, expected, folder / "whole");
    }
}

}  // namespace
}  // namespace talus::tests
