// Normal and exponential random numbers for tests of distributions.
#pragma once

#include <cmath>
#include <numbers>

#include "talus/base/random.h"
#include "talus/math/vec3.h"

namespace talus::analysis {

/// Mean one.
inline double exponential(base::Random& random) {
    return -std::log1p(-random.uniform());
}

/// Mean zero, deviation one (Box and Muller).
inline double normal(base::Random& random) {
    const double radius = std::sqrt(2 * exponential(random));
    return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

inline math::Vec3d normal_vector(base::Random& random) {
    const double x = normal(random);
    const double y = normal(random);
    const double z = normal(random);
    return {x, y, z};
}

}  // namespace talus::analysis
