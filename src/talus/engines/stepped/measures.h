// What time-stepped engines count.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace talus::engines::stepped {

/// What has happened since the start of the run.
struct Measures {
    std::int64_t collisions = 0;       // between grains
    std::int64_t wall_collisions = 0;  // with walls
    std::int64_t corrections = 0;      // pairs and grains at walls that were moved apart
    double fastest = 0;                // largest way of a grain in one step, in radii of its smallest sphere
    std::int64_t fastest_id = -1;
};

/// To numbers for a checkpoint and back; nothing if they are not such numbers.
std::vector<double> saved(const Measures& measures);
std::optional<Measures> loaded(const std::vector<double>& numbers);

}  // namespace talus::engines::stepped
