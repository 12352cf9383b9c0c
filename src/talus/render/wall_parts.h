// Walls as sheets with thin lines along their rims; in the plane as lines.
#pragma once

#include "talus/render/look.h"

namespace talus::render {

/// Adds one wall of a frame. Endless ones are cut to the setting's bounds.
void add_wall(World& world, const output::FrameWall& wall, const Look& look, const Setting& setting, bool plane);

/// Whether a wall is an endless level floor at or below all grains without a colour of its own: then it is the ground.
bool is_ground(const output::FrameWall& wall, const Setting& setting);

}  // namespace talus::render
