// Rotations: rotation vectors, axis and angle, quaternions, and the matrices they stand for. Angles in radians; a
// rotation turns vectors counter-clockwise about its axis.
#pragma once

#include "talus/math/mat3.h"
#include "talus/math/portable.h"
#include "talus/math/vec3.h"

namespace talus::math {

/// w + v.x i + v.y j + v.z k. A rotation is a quaternion of any length but zero; the makers below give unit ones.
template <class T>
struct Quaternion {
    T w{1};
    Vec3<T> v{};

    TALUS_HD friend constexpr bool operator==(const Quaternion& a, const Quaternion& b) {
        return a.w == b.w && a.v == b.v;
    }
};

using Quaterniond = Quaternion<double>;

/// First `b`, then `a`.
template <class T>
TALUS_HD constexpr Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
template <class T>
TALUS_HD constexpr Quaternion<T> conjugate(const Quaternion<T>& q) {
    return {q.w, -q.v};
}
template <class T>
TALUS_HD constexpr T norm2(const Quaternion<T>& q) {
    return q.w * q.w + norm2(q.v);
}
template <class T>
TALUS_HD inline Quaternion<T> normalized(const Quaternion<T>& q) {
    using std::sqrt;
    const T length = sqrt(norm2(q));
    return {q.w / length, q.v / length};
}
/// The rotation matrix; `q` may have any length but zero.
template <class T>
TALUS_HD constexpr Mat3<T> to_matrix(const Quaternion<T>& q) {
    const T s = T(2) / norm2(q);
    const T xx = s * q.v.x * q.v.x, yy = s * q.v.y * q.v.y, zz = s * q.v.z * q.v.z;
    const T xy = s * q.v.x * q.v.y, yz = s * q.v.y * q.v.z, zx = s * q.v.z * q.v.x;
    const T wx = s * q.w * q.v.x, wy = s * q.w * q.v.y, wz = s * q.w * q.v.z;
    return {{{T(1) - (yy + zz), xy - wz, zx + wy},
             {xy + wz, T(1) - (xx + zz), yz - wx},
             {zx - wy, yz + wx, T(1) - (xx + yy)}}};
}

/// The quaternion of a rotation matrix. The largest of its numbers is divided by: no loss of digits whatever the angle.
TALUS_HD inline Quaterniond quaternion_from_matrix(const Mat3d& m) {
    const double trace = m.row[0].x + m.row[1].y + m.row[2].z;
    if (trace > 0) {
        const double w = 0.5 * std::sqrt(1 + trace);
        return {w, Vec3d{m.row[2].y - m.row[1].z, m.row[0].z - m.row[2].x, m.row[1].x - m.row[0].y} / (4 * w)};
    }
    int i = m.row[1].y > m.row[0].x ? 1 : 0;
    i = m.row[2].z > m.row[i][i] ? 2 : i;
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const double v = 0.5 * std::sqrt(1 + m.row[i][i] - m.row[j][j] - m.row[k][k]);
    Quaterniond out;
    out.w = (m.row[k][j] - m.row[j][k]) / (4 * v);
    out.v[i] = v;
    out.v[j] = (m.row[j][i] + m.row[i][j]) / (4 * v);
    out.v[k] = (m.row[k][i] + m.row[i][k]) / (4 * v);
    return out;
}

/// A bound on how far the end of an arm of length 1 has moved between two orientations: a turn by theta moves it by
/// 2 sin(theta / 2) and changes the unit quaternion, or its negative, by 2 sin(theta / 4).
TALUS_HD inline double way_between(const Quaterniond& a, const Quaterniond& b) {
    const double apart = norm2(Quaterniond{a.w - b.w, a.v - b.v});
    const double other = norm2(Quaterniond{a.w + b.w, a.v + b.v});
    return 2 * std::sqrt(apart < other ? apart : other);
}

TALUS_HD constexpr Quaterniond quaternion_from_axis_angle(const Vec3d& unit_axis, double angle) {
    const SinCos half = sincos(0.5 * angle);
    return {half.cos, unit_axis * half.sin};
}
/// The rotation by |r| about r.
TALUS_HD inline Quaterniond quaternion_from_rotation_vector(const Vec3d& r) {
    const double angle = norm(r);
    if (angle == 0) {
        return {};
    }
    const SinCos half = sincos(0.5 * angle);
    return {half.cos, r * (half.sin / angle)};
}
/// A matrix that is orthogonal but for rounding, brought back to orthogonal by one Newton step m (3 - m^T m) / 2.
template <class T>
TALUS_HD constexpr Mat3<T> orthonormalized(const Mat3<T>& m) {
    const Mat3<T> gram = transposed(m) * m;
    Mat3<T> result = m;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            const T excess = gram.row[i][k] - T(i == k ? 1 : 0);
            for (int j = 0; j < 3; ++j) {
                result.row[j][k] -= T(0.5) * m.row[j][i] * excess;
            }
        }
    }
    return result;
}
TALUS_HD constexpr Mat3d rotation_matrix(const Vec3d& unit_axis, double angle) {
    return orthonormalized(to_matrix(quaternion_from_axis_angle(unit_axis, angle)));
}
TALUS_HD inline Mat3d rotation_matrix(const Vec3d& rotation_vector) {
    return orthonormalized(to_matrix(quaternion_from_rotation_vector(rotation_vector)));
}

/// The spin (rad/s, world frame) of a frame whose rotation vector is `r` and changes at `rate`: the exact derivative
/// of the rotation, which differs from `rate` unless the two are parallel.
TALUS_HD inline Vec3d spin_from_rotation_rate(const Vec3d& r, const Vec3d& rate) {
    const double q = norm2(r);
    const double angle = norm(r);
    double b = 0.5, c = 0;  // (1 - cos)/angle^2 and (angle - sin)/angle^3
    if (angle > 0) {
        const double chord = sin(0.5 * angle) / angle;
        b = 2.0 * chord * chord;
    }
    if (q < 0.25) {  // the difference would cancel
        c = 1.0 / 1307674368000.0;
        c = c * q - 1.0 / 6227020800.0;
        c = c * q + 1.0 / 39916800.0;
        c = c * q - 1.0 / 362880.0;
        c = c * q + 1.0 / 5040.0;
        c = c * q - 1.0 / 120.0;
        c = c * q + 1.0 / 6.0;
    } else {
        c = (angle - sin(angle)) / (q * angle);
    }
    const Vec3d across = cross(r, rate);
    return rate + b * across + c * cross(r, across);
}

/// A right-handed frame whose z axis is `unit_normal`: the identity for z itself, and x stays as near to the world's
/// x as can be, unless the normal itself lies along it; then the world's y takes its place.
TALUS_HD inline Mat3d frame_from_normal(const Vec3d& unit_normal) {
    const Vec3d& n = unit_normal;
    const bool along_x = n.x > 0.9 || n.x < -0.9;
    const Vec3d y = normalized(along_x ? Vec3d{-n.z, 0, n.x} : Vec3d{0, n.z, -n.y});  // n crossed with y or x: exact
    return Mat3d::from_columns(cross(y, n), y, n);
}

}  // namespace talus::math
