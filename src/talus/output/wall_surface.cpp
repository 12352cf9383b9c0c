#include "talus/output/wall_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/geometry/surface.h"

namespace talus::output {
namespace {

using geometry::ShapeKind;

bool infinite(ShapeKind kind) {
    return kind == ShapeKind::plane || kind == ShapeKind::cylinder || kind == ShapeKind::line;
}

Vec3d to_world(const FrameWall& wall, const Vec3d& local) {
    return wall.position + wall.rotation * local;
}
Vec3d to_local(const FrameWall& wall, const Vec3d& world) {
    return math::transpose_times(wall.rotation, world - wall.position);
}

/// Builds a surface in the wall's own frame.
class Builder {
public:
    Builder(const FrameWall& wall, int circle_parts) : wall_(wall), circle_parts_(circle_parts) {}

    std::int64_t point(const Vec3d& local) {
        out_.points.push_back(to_world(wall_, local));
        return static_cast<std::int64_t>(out_.points.size()) - 1;
    }
    void fan(const std::vector<Vec3d>& corners) {
        std::vector<std::int64_t> index;
        for (const Vec3d& corner : corners) {
            index.push_back(point(corner));
        }
        for (std::size_t i = 2; i < index.size(); ++i) {
            out_.polys.add({index[0], index[i - 1], index[i]});
        }
    }
    std::vector<std::int64_t> circle(double radius, double z) {
        std::vector<std::int64_t> index;
        for (int i = 0; i < circle_parts_; ++i) {
            const double angle = 2 * std::numbers::pi * i / circle_parts_;
            index.push_back(point({radius * std::cos(angle), radius * std::sin(angle), z}));
        }
        return index;
    }
    /// The band between two circles about the z axis; a circle of radius zero is a single point.
    void band(double r0, double z0, double r1, double z1) {
        const std::vector<std::int64_t> first = r0 > 0 ? circle(r0, z0) : std::vector{point({0, 0, z0})};
        const std::vector<std::int64_t> second = r1 > 0 ? circle(r1, z1) : std::vector{point({0, 0, z1})};
        const auto parts = static_cast<std::size_t>(circle_parts_);
        for (std::size_t i = 0; i < parts; ++i) {
            const std::size_t next = (i + 1) % parts;
            if (r0 > 0) {
                out_.polys.add({first[i], first[next], second[r1 > 0 ? i : 0]});
            }
            if (r1 > 0) {
                out_.polys.add({first[r0 > 0 ? next : 0], second[next], second[i]});
            }
        }
    }
    void mesh(const geometry::Mesh& mesh) {
        for (const Vec3d& p : mesh.points) {
            point(p);
        }
        for (const auto& t : mesh.triangles) {
            out_.polys.add({t[0], t[1], t[2]});
        }
    }
    void sphere(double radius) {
        const int bands = circle_parts_ / 2;
        for (int i = 0; i < bands; ++i) {
            const double a = std::numbers::pi * i / bands, b = std::numbers::pi * (i + 1) / bands;
            band(i == 0 ? 0 : radius * std::sin(a), -radius * std::cos(a), i + 1 == bands ? 0 : radius * std::sin(b),
                 -radius * std::cos(b));
        }
    }
    void ring(double radius) {
        const std::vector<std::int64_t> index = circle(radius, 0);
        for (std::size_t i = 0; i < index.size(); ++i) {
            out_.lines.add({index[i], index[(i + 1) % index.size()]});
        }
    }
    void segment(double z0, double z1) {
        const std::int64_t from = point({0, 0, z0});
        out_.lines.add({from, point({0, 0, z1})});
    }
    void dot() { out_.verts.add({point({})}); }
    PolyData take() { return std::move(out_); }

private:
    const FrameWall& wall_;
    int circle_parts_;
    PolyData out_;
};

/// The part of a convex polygon on the near side of `sign * x[axis] <= sign * limit`.
std::vector<Vec3d> clipped(const std::vector<Vec3d>& polygon, int axis, double sign, double limit) {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3d& a = polygon[i];
        const Vec3d& b = polygon[(i + 1) % polygon.size()];
        const double da = sign * (limit - a[axis]), db = sign * (limit - b[axis]);
        if (da >= 0) {
            out.push_back(a);
        }
        if ((da >= 0) != (db >= 0)) {
            out.push_back(a + (b - a) * (da / (da - db)));
        }
    }
    return out;
}

/// The part of an infinite plane inside a box, in the wall's frame. The box is stretched to reach the plane.
std::vector<Vec3d> plane_polygon(const FrameWall& wall, const Bounds& bounds) {
    Vec3d center = to_local(wall, (bounds.low + bounds.high) * 0.5);
    center.z = 0;
    Bounds box = bounds;
    box.add(to_world(wall, center));
    box = box.widened(1e-6);  // a plane that only grazes the box is kept
    const double reach = math::norm(box.high - box.low);
    std::vector<Vec3d> polygon;
    for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
        polygon.push_back(to_world(wall, center + Vec3d{x * reach, y * reach, 0}));
    }
    for (int axis = 0; axis < 3; ++axis) {
        polygon = clipped(polygon, axis, 1, box.high[axis]);
        polygon = clipped(polygon, axis, -1, box.low[axis]);
    }
    for (Vec3d& corner : polygon) {
        corner = to_local(wall, corner);
    }
    return polygon;
}

/// The range of a box along the wall's z axis.
std::pair<double, double> axial_range(const FrameWall& wall, const Bounds& bounds) {
    double low = Bounds::far, high = -Bounds::far;
    for (int i = 0; i < 8; ++i) {
        const double z = to_local(wall, bounds.corner(i)).z;
        low = std::min(low, z);
        high = std::max(high, z);
    }
    return {low, high};
}

}  // namespace

void Bounds::add(const Vec3d& point) {
    for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], point[k]);
        high[k] = std::max(high[k], point[k]);
    }
}

void Bounds::add(const Bounds& other) {
    if (!other.empty()) {
        add(other.low);
        add(other.high);
    }
}

Bounds Bounds::widened(double fraction) const {
    const double margin = fraction * math::norm(high - low);
    return {low - Vec3d{margin, margin, margin}, high + Vec3d{margin, margin, margin}};
}

Vec3d Bounds::corner(int index) const {
    const auto bits = static_cast<unsigned>(index);
    return {(bits & 1U) != 0 ? high.x : low.x, (bits & 2U) != 0 ? high.y : low.y, (bits & 4U) != 0 ? high.z : low.z};
}

Bounds visible_bounds(const FrameFile& frame) {
    Bounds bounds;
    for (std::size_t i = 0; i < frame.id.size(); ++i) {
        const Vec3d r{frame.radius[i], frame.radius[i], frame.radius[i]};
        bounds.add(frame.position[i] - r);
        bounds.add(frame.position[i] + r);
    }
    for (const FrameWall& wall : frame.walls) {
        if (wall.present && !infinite(wall.shape.kind)) {
            for (const Vec3d& point : wall_surface(wall, {}).points) {
                bounds.add(point);
            }
        }
    }
    if (bounds.empty()) {  // nothing of finite size: a metre around the walls, or the origin
        const Vec3d metre{1, 1, 1};
        bounds = {-metre, metre};
        for (const FrameWall& wall : frame.walls) {
            bounds.add(wall.position - metre);
            bounds.add(wall.position + metre);
        }
    }
    for (int k = 0; k < 3; ++k) {
        for (const double side : {frame.domain.low[k], frame.domain.high[k]}) {
            if (std::isfinite(side)) {
                bounds.low[k] = std::min(bounds.low[k], side);
                bounds.high[k] = std::max(bounds.high[k], side);
            }
        }
    }
    return bounds;
}

PolyData wall_surface(const FrameWall& wall, const Bounds& bounds, int circle_parts) {
    Builder builder(wall, circle_parts);
    const auto& [kind, a, b, c, surface] = wall.shape;
    switch (kind) {
        case ShapeKind::plane:
            builder.fan(plane_polygon(wall, bounds));
            break;
        case ShapeKind::disk:
            builder.band(a, 0, b, 0);
            break;
        case ShapeKind::rectangle:
            builder.fan({{0, 0, 0}, {a, 0, 0}, {a, b, 0}, {0, b, 0}});
            break;
        case ShapeKind::triangle:
            builder.fan({{0, 0, 0}, {a, 0, 0}, {b, c, 0}});
            break;
        case ShapeKind::cylinder: {
            const auto [low, high] = axial_range(wall, bounds);
            builder.band(a, low, a, high);
            break;
        }
        case ShapeKind::tube:
            builder.band(a, -c / 2, b, c / 2);
            break;
        case ShapeKind::sphere:
            builder.sphere(a);
            break;
        case ShapeKind::ring:
            builder.ring(a);
            break;
        case ShapeKind::line: {
            const auto [low, high] = axial_range(wall, bounds);
            builder.segment(low, high);
            break;
        }
        case ShapeKind::segment:
            builder.segment(0, a);
            break;
        case ShapeKind::point:
            builder.dot();
            break;
        case ShapeKind::mesh:
            builder.mesh(surface->mesh());
            break;
    }
    return builder.take();
}

}  // namespace talus::output
