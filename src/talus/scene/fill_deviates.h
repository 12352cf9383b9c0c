// Normal deviates and random rotations from + - * / sqrt and the portable log, so that they have the same bits on
// every machine.
#pragma once

#include <cmath>

#include "talus/base/random.h"
#include "talus/math/portable_log.h"
#include "talus/math/rotation.h"

namespace talus::scene {

/// A point uniform in the open unit disc without its centre; `s` is its squared distance from the centre.
struct DiscPoint {
    double u = 0, v = 0, s = 0;
};
inline DiscPoint disc_point(base::Random& random) {
    while (true) {
        const double u = random.uniform(-1, 1);
        const double v = random.uniform(-1, 1);
        const double s = u * u + v * v;
        if (s > 0 && s < 1) {
            return {u, v, s};
        }
    }
}

/// Normal with mean 0 and deviation 1, by Marsaglia's polar method (it needs no sine). The second deviate of each pair
/// is not kept: drawing stays a function of the stream alone.
inline double normal_deviate(base::Random& random) {
    const DiscPoint p = disc_point(random);
    return p.u * std::sqrt(-2 * math::log(p.s) / p.s);
}

/// Uniform over all rotations: a quaternion uniform on the unit sphere of four dimensions, from two disc points.
inline math::Quaterniond random_quaternion(base::Random& random) {
    const DiscPoint a = disc_point(random);
    const DiscPoint b = disc_point(random);
    const double scale = std::sqrt((1 - a.s) / b.s);
    return {a.u, {a.v, b.u * scale, b.v * scale}};
}
inline math::Mat3d random_rotation(base::Random& random) {
    return math::to_matrix(random_quaternion(random));
}

}  // namespace talus::scene
