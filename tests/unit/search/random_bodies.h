// Random bodies for the tests of walls.
#pragma once

#include <array>
#include <cstdint>

#include "talus/base/random.h"
#include "talus/model/system.h"

namespace talus::tests {

using math::Vec3d;

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
