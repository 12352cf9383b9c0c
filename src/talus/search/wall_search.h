// Body-wall pairs from plain arrays of the bodies, in whatever order those are stored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "talus/model/contacts.h"
#include "talus/model/domain.h"
#include "talus/model/system.h"
#include "talus/model/wall.h"

namespace talus::search {

using math::Vec3d;

/// What the lists of walls need to know of the bodies.
struct Spheres {
    std::span<const Vec3d> position;  // m
    std::span<const double> radius;   // m
};

/// Lists every body with the walls whose nearest point is nearer to its surface than `skin`, and with the opposite
/// points that are; touching pairs keep their histories. `always`: walls that are listed for every body.
/// `pairs` must have a row for each body or none at all.
void rebuild_wall_pairs(model::WallPairList& pairs, const Spheres& spheres, std::span<const model::Wall> walls,
                        const model::Domain& domain, double skin, const std::vector<char>& always, int threads);

/// Keeps the rows of these bodies, in this order, which may be another than before. Returns the old index of each pair
/// that is left.
std::vector<std::uint32_t> take_wall_rows(model::WallPairList& pairs, std::span<const std::uint32_t> bodies);

/// The same for a system as it stands.
void rebuild_wall_pairs(model::System& system, double skin, const std::vector<char>& always, int threads);

/// Drops the pairs of bodies that are removed and renumbers the rest. Returns the old index of each kept pair.
std::vector<std::uint32_t> compact_wall_pairs(model::WallPairList& pairs, const std::vector<char>& keep);

}  // namespace talus::search
