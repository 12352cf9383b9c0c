// Grains as a few lines each, through which one can look into a dense cluster, best in stereo (POLY Sect. 8, the
// program PaLa): from the centre of mass to the centre of each sphere, and in each sphere three radii at right angles,
// one of which goes on along that line.
#pragma once

#include "talus/output/frame.h"
#include "talus/render/world.h"

namespace talus::render {

/// `colours`: one a grain of the frame.
void add_wires(World& world, const output::FrameFile& frame, const std::vector<Rgb>& colours);

}  // namespace talus::render
