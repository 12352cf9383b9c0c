// The parts that walls are made of, as a flying grain meets them. Each part knows its distance from the centre (signed:
// negative beyond it) and the times between which that distance passes a given value once at most. These times are the
// roots of the derivative of a polynomial that vanishes where the part is touched; the touch itself is then sought on
// the distance, which keeps the digits that squaring loses.
#pragma once

#include <cmath>

#include "talus/geometry/impact_parts.h"
#include "talus/math/quadratic.h"

namespace talus::geometry::detail {

/// One side of the plane z = 0: +z is the upper one (HSDEM Eq. 9, with its errata).
struct FlatPart {
    static constexpr bool is_face = true;
    const Flight& flight;
    double sign;  // +1 or -1

    TALUS_HD math::Sample sample(double t) const {
        const Flight& f = flight;
        return {sign * (f.position.z + t * (f.velocity.z + (0.5 * t) * f.acceleration.z)),
                sign * (f.velocity.z + t * f.acceleration.z)};
    }
    TALUS_HD math::Roots<1> turning_points(double low, double high) const {
        return roots_between(math::Polynomial<1>{{flight.velocity.z, flight.acceleration.z}}, low, high);
    }
    /// Between turning points at most one root lies: the one of the plane moved up by the radius.
    TALUS_HD double guess(double left, double right, double radius) const {
        const math::QuadraticRoots roots = math::solve_quadratic(0.5 * flight.acceleration.z, 0.5 * flight.velocity.z,
                                                                 flight.position.z - sign * radius);
        for (int k = 0; k < roots.count; ++k) {
            if (roots.root[k] >= left && roots.root[k] <= right) {
                return roots.root[k];
            }
        }
        return right;
    }
};

/// A point, a line or a sphere or cylinder about them: |y| against `level`, where y are the components of the flight
/// across the line (all three for a point). Outside (sign +1) the distance is |y| - level, inside (-1) level - |y|.
template <bool face>
struct RoundPart {
    static constexpr bool is_face = face;
    Flight across;
    double level;
    double sign;

    TALUS_HD math::Sample sample(double t) const {
        const Vec3d y = across.at(t);
        const Vec3d v = across.velocity_at(t);
        const double r = norm(y);
        return {sign * (r - level), sign * (r > 0 ? dot(y, v) / r : norm(v))};
    }
    TALUS_HD math::Roots<3> turning_points(double low, double high) const {
        return roots_between(half_slope_of_square(across), low, high);
    }
    /// On a line HSDEM Eqs. 3 and 12, taken from the time of closest approach; on a parabola the chord.
    TALUS_HD double guess(double left, double right, double radius) const {
        if (!across.is_straight()) {
            return left + 0.5 * (right - left);
        }
        const double v2 = norm2(across.velocity);
        const double closest = -dot(across.position, across.velocity) / v2;
        const double least = norm(across.at(closest));
        const double r = level + sign * radius;
        const double half2 = (r - least) * (r + least) / v2;
        const double half = half2 > 0 ? std::sqrt(half2) : 0.0;
        return closest - sign * half;
    }
};

/// One side of a cone (or tube) without its ends. In the half-plane (rho, z) its distance is the one from a slanted
/// line, nr rho + nz z + offset, positive outside. It is touched where nr rho = w(t) = (sign s - offset) - nz z, so the
/// polynomial is nr^2 rho^2 - w^2.
struct SlantPart {
    static constexpr bool is_face = true;
    const Flight& flight;
    double nr, nz, offset;
    double sign;
    double radius;  // s, of the grain

    TALUS_HD math::Sample sample(double t) const {
        const Vec3d x = flight.at(t);
        const Vec3d v = flight.velocity_at(t);
        const double rho = std::sqrt(x.x * x.x + x.y * x.y);
        const double rate = rho > 0 ? (x.x * v.x + x.y * v.y) / rho : std::sqrt(v.x * v.x + v.y * v.y);
        return {sign * (nr * rho + nz * x.z + offset), sign * (nr * rate + nz * v.z)};
    }
    TALUS_HD math::Roots<3> turning_points(double low, double high) const {
        const Flight across{{flight.position.x, flight.position.y, 0},
                            {flight.velocity.x, flight.velocity.y, 0},
                            {flight.acceleration.x, flight.acceleration.y, 0}};
        const math::Polynomial<2> w{{sign * radius - offset - nz * flight.position.z, -nz * flight.velocity.z,
                                     -0.5 * nz * flight.acceleration.z}};
        return roots_between(nr * nr * half_slope_of_square(across) + (-1.0) * (w * derivative(w)), low, high);
    }
    TALUS_HD double guess(double left, double right, double) const { return left + 0.5 * (right - left); }
};

/// A circle about z in the plane z = height. The polynomial is that of a torus, HSDEM Eqs. 13-21, of degree four on a
/// line and eight on a parabola: (|x|^2 + R^2 - s^2)^2 - 4 R^2 rho^2.
struct RingPart {
    static constexpr bool is_face = false;
    const Flight& flight;
    double height, ring_radius;
    double radius;  // s, of the grain

    TALUS_HD math::Sample sample(double t) const {
        const Vec3d x = flight.at(t);
        const Vec3d v = flight.velocity_at(t);
        const double rho = std::sqrt(x.x * x.x + x.y * x.y);
        const double rho_rate = rho > 0 ? (x.x * v.x + x.y * v.y) / rho : std::sqrt(v.x * v.x + v.y * v.y);
        const double dr = rho - ring_radius;
        const double dz = x.z - height;
        const double d = std::sqrt(dr * dr + dz * dz);
        return {d, d > 0 ? (dr * rho_rate + dz * v.z) / d : norm(v)};
    }
    /// The coefficients are formed about the middle of the span, where the centre is no farther away than the ring is
    /// wide: far away they would lose the digits that tell a graze from a miss.
    TALUS_HD math::Roots<7> turning_points(double low, double high) const {
        const double middle = low + 0.5 * (high - low);
        Flight f = flight.from(middle);
        f.position.z -= height;
        const Flight across{
            {f.position.x, f.position.y, 0}, {f.velocity.x, f.velocity.y, 0}, {f.acceleration.x, f.acceleration.y, 0}};
        const double rest = (ring_radius - radius) * (ring_radius + radius);
        const double four_r2 = 4 * ring_radius * ring_radius;
        math::Roots<7> turns;
        const auto keep = [&](const auto& roots) {
            for (int k = 0; k < roots.count; ++k) {
                turns.add(middle + roots.root[k]);
            }
        };
        if (f.is_straight()) {
            const math::Polynomial<4> x2 = square(f);
            const math::Polynomial<2> a{{x2.c[0] + rest, x2.c[1], x2.c[2]}};
            const math::Polynomial<4> rho2 = square(across);
            const math::Polynomial<2> b{{rho2.c[0], rho2.c[1], rho2.c[2]}};
            keep(roots_between(derivative(a * a + (-four_r2) * b), low - middle, high - middle));
        } else {
            const math::Polynomial<4> a = square(f) + math::Polynomial<0>{{rest}};
            keep(roots_between(derivative(a * a + (-four_r2) * square(across)), low - middle, high - middle));
        }
        return turns;
    }
    TALUS_HD double guess(double left, double right, double) const { return left + 0.5 * (right - left); }
};

/// When the centre is within `reach` of the point (0, 0, height).
TALUS_HD inline Windows windows_of_reach(const Flight& flight, double height, double reach, double low, double high) {
    Flight f = flight;
    f.position.z -= height;
    const auto inside = [&](double t) { return norm(f.at(t)) <= reach; };
    math::Polynomial<4> p = square(f);
    p.c[0] = norm(f.position);
    p.c[0] = (p.c[0] - reach) * (p.c[0] + reach);
    const math::Roots<4> cuts = roots_between(p, low, high);
    return windows_between(cuts.root, cuts.count, low, high, inside);
}

/// When the centre is within `reach` of the plane z = 0.
TALUS_HD inline Windows windows_of_slab(const Flight& flight, double reach, double low, double high) {
    const double a = 0.5 * flight.acceleration.z;
    const double h = 0.5 * flight.velocity.z;
    const math::QuadraticRoots upper = math::solve_quadratic(a, h, flight.position.z - reach);
    const math::QuadraticRoots lower = math::solve_quadratic(a, h, flight.position.z + reach);
    double cuts[4];
    int n = 0;
    for (int i = 0, j = 0; i < upper.count || j < lower.count;) {  // merge the two
        const bool take_upper = j >= lower.count || (i < upper.count && upper.root[i] < lower.root[j]);
        cuts[n++] = take_upper ? upper.root[i++] : lower.root[j++];
    }
    return windows_between(cuts, n, low, high, [&](double t) {
        return std::fabs(FlatPart{flight, 1}.sample(t).value) <= reach;
    });
}

}  // namespace talus::geometry::detail
