// The grids of profiles: slices along an axis, boxes, or rings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

using model::GridAxis;
using model::ProfileGrid;

/// An interval that reaches over a periodic border would see grains on one side only.
void check_borders(const Build& build, const Value& at, const Vec3d& low, const Vec3d& high) {
    const model::Domain& domain = build.scene.system.domain;
    for (int i = 0; i < 3; ++i) {
        const double slack = 1e-9 * domain.size()[i];
        if (domain.periodic[static_cast<std::size_t>(i)] &&
            (low[i] < domain.low[i] - slack || high[i] > domain.high[i] + slack)) {
            build.fault(at, fmt::format("reaches over the border of the domain along {}, which is periodic", "xyz"[i]),
                        fmt::format("between {} m and {} m", domain.low[i], domain.high[i]));
        }
    }
}

void read_slices(const Build& build, const Value& keys, ProfileGrid& grid) {
    const bool given = keys.has("axis");
    const Vec3d axis = given ? keys.vector_or("axis", grid.axis) : build.scene.system.domain.up();
    if (build.planar() && axis.z != 0) {
        build.fault(keys.at("axis"), "leaves the plane of the scene", "two numbers");
    } else if (norm(axis) == 0) {
        build.fault(keys.at("axis"), "has no direction", "a vector that is not zero");
    } else {
        grid.axis = normalized(axis);
    }
    for (const char* name : {"low", "high"}) {
        if (!keys.has(name)) {
            build.fault(keys, fmt::format("needs the key \"{}\"", name), "a length (m)");
        }
    }
    grid.along = {{keys.number_or("low", 0), keys.number_or("high", 1), grid.along[0].bins}};
    if (keys.has("low") && keys.has("high") && !(grid.along[0].low < grid.along[0].high)) {
        build.fault(keys, "covers no length", "low below high");
    }
}

void read_boxes(const Build& build, const Value& keys, ProfileGrid& grid) {
    const Value* box = keys.find("box");
    const model::Domain& domain = build.scene.system.domain;
    Vec3d low = box != nullptr ? box->vector_or("low", {}) : domain.low;
    Vec3d high = box != nullptr ? box->vector_or("high", {}) : domain.high;
    if (domain.planar()) {
        low.z = high.z = 0;
    }
    if (std::isinf(norm(high - low))) {
        build.fault(keys, "has nothing to divide into boxes", "a box, or bounds of the domain");
        return;
    }
    check_borders(build, box != nullptr ? *box : keys, low, high);
    for (int i = 0; i < domain.dimensions; ++i) {
        GridAxis& axis = grid.along[static_cast<std::size_t>(i)];
        axis = {low[i], high[i], axis.bins};
    }
}

void read_rings(const Build& build, const Value& keys, model::MeasureSpec& spec) {
    ProfileGrid& grid = spec.grid;
    const auto* part = spec.region.parts.size() == 1 ? std::get_if<model::Frustum>(&spec.region.parts[0]) : nullptr;
    const std::string wall = keys.text_or("inside", "");
    for (const KnownWall& known : build.walls) {
        if (known.name == wall && known.placed && known.placed->shape.kind == geometry::ShapeKind::cylinder) {
            part = nullptr;  // it has no ends of its own
        }
    }
    if (part == nullptr || part->radius_from != part->radius_to) {
        build.fault(keys, "has nothing to divide into rings", "a finite cylinder of one radius, and no other region");
        return;
    }
    const double length = norm(part->to - part->from);
    const double radius = part->radius_from;
    grid.origin = part->from;
    grid.axis = (part->to - part->from) / length;
    grid.along = {{0, radius, grid.along[0].bins}, {0, length, grid.along[1].bins}};
    Vec3d low;
    Vec3d high;
    for (int i = 0; i < 3; ++i) {
        const double side = radius * std::sqrt(std::max(0.0, 1 - grid.axis[i] * grid.axis[i]));
        low[i] = std::min(part->from[i], part->to[i]) - side;
        high[i] = std::max(part->from[i], part->to[i]) + side;
    }
    check_borders(build, keys, low, high);
    spec.region = {};
}

/// Rings of a plane scene divide a circle, or what lies between two.
void read_plane_rings(const Build& build, const Value& keys, const model::Ball& circle, model::MeasureSpec& spec) {
    double inner = 0;
    for (const model::RegionPart& part : spec.region.parts) {
        const auto* hole = std::get_if<model::Outside>(&part);
        const bool centred = hole != nullptr && norm(hole->center - circle.center) <= 1e-9 * circle.radius;
        if (hole != nullptr && !centred) {
            build.fault(keys, "has a hole that is not in its middle", "circles about one centre");
            return;
        }
        inner = hole != nullptr ? std::max(inner, hole->radius) : inner;
    }
    if (!(inner < circle.radius)) {
        build.fault(keys, "has nothing to divide into rings", "a hole smaller than the circle");
        return;
    }
    const Vec3d side{circle.radius, circle.radius, 0};
    check_borders(build, keys, circle.center - side, circle.center + side);
    spec.grid.kind = ProfileGrid::Kind::rings;
    spec.grid.origin = circle.center;
    spec.grid.axis = {0, 0, 1};
    spec.grid.along = {{inner, circle.radius, spec.grid.along[0].bins}, {-0.5, 0.5, 1}};
    spec.region = {};
}

/// The circle that a region is, holes apart; null for other regions.
const model::Ball* circle_of(const model::Region& region) {
    const model::Ball* out = nullptr;
    for (const model::RegionPart& part : region.parts) {
        const auto* ball = std::get_if<model::Ball>(&part);
        if ((ball == nullptr && !std::holds_alternative<model::Outside>(part)) || (ball != nullptr && out != nullptr)) {
            return nullptr;
        }
        out = ball != nullptr ? ball : out;
    }
    return out;
}

void build_plane_profile(Build& build, const Value& keys, model::MeasureSpec& spec) {
    const model::Region region = spec.region;
    const model::Ball* circle = circle_of(region);
    const std::size_t coordinates = spec.grid.along.size();
    if (coordinates == 3) {
        build.fault(keys.at("bins"), "names three axes; the scene has two dimensions",
                    "one number for slices or rings, two for boxes");
    } else if (coordinates == 2) {
        spec.grid.kind = ProfileGrid::Kind::boxes;
        read_boxes(build, keys, spec.grid);
    } else if (circle != nullptr && !keys.has("low") && !keys.has("high")) {
        read_plane_rings(build, keys, *circle, spec);
    } else {
        spec.grid.kind = ProfileGrid::Kind::slices;
        read_slices(build, keys, spec.grid);
    }
}

}  // namespace

void build_profile(Build& build, const Value& keys, model::MeasureSpec& spec) {
    spec.region = build_region(build, keys);
    if (!keys.complete) {
        return;
    }
    const Value& bins = keys.at("bins");
    double cells = 1;
    spec.grid.along.clear();
    for (const Value& number : bins.kind == Value::Kind::list ? bins.items : std::vector<Value>{bins}) {
        cells *= static_cast<double>(number.integer);
        spec.grid.along.push_back({0, 1, static_cast<int>(std::min(number.integer, ProfileGrid::most_cells))});
    }
    if (cells > static_cast<double>(ProfileGrid::most_cells)) {
        build.fault(bins, fmt::format("makes {:.6g} cells", cells), fmt::format("{} at most", ProfileGrid::most_cells));
    }
    const std::size_t coordinates = spec.grid.along.size();
    for (const char* name : {"axis", "low", "high"}) {
        if (coordinates > 1 && keys.has(name)) {
            build.fault(keys.at(name), "is for slices", "one number of bins, or no " + std::string(name));
        }
    }
    if (build.planar()) {
        build_plane_profile(build, keys, spec);
    } else if (coordinates == 1) {
        spec.grid.kind = ProfileGrid::Kind::slices;
        read_slices(build, keys, spec.grid);
    } else if (coordinates == 3) {
        spec.grid.kind = ProfileGrid::Kind::boxes;
        read_boxes(build, keys, spec.grid);
    } else {
        spec.grid.kind = ProfileGrid::Kind::rings;
        read_rings(build, keys, spec);
    }
}

}  // namespace talus::scene
