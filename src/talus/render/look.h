// How frames are to look: which of it is shown, and as what.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "talus/output/frame.h"
#include "talus/render/world.h"

namespace talus::render {

struct Look {
    bool wire = false;                      // grains as lines, after POLY's program PaLa
    bool forces = false;                    // contacts as tubes, as thick as they are strong
    bool forces_coloured = true;            // by their strength; else dark, where the grains have the colours
    std::optional<double> grain_opacity;    // instead of 1, or of 0 with forces
    std::optional<double> wall_opacity;     // instead of what the scene says
    std::vector<std::string> hidden_walls;  // by name; "all"
    std::vector<CutPlane> cuts;
    bool ground = true;  // shadows on a floor below
    bool by_material = false;

    double opacity_of_grains() const { return grain_opacity.value_or(forces ? 0 : 1); }
    bool shows_grains() const { return wire || opacity_of_grains() > 0; }
    bool shows(const output::FrameWall& wall) const {
        return wall.present && wall_opacity.value_or(wall.opacity) > 0 &&
               std::none_of(hidden_walls.begin(), hidden_walls.end(),
                            [&](const std::string& name) { return name == wall.name || name == "all"; });
    }
};

}  // namespace talus::render
