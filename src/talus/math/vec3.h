// A triple of numbers. Templated on the number type so that scalar, SIMD pack and CUDA share every formula.
#pragma once

#include <cmath>

#include "talus/math/host_device.h"

namespace talus::math {

template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    TALUS_HD constexpr Vec3& operator+=(const Vec3& o) {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    TALUS_HD constexpr Vec3& operator-=(const Vec3& o) {
        x -= o.x;
        y -= o.y;
        z -= o.z;
        return *this;
    }
    TALUS_HD constexpr Vec3& operator*=(const T& s) {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
    TALUS_HD constexpr T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
    TALUS_HD constexpr const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
    TALUS_HD friend constexpr bool operator==(const Vec3& a, const Vec3& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
};

template <class T>
TALUS_HD constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
TALUS_HD constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
TALUS_HD constexpr Vec3<T> operator-(const Vec3<T>& a) {
    return {-a.x, -a.y, -a.z};
}
template <class T>
TALUS_HD constexpr Vec3<T> operator*(const Vec3<T>& a, const T& s) {
    return {a.x * s, a.y * s, a.z * s};
}
template <class T>
TALUS_HD constexpr Vec3<T> operator*(const T& s, const Vec3<T>& a) {
    return a * s;
}
template <class T>
TALUS_HD constexpr Vec3<T> operator/(const Vec3<T>& a, const T& s) {
    return {a.x / s, a.y / s, a.z / s};
}
template <class T>
TALUS_HD constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
TALUS_HD constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
TALUS_HD constexpr T norm2(const Vec3<T>& a) {
    return dot(a, a);
}
template <class T>
TALUS_HD inline T norm(const Vec3<T>& a) {
    using std::sqrt;
    return sqrt(norm2(a));
}
/// The unit vector along `a`; `a` must not be zero.
template <class T>
TALUS_HD inline Vec3<T> normalized(const Vec3<T>& a) {
    return a / norm(a);
}

using Vec3d = Vec3<double>;

}  // namespace talus::math
