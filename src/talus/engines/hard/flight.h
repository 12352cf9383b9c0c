// Flights on exact parabolas and the instant at which two of them meet. The time of a pair is a pure function of the
// two records, whoever asks and whenever: that makes a resumed run, and any layout of cells, give the same bits.
#pragma once

#include <cmath>
#include <limits>

#include "talus/math/host_device.h"
#include "talus/math/select.h"
#include "talus/math/vec3.h"

namespace talus::engines::hard {

using math::Vec3;

/// x + v t + g t^2/2. Without gravity the last term is left out, which changes no bit.
template <bool has_gravity, class T>
TALUS_INLINE Vec3<T> flown(const Vec3<T>& x, const Vec3<T>& v, const T& t, const Vec3<T>& g) {
    Vec3<T> out{x.x + v.x * t, x.y + v.y * t, x.z + v.z * t};
    if constexpr (has_gravity) {
        const T half = t * t * T(0.5);
        out.x += g.x * half;
        out.y += g.y * half;
        out.z += g.z * half;
    }
    return out;
}

template <bool has_gravity, class T>
TALUS_INLINE Vec3<T> speeded(const Vec3<T>& v, const T& t, const Vec3<T>& g) {
    if constexpr (has_gravity) {
        return {v.x + g.x * t, v.y + g.y * t, v.z + g.z * t};
    } else {
        return v;
    }
}

/// Time until two spheres touch whose centres are apart by d and whose relative velocity is u (HSDEM Eqs. 1-3; gravity
/// cancels), infinite if they never do. The smaller root in the form that loses no digits. Spheres that touch or
/// overlap and approach meet at once (HSDEM Sect. 2.3): the gap is then taken as zero.
template <class T>
TALUS_INLINE T time_to_contact(const Vec3<T>& d, const Vec3<T>& u, const T& distance2) {
    using math::select;
    using std::sqrt;
    const T b = d.x * u.x + d.y * u.y + d.z * u.z;
    const T apart = d.x * d.x + d.y * d.y + d.z * d.z - distance2;
    const T gap = select(apart > T(0.0), apart, T(0.0));
    const T uu = u.x * u.x + u.y * u.y + u.z * u.z;
    const T discriminant = b * b - uu * gap;
    const auto meets = (b < T(0.0)) && (discriminant >= T(0.0));
    const T time = gap / (sqrt(discriminant) - b);
    return select(meets, time, T(std::numeric_limits<double>::infinity()));
}

/// When the flights (x1, v1, t1) and (x2, v2, t2) meet, seen from the later of their own times; `shift` is added to the
/// difference of positions for a partner across a periodic border. Exchanging the two changes no bit.
template <bool has_gravity, class T>
TALUS_INLINE T meeting_time(const Vec3<T>& x1, const Vec3<T>& v1, const T& t1, const Vec3<T>& x2, const Vec3<T>& v2,
                            const T& t2, const Vec3<T>& shift, const Vec3<T>& g, const T& distance2) {
    using math::select;
    const T from = select(t1 < t2, t2, t1);
    const Vec3<T> at1 = flown<has_gravity>(x1, v1, from - t1, g);
    const Vec3<T> at2 = flown<has_gravity>(x2, v2, from - t2, g);
    const Vec3<T> u1 = speeded<has_gravity>(v1, from - t1, g);
    const Vec3<T> u2 = speeded<has_gravity>(v2, from - t2, g);
    const Vec3<T> d{at1.x - at2.x + shift.x, at1.y - at2.y + shift.y, at1.z - at2.z + shift.z};
    const Vec3<T> u{u1.x - u2.x, u1.y - u2.y, u1.z - u2.z};
    return from + time_to_contact(d, u, distance2);
}

}  // namespace talus::engines::hard
