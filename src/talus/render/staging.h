// A frame as a world: grains, forces and walls as balls, tubes and sheets, in their colours.
#pragma once

#include "talus/render/colour_map.h"
#include "talus/render/fields.h"
#include "talus/render/setting.h"

namespace talus::render {

/// Numbers as colours.
struct Scale {
    const ColourMap& map;
    Range range;
    Rgb at(double value) const { return map.at((value - range.low) / (range.high - range.low)); }
};

/// `field` colours the grains; without it materials do. Forces are as thick and as bright as `force_scale` says.
World world_of(const output::FrameFile& frame, const Look& look, const Setting& setting, const Field* field,
               const Scale* field_scale, const Scale* force_scale);

}  // namespace talus::render
