#include "talus/analysis/vessel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/geometry/surface.h"

namespace talus::analysis {

namespace {

using math::Vec3d;

/// Sine of the angle up to which a plane counts as lying across an axis.
constexpr double askew = 1e-9;

/// The axis that a plane lies across, or -1.
int axis_across(const model::Wall& wall) {
    const Vec3d normal = wall.pose.rotation * Vec3d{0, 0, 1};
    for (int k = 0; k < 3; ++k) {
        if (std::fabs(normal[k]) > 0.5 && norm2(normal) - normal[k] * normal[k] < askew * askew) {
            return k;
        }
    }
    return -1;
}

struct Box {
    Vec3d low, high;  // m
};

std::optional<Box> box_of(const model::System& system) {
    const auto& positions = system.bodies.position;
    if (positions.empty()) {
        return std::nullopt;
    }
    constexpr double unbounded = model::Domain::unbounded;
    Box box{{-unbounded, -unbounded, -unbounded}, {unbounded, unbounded, unbounded}};
    for (const model::Wall& wall : system.walls) {
        const int k = axis_across(wall);
        if (!wall.present || wall.shape.kind != geometry::ShapeKind::plane || k < 0) {
            continue;
        }
        const double at = wall.pose.position[k];
        if (at < positions[0][k]) {
            box.low[k] = std::max(box.low[k], at);
        } else {
            box.high[k] = std::min(box.high[k], at);
        }
    }
    if (system.domain.planar()) {  // a slice 1 m thick
        box.low.z = -0.5;
        box.high.z = 0.5;
    }
    for (int k = 0; k < 3; ++k) {
        if (system.domain.periodic[static_cast<std::size_t>(k)]) {
            box.low[k] = system.domain.low[k];
            box.high[k] = system.domain.high[k];
        }
        const auto is_inside = [&](const Vec3d& x) { return x[k] >= box.low[k] && x[k] <= box.high[k]; };
        if (!std::isfinite(box.high[k] - box.low[k]) || !std::all_of(positions.begin(), positions.end(), is_inside)) {
            return std::nullopt;
        }
    }
    return box;
}

}  // namespace

std::optional<Vec3d> box_edges(const model::System& system) {
    const std::optional<Box> box = box_of(system);
    return box ? std::optional(box->high - box->low) : std::nullopt;
}

std::optional<double> wall_area(const model::System& system, const model::Wall& wall) {
    using Kind = geometry::ShapeKind;
    const auto& [kind, a, b, c, surface] = wall.shape;
    switch (kind) {
        case Kind::disk:
            return std::numbers::pi * (b * b - a * a);
        case Kind::rectangle:
            return a * b;
        case Kind::triangle:
            return 0.5 * a * c;
        case Kind::tube:
            return std::numbers::pi * (a + b) * std::sqrt((a - b) * (a - b) + c * c);
        case Kind::sphere:
            return 4 * std::numbers::pi * a * a;
        case Kind::plane: {
            const std::optional<Box> box = box_of(system);
            const int k = axis_across(wall);
            if (!box || k < 0 || (wall.pose.position[k] != box->low[k] && wall.pose.position[k] != box->high[k])) {
                return std::nullopt;
            }
            const Vec3d edges = box->high - box->low;
            return edges[(k + 1) % 3] * edges[(k + 2) % 3];
        }
        case Kind::mesh:
            return geometry::mesh_area(surface->mesh());
        case Kind::cylinder:
        case Kind::ring:
        case Kind::line:
        case Kind::segment:
        case Kind::point:
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace talus::analysis
