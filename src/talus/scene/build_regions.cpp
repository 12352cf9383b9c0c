// Regions of space from the region keys.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/scene/build.h"
#include "talus/scene/fill_bounds.h"

namespace talus::scene {

namespace {

using geometry::ShapeKind;

std::optional<model::Frustum> frustum(const Build& build, const Value& keys) {
    const bool two = keys.has("radius_from") && keys.has("radius_to");
    if (keys.has("radius") == (keys.has("radius_from") || keys.has("radius_to")) || (!keys.has("radius") && !two)) {
        build.fault(keys, "has no clear radius", "either radius, or radius_from and radius_to");
        return std::nullopt;
    }
    const double radius = keys.number_or("radius", 0);
    const model::Frustum out{keys.vector_or("from", {}), keys.vector_or("to", {}),
                             keys.number_or("radius_from", radius), keys.number_or("radius_to", radius)};
    if (norm(out.to - out.from) == 0 || (out.radius_from == 0 && out.radius_to == 0)) {
        build.fault(keys, "has no volume", "two different ends and a positive radius");
        return std::nullopt;
    }
    return out;
}

/// An infinite cylinder as a finite one that reaches beyond all that bounds the rest of the region.
std::optional<model::Frustum> cut_off(const geometry::Placed& cylinder, const Bounds& bounds) {
    const Vec3d axis = cylinder.rotation.column(2);
    double reach = 0;
    for (int i = 0; i < 3; ++i) {
        if (std::abs(axis[i]) < 1e-9) {
            continue;
        }
        if (std::isinf(bounds.low[i]) || std::isinf(bounds.high[i])) {
            return std::nullopt;
        }
        const double far =
            std::max(std::abs(bounds.low[i] - cylinder.position[i]), std::abs(bounds.high[i] - cylinder.position[i]));
        reach = std::max(reach, 2 * (far + cylinder.shape.a) / std::abs(axis[i]));
    }
    return model::Frustum{cylinder.position - axis * reach, cylinder.position + axis * reach, cylinder.shape.a,
                          cylinder.shape.a};
}

}  // namespace

bool has_region(const Value& table) {
    for (const char* name : {"box", "ball", "cylinder", "circle", "inside", "outside", "above", "below"}) {
        if (table.has(name)) {
            return true;
        }
    }
    return false;
}

std::vector<model::RegionPart> half_spaces(const Build& build, const Value& bound, double sign) {
    std::vector<model::RegionPart> out;
    if (bound.kind == Value::Kind::number) {
        out.emplace_back(model::HalfSpace{build.scene.system.domain.up() * sign, sign * bound.number});
        return out;
    }
    if (build.planar() && bound.has("z")) {
        build.fault(bound.at("z"), "the scene has two dimensions", "x or y");
    }
    for (int i = 0; i < build.scene.system.domain.dimensions; ++i) {
        const std::string axis(1, "xyz"[i]);
        if (bound.has(axis)) {
            Vec3d normal;
            normal[i] = sign;
            out.emplace_back(model::HalfSpace{normal, sign * bound.number_or(axis, 0)});
        }
    }
    if (out.empty() && bound.complete) {
        build.fault(bound, "is empty", "a length along x, y or z");
    }
    return out;
}

std::optional<model::RegionPart> inside_of(Build& build, const Value& name, const model::Region& others) {
    const KnownWall* wall = build.wall(name);
    if (wall == nullptr || !wall->placed) {
        return std::nullopt;
    }
    const geometry::Placed& placed = *wall->placed;
    const Vec3d axis = placed.rotation.column(2);
    switch (placed.shape.kind) {
        case ShapeKind::tube: {
            const Vec3d half = axis * (0.5 * placed.shape.c);
            return model::Frustum{placed.position - half, placed.position + half, placed.shape.a, placed.shape.b};
        }
        case ShapeKind::sphere:
            return model::Ball{placed.position, placed.shape.a};
        case ShapeKind::cylinder: {
            if (build.planar() && axis.z != 0) {
                return model::Ball{placed.position, placed.shape.a};  // a circle
            }
            const auto part = cut_off(placed, bounding_box(others, build.scene.system.domain));
            if (!part) {
                build.fault(
                    name,
                    fmt::format("the cylinder \"{}\" is infinite and nothing bounds the region along it", name.text),
                    "above and below, a box, or bounds of the domain");
                return std::nullopt;
            }
            return *part;
        }
        default:
            build.fault(name, fmt::format("the wall \"{}\" has no inside", name.text),
                        "a cylinder, a cone or a sphere");
            return std::nullopt;
    }
}

std::optional<model::RegionPart> outside_of(Build& build, const Value& name) {
    const KnownWall* wall = build.wall(name);
    if (wall == nullptr || !wall->placed) {
        return std::nullopt;
    }
    const geometry::Placed& placed = *wall->placed;
    const geometry::Shape& shape = placed.shape;
    const Vec3d axis = placed.rotation.column(2);
    if (shape.kind == ShapeKind::sphere) {
        return model::Outside{placed.position, {}, shape.a};
    }
    if (shape.kind == ShapeKind::cylinder) {
        return model::Outside{placed.position, axis, shape.a};
    }
    if (shape.kind == ShapeKind::tube && shape.a == shape.b) {
        return model::Outside{placed.position, axis, shape.a, 0.5 * shape.c};
    }
    build.fault(name, fmt::format("the wall \"{}\" has no outside that a region can be", name.text),
                "a cylinder of one radius, a sphere or a circle");
    return std::nullopt;
}

namespace {

/// What lies between two radii.
void add_hole(const Build& build, const Value& keys, const Vec3d& center, const Vec3d& axis, double radius,
              model::Region& region) {
    const double hole = keys.number_or("hole", 0);
    if (hole > 0 && !(hole < radius)) {
        build.fault(keys.at("hole"), fmt::format("leaves nothing of a radius of {} m", radius), "a smaller radius");
    } else if (hole > 0) {
        region.parts.emplace_back(model::Outside{center, axis, hole});
    }
}

void add_box(const Build& build, const Value& keys, model::Region& region) {
    model::Box box{keys.vector_or("low", {}), keys.vector_or("high", {})};
    if (build.planar()) {
        box.low.z = -model::Domain::unbounded;
        box.high.z = model::Domain::unbounded;
    }
    if (!(box.low.x < box.high.x && box.low.y < box.high.y && box.low.z < box.high.z)) {
        build.fault(keys, build.planar() ? "has no area" : "has no volume",
                    build.planar() ? "high above low along x and y" : "high above low along x, y and z");
    }
    region.parts.emplace_back(box);
}

void add_cylinder(const Build& build, const Value& keys, model::Region& region) {
    if (build.planar()) {
        build.fault(keys, "is solid; the scene has two dimensions", "circle, with a hole if wanted, or box");
        return;
    }
    if (const auto part = frustum(build, keys)) {
        region.parts.emplace_back(*part);
        add_hole(build, keys, part->from, normalized(part->to - part->from),
                 std::max(part->radius_from, part->radius_to), region);
    }
}

void add_circle(const Build& build, const Value& keys, model::Region& region) {
    if (!build.planar()) {
        build.fault(keys, "is flat; the scene has three dimensions", "ball or cylinder, or dimensions = 2");
        return;
    }
    const Vec3d center = keys.vector_or("center", {});
    const double radius = keys.number_or("radius", 0);
    region.parts.emplace_back(model::Ball{center, radius});
    add_hole(build, keys, center, {0, 0, 1}, radius, region);
}

}  // namespace

model::Region build_region(Build& build, const Value& table) {
    model::Region region;
    if (const Value* keys = table.find("box"); keys != nullptr && keys->complete) {
        add_box(build, *keys, region);
    }
    if (const Value* keys = table.find("ball"); keys != nullptr && keys->complete) {
        region.parts.emplace_back(model::Ball{keys->vector_or("center", {}), keys->number_or("radius", 0)});
    }
    if (const Value* keys = table.find("cylinder"); keys != nullptr && keys->complete) {
        add_cylinder(build, *keys, region);
    }
    if (const Value* keys = table.find("circle"); keys != nullptr && keys->complete) {
        add_circle(build, *keys, region);
    }
    for (const auto& [name, sign] : {std::pair{"above", 1.0}, std::pair{"below", -1.0}}) {
        if (const Value* bound = table.find(name)) {
            for (const model::RegionPart& part : half_spaces(build, *bound, sign)) {
                region.parts.push_back(part);
            }
        }
    }
    if (const Value* name = table.find("inside")) {
        if (const auto part = inside_of(build, *name, region)) {
            region.parts.push_back(*part);
        }
    }
    if (const Value* name = table.find("outside")) {
        if (const auto part = outside_of(build, *name)) {
            region.parts.push_back(*part);
        }
    }
    return region;
}

}  // namespace talus::scene
