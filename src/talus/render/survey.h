// A first look at all frames of a picture or a movie: what they have in common, and how numbers become colours.
#pragma once

#include <optional>

#include "talus/render/labels.h"
#include "talus/render/setting.h"
#include "talus/render/shown_frames.h"

namespace talus::render {

struct Survey {
    Setting setting;
    Births births;                 // where grains are coloured by age
    std::optional<ColourBar> bar;  // of the grains' field, or of the forces
    Range forces;                  // N, of the tubes
    double interval = 0;           // s, mean time between frames; of a still that for three digits
};

/// Adds the cuts to the look. base::InputError if a field, a wall or a force that is asked for is not there.
Survey survey(ShownFrames& frames, const RenderOptions& options, Look& look);

}  // namespace talus::render
