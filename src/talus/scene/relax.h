// Moving overlapping grains apart until none overlap or no more can be had, for packs denser than chance would place.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/scene/fill_space.h"

namespace talus::scene {

/// What is left of the overlaps. All in radii of the smaller grain of a pair.
struct Relaxed {
    std::int64_t sweeps = 0;
    std::int64_t overlaps = 0;  // pairs
    double largest = 0;
    double mean = 0;  // over those pairs
};

/// Pairs of grains are moved apart about their centre of mass, the lighter one further (AHS Eqs. 1-2); grains move
/// alone off walls, grains of other fills and the sides of the region. Stops when nothing overlaps, when sweeps bring
/// next to nothing and what is left has been spread evenly, or after `most_sweeps`. Depends on the order of the grains
/// alone, so it gives the same bits everywhere.
Relaxed relax(std::vector<Grain>& grains, const FillSpace& space, std::int64_t most_sweeps);

}  // namespace talus::scene
