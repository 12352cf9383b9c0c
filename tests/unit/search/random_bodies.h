// Random configurations for the search tests, and the pair list in a form that compares and prints.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "talus/base/random.h"
#include "talus/model/system.h"
#include "talus/search/pair_search.h"

namespace talus::tests {

using math::Vec3d;

/// (lower body, higher body, image x, y, z)
using Pair = std::tuple<std::uint32_t, std::uint32_t, int, int, int>;

inline std::vector<Pair> listed_pairs(const model::PairList& pairs) {
    std::vector<Pair> out;
    for (std::uint32_t i = 0; i + 1 < pairs.row.size(); ++i) {
        for (std::uint32_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            out.emplace_back(i, pairs.partner[p], pairs.image[p].x, pairs.image[p].y, pairs.image[p].z);
        }
    }
    return out;
}

/// Radii between `smallest` and `largest`, centres anywhere in the box.
inline model::System random_system(std::size_t count, const Vec3d& box, const std::array<bool, 3>& periodic,
                                   double smallest, double largest, std::uint64_t seed) {
    model::System system;
    for (int axis = 0; axis < 3; ++axis) {
        if (periodic[static_cast<std::size_t>(axis)]) {
            system.domain.low[axis] = -0.25 * box[axis];
            system.domain.high[axis] = 0.75 * box[axis];
        }
    }
    system.domain.periodic = periodic;
    base::Random random(seed, 0);
    for (std::size_t i = 0; i < count; ++i) {
        Vec3d x;
        for (int axis = 0; axis < 3; ++axis) {
            x[axis] = random.uniform(-0.25 * box[axis], 0.75 * box[axis]);
        }
        system.bodies.add_sphere(static_cast<std::int64_t>(3 * i), x, random.uniform(smallest, largest), 1000, 0);
    }
    return system;
}

}  // namespace talus::tests
