// Walls as sheets with thin lines along their rims; in the plane as lines.
#pragma once

#include "talus/render/setting.h"

namespace talus::render {

/// Adds a wall that is shown. Endless ones are cut to the setting's bounds.
void add_wall(World& world, const output::FrameWall& wall, const Look& look, const Setting& setting, bool plane);

}  // namespace talus::render
