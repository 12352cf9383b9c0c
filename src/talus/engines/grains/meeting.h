// How two spheres of two grains meet, for one pair or for a pack of them.
#pragma once

#include <cmath>

#include "talus/backends/cpu/wall_sides.h"
#include "talus/laws/contact.h"
#include "talus/math/mat3.h"

namespace talus::engines::grains {

using math::Mat3;
using math::Vec3;

/// A grain, as one of its contacts sees it.
template <class T>
struct Side {
    Vec3<T> arm;              // m, from its centre to the centre of the sphere
    Vec3<T> velocity;         // m/s
    Vec3<T> spin;             // rad/s
    T inverse_mass;           // 1/kg; 0: held
    Vec3<T> inverse_moment;   // 1/(kg m2), principal
    Mat3<T> inverse_inertia;  // 1/(kg m2), world frame; zero for a sphere
};

template <class T>
struct Meeting {
    laws::Kinematics<T> contact;
    Vec3<T> arm_i, arm_j;  // m, from the grains' centres to the contact point
};

template <class T>
TALUS_HOT T largest(const Vec3<T>& v) {
    return math::larger(math::larger(v.x, v.y), v.z);
}

/// 1/kg: how much an impulse along `n` at `arm` from a grain's centre moves that point along n.
template <class T>
TALUS_HOT T mobility(const Side<T>& side, const Vec3<T>& arm, const Vec3<T>& n) {
    const Vec3<T> lever = cross(arm, n);
    return side.inverse_mass + dot(lever, side.inverse_inertia * lever);
}

/// `d` leads from the first sphere to the second. Contacts that are there already (`touched`) have had the normal
/// `last`.
template <class T>
TALUS_HOT Meeting<T> meet(const Vec3<T>& d, const T& radius_i, const T& radius_j, const Side<T>& i, const Side<T>& j,
                          const laws::MaskFor<T>& touched, const Vec3<T>& last) {
    using math::select;
    using std::sqrt;
    Meeting<T> out;
    laws::Kinematics<T>& c = out.contact;
    const T sum = radius_i + radius_j;
    const T distance = sqrt(norm2(d));
    const T inverse = T(1.0) / distance;
    c.normal = d * inverse;
    c.overlap = sum - distance;
    c.lever_i = 0.5 * (distance + (radius_i - radius_j) * sum * inverse);
    c.lever_j = distance - c.lever_i;
    out.arm_i = i.arm + c.normal * c.lever_i;
    out.arm_j = j.arm - c.normal * c.lever_j;
    const Vec3<T> u = j.velocity + cross(j.spin, out.arm_j) - i.velocity - cross(i.spin, out.arm_i);
    c.opening = dot(u, c.normal);
    c.slip = u - c.normal * c.opening;
    c.spin = i.spin - j.spin;
    c.spin_sum = dot(i.spin + j.spin, c.normal);
    const auto follows = touched && !backends::cpu::has_jumped(last, c.normal);
    c.half_turn = select(follows, (c.normal - last) * T(0.5), Vec3<T>{T(0.0), T(0.0), T(0.0)});
    c.rolling_lever = math::smaller(c.lever_i, c.lever_j);
    c.radius_i = radius_i;
    c.curvature = sum / (radius_i * radius_j);
    c.inverse_mass = mobility(i, out.arm_i, c.normal) + mobility(j, out.arm_j, c.normal);
    c.mass = T(1.0) / c.inverse_mass;
    const T turning = largest(i.inverse_moment) + largest(j.inverse_moment);
    const auto turns = turning > T(0.0);
    c.inertia = select(turns, T(1.0) / select(turns, turning, T(1.0)), T(0.0));
    return out;
}

}  // namespace talus::engines::grains
