// Symmetric tensors as six numbers: xx, yy, zz, yz, xz, xy.
#pragma once

#include <array>

#include "talus/math/vec3.h"

namespace talus::math {

using Tensor6 = std::array<double, 6>;

/// The symmetric part of a (x) b.
inline Tensor6 symmetric_product(const Vec3d& a, const Vec3d& b) {
    return {a.x * b.x,
            a.y * b.y,
            a.z * b.z,
            0.5 * (a.y * b.z + a.z * b.y),
            0.5 * (a.x * b.z + a.z * b.x),
            0.5 * (a.x * b.y + a.y * b.x)};
}

/// sum += factor * term
inline void add_scaled(Tensor6& sum, const Tensor6& term, double factor) {
    for (std::size_t k = 0; k < sum.size(); ++k) {
        sum[k] += term[k] * factor;
    }
}

}  // namespace talus::math
