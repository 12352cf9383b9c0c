// Whether two grains will overlap within the next step if nothing turns them aside (AHS, "Method").
#pragma once

#include "talus/math/vec3.h"

namespace talus::engines::stepped {

using math::Vec3d;

/// `d`: from one centre to the other, m; `u`: velocity of the other relative to the one, m/s; both go straight on.
/// False only if they will not overlap; without branches.
inline bool may_be_pending(const Vec3d& d, const Vec3d& u, double sum_of_radii, double step) {
    const double closing = dot(d, u);  // m2/s, half the rate of |d|^2; negative: they approach
    const double beyond = norm2(d) - sum_of_radii * sum_of_radii;
    // |d + u s|^2 is at least |d|^2 + 2 d.u s.
    return (closing < 0) & (beyond + 2 * closing * step < 0);
}

/// Grains that part already are never pending, however much they overlap. Without branches too: none could be foreseen.
inline bool is_pending(const Vec3d& d, const Vec3d& u, double sum_of_radii, double step) {
    const double closing = dot(d, u);
    const double beyond = norm2(d) - sum_of_radii * sum_of_radii;
    const double u2 = norm2(u);
    const bool still_near = -closing >= u2 * step;  // they are nearest at the end of the step
    const bool at_end = beyond + step * (2 * closing + u2 * step) < 0;
    const bool before = beyond * u2 < closing * closing;
    return may_be_pending(d, u, sum_of_radii, step) & ((still_near & at_end) | (!still_near & before));
}

}  // namespace talus::engines::stepped
