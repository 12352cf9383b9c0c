// Lists of bodies near walls.
#pragma once

#include <cstddef>
#include <vector>

#include "talus/model/system.h"

namespace talus::search {

/// Lists body-wall pairs nearer than `skin`. `always`: walls that may sweep through space between rebuilds faster than
/// the skin allows for, and so are listed for every body.
void rebuild_wall_pairs(model::System& system, double skin, const std::vector<char>& always, int threads);

/// Drops the pairs of bodies that are removed and renumbers the rest. Returns the old index of each kept pair.
std::vector<std::uint32_t> compact_wall_pairs(model::WallPairList& pairs, const std::vector<char>& keep);

}  // namespace talus::search
