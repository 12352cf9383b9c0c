// A grain factory (POLY Eq. 22): grains of random spheres with wanted statistics, each a pure function of seed and
// index.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/geometry/sphere_union.h"

namespace talus::geometry {

/// From `low` to `high`, all equally likely.
struct Spread {
    double low = 0, high = 0;
};

struct GrainStatistics {
    double reach = 1;  // m, radius of the smallest ball about the centre of mass that holds a grain
    int fewest = 3;    // spheres
    int most = 5;
    Spread size{0.6, 1};       // radii of the spheres, relative to one another
    Spread overlap{0.3, 0.6};  // of a sphere with the one it grows on: 0 they touch, 1 the smaller one is swallowed
    Spread elongation{0, 0};   // longest to second longest axis of the ellipsoid with the same moments; 0: as it comes
};

/// What is wrong with the statistics, in words; empty if nothing is.
std::string statistics_fault(const GrainStatistics& wanted);

/// Spheres that grow one on another, none inside another, so that there is nothing for grain_fault to find. With an
/// elongation, the best of a few dozen such grains. Throws std::invalid_argument where there is no room for so many
/// spheres.
std::vector<Ball> random_grain(const GrainStatistics& wanted, std::uint64_t seed, std::uint64_t index);

/// Of the ellipsoid with the same moments, the longest to the second longest axis.
double elongation_of(const MassProperties& properties);

}  // namespace talus::geometry
