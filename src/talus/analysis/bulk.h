// Simple properties of a heap: how high it stands, where its centre of mass is, how densely it is packed.
#pragma once

#include "talus/analysis/region_volume.h"
#include "talus/math/vec3.h"
#include "talus/model/region.h"
#include "talus/model/system.h"

namespace talus::analysis {

struct Height {
    double most = 0;     // m, the height below which the tops of 99 % of the grains lie
    double highest = 0;  // m, the highest top
};

/// Along the unit vector `axis`, of the grains with their centre in the region; NaN without grains.
Height height(const model::System& system, const Vec3d& axis, const model::Region& region = {});

/// m, of the grains with their centre in the region; NaN without grains. Positions count as they are stored: a heap
/// that reaches across a periodic border is not put together again.
Vec3d center_of_mass(const model::System& system, const model::Region& region = {});

/// Volume of the grains in the region over the region's volume; grains on the border count with the part inside. The
/// overlaps of soft grains count twice.
double packing(const model::System& system, const RegionVolume& region);

/// The packing in a ball about the centre of mass of the grains with axis . x >= offset, as large as the narrowest
/// standard deviation of their positions: well inside a full container of any shape. Zero if that ball has no room
/// for a few grains (its radius is less than four grain radii).
double packing_at_heart(const model::System& system, const Vec3d& axis, double offset);

}  // namespace talus::analysis
