// Impact rules: what two rigid bodies do to one another at the instant they meet (HSDEM, the unnumbered rules before
// Eq. 4, and Eqs. 4-8). Pure functions of the motion before; a wall or a stuck grain is a body of infinite mass.
#pragma once

#include <cmath>
#include <limits>

#include "talus/laws/contact.h"

namespace talus::laws {

/// How a pair of materials meets.
struct ImpactParams {
    double restitution = 1;  // normal, 0 to 1: u_n' = -restitution u_n
    double tangential =
        1;  // transverse, -1 to 1: u_t' = tangential u_t; 1: smooth, 0: no slip is left, -1: it reverses
    /// Coulomb's limit on the transverse impulse as a part of the normal one; infinite: HSDEM's rule alone.
    double friction = std::numeric_limits<double>::infinity();

    /// No transverse impulse whatever the motion: spins need not be known.
    TALUS_HD constexpr bool is_smooth() const { return tangential == 1.0 || friction == 0.0; }
};

/// The remedy against inelastic collapse and for grains at rest: no infinite number of impacts may fit into a finite
/// time. Impacts slower than `elastic_below` give all of the normal speed back, and none leaves with less than
/// `least_rebound`, which is what a grain that lies still would do. Zero switches both off.
struct SlowImpacts {
    double elastic_below = 0;  // m/s
    double least_rebound = 0;  // m/s
};

/// Speed along the normal after an impact that was approached with `approach` (m/s).
TALUS_HD constexpr double rebound_speed(double restitution, double approach, const SlowImpacts& slow) {
    const double rebound = approach < slow.elastic_below ? approach : restitution * approach;
    return rebound > slow.least_rebound ? rebound : slow.least_rebound;
}

/// One of two bodies that meet.
template <class T>
struct ImpactBody {
    Vec3<T> velocity;   // m/s, of the centre; of a wall: of its surface at the contact point
    Vec3<T> spin;       // rad/s
    T inverse_mass;     // 1/kg; 0: a wall, or stuck
    T inverse_inertia;  // 1/(kg m2); 0: does not turn
    T lever;            // m, from the centre to the contact point; 0 for a wall
};

/// What an impact does. Body i receives the impulse, body j the opposite one; the spins change by
/// couple * lever * inverse_inertia on both sides, which conserves angular momentum whatever the rule.
template <class T>
struct Impact {
    Vec3<T> impulse;    // N s, on i
    Vec3<T> couple;     // N s, n x impulse
    T normal_loss;      // J, taken by normal restitution
    T tangential_loss;  // J, taken by transverse restitution
    T sliding_loss;     // J, taken where Coulomb's limit holds instead
};

/// Velocity of j's surface relative to i's at the contact point (HSDEM's u); n points from i to j.
template <class T>
TALUS_HD inline Vec3<T> surface_velocity(const Vec3<T>& normal, const ImpactBody<T>& i, const ImpactBody<T>& j) {
    return j.velocity - i.velocity - cross(i.spin * i.lever + j.spin * j.lever, normal);
}

/// The impulse along the line of centres d that turns the approach into a rebound, as a multiple of d; both speeds are
/// multiplied by the length of d. That length cancels, so that an elastic impact keeps its energy to rounding.
template <class T>
TALUS_HD inline T normal_impulse_per_length(const T& opening, const T& rebound, const T& distance2,
                                            const T& inverse_mass) {
    return (opening - rebound) / (distance2 * inverse_mass);
}

/// The impact of two bodies that approach one another along `normal`, the unit vector from i to j, and part along it
/// with the speed `rebound` (see rebound_speed). The transverse impulse changes the slip by (1 - tangential) u_t; the
/// factor 2/7 of the paper is the ratio of the two mobilities of spheres with I = 2/5 m s^2.
template <class T>
TALUS_HD inline Impact<T> impact(const Vec3<T>& normal, const ImpactBody<T>& i, const ImpactBody<T>& j,
                                 const ImpactParams& params, const T& rebound) {
    using std::sqrt;
    const Vec3<T> u = surface_velocity(normal, i, j);
    const T opening = dot(u, normal);  // negative: they approach
    const Vec3<T> slip = u - normal * opening;
    const T normal_mobility = i.inverse_mass + j.inverse_mass;
    const T tangential_mobility =
        normal_mobility + i.lever * i.lever * i.inverse_inertia + j.lever * j.lever * j.inverse_inertia;
    // Bodies that part already, as rounding may have it, are not pulled together.
    const T pull = (opening - rebound) / normal_mobility;  // N s
    const T along = select(pull < T(0.0), pull, T(0.0));
    const T wanted = T(1.0 - params.tangential) / tangential_mobility;  // kg, impulse per slip speed
    const T slip2 = norm2(slip);
    const T speed = sqrt(slip2);
    // mu |J_n| against wanted |u_t|; without slip there is no impulse to limit.
    const T limit = T(params.friction) * -along;
    const auto slides = wanted * speed > limit;
    const T safe = select(speed > T(0.0), speed, T(1.0));
    const T across = select(slides, limit / safe, wanted);
    const T loss = across * slip2 * (T(1.0) - T(0.5) * across * tangential_mobility);
    Impact<T> out;
    out.impulse = normal * along + slip * across;
    out.couple = cross(normal, out.impulse);
    const T after = select(pull < T(0.0), rebound, opening);
    out.normal_loss = T(0.5) * (opening * opening - after * after) / normal_mobility;
    out.tangential_loss = select(slides, T(0.0), loss);
    out.sliding_loss = select(slides, loss, T(0.0));
    return out;
}

/// The same without any remedy: the rebound is the restitution's.
template <class T>
TALUS_HD inline Impact<T> impact(const Vec3<T>& normal, const ImpactBody<T>& i, const ImpactBody<T>& j,
                                 const ImpactParams& params) {
    return impact(normal, i, j, params, T(-params.restitution) * dot(surface_velocity(normal, i, j), normal));
}

/// Carries the impact out on its first body (which = +1) or its second (which = -1), whose motion is given apart.
template <class T>
TALUS_HD inline void apply(const Impact<T>& result, const T& which, const ImpactBody<T>& body, Vec3<T>& velocity,
                           Vec3<T>& spin) {
    velocity += result.impulse * (which * body.inverse_mass);
    spin += result.couple * (body.lever * body.inverse_inertia);
}

template <class T>
TALUS_HD inline void apply(const Impact<T>& result, const T& which, ImpactBody<T>& body) {
    apply(result, which, body, body.velocity, body.spin);
}

}  // namespace talus::laws
