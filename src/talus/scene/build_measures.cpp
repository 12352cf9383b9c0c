// Measures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

using model::MeasureKind;

constexpr std::array<std::pair<const char*, MeasureKind>, 13> kinds = {
    {{"discharge", MeasureKind::discharge},
     {"coordination", MeasureKind::coordination},
     {"packing", MeasureKind::packing},
     {"height", MeasureKind::height},
     {"center_of_mass", MeasureKind::center_of_mass},
     {"stress", MeasureKind::stress},
     {"profile", MeasureKind::profile},
     {"energies", MeasureKind::energies},
     {"scale_heights", MeasureKind::scale_heights},
     {"surface_slope", MeasureKind::surface_slope},
     {"velocity_distribution", MeasureKind::velocity_distribution},
     {"displacement", MeasureKind::displacement},
     {"radial", MeasureKind::radial}}};

/// The plane that `below` or `above` names, crossed against the axis.
void read_plane(const Build& build, const Value& keys, model::MeasureSpec& spec) {
    const bool below = keys.has("below");
    const Value* bound = keys.find(below ? "below" : "above");
    if (bound == nullptr) {
        return;
    }
    const std::vector<model::RegionPart> parts = half_spaces(build, *bound, below ? 1 : -1);
    if (parts.size() > 1) {
        build.fault(*bound, "names more than one axis", "one plane");
    } else if (!parts.empty()) {
        const auto& plane = std::get<model::HalfSpace>(parts[0]);
        spec.axis = plane.normal;
        spec.offset = plane.offset;
    }
}

/// The direction of a key that holds x, y, z or a vector; absent where the key is, or is at fault.
std::optional<Vec3d> direction(const Build& build, const Value& keys, const char* name) {
    const Value* value = keys.find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    Vec3d out = value->vector;
    if (value->kind == Value::Kind::text) {
        out = {};
        out[value->text[0] - 'x'] = 1;
    }
    if (norm(out) == 0) {
        build.fault(*value, "has no direction", "x, y, z or a vector that is not zero");
        return std::nullopt;
    }
    return normalized(out);
}

/// The same where it must lie in the plane of a plane scene.
std::optional<Vec3d> level_direction(const Build& build, const Value& keys, const char* name) {
    const std::optional<Vec3d> out = direction(build, keys, name);
    if (out && build.planar() && out->z != 0) {
        build.fault(keys.at(name), "leaves the plane of the scene", "x, y or two numbers");
        return std::nullopt;
    }
    return out;
}

/// The direction of the key, or against the gravity that the scene begins with.
Vec3d upwards(const Build& build, const Value& keys, const char* name) {
    const Vec3d& gravity = build.scene.system.gravity;
    if (!keys.has(name) && norm(gravity) == 0) {
        build.fault(keys, fmt::format("needs the key \"{}\", since no gravity tells which way is up", name),
                    "x, y, z or a vector");
    }
    const Vec3d otherwise = norm(gravity) > 0 ? normalized(-gravity) : build.scene.system.domain.up();
    return level_direction(build, keys, name).value_or(otherwise);
}

void read_drum(Build& build, const Value& name, model::SurfaceSpec& surface) {
    const KnownWall* wall = build.wall(name);
    if (wall == nullptr || !wall->placed) {
        return;
    }
    const geometry::ShapeKind kind = wall->placed->shape.kind;
    if (kind != geometry::ShapeKind::cylinder && kind != geometry::ShapeKind::tube) {
        build.fault(name, fmt::format("the wall \"{}\" has no rim", wall->name), "a cylinder");
    }
    surface.drum = wall->name;
}

void read_surface(Build& build, const Value& keys, model::MeasureSpec& spec) {
    model::SurfaceSpec& surface = spec.surface;
    spec.axis = upwards(build, keys, "up");
    const Vec3d along = level_direction(build, keys, "along").value_or(surface.along);
    const Vec3d level = along - spec.axis * dot(along, spec.axis);
    constexpr double upright = 1e-6;
    if (keys.complete && norm(level) < upright) {
        build.fault(keys.at("along"), "points up or down, where a surface has no slope", "a direction across up");
    } else if (norm(level) > 0) {
        surface.along = normalized(level);
    }
    if (keys.has("from")) {
        surface.from = keys.number_or("from", 0);
    }
    if (keys.has("to")) {
        surface.to = keys.number_or("to", 0);
    }
    if (keys.complete && surface.from && surface.to && !(*surface.from < *surface.to)) {
        build.fault(keys, "fits a line over no length", "from below to");
    }
    surface.bin_width = keys.number_or("bin_width", 0);
    if (const Value* drum = keys.find("drum")) {
        read_drum(build, *drum, surface);
    }
}

void read_histogram(const Build& build, const Value& keys, model::HistogramSpec& histogram) {
    const std::int64_t bins = keys.integer_or("bins", histogram.bins);
    if (bins > model::HistogramSpec::most_bins) {
        build.fault(keys.at("bins"), fmt::format("{} bins are too many", bins),
                    fmt::format("{} at most", model::HistogramSpec::most_bins));
        return;
    }
    histogram.bins = static_cast<int>(bins);
    histogram.reach = keys.number_or("reach", histogram.reach);
}

/// Rings about an axis, wherever grains are between them.
void read_rings_about(const Build& build, const Value& keys, model::ProfileGrid& grid) {
    grid.kind = model::ProfileGrid::Kind::rings;
    grid.origin = keys.vector_or("center", {});
    grid.axis = direction(build, keys, "axis").value_or(Vec3d{0, 0, 1});
    const std::int64_t bins = keys.integer_or("bins", 30);
    if (bins > model::ProfileGrid::most_cells) {
        build.fault(keys.at("bins"), fmt::format("{} rings are too many", bins),
                    fmt::format("{} at most", model::ProfileGrid::most_cells));
        return;
    }
    grid.along = {{keys.number_or("inner", 0), keys.number_or("outer", 1), static_cast<int>(bins)},
                  {keys.number_or("low", 0), keys.number_or("high", 1), 1}};
    if (!keys.complete) {
        return;
    }
    if (!(grid.along[0].low < grid.along[0].high)) {
        build.fault(keys, "has rings without width", "inner below outer");
    }
    if (build.scene.system.domain.planar()) {
        for (const char* key : {"axis", "low", "high"}) {
            if (keys.has(key)) {
                build.fault(keys.at(key), "is for three dimensions", "no such key: rings lie in the plane");
            }
        }
    } else if (!keys.has("low") || !keys.has("high") || !(grid.along[1].low < grid.along[1].high)) {
        build.fault(keys, "does not say how long the rings are along the axis", "low and high, lengths (m)");
    }
}

void read_kind(Build& build, const Value& keys, model::MeasureSpec& spec) {
    if (spec.kind == MeasureKind::discharge) {
        read_plane(build, keys, spec);
        spec.hole_diameter = keys.number_or("hole_diameter", 0);
        spec.bulk_packing = keys.number_or("bulk_packing", 0);
        if (build.planar() && keys.has("hole_diameter")) {
            build.fault(keys.at("hole_diameter"), "is for Beverloo's law, which is of round holes in space",
                        "no hole_diameter in a scene of two dimensions");
        }
        if (keys.complete && keys.has("bulk_packing") && !keys.has("hole_diameter")) {
            build.fault(keys.at("bulk_packing"), "is for Beverloo's law, which needs the hole",
                        "hole_diameter beside it");
        }
        if (const Value* region = keys.find("region")) {
            spec.region = build_region(build, *region);
        }
        return;
    }
    if (spec.kind == MeasureKind::profile) {
        build_profile(build, keys, spec);
        return;
    }
    spec.after = keys.number_or("after", 0);
    if (spec.kind == MeasureKind::scale_heights) {
        spec.axis = upwards(build, keys, "axis");
        spec.offset = keys.number_or("floor", 0);
        return;
    }
    if (spec.kind == MeasureKind::radial) {
        spec.until = keys.number_or("until", spec.until);
        read_rings_about(build, keys, spec.grid);
        return;
    }
    spec.region = build_region(build, keys);
    if (spec.kind == MeasureKind::surface_slope) {
        read_surface(build, keys, spec);
        return;
    }
    if (spec.kind == MeasureKind::velocity_distribution) {
        read_histogram(build, keys, spec.histogram);
        return;
    }
    const Vec3d axis = keys.has("axis") ? keys.vector_or("axis", spec.axis) : build.scene.system.domain.up();
    if (build.planar() && axis.z != 0) {
        build.fault(keys.at("axis"), "leaves the plane of the scene", "two numbers");
    } else if (norm(axis) == 0) {
        build.fault(keys.at("axis"), "has no direction", "a vector that is not zero");
    } else {
        spec.axis = normalized(axis);
    }
}

void check_stage(const Build& build, const Value& name) {
    std::vector<std::string> names;
    for (const model::Stage& stage : build.scene.plan.stages) {
        names.push_back(stage.name);
    }
    if (std::find(names.begin(), names.end(), name.text) == names.end()) {
        build.fault(name, fmt::format("there is no stage \"{}\"", name.text), "the name of a stage",
                    base::nearest_name(name.text, names));
    }
}

bool has_table(MeasureKind kind) {
    return kind == MeasureKind::profile || kind == MeasureKind::velocity_distribution || kind == MeasureKind::radial;
}

bool is_taken(const std::vector<model::MeasureSpec>& measures, const std::string& name) {
    return std::any_of(measures.begin(), measures.end(),
                       [&](const model::MeasureSpec& other) { return other.name == name; });
}

}  // namespace

void build_measures(Build& build) {
    std::vector<model::MeasureSpec>& measures = build.scene.plan.measures;
    for (KnownWall& wall : build.walls) {
        wall.present = true;  // a measure may use the inside of a wall that some stage removes
    }
    for (const Value& entry : build.root.list("measure")) {
        model::MeasureSpec spec;
        for (const auto& [name, kind] : kinds) {
            if (const Value* keys = entry.find(name)) {
                spec.kind = kind;
                spec.name = name;
                read_kind(build, *keys, spec);
            }
        }
        spec.interval = entry.number_or("interval", 0);
        spec.start = entry.number_or("start", 0);
        if (const Value* stage = entry.find("stage")) {
            spec.stage = stage->text;
            check_stage(build, *stage);
        }
        if (const Value* name = entry.find("name")) {
            spec.name = name->text;
            check_name(build, *name);
            if (is_taken(measures, spec.name)) {
                build.fault(*name, fmt::format("there is already a measure \"{}\"", spec.name), "another name");
            }
            if (has_table(spec.kind) && spec.name == "series") {
                build.fault(*name, "its table would take the place of series.csv", "another name");
            }
        } else {
            const std::string kind = spec.name;
            for (int number = 2; is_taken(measures, spec.name); ++number) {
                spec.name = fmt::format("{}_{}", kind, number);
            }
        }
        measures.push_back(spec);
    }
}

}  // namespace talus::scene
