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
    for (const char* name : {"box", "ball", "cylinder", "inside", "above", "below"}) {
        if (table.has(name)) {
            return true;
        }
    }
    return false;
}

std::vector<model::RegionPart> half_spaces(const Build& build, const Value& bound, double sign) {
    std::vector<model::RegionPart> out;
    if (bound.kind == Value::Kind::number) {
        out.emplace_back(model::HalfSpace{{0, 0, sign}, sign * bound.number});
        return out;
    }
    for (int i = 0; i < 3; ++i) {
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

model::Region build_region(Build& build, const Value& table) {
    model::Region region;
    if (const Value* keys = table.find("box"); keys != nullptr && keys->complete) {
        const model::Box box{keys->vector_or("low", {}), keys->vector_or("high", {})};
        if (!(box.low.x < box.high.x && box.low.y < box.high.y && box.low.z < box.high.z)) {
            build.fault(*keys, "has no volume", "high above low along x, y and z");
        }
        region.parts.emplace_back(box);
    }
    if (const Value* keys = table.find("ball"); keys != nullptr && keys->complete) {
        region.parts.emplace_back(model::Ball{keys->vector_or("center", {}), keys->number_or("radius", 0)});
    }
    if (const Value* keys = table.find("cylinder"); keys != nullptr && keys->complete) {
        if (const auto part = frustum(build, *keys)) {
            region.parts.emplace_back(*part);
        }
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
    return region;
}

}  // namespace talus::scene
