// What the grains of a file overlap: one another, grains that were there, walls.
#pragma once

#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/scene/fill_space.h"

namespace talus::scene {

/// Warns where grains overlap by more than contacts of a settled bed do. They are left as they are.
void tell_of_overlaps(const FillSpec& spec, const std::vector<Grain>& grains, const model::System& system,
                      base::Diagnostics& diagnostics);

}  // namespace talus::scene
