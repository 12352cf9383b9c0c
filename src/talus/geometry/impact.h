// When a grain in flight first touches a wall at rest (HSDEM Sect. 2, with its errata). Each wall is taken apart into
// faces, edges or rims, and corners; the earliest of their touches counts. docs/impact.md has the formulas.
#pragma once

#include "talus/geometry/extent.h"
#include "talus/geometry/impact_features.h"
#include "talus/geometry/opposite.h"

namespace talus::geometry {

namespace detail {

double first_touch_of_surface(const Hunt& h);  // surface_impact.cpp; on the host alone

TALUS_HD inline double earlier(double a, double b) {
    return b < a ? b : a;
}

/// The components across the direction (ex, ey) of the plane z = 0, seen from (ax, ay).
TALUS_HD inline Flight across_edge(const Flight& f, double ax, double ay, double ex, double ey) {
    const double length = std::sqrt(ex * ex + ey * ey);
    const double nx = -ey / length;
    const double ny = ex / length;
    return {{nx * (f.position.x - ax) + ny * (f.position.y - ay), f.position.z, 0},
            {nx * f.velocity.x + ny * f.velocity.y, f.velocity.z, 0},
            {nx * f.acceleration.x + ny * f.acceleration.y, f.acceleration.z, 0}};
}
TALUS_HD inline Flight across_z(const Flight& f) {
    return {{f.position.x, f.position.y, 0}, {f.velocity.x, f.velocity.y, 0}, {f.acceleration.x, f.acceleration.y, 0}};
}
TALUS_HD inline Flight seen_from(const Flight& f, const Vec3d& point) {
    return {f.position - point, f.velocity, f.acceleration};
}

/// One side of a plane. Only an endless plane has just one that can be reached.
TALUS_HD inline double first_touch_of_side(const Hunt& h, double sign, double high) {
    return first_touch_of(h, FlatPart{h.flight, sign}, h.low, high);
}

TALUS_HD inline double first_touch_of_plane(const Hunt& h) {
    const Flight along{{0, 0, h.flight.position.z}, {0, 0, h.flight.velocity.z}, {0, 0, h.flight.acceleration.z}};
    return first_touch_of_side(h, h.flight.at(h.low).z >= 0 ? 1 : -1, last_within(along, h.radius, h.low, h.high));
}

/// A cylinder about z (or, with all three components, a sphere), from the side on which the centre is.
TALUS_HD inline double first_touch_of_shell(const Hunt& h, const Flight& across) {
    const double level = h.shape.a;
    const double sign = norm(across.at(h.low)) > level ? 1 : -1;
    return first_touch_of(h, RoundPart<true>{across, level, sign}, h.low,
                          last_within(across, level + h.radius, h.low, h.high));
}

TALUS_HD inline double first_touch_of_line(const Hunt& h, const Flight& across, double low, double high) {
    return first_touch_of(h, RoundPart<false>{across, 0, 1}, low,
                          last_within(across, h.radius, low, earlier(high, h.high)));
}

TALUS_HD inline double first_touch_of_ring(const Hunt& h, double height, double ring_radius, double low, double high) {
    if (ring_radius == 0) {
        return first_touch_of_line(h, seen_from(h.flight, {0, 0, height}), low, high);
    }
    if (!(low <= high)) {
        return never;
    }
    const double reach = (ring_radius + h.radius) * (1 + 1e-12);
    const Windows windows = windows_of_reach(h.flight, height, reach, low, high);
    for (int k = 0; k < windows.count; ++k) {
        const RingPart ring{h.flight, height, ring_radius, h.radius};
        const double t = first_touch_of(h, ring, windows.low[k], windows.high[k]);
        if (t != never) {
            return t;
        }
    }
    return never;
}

/// The rims of a disk, within a span in which the centre is close enough to its plane.
TALUS_HD inline double first_touch_of_rims(const Hunt& h, double low, double high) {
    const double outer = first_touch_of_ring(h, 0, h.shape.b, low, high);
    return h.shape.a == 0 ? outer : earlier(outer, first_touch_of_ring(h, 0, h.shape.a, low, earlier(high, outer)));
}

/// Sides and corners of a polygon in z = 0, likewise.
template <unsigned n>
TALUS_HD inline double first_touch_of_sides(const Hunt& h, const double (&corners)[n][2], double low, double high) {
    double first = never;
    for (unsigned k = 0; k < n; ++k) {
        const double* from = corners[k];
        const double* to = corners[(k + 1) % n];
        const Flight across = across_edge(h.flight, from[0], from[1], to[0] - from[0], to[1] - from[1]);
        first = earlier(first, first_touch_of_line(h, across, low, earlier(high, first)));
        const Flight seen = seen_from(h.flight, {from[0], from[1], 0});
        first = earlier(first, first_touch_of_line(h, seen, low, earlier(high, first)));
    }
    return first;
}

/// A flat wall: its face first; what bounds it can be touched only while the centre is close to its plane.
TALUS_HD inline double first_touch_of_flat(const Hunt& h) {
    const double last = last_within(h.flight, bounding_radius(h.shape) + h.radius, h.low, h.high);
    const double upper = first_touch_of_side(h, 1, last);
    const double face = earlier(upper, first_touch_of_side(h, -1, earlier(last, upper)));
    const double high = earlier(last, face);
    const Windows windows = windows_of_slab(h.flight, h.radius, h.low, high);
    const double a = h.shape.a;
    const double b = h.shape.b;
    for (int k = 0; k < windows.count; ++k) {
        const double from = windows.low[k];
        const double to = windows.high[k];
        double t = never;
        if (h.shape.kind == ShapeKind::disk) {
            t = first_touch_of_rims(h, from, to);
        } else if (h.shape.kind == ShapeKind::rectangle) {
            t = first_touch_of_sides<4>(h, {{0, 0}, {a, 0}, {a, b}, {0, b}}, from, to);
        } else {
            t = first_touch_of_sides<3>(h, {{0, 0}, {a, 0}, {b, h.shape.c}}, from, to);
        }
        if (t != never) {
            return t;
        }
    }
    return face;
}

TALUS_HD inline double first_touch_of_tube(const Hunt& h) {
    const TubeProfile tube(h.shape.a, h.shape.b, h.shape.c);
    const double nr = tube.c / tube.length;
    const double nz = (tube.a - tube.b) / tube.length;
    const double offset = tube.beyond(0, 0);
    const double high = last_within(h.flight, bounding_radius(h.shape) + h.radius, h.low, h.high);
    double first = first_touch_of(h, SlantPart{h.flight, nr, nz, offset, 1, h.radius}, h.low, high);
    first = earlier(first,
                    first_touch_of(h, SlantPart{h.flight, nr, nz, offset, -1, h.radius}, h.low, earlier(high, first)));
    first = earlier(first, first_touch_of_ring(h, -0.5 * tube.c, tube.a, h.low, earlier(high, first)));
    return earlier(first, first_touch_of_ring(h, 0.5 * tube.c, tube.b, h.low, earlier(high, first)));
}

TALUS_HD inline double first_touch_of_segment(const Hunt& h) {
    const double line = first_touch_of_line(h, across_z(h.flight), h.low, h.high);
    const double lower = first_touch_of_line(h, h.flight, h.low, line);
    const double both = earlier(line, lower);
    return earlier(both, first_touch_of_line(h, seen_from(h.flight, {0, 0, h.shape.a}), h.low, both));
}

TALUS_HD inline double first_touch_time(const Hunt& h) {
    switch (h.shape.kind) {
        case ShapeKind::plane:
            return first_touch_of_plane(h);
        case ShapeKind::disk:
        case ShapeKind::rectangle:
        case ShapeKind::triangle:
            return first_touch_of_flat(h);
        case ShapeKind::cylinder:
            return first_touch_of_shell(h, across_z(h.flight));
        case ShapeKind::tube:
            return first_touch_of_tube(h);
        case ShapeKind::sphere:
            return first_touch_of_shell(h, h.flight);
        case ShapeKind::ring:
            return first_touch_of_ring(h, 0, h.shape.a, h.low,
                                       last_within(h.flight, h.shape.a + h.radius, h.low, h.high));
        case ShapeKind::line:
            return first_touch_of_line(h, across_z(h.flight), h.low, h.high);
        case ShapeKind::segment:
            return first_touch_of_segment(h);
        case ShapeKind::point:
            return first_touch_of_line(h, h.flight, h.low, h.high);
        case ShapeKind::mesh:
#ifdef __CUDA_ARCH__
            return never;
#else
            return first_touch_of_surface(h);
#endif
    }
    return never;  // not reached: every kind is named above
}

}  // namespace detail

/// The first time in [from, to] (`to` may be infinite) at which a grain of this radius touches the wall and comes
/// nearer, the flight being given in the shape's own frame: the distance falls to the radius; or it is below it already
/// and falls, at `from` or later (HSDEM Sect. 2.3). A grain that touches and leaves, rests or slides along a flat wall
/// does not touch again until it approaches. The approach may be as slow as zero: at rest under a force into the wall,
/// or sliding along the inside of a round one.
TALUS_HD inline FirstTouch first_touch(const Shape& shape, const Flight& flight, double radius, double from,
                                       double to) {
    if (flight.is_at_rest() || !(from <= to)) {
        return {false, to};
    }
    const Nearest now = shape.kind == ShapeKind::mesh ? nearest_ahead(shape, flight.at(from), flight.velocity_at(from))
                                                      : nearest(shape, flight.at(from));
    if (now.distance <= radius && now.feature != Feature::axis && dot(flight.velocity_at(from), now.direction) > 0) {
        return {true, from};
    }
    const double span = to - from;
    const double way = span * (norm(flight.velocity_at(from)) + 0.5 * span * norm(flight.acceleration));
    if (now.distance - radius > way * (1 + 1e-9)) {
        return {false, to};  // too far away for the time that is left
    }
    const double t = detail::first_touch_time(detail::Hunt(shape, flight, radius, from, to));
    return t != detail::never && t <= to ? FirstTouch{true, t} : FirstTouch{false, to};
}

}  // namespace talus::geometry
