// Which near pairs are within reach of one another as their bodies lie now: the first part of a prune, and the longest.
// No bit of a path depends on it. The instance for AVX-512 lives in a file of its own, like those of the contact loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "talus/backends/cpu/workspace.h"
#include "talus/search/balls.h"

namespace talus::backends::cpu {

/// Plain pointers, as in PairTask.
struct ReachTask {
    const Record* record = nullptr;
    const float* margin = nullptr;
    const Flow* flow = nullptr;  // null: no body drifts
    double drift_steps = 0;
    const std::uint32_t* row = nullptr;  // of the near list
    const std::uint32_t* partner = nullptr;
    const std::uint8_t* image = nullptr;
    const model::Image* wraps = nullptr;  // by place: periods moved since; null: the domain is not periodic
    const double* shift = nullptr;        // 27 rows of four: the shift of each image
    std::uint32_t nowhere = 0;            // this place and the next hold two spheres that never touch
};

/// A near pair within reach.
struct InReach {
    std::uint32_t place, near;  // row and number of the near pair
    std::uint8_t code;          // image now
};

/// Writes the pairs within reach of rows [first, last), in order; `out` has room for all and eight more. Returns how
/// many there are.
using ReachKernel = std::size_t (*)(const ReachTask& task, std::uint32_t first, std::uint32_t last, InReach* out);
std::size_t pairs_in_reach(const ReachTask& task, std::uint32_t first, std::uint32_t last, InReach* out);
/// Null where the compiler has none.
ReachKernel wide_reach_kernel();

inline constexpr std::uint8_t not_near = 255;

/// The image of a near pair now, after its bodies have been moved by whole periods.
TALUS_INLINE std::uint8_t image_now(const ReachTask& task, std::uint32_t s, std::uint32_t t, std::uint8_t listed) {
    if (task.wraps == nullptr) {
        return search::no_image;
    }
    const model::Image& a = task.wraps[s];
    const model::Image& b = task.wraps[t];
    if (a.x == b.x && a.y == b.y && a.z == b.z) {
        return listed;
    }
    const int number = listed;
    const int x = number / 9 - 1 + a.x - b.x;
    const int y = number / 3 % 3 - 1 + a.y - b.y;
    const int z = number % 3 - 1 + a.z - b.z;
    const bool is_near = x >= -1 && x <= 1 && y >= -1 && y <= 1 && z >= -1 && z <= 1;
    return is_near ? static_cast<std::uint8_t>(9 * (x + 1) + 3 * (y + 1) + (z + 1)) : not_near;
}

}  // namespace talus::backends::cpu
