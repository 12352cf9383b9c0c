// Hard grains among walls of every behaviour and motion, through stages with every action.
#pragma once

#include <string>
#include <vector>

#include "talus/scene/scene.h"

namespace talus::tests {

/// Grains of two materials in a spinning barrel on a shaking floor: some stick to a plate that moves and turns, some
/// are absorbed below once the floor opens. `flight` is "drift", "ballistic" or, for the stepped engine, "stepped".
inline scene::Scene hard_stages(const std::string& flight, std::vector<std::string> overrides = {}) {
    overrides.push_back(flight == "stepped" ? "engine=stepped" : "flight=" + flight);
    return scene::load_text(R"(
title  = "hard stages"
engine = "hard"
seed   = 5
[time]
[gravity]
uniform = [0, 0, "-1 g0"]
[domain]
low  = [-0.3, -0.3, "open"]
high = [0.3, 0.3, "open"]
[materials.glass]
density = 2500
[materials.steel]
density = 7800
[materials.wall]
[[contacts]]
between     = ["*", "*"]
law         = "impact"
restitution = 0.8
tangential_restitution = 0.5
friction    = 0.3
[[contacts]]
between     = ["*", "wall"]
law         = "hooke"
kn          = 1e4
restitution = 0.9
friction    = { static = 0.4 }
[[walls]]
name     = "floor"
shape    = { disk = { radius = 0.15 } }
material = "wall"
motion   = [ { oscillate = { amplitude = [0, 0, "3 mm"], frequency = 15 } } ]
[[walls]]
name     = "barrel"
shape    = { cylinder = { from = [0, 0, -0.05], to = [0, 0, 0.6], radius = 0.12 } }
material = "wall"
motion   = [ { spin = { rate = "30 rpm", axis = [0, 0, 1] } } ]
[[walls]]
name      = "plate"
shape     = { disk = { center = [0.03, 0, 0.2], radius = 0.04 } }
material  = "wall"
behaviour = "sticky"
motion    = [ { translate = { velocity = [-0.1, 0, 0] } }, { spin = { rate = "90 rpm", axis = [0, 0, 1], through = [0.03, 0, 0.2] } } ]
[[walls]]
name      = "catcher"
shape     = { plane = { point = [0, 0, -0.1] } }
material  = "wall"
behaviour = "absorbing"
[[fill]]
material = ["glass", "steel"]
radius   = { uniform = { low = "8 mm", high = "1 cm" } }
random   = {}
count    = 120
inside   = "barrel"
above    = 0.03
below    = 0.4
velocity_spread = 0.3
[[stages]]
name  = "shake"
until = { duration = 0.25 }
[[stages]]
name  = "stir"
do    = [ { add_wall = { name = "ledge", shape = { rectangle = { corner = [0, -0.1, 0.05], edge1 = [0.1, 0, 0.02], edge2 = [0, 0.2, 0] } }, material = "wall", motion = [ { oscillate = { amplitude = [0, 0, "5 mm"], frequency = 10 } } ] } },
          { set_motion = "floor", motion = [ { oscillate = { amplitude = [0, 0, "6 mm"], frequency = 20 } } ] },
          { gravity = [1, 0, -12] },
          { contact = { between = ["glass", "steel"], law = "impact", restitution = 0.3 } },
          { set_velocity = { velocity = [0, 0, 1], spin = [0, 20, 0], add = true, below = 0.1 } },
          { remove_above = 0.3 } ]
until = { duration = 0.15 }
[[stages]]
name  = "drain"
do    = [ { replace_wall = "floor", shape = { disk = { hole = "5 cm" } } },
          { remove_wall = "plate" },
          { remove_inside = { ball = { center = [0.05, 0, 0.05], radius = "3 cm" } } },
          { set_motion = "ledge", motion = [] } ]
until = { duration = 0.2 }
[output]
series = "10 ms"
frames = "0.2 s"
)",
                            "hard_stages.toml", overrides);
}

}  // namespace talus::tests
