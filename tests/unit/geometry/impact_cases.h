// Random flights towards a wall: straight at it, grazing it, along its axis, from a touch. And the brute-force check of
// a predicted touch: the distance from nearest.h, sampled densely and refined wherever it is least.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>

#include "talus/base/random.h"
#include "talus/geometry/flight.h"
#include "talus/geometry/nearest.h"
#include "unit/geometry/random_shapes.h"

namespace talus::geometry::cases {

inline Vec3d random_point(Random& random) {
    return {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
}

/// A point of the wall: the nearest to a random one, edges and corners often.
inline Vec3d wall_point(const Shape& shape, Random& random) {
    const double near = random.uniform() < 0.5 ? 1.0 : 0.3;
    return nearest(shape, near * random_point(random)).point;
}

struct Case {
    Shape shape;
    Flight flight;
    double radius = 0;
    double span = 0;  // searched from 0 to here
};

/// The flight that is at `x` with velocity `v` at time `t`.
inline Flight passing(const Vec3d& x, const Vec3d& v, const Vec3d& g, double t) {
    return Flight{x, v, g}.from(-t);
}

/// m, the terms that make up a flight's place: what its rounding is a part of.
inline double way_until(const Flight& f, double t) {
    return norm(f.position) + norm(f.velocity) * t + 0.5 * norm(f.acceleration) * t * t;
}
/// A way up to so many times R + s rounds by less than 1e-12 (R + s).
inline constexpr double short_way = 100;

inline Case random_case(ShapeKind kind, bool curved, Random& random) {
    Case c{random_shape(kind, random), {}, std::pow(10.0, random.uniform(-2, 0)), 0};
    const double choice = random.uniform();
    const double speed = std::pow(10.0, random.uniform(-2, 1));
    const double time = random.uniform(0, 3) / speed;
    const double weight = std::min(std::pow(10.0, random.uniform(-3, 1)), 40 / (time * time));
    const Vec3d g = curved ? weight * random_direction(random) : Vec3d{};
    c.span = random.uniform(0, 4) * time + 1e-3;
    if (choice < 0.3) {  // at a point of the wall
        c.flight = passing(wall_point(c.shape, random), speed * random_direction(random), g, time);
    } else if (choice < 0.6) {  // past it, at a distance that differs from the radius by much or by a hair
        const Vec3d x = random_point(random);
        const Nearest n = nearest(c.shape, x);
        const Vec3d v = cross(n.direction, random_direction(random));
        const double hair = std::pow(10.0, random.uniform(-14, 0)) * (random.uniform() < 0.5 ? 1 : -1);
        c.flight = passing(n.point - c.radius * (1 + hair) * n.direction, speed * v, g, time);
    } else if (choice < 0.7) {  // on the axis or next to it, along it or nearly so
        const double off = random.uniform() < 0.5 ? 0 : std::pow(10.0, random.uniform(-17, -1));
        const double slant = random.uniform() < 0.5 ? 0 : std::pow(10.0, random.uniform(-17, -1));
        c.flight = {{off, 0, random.uniform(-3, 3)}, {0, slant * speed, random.uniform() < 0.5 ? speed : -speed}, g};
        if (curved && random.uniform() < 0.5) {
            c.flight.acceleration = {0, 0, random.uniform(-5, 5)};
        }
    } else if (choice < 0.9) {  // in touch, or overlapping a little
        const Nearest n = nearest(c.shape, random_point(random));
        const double depth = random.uniform() < 0.5 ? 0 : std::pow(10.0, random.uniform(-16, -6));
        c.flight = {n.point - c.radius * (1 - depth) * n.direction, speed * random_direction(random), g};
        if (random.uniform() < 0.3) {  // with little or no speed along the normal
            const double along = random.uniform() < 0.5 ? 0 : std::pow(10.0, random.uniform(-12, -1));
            c.flight.velocity = speed * (cross(n.direction, random_direction(random)) - along * n.direction);
        }
        if (random.uniform() < 0.1) {
            c.flight.velocity = {};
        }
    } else {
        c.flight = {random_point(random), speed * random_direction(random), g};
    }
    return c;
}

inline std::string described(const Case& c) {
    std::array<char, 600> text{};
    const Flight& f = c.flight;
    std::snprintf(text.data(), text.size(),
                  "Shape{ShapeKind(%d), %.17g, %.17g, %.17g}, Flight{{%.17g, %.17g, %.17g}, {%.17g, %.17g, %.17g}, "
                  "{%.17g, %.17g, %.17g}}, radius %.17g, span %.17g",
                  static_cast<int>(c.shape.kind), c.shape.a, c.shape.b, c.shape.c, f.position.x, f.position.y,
                  f.position.z, f.velocity.x, f.velocity.y, f.velocity.z, f.acceleration.x, f.acceleration.y,
                  f.acceleration.z, c.radius, c.span);
    return text.data();
}

/// The first time in [from, to] at which `distance(t)` lies below `level`, or `to`: `samples` of them, and golden
/// section wherever one sample is no greater than its neighbours and could lead below the level at the given `speed`.
template <class Distance>
double first_below(const Distance& distance, double from, double to, double level, double speed, int samples) {
    const double step = (to - from) / samples;
    const auto time = [&](int k) { return k < samples ? from + k * step : to; };
    double last = distance(from);
    double here = last;
    for (int k = 0; k <= samples; ++k) {
        if (here < level) {
            return time(k);
        }
        const double next = k < samples ? distance(time(k + 1)) : here;
        if (here <= last && here <= next && here - speed * step < level) {
            double low = time(k > 0 ? k - 1 : 0);
            double high = time(k < samples ? k + 1 : samples);
            for (int round = 0; round < 40 && high - low > 1e-9 * step; ++round) {
                const double x1 = high - 0.618 * (high - low);
                const double x2 = low + 0.618 * (high - low);
                if (distance(x1) <= distance(x2)) {
                    high = x2;
                } else {
                    low = x1;
                }
            }
            if (distance(0.5 * (low + high)) < level) {
                return 0.5 * (low + high);
            }
        }
        last = here;
        here = next;
    }
    return to;
}

}  // namespace talus::geometry::cases
