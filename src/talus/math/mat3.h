// A 3x3 matrix by rows.
#pragma once

#include "talus/math/vec3.h"

namespace talus::math {

template <class T>
struct Mat3 {
    Vec3<T> row[3];

    TALUS_HD static constexpr Mat3 identity() { return {{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}}; }
    /// The matrix whose columns are a, b, c: carries the axes x, y, z to them.
    TALUS_HD static constexpr Mat3 from_columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
        return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
    }
    TALUS_HD constexpr Vec3<T> column(int i) const { return {row[0][i], row[1][i], row[2][i]}; }
    TALUS_HD friend constexpr bool operator==(const Mat3& a, const Mat3& b) {
        return a.row[0] == b.row[0] && a.row[1] == b.row[1] && a.row[2] == b.row[2];
    }
};

template <class T>
TALUS_HD constexpr Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& v) {
    return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
template <class T>
TALUS_HD constexpr Mat3<T> transposed(const Mat3<T>& m) {
    return {{m.column(0), m.column(1), m.column(2)}};
}
template <class T>
TALUS_HD constexpr Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
    return Mat3<T>::from_columns(a * b.column(0), a * b.column(1), a * b.column(2));
}
/// Transpose times vector, without forming the transpose.
template <class T>
TALUS_HD constexpr Vec3<T> transpose_times(const Mat3<T>& m, const Vec3<T>& v) {
    return m.row[0] * v.x + m.row[1] * v.y + m.row[2] * v.z;
}

using Mat3d = Mat3<double>;

}  // namespace talus::math
