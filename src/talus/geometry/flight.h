// How the centre of a free grain moves: on a line, or on a parabola under uniform gravity.
#pragma once

#include <cmath>

#include "talus/math/mat3.h"
#include "talus/math/polynomial.h"
#include "talus/math/vec3.h"

namespace talus::geometry {

using math::Vec3d;

/// Position p + v t + g t^2/2 at time t on the flight's own clock.
struct Flight {
    Vec3d position;      // m, at t = 0
    Vec3d velocity;      // m/s, at t = 0
    Vec3d acceleration;  // m/s^2, constant

    TALUS_HD constexpr Vec3d at(double t) const { return position + t * (velocity + (0.5 * t) * acceleration); }
    TALUS_HD constexpr Vec3d velocity_at(double t) const { return velocity + t * acceleration; }
    /// The same flight on a clock that reads zero at time `t` of this one.
    TALUS_HD constexpr Flight from(double t) const { return {at(t), velocity_at(t), acceleration}; }
    TALUS_HD constexpr bool is_straight() const { return acceleration == Vec3d{}; }
    TALUS_HD constexpr bool is_at_rest() const { return is_straight() && velocity == Vec3d{}; }
};

/// The flight as seen from a frame at `origin` (at t = 0) that is turned by `rotation` and moves with `velocity`.
TALUS_HD constexpr Flight in_frame(const Flight& world, const math::Mat3d& rotation, const Vec3d& origin,
                                   const Vec3d& velocity) {
    return {math::transpose_times(rotation, world.position - origin),
            math::transpose_times(rotation, world.velocity - velocity),
            math::transpose_times(rotation, world.acceleration)};
}

namespace detail {

/// Half the derivative of |x|^2: x.v + (v.v + x.g) t + 3/2 v.g t^2 + g.g/2 t^3.
TALUS_HD constexpr math::Polynomial<3> half_slope_of_square(const Flight& f) {
    return {{dot(f.position, f.velocity), norm2(f.velocity) + dot(f.position, f.acceleration),
             1.5 * dot(f.velocity, f.acceleration), 0.5 * norm2(f.acceleration)}};
}
/// |x|^2 as a polynomial in t.
TALUS_HD constexpr math::Polynomial<4> square(const Flight& f) {
    return {{norm2(f.position), 2 * dot(f.position, f.velocity), norm2(f.velocity) + dot(f.position, f.acceleration),
             dot(f.velocity, f.acceleration), 0.25 * norm2(f.acceleration)}};
}

/// `to`, or if that is infinite a time from which on |x| exceeds `reach` for good, since |x| >= |g|t^2/2 - |v|t - |x0|,
/// or |v|t - |x0| on a line. Makes endless searches finite. A grain at rest gives `from`.
TALUS_HD inline double last_within(const Flight& flight, double reach, double from, double to) {
    if (to < HUGE_VAL) {
        return to;
    }
    const Flight f = flight.from(from);
    const double g = norm(f.acceleration);
    const double v = norm(f.velocity);
    const double far = norm(f.position) + 2 * reach;
    if (g == 0) {
        return v == 0 ? from : from + far / v;
    }
    return from + (v + std::sqrt(v * v + 2 * g * far)) / g;
}

}  // namespace detail

}  // namespace talus::geometry
