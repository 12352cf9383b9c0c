// A grid is written as one wall and becomes many: straight wires across a rectangle, or points along a line in a plane
// scene. Each records what it receives under its own name.
#include <fmt/format.h>

#include <cmath>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

constexpr double most_bars = 1000;  // along an edge

Value number_of(const Value& like, const std::string& name, const Vec3d& v) {
    Value out;
    out.kind = Value::Kind::vector;
    out.where = like.where;
    out.key = like.key + "." + name;
    out.vector = v;
    return out;
}

/// The entry as one bar: another name and another shape.
Value bar(const Value& entry, const Value& grid, std::size_t number, const std::string& kind,
          const std::vector<std::pair<std::string, Vec3d>>& places) {
    Value keys;
    keys.kind = Value::Kind::table;
    keys.where = grid.where;
    keys.key = grid.key;
    for (const auto& [name, at] : places) {
        keys.members.emplace_back(name, number_of(keys, name, at));
    }
    Value out = entry;
    for (auto& [name, value] : out.members) {
        if (name == "name") {
            value.text = fmt::format("{}.{}", value.text, number);
        } else if (name == "shape") {
            value.members.clear();
            value.members.emplace_back(kind, keys);
        }
    }
    return out;
}

}  // namespace

std::vector<Value> bars_of(const Build& build, const Value& entry) {
    const Value* shape = entry.find("shape");
    const Value* grid = shape != nullptr ? shape->find("grid") : nullptr;
    if (grid == nullptr || !entry.complete) {
        return {entry};
    }
    const Vec3d corner = grid->vector_or("corner", {});
    const Vec3d along = grid->vector_or("edge1", {});
    const Vec3d across = grid->vector_or("edge2", {});
    const double spacing = grid->number_or("spacing", 1);
    const bool crossed = grid->boolean_or("crossed", true);
    if (build.planar() == grid->has("edge2")) {
        build.fault(*grid,
                    build.planar() ? "has a second edge; the scene has two dimensions" : "needs the key \"edge2\"",
                    build.planar() ? "corner, edge1 and spacing" : "a vector at right angles to edge1");
        return {};
    }
    const double skew = std::abs(dot(along, across));
    if (norm(along) == 0 || (!build.planar() && norm(across) == 0) || skew > 1e-9 * norm(along) * norm(across)) {
        build.fault(*grid, "is no rectangle", "edges that are not zero, at right angles");
        return {};
    }
    if (std::max(norm(along), norm(across)) > most_bars * spacing) {
        build.fault(grid->at("spacing"), fmt::format("makes more than {} bars along an edge", most_bars),
                    "a larger distance");
        return {};
    }
    std::vector<Value> out;
    const auto spread = [&](const Vec3d& edge, const Vec3d& other) {
        const double count = std::ceil(norm(edge) / spacing - 1e-9);
        for (double k = 0; k <= count; k += 1) {
            const Vec3d from = corner + edge * (k / count);
            out.push_back(build.planar()
                              ? bar(entry, *grid, out.size(), "point", {{"at", from}})
                              : bar(entry, *grid, out.size(), "segment", {{"from", from}, {"to", from + other}}));
        }
    };
    spread(along, across);
    if (!build.planar() && crossed) {
        spread(across, along);
    }
    return out;
}

}  // namespace talus::scene
