// How large the vessel is, where that can be told from its walls: the box they close, and the area of a wall. Forces on
// walls become pressures with it.
#pragma once

#include <optional>

#include "talus/model/system.h"

namespace talus::analysis {

/// m: the edges of the box around all grains whose faces, axis by axis, are periodic borders or planes across the axis.
/// Nothing if some axis has neither, or if there are grains on both sides of such a plane.
std::optional<math::Vec3d> box_edges(const model::System& system);

/// m2, of one side: of a bounded surface, or of the face that a plane makes of the box. Nothing for others.
std::optional<double> wall_area(const model::System& system, const model::Wall& wall);

}  // namespace talus::analysis
