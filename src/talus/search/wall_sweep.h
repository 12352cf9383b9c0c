// How far a moving wall can have come since it was listed: lists of walls last until one has come too far.
#pragma once

#include "talus/model/wall.h"

namespace talus::search {

/// An unbounded wall that tilts sweeps arbitrarily far: it must be listed for every body.
bool tilts_without_bounds(const model::Wall& wall);

/// An upper bound on how far the surface of a wall has moved between two poses; of unbounded walls as long as they do
/// not tilt.
double surface_shift(const model::Wall& wall, const model::Pose& from, const model::Pose& to);

}  // namespace talus::search
