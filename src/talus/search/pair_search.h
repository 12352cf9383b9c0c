// Lists of pairs that might touch soon, rebuilt with their histories carried over. Listing never changes the physics.
#pragma once

#include <cstddef>
#include <vector>

#include "talus/model/system.h"

namespace talus::search {

/// Lists all pairs of bodies whose surfaces are nearer than `skin`; touching pairs keep their histories.
void rebuild_pairs(model::System& system, double skin, int threads);

/// The oracle: the same list by looking at every pair of bodies and every near image.
void rebuild_pairs_by_brute_force(model::System& system, double skin);

/// Lists body-wall pairs nearer than `skin`. `always`: walls that may sweep through space between rebuilds faster than
/// the skin allows for, and so are listed for every body.
void rebuild_wall_pairs(model::System& system, double skin, const std::vector<char>& always, int threads);

/// Drops the pairs of bodies that are removed and renumbers the rest. Returns the old index of each kept pair.
std::vector<std::uint32_t> compact_pairs(model::PairList& pairs, const std::vector<char>& keep);
std::vector<std::uint32_t> compact_wall_pairs(model::WallPairList& pairs, const std::vector<char>& keep);

/// Body `index` was moved by `periods` whole periods: its pairs' images change so that the contacts stay the same.
void shift_images(model::PairList& pairs, std::size_t index, const model::Image& periods);

}  // namespace talus::search
