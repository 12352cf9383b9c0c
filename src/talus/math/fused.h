// Products and sums with one rounding, the same on every machine: the compiler may not make them by itself
// (-ffp-contract=off), so formulas that are worth it ask for them by name.
#pragma once

#include "talus/math/pack.h"

namespace talus::math {

/// a b + c, c - a b and a b - c, each rounded once.
TALUS_HOT double multiply_add(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
TALUS_HOT double less_product(double c, double a, double b) {
    return __builtin_fma(-a, b, c);
}
TALUS_HOT double product_less(double a, double b, double c) {
    return __builtin_fma(a, b, -c);
}
#if !defined(__CUDACC__)
#if defined(__FMA__)
TALUS_INLINE PackOf<4> multiply_add(const PackOf<4>& a, const PackOf<4>& b, const PackOf<4>& c) {
    return PackOf<4>(_mm256_fmadd_pd(a.lanes, b.lanes, c.lanes));
}
TALUS_INLINE PackOf<4> less_product(const PackOf<4>& c, const PackOf<4>& a, const PackOf<4>& b) {
    return PackOf<4>(_mm256_fnmadd_pd(a.lanes, b.lanes, c.lanes));
}
TALUS_INLINE PackOf<4> product_less(const PackOf<4>& a, const PackOf<4>& b, const PackOf<4>& c) {
    return PackOf<4>(_mm256_fmsub_pd(a.lanes, b.lanes, c.lanes));
}
#else
TALUS_INLINE PackOf<4> multiply_add(const PackOf<4>& a, const PackOf<4>& b, const PackOf<4>& c) {
    PackOf<4> out;
    for (int lane = 0; lane < 4; ++lane) {
        out.lanes[lane] = __builtin_fma(a.lanes[lane], b.lanes[lane], c.lanes[lane]);
    }
    return out;
}
TALUS_INLINE PackOf<4> less_product(const PackOf<4>& c, const PackOf<4>& a, const PackOf<4>& b) {
    return multiply_add(-a, b, c);
}
TALUS_INLINE PackOf<4> product_less(const PackOf<4>& a, const PackOf<4>& b, const PackOf<4>& c) {
    return multiply_add(a, b, -c);
}
#endif
#if defined(__AVX512F__)
TALUS_INLINE PackOf<8> multiply_add(const PackOf<8>& a, const PackOf<8>& b, const PackOf<8>& c) {
    return PackOf<8>(_mm512_fmadd_pd(a.lanes, b.lanes, c.lanes));
}
TALUS_INLINE PackOf<8> less_product(const PackOf<8>& c, const PackOf<8>& a, const PackOf<8>& b) {
    return PackOf<8>(_mm512_fnmadd_pd(a.lanes, b.lanes, c.lanes));
}
TALUS_INLINE PackOf<8> product_less(const PackOf<8>& a, const PackOf<8>& b, const PackOf<8>& c) {
    return PackOf<8>(_mm512_fmsub_pd(a.lanes, b.lanes, c.lanes));
}
#endif
#endif

/// a s + b and b - a s.
template <class T>
TALUS_HOT Vec3<T> multiply_add(const Vec3<T>& a, const T& s, const Vec3<T>& b) {
    return {multiply_add(a.x, s, b.x), multiply_add(a.y, s, b.y), multiply_add(a.z, s, b.z)};
}
template <class T>
TALUS_HOT Vec3<T> less_product(const Vec3<T>& b, const Vec3<T>& a, const T& s) {
    return {less_product(b.x, a.x, s), less_product(b.y, a.y, s), less_product(b.z, a.z, s)};
}
template <class T>
TALUS_HOT T fused_dot(const Vec3<T>& a, const Vec3<T>& b) {
    return multiply_add(a.z, b.z, multiply_add(a.y, b.y, a.x * b.x));
}
template <class T>
TALUS_HOT Vec3<T> fused_cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {product_less(a.y, b.z, a.z * b.y), product_less(a.z, b.x, a.x * b.z), product_less(a.x, b.y, a.y * b.x)};
}
/// a x b + c.
template <class T>
TALUS_HOT Vec3<T> cross_add(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return {multiply_add(a.y, b.z, less_product(c.x, a.z, b.y)), multiply_add(a.z, b.x, less_product(c.y, a.x, b.z)),
            multiply_add(a.x, b.y, less_product(c.z, a.y, b.x))};
}

}  // namespace talus::math
