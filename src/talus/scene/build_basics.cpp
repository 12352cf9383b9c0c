// Materials, domain, outputs and checks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/scene/build.h"

namespace talus::scene {

bool check_name(const Build& build, const Value& name) {
    const auto plain = [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.' || c == ' ' || u >= 0x80;
    };
    if (!name.text.empty() && std::all_of(name.text.begin(), name.text.end(), plain)) {
        return true;
    }
    build.fault(name, name.text.empty() ? "is an empty name" : fmt::format("\"{}\" is no usable name", name.text),
                "letters, digits, spaces and _ - .");
    return false;
}

void check_colour(const Build& build, const Value& table) {
    const Value* colour = table.find("colour");
    if (colour == nullptr) {
        return;
    }
    const std::string& text = colour->text;
    const bool digits = text.size() == 7 && text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    if (!digits || text[0] != '#') {
        build.fault(*colour, fmt::format("\"{}\" is no colour", text), "\"#rrggbb\" with two hexadecimal digits each");
    }
}

std::int32_t Build::material(const Value& name) const {
    const auto& list = scene.system.materials.list;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].name == name.text) {
            return static_cast<std::int32_t>(i);
        }
        names.push_back(list[i].name);
    }
    fault(name, fmt::format("there is no material \"{}\"", name.text),
          names.empty() ? "a table [materials." + name.text + "]" : "the name of a [materials.…] table",
          base::nearest_name(name.text, names));
    return -1;
}

void build_materials(Build& build) {
    model::Materials& materials = build.scene.system.materials;
    const Value* tables = build.root.find("materials");
    if (tables == nullptr) {
        return;
    }
    for (const auto& [name, table] : tables->members) {
        Value named = table;
        named.text = name;
        check_name(build, named);
        check_colour(build, table);
        model::Material material;
        material.name = name;
        material.density = table.number_or("density", material.density);
        material.colour = table.text_or("colour", "");
        materials.list.push_back(material);
        build.material_values.push_back(table);
    }
    materials.pair_law.assign(materials.size() * materials.size(), {});
}

void build_domain(Build& build) {
    const Value* table = build.root.find("domain");
    if (table == nullptr) {
        return;
    }
    model::Domain& domain = build.scene.system.domain;
    const int axes = domain.dimensions;
    const Vec3d low = table->vector_or("low", domain.low);
    const Vec3d high = table->vector_or("high", domain.high);
    for (int i = 0; i < axes; ++i) {
        domain.low[i] = std::isnan(low[i]) ? -model::Domain::unbounded : low[i];
        domain.high[i] = std::isnan(high[i]) ? model::Domain::unbounded : high[i];
        if (!(domain.low[i] < domain.high[i])) {
            build.fault(table->at("high"), fmt::format("the domain has no extent along {}", "xyz"[i]),
                        fmt::format("a bound above low, which is {} m", domain.low[i]));
        }
    }
    for (const Value& axis : table->list("periodic")) {
        const int i = axis.text[0] - 'x';
        if (i >= axes) {
            build.fault(axis, "the scene has two dimensions", "x or y");
            continue;
        }
        if (domain.periodic[static_cast<std::size_t>(i)]) {
            build.fault(axis, fmt::format("\"{}\" is named twice", axis.text));
        }
        domain.periodic[static_cast<std::size_t>(i)] = true;
        if (table->complete && (std::isinf(domain.low[i]) || std::isinf(domain.high[i]))) {
            build.fault(axis, fmt::format("the domain is unbounded along {}", axis.text),
                        "domain.low and domain.high with numbers there");
        }
    }
}

namespace {

/// Keys that only hard grains have.
void build_flights(Build& build) {
    const Value& root = build.root;
    model::FlightRules& rules = build.scene.system.flight_rules;
    for (const char* key : {"flight", "impacts"}) {
        if (root.has(key) && (build.engine() == "soft" || build.engine() == "stepped")) {
            build.fault(root.at(key),
                        fmt::format("is for predicted collisions; this scene has engine = \"{}\"", build.engine()),
                        "engine = \"hard\"");
        }
    }
    const Value* impacts = root.find("impacts");
    rules.ballistic = root.text_or("flight", "drift") == "ballistic";
    if (impacts != nullptr) {
        const std::string stuck = impacts->text_or("stuck_motion", "exact");
        rules.stuck_motion = stuck == "line"       ? model::StuckMotion::line
                             : stuck == "parabola" ? model::StuckMotion::parabola
                                                   : model::StuckMotion::exact;
        rules.resting = impacts->boolean_or("resting", true);
    }
}

/// Keys that only time-stepped grains have.
void build_stepping(Build& build) {
    if (build.root.has("stepping") && (build.engine() == "soft" || build.engine() == "hard")) {
        build.fault(build.root.at("stepping"),
                    fmt::format("is for time-stepped hard grains; this scene has engine = \"{}\"", build.engine()),
                    "engine = \"stepped\"");
    }
    const Value* stepping = build.root.find("stepping");
    if (stepping == nullptr) {
        return;
    }
    model::StepRules& rules = build.scene.system.step_rules;
    rules.sweeps = static_cast<int>(stepping->integer_or("sweeps", 1));
    rules.after_overlap = stepping->text_or("collide", "ahead") == "overlapping";
}

}  // namespace

void build_output(Build& build) {
    model::Plan& plan = build.scene.plan;
    const Value& root = build.root;
    plan.title = root.text_or("title", "");
    build.scene.system.domain.dimensions = static_cast<int>(root.integer_or("dimensions", 3));
    if (const Value* output = root.find("output")) {
        plan.output.frame_interval = output->number_or("frames", 0);
        plan.output.series_interval = output->number_or("series", 0);
        plan.output.checkpoint_interval = output->number_or("checkpoints", 0);
        plan.output.contacts = output->boolean_or("contacts", true);
    }
    if (const Value* checks = root.find("checks")) {
        plan.overlap_limit = checks->number_or("overlap_limit", plan.overlap_limit);
    }
    if (const Value* gravity = root.find("gravity")) {
        build.scene.system.gravity = gravity->vector_or("uniform", {});
    }
    build.scene.system.seed = static_cast<std::uint64_t>(root.integer_or("seed", 1));
    build.scene.engine = root.text_or("engine", "soft");
    build_flights(build);
    build_stepping(build);
}

}  // namespace talus::scene
