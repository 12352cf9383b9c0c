// An oracle for nearest points: walks over a shape's surface in extended precision and refines the least distance by
// golden section and Newton steps. It knows how each surface is drawn, not how its nearest point is found.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "talus/geometry/shape.h"

namespace talus::geometry::oracle {

using Real = long double;
using Vec3r = math::Vec3<Real>;
inline constexpr Real reach = 40;  // how far the unbounded shapes are walked

/// Where `f` is least in [low, high], to within `width`; `f` must fall to its least value and rise after it.
template <class F>
Real golden_section(const F& f, Real low, Real high, Real width = 1e-15L) {
    constexpr Real ratio = 0.6180339887498948482045868343656381L;
    Real x1 = high - ratio * (high - low);
    Real x2 = low + ratio * (high - low);
    Real f1 = f(x1);
    Real f2 = f(x2);
    while (high - low > width && x1 < x2) {
        if (f1 <= f2) {
            high = x2;
            x2 = x1;
            f2 = f1;
            x1 = high - ratio * (high - low);
            f1 = f(x1);
        } else {
            low = x1;
            x1 = x2;
            f1 = f2;
            x2 = low + ratio * (high - low);
            f2 = f(x2);
        }
    }
    Real best = 0.5L * (low + high);
    for (const Real end : {low, high}) {
        best = f(end) < f(best) ? end : best;
    }
    return best;
}

/// A surface of revolution: a point (r, z) of its profile, at every angle about z.
struct Profile {
    const Shape& shape;

    Real low() const {
        switch (shape.kind) {
            case ShapeKind::disk:
                return static_cast<Real>(shape.a);
            case ShapeKind::cylinder:
            case ShapeKind::line:
                return -reach;
            default:
                return 0;
        }
    }
    Real high() const {
        switch (shape.kind) {
            case ShapeKind::disk:
                return static_cast<Real>(shape.b);
            case ShapeKind::cylinder:
            case ShapeKind::line:
                return reach;
            case ShapeKind::tube:
                return 1;
            case ShapeKind::sphere:
                return std::numbers::pi_v<Real>;
            case ShapeKind::segment:
                return static_cast<Real>(shape.a);
            default:
                return 0;
        }
    }
    Real radius(Real u) const {
        const auto a = static_cast<Real>(shape.a);
        const auto b = static_cast<Real>(shape.b);
        switch (shape.kind) {
            case ShapeKind::disk:
                return u;
            case ShapeKind::cylinder:
            case ShapeKind::ring:
                return a;
            case ShapeKind::tube:
                return a + (b - a) * u;
            case ShapeKind::sphere:
                return a * std::sin(u);
            default:
                return 0;
        }
    }
    Real height(Real u) const {
        switch (shape.kind) {
            case ShapeKind::cylinder:
            case ShapeKind::line:
            case ShapeKind::segment:
                return u;
            case ShapeKind::tube:
                return static_cast<Real>(shape.c) * (u - 0.5L);
            case ShapeKind::sphere:
                return static_cast<Real>(shape.a) * std::cos(u);
            default:
                return 0;
        }
    }
    Vec3r at(Real u, Real angle) const { return {radius(u) * std::cos(angle), radius(u) * std::sin(angle), height(u)}; }
};

inline Real least_distance_of_revolution(const Shape& shape, const Vec3r& p) {
    constexpr int rows = 8;
    constexpr int columns = 16;
    const Profile profile{shape};
    const Real low = profile.low();
    const Real high = profile.high();
    const Real cell = (high - low) / rows;
    const Real turn = 2 * std::numbers::pi_v<Real> / columns;

    Real u = low;
    Real angle = 0;
    Real least = -1;
    for (int i = 0; i < rows; ++i) {  // a coarse look around, for an angle to start from
        const Real row = low + (static_cast<Real>(i) + 0.5L) * cell;
        const Real r = profile.radius(row);
        const Real dz = profile.height(row) - p.z;
        for (int j = 0; j < columns; ++j) {
            const Real column = turn * static_cast<Real>(j);
            static const auto table = [] {
                std::array<std::array<Real, 2>, columns> values{};
                for (std::size_t k = 0; k < columns; ++k) {
                    const Real at = 2 * std::numbers::pi_v<Real> / columns * static_cast<Real>(k);
                    values[k] = {std::cos(at), std::sin(at)};
                }
                return values;
            }();
            const Real dx = r * table[static_cast<std::size_t>(j)][0] - p.x;
            const Real dy = r * table[static_cast<std::size_t>(j)][1] - p.y;
            const Real d2 = dx * dx + dy * dy + dz * dz;
            if (least < 0 || d2 < least) {
                least = d2;
                u = row;
                angle = column;
            }
        }
    }
    for (int sweep = 0; sweep < 2; ++sweep) {
        for (int i = 0; i < 5; ++i) {  // Newton on the derivative of the squared distance by the angle
            const Vec3r x = profile.at(u, angle);
            const Vec3r first{-x.y, x.x, 0};
            const Vec3r second{-x.x, -x.y, 0};
            const Real slope = dot(x - p, first);
            const Real curvature = norm2(first) + dot(x - p, second);
            if (curvature > 0) {
                angle -= std::clamp(slope / curvature, -turn, turn);
            }
        }
        const Real c = std::cos(angle);
        const Real s = std::sin(angle);
        const auto squared = [&](Real v) {
            const Real r = profile.radius(v);
            return norm2(Vec3r{r * c, r * s, profile.height(v)} - p);
        };
        u = golden_section(squared, low, high, sweep == 0 ? 1e-5L : 1e-15L);
    }
    return norm(profile.at(u, angle) - p);
}

/// The angle about z at which the profile's point `u` is farthest from `p`.
inline Real farthest_angle(const Profile& profile, Real u, const Vec3r& p) {
    constexpr int columns = 16;
    const Real turn = 2 * std::numbers::pi_v<Real> / columns;
    Real angle = 0;
    for (int j = 1; j < columns; ++j) {
        const Real other = turn * static_cast<Real>(j);
        angle = norm2(profile.at(u, other) - p) > norm2(profile.at(u, angle) - p) ? other : angle;
    }
    for (int i = 0; i < 6; ++i) {  // Newton on the derivative of the squared distance
        const Vec3r x = profile.at(u, angle);
        const Real slope = dot(x - p, Vec3r{-x.y, x.x, 0});
        const Real curvature = norm2(Vec3r{-x.y, x.x, 0}) + dot(x - p, Vec3r{-x.x, -x.y, 0});
        if (curvature < 0) {
            angle -= std::clamp(slope / curvature, -turn, turn);
        }
    }
    return angle;
}

/// Beyond the axis: of all circles round it the one whose farthest point is nearest. Of a sphere, the farthest point.
inline Real opposite_distance(const Shape& shape, const Vec3d& point) {
    const Vec3r p{static_cast<Real>(point.x), static_cast<Real>(point.y), static_cast<Real>(point.z)};
    const Profile profile{shape};
    const Real sign = shape.kind == ShapeKind::sphere ? -1 : 1;
    // Whichever circle: the farthest points of all of them lie in one half-plane.
    const Real angle = farthest_angle(profile, 0.5L * (profile.low() + profile.high()), p);
    const Real c = std::cos(angle);
    const Real s = std::sin(angle);
    const auto squared = [&](Real v) {
        const Real r = profile.radius(v);
        return sign * norm2(Vec3r{r * c, r * s, profile.height(v)} - p);
    };
    return norm(profile.at(golden_section(squared, profile.low(), profile.high()), angle) - p);
}

/// A flat patch in z = 0.
inline Real least_distance_of_patch(const Shape& shape, const Vec3r& p) {
    const auto a = static_cast<Real>(shape.a);
    const auto b = static_cast<Real>(shape.b);
    const auto c = static_cast<Real>(shape.c);
    const bool plane = shape.kind == ShapeKind::plane;
    const Real left = plane ? -reach : 0;
    const Real right = plane ? reach : a;
    const Real bottom = plane ? -reach : 0;
    const Real top = plane ? reach : b;

    Real x = 0;
    Real y = 0;
    if (shape.kind == ShapeKind::triangle) {  // row by row: v is the height as a fraction of the triangle's
        const auto in_row = [&](Real v) {     // the squared distance is a parabola in x: one Newton step, then the ends
            const Real slope = 2 * (0 - p.x);
            const Real curvature = 2;
            return std::clamp(-slope / curvature, b * v, a + (b - a) * v);
        };
        const Real v = golden_section([&](Real at) { return norm2(Vec3r{in_row(at), c * at, 0} - p); }, 0, 1);
        x = in_row(v);
        y = c * v;
    } else {
        for (int sweep = 0; sweep < 2; ++sweep) {
            y = golden_section([&](Real v) { return norm2(Vec3r{x, v, 0} - p); }, bottom, top);
            x = golden_section([&](Real v) { return norm2(Vec3r{v, y, 0} - p); }, left, right);
        }
    }
    return norm(Vec3r{x, y, 0} - p);
}

inline Real least_distance(const Shape& shape, const Vec3d& p) {
    const Vec3r wide{static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z)};
    const bool patch =
        shape.kind == ShapeKind::plane || shape.kind == ShapeKind::rectangle || shape.kind == ShapeKind::triangle;
    return patch ? least_distance_of_patch(shape, wide) : least_distance_of_revolution(shape, wide);
}

}  // namespace talus::geometry::oracle
