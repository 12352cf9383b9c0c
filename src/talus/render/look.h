// How a frame is to look: which of it is shown, as what, and in which colours; and the world that makes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "talus/output/frame.h"
#include "talus/output/wall_surface.h"
#include "talus/render/colour_map.h"
#include "talus/render/fields.h"
#include "talus/render/world.h"

namespace talus::render {

struct Look {
    bool wire = false;                      // grains as lines, after POLY's program PaLa
    bool forces = false;                    // contacts as tubes, as thick as they are strong
    std::optional<double> grain_opacity;    // instead of 1, or of 0 with forces
    std::optional<double> wall_opacity;     // instead of what the scene says
    std::vector<std::string> hidden_walls;  // by name; "all"
    std::vector<CutPlane> cuts;
    bool ground = true;  // shadows on a floor below
    bool by_material = false;
};

/// Numbers as colours.
struct Scale {
    const ColourMap& map;
    Range range;
    Rgb at(double value) const { return map.at((value - range.low) / (range.high - range.low)); }
};

/// What stays the same from frame to frame of a movie.
struct Setting {
    output::Bounds grains;    // of all grains
    output::Bounds bounds;    // with all finite walls: endless walls are cut to it
    double grain_radius = 0;  // m, mean of all spheres of the first frame
    void add(const output::FrameFile& frame, const Look& look);
};

/// Whether the look shows this wall.
bool shows(const Look& look, const output::FrameWall& wall);

/// `field` colours the grains; without it materials do. Forces are coloured by `force_scale`.
World world_of(const output::FrameFile& frame, const Look& look, const Setting& setting, const Field* field,
               const Scale* field_scale, const Scale* force_scale);

/// The colour of the grains of a material.
Rgb material_colour(const output::FrameFile& frame, std::size_t material);

}  // namespace talus::render
