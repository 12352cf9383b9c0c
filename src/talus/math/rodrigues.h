// Rotations as POLY writes them: a vector along the axis, tan(angle / 2) long (Euler-Rodrigues parameters; Eqs. 6-14
// with errata 1 and 4). A quaternion (w, v) is the same rotation as v / w. They compose with fewer numbers but have no
// half turn and divide in every composition: bodies carry quaternions, and these are the witness.
#pragma once

#include "talus/math/rotation.h"

namespace talus::math {

/// Eq. 6: x turned by r.
TALUS_HD inline Vec3d turned_by(const Vec3d& r, const Vec3d& x) {
    const double square = norm2(r);
    const Vec3d twice = x * 2.0;
    return (x * (1 - square) + r * dot(r, twice) + cross(r, twice)) / (1 + square);
}

/// Eq. 7: first `second`, then `first`. A half turn is kept as a turn that is nearly one.
TALUS_HD inline Vec3d composed(const Vec3d& first, const Vec3d& second) {
    constexpr double nearest = 1e-12;
    double denominator = 1 - dot(first, second);
    if (denominator < nearest && denominator > -nearest) {
        denominator = denominator < 0 ? -nearest : nearest;
    }
    return (first + second + cross(first, second)) / denominator;
}

/// Eq. 14: the rotation by |a| about a, less than a half turn.
TALUS_HD inline Vec3d rodrigues_from_rotation_vector(const Vec3d& a) {
    const double angle = norm(a);
    if (angle == 0) {
        return {};
    }
    const SinCos half = sincos(0.5 * angle);
    return a * (half.sin / (half.cos * angle));
}

/// Eqs. 11-13 with erratum 1.
TALUS_HD inline Mat3d rodrigues_matrix(const Vec3d& r) {
    const double square = norm2(r);
    const double b = 0.5 * (1 - square);
    const double c = 2 / (1 + square);
    return {{Vec3d{r.x * r.x + b, r.x * r.y - r.z, r.x * r.z + r.y} * c,
             Vec3d{r.x * r.y + r.z, r.y * r.y + b, r.y * r.z - r.x} * c,
             Vec3d{r.x * r.z - r.y, r.y * r.z + r.x, r.z * r.z + b} * c}};
}

}  // namespace talus::math
