// What a law is told of two spheres (SSDEM Eqs. 2, 8-12 with errata), for plain numbers and packs.
#pragma once

#include "talus/laws/contact.h"
#include "talus/math/fused.h"

namespace talus::backends::cpu {

/// What all pairs of a class share if its spheres are alike: sums over the two ends.
struct AlikePairs {
    double sum_of_radii = 0;     // m
    double inverse_mass = 0;     // 1/kg
    double inverse_inertia = 0;  // 1/(kg m2)
};

/// Sums and differences over the two spheres of a pair.
template <class P>
struct PairColumns {
    math::Vec3<P> d;          // m, from i to j
    P distance2;              // m2
    P sum_of_radii;           // m
    P radius_i;               // m
    math::Vec3<P> dv;         // m/s, j's velocity less i's
    P inverse_mass;           // 1/kg, sum
    math::Vec3<P> spin_sum;   // rad/s
    math::Vec3<P> spin_less;  // rad/s, i's less j's; read for unequal radii and with spin friction
    P inverse_inertia;        // 1/(kg m2), sum; read with spin friction

    TALUS_HOT void set(const AlikePairs& alike) {
        sum_of_radii = P(alike.sum_of_radii);
        radius_i = P(0.5 * alike.sum_of_radii);
        inverse_mass = P(alike.inverse_mass);
        inverse_inertia = P(alike.inverse_inertia);
    }
};

/// How two spheres lie and move. `equal`: their radii are the same; `spinning`: the law needs the relative spin.
template <class P, bool equal, bool spinning>
TALUS_HOT void set_motion(laws::Kinematics<P>& c, const PairColumns<P>& pair, const P& distance, const P& inverse,
                          double dt) {
    c.normal = pair.d * inverse;
    c.overlap = pair.sum_of_radii - distance;
    c.opening = math::fused_dot(pair.dv, c.normal);
    const math::Vec3<P> across = math::less_product(pair.dv, c.normal, c.opening);
    if constexpr (equal) {
        c.lever_i = P(0.5) * distance;
        c.slip = math::cross_add(c.normal, pair.spin_sum * c.lever_i, across);
    } else {
        // Eqs. 9-10: lever_i - lever_j = (R_i^2 - R_j^2) / distance.
        const P offset = (pair.radius_i - (pair.sum_of_radii - pair.radius_i)) * pair.sum_of_radii * inverse;
        c.lever_i = P(0.5) * (distance + offset);
        c.lever_j = distance - c.lever_i;
        const math::Vec3<P> rolling = math::multiply_add(pair.spin_less, offset, pair.spin_sum * distance) * P(0.5);
        c.slip = math::cross_add(c.normal, rolling, across);
    }
    c.spin_sum = math::fused_dot(pair.spin_sum, c.normal);
    c.half_turn = across * (P(0.5 * dt) * inverse);
    if constexpr (spinning) {
        c.spin = pair.spin_less;
    }
}

/// What two spheres are; after `set_motion`.
template <class P, bool equal, bool spinning, bool needs_curvature>
TALUS_HOT void set_nature(laws::Kinematics<P>& c, const PairColumns<P>& pair) {
    using math::select;
    c.radius_i = pair.radius_i;
    if constexpr (equal) {
        c.lever_j = c.lever_i;
        c.curvature = needs_curvature ? P(4.0) / pair.sum_of_radii : P(0.0);
    } else {
        const P radius_j = pair.sum_of_radii - pair.radius_i;
        c.curvature = needs_curvature ? P(1.0) / pair.radius_i + P(1.0) / radius_j : P(0.0);
    }
    c.inverse_mass = pair.inverse_mass;
    c.mass = P(1.0) / c.inverse_mass;
    if constexpr (spinning) {
        c.rolling_lever = math::smaller(c.lever_i, c.lever_j);
        // Two grains whose rotation is held cannot be turned by rolling friction, whatever the moment.
        c.inertia = select(pair.inverse_inertia > P(0.0), P(1.0) / pair.inverse_inertia, P(0.0));
    } else {
        c.spin = {P(0.0), P(0.0), P(0.0)};
        c.rolling_lever = P(0.0);
        c.inertia = P(0.0);
    }
}

}  // namespace talus::backends::cpu
