// A vector with numbers drawn evenly from [-size, size].
#pragma once

#include "talus/base/random.h"
#include "talus/math/vec3.h"

namespace talus::tests {

inline math::Vec3d random_vector(base::Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

}  // namespace talus::tests
