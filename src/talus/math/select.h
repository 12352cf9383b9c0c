// Choice without branches, the same for a plain number and for a pack of numbers: laws use these, so that they pack.
#pragma once

#include "talus/math/host_device.h"
#include "talus/math/vec3.h"

namespace talus::math {

TALUS_HD constexpr bool any(bool mask) {
    return mask;
}
TALUS_HD constexpr double select(bool mask, double yes, double no) {
    return mask ? yes : no;
}
template <class Mask, class T>
TALUS_HD constexpr Vec3<T> select(const Mask& mask, const Vec3<T>& yes, const Vec3<T>& no) {
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
template <class T>
TALUS_HD constexpr T smaller(const T& a, const T& b) {
    return select(b < a, b, a);
}
template <class T>
TALUS_HD constexpr T larger(const T& a, const T& b) {
    return select(a < b, b, a);
}

}  // namespace talus::math
