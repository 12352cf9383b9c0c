// Measures.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

using model::MeasureKind;

constexpr std::array<std::pair<const char*, MeasureKind>, 8> kinds = {{{"discharge", MeasureKind::discharge},
                                                                       {"coordination", MeasureKind::coordination},
                                                                       {"packing", MeasureKind::packing},
                                                                       {"height", MeasureKind::height},
                                                                       {"center_of_mass", MeasureKind::center_of_mass},
                                                                       {"stress", MeasureKind::stress},
                                                                       {"profile", MeasureKind::profile},
                                                                       {"energies", MeasureKind::energies}}};

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

void read_kind(Build& build, const Value& keys, model::MeasureSpec& spec) {
    if (spec.kind == MeasureKind::discharge) {
        read_plane(build, keys, spec);
        spec.hole_diameter = keys.number_or("hole_diameter", 0);
        spec.bulk_packing = keys.number_or("bulk_packing", 0);
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
    spec.region = build_region(build, keys);
    const Vec3d axis = keys.vector_or("axis", spec.axis);
    if (norm(axis) == 0) {
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
            if (spec.kind == MeasureKind::profile && spec.name == "series") {
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
