// When a sphere in flight first touches a mesh. Its way is followed in pieces; what the box around a piece meets is
// asked for its faces, and where the surface is not flat for its edges and corners.
#include <algorithm>
#include <cmath>

#include "talus/geometry/impact.h"
#include "talus/geometry/surface.h"

namespace talus::geometry {

namespace {

using detail::never;

/// How long a piece of the way is: in radii of the sphere, or as a part of the mesh's size if that is more.
constexpr double radii_a_piece = 4;
constexpr double pieces_a_mesh = 16;

/// m, no less than any coordinate of the flight goes beyond both its ends.
Box box_of(const Flight& flight, double from, double to, double radius) {
    Box box{flight.at(from), flight.at(from)};
    box.take_in(flight.at(to));
    const double span = to - from;
    for (int i = 0; i < 3; ++i) {
        const double bulge = 0.125 * std::abs(flight.acceleration[i]) * span * span;
        const double room = radius * (1 + 1e-6) + bulge + 1e-12 * (std::abs(box.low[i]) + std::abs(box.high[i]));
        box.low[i] -= room;
        box.high[i] += room;
    }
    return box;
}

/// The end of a piece that begins at `t`: the sphere has gone no farther than `length`.
double end_of_piece(const Flight& flight, double t, double length) {
    const double v = norm(flight.velocity_at(t));
    const double g = norm(flight.acceleration);
    // v s + g s^2 / 2 = length
    return t + 2 * length / (v + std::sqrt(v * v + 2 * g * length));
}

/// What is touched at an edge or a corner must be nearer than the rest of the triangles there; elsewhere the mesh may
/// be nearer still, as the floor is to a grain that slides along it towards a wall.
struct SurfaceHunt : detail::Hunt {
    const Surface& surface;
    std::span<const std::uint32_t> faces;

    SurfaceHunt(const Hunt& hunt, const Surface& surface_, std::span<const std::uint32_t> faces_)
        : Hunt(hunt), surface(surface_), faces(faces_) {}
};

bool is_touched(const SurfaceHunt& hunt, double t, double distance, bool is_face) {
    const Vec3d x = hunt.flight.at(t);
    Nearest n = hunt.surface.nearest_of(hunt.faces[0], x);
    for (const std::uint32_t f : hunt.faces.subspan(1)) {
        const Nearest other = hunt.surface.nearest_of(f, x);
        n = other.distance < n.distance ? other : n;
    }
    const double slack = 16 * hunt.noise(t);
    return n.distance <= hunt.radius + slack && std::fabs(n.distance - distance) <= slack &&
           (is_face || n.feature != Feature::face);
}

Flight seen_along(const Flight& f, const Vec3d& from, const Vec3d& normal) {
    return {
        {0, 0, dot(f.position - from, normal)}, {0, 0, dot(f.velocity, normal)}, {0, 0, dot(f.acceleration, normal)}};
}

Flight seen_across(const Flight& f, const Vec3d& from, const Vec3d& way) {
    const Vec3d unit = normalized(way);
    const auto across = [&](const Vec3d& v) { return v - unit * dot(unit, v); };
    return {across(f.position - from), across(f.velocity), across(f.acceleration)};
}

}  // namespace

double Surface::first_touch_among(std::span<const std::uint32_t> faces, const Flight& flight, double radius,
                                  double from, double to) const {
    const Shape shape{ShapeKind::mesh, reach_};
    const detail::Hunt hunt(shape, flight, radius, from, to);
    double first = never;
    const auto consider = [&](std::span<const std::uint32_t> at, const auto& part) {
        first = std::min(first, detail::first_touch_of(SurfaceHunt(hunt, *this, at), part, from, std::min(to, first)));
    };
    for (const std::uint32_t& f : faces) {
        const Face& face = faces_[f];
        if (norm2(face.normal) > 0) {
            const Flight along = seen_along(flight, edges_[face.edge[0]].from, face.normal);
            consider({&f, 1}, detail::FlatPart{along, 1});
            consider({&f, 1}, detail::FlatPart{along, -1});
        }
        // Each edge and corner once: with the first of its triangles.
        for (const std::uint32_t e : face.edge) {
            const std::span<const std::uint32_t> at = faces_at(edges_[e]);
            if (sharp_edge_[e] && at.front() == f) {
                consider(at, detail::RoundPart<false>{seen_across(flight, edges_[e].from, edges_[e].way), 0, 1});
            }
        }
        for (const std::int32_t p : mesh_.triangles[f]) {
            const auto point = static_cast<std::size_t>(p);
            const std::span<const std::uint32_t> at = faces_at_point(point);
            if (sharp_point_[point] && at.front() == f) {
                const Flight seen{flight.position - mesh_.points[point], flight.velocity, flight.acceleration};
                consider(at, detail::RoundPart<false>{seen, 0, 1});
            }
        }
    }
    return first;
}

double Surface::first_touch(const Flight& flight, double radius, double from, double to) const {
    const double last = detail::last_within(flight, reach_ + radius, from, to);
    const double length = std::max(radii_a_piece * radius, reach_ / pieces_a_mesh);
    thread_local std::vector<std::uint32_t> near;
    for (double t = from; t < last;) {
        const double end = std::min(last, std::max(end_of_piece(flight, t, length), std::nextafter(t, HUGE_VAL)));
        const Box way = box_of(flight, t, end, radius);
        near.clear();
        tree_.visit([&](const Box& box) { return box.overlaps(way); }, [&](std::uint32_t f) { near.push_back(f); });
        std::sort(near.begin(), near.end());
        const double found = first_touch_among(near, flight, radius, t, end);
        if (found != never) {
            return found;
        }
        t = end;
    }
    return never;
}

double detail::first_touch_of_surface(const Hunt& h) {
    return h.shape.surface->first_touch(h.flight, h.radius, h.low, h.high);
}

}  // namespace talus::geometry
