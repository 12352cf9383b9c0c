// Stages: their rules and actions, read in order so that a name means the wall as it then is.
#include <fmt/format.h>

#include <algorithm>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

/// Keys that a change of shape leaves out are taken from the shape before, if it was of the same kind.
Value merged_shape(const Value& change, const Value& before) {
    Value out = change;
    if (!change.complete || change.members.empty()) {
        return out;
    }
    auto& [kind, keys] = out.members.front();
    const Value* old_keys = before.find(kind);
    if (old_keys == nullptr) {
        return out;
    }
    // A cylinder's one radius and its two end radii replace each other, as do its finite and infinite forms.
    const auto excluded = [&keys = keys](const std::string& name) {
        const bool ends = keys.has("radius_from") || keys.has("radius_to");
        const bool infinite = keys.has("point") || keys.has("axis");
        return (name == "radius" && ends) || (name.starts_with("radius_") && keys.has("radius")) ||
               ((name == "from" || name == "to") && infinite) ||
               ((name == "point" || name == "axis") && (keys.has("from") || keys.has("to")));
    };
    for (const auto& [name, value] : old_keys->members) {
        if (!keys.has(name) && !excluded(name)) {
            keys.members.emplace_back(name, value);
        }
    }
    return out;
}

/// What a shape needs that neither the change nor the shape before gave.
bool check_required(const Build& build, const Value& shape) {
    const auto& [kind, keys] = shape.members.front();
    const Table& table = *shape_table().find(kind)->forms[0].table;
    bool sound = true;
    for (const Key& key : table.keys) {
        if (key.required && !keys.has(key.name)) {
            build.fault(keys, fmt::format("needs the key \"{}\"", key.name), key.forms[0].describe());
            sound = false;
        }
    }
    return sound;
}

void replace_wall(Build& build, const Value& entry, model::Stage& stage) {
    KnownWall* wall = build.wall(entry.at("replace_wall"));
    const Value* change = entry.find("shape");
    if (change == nullptr) {
        build.fault(entry.at("replace_wall"), "comes without a new shape", "shape = { … } beside it");
        return;
    }
    if (wall == nullptr || !change->complete) {
        return;
    }
    wall->shape = merged_shape(*change, wall->shape);
    if (!check_required(build, wall->shape)) {
        return;
    }
    wall->placed = placed_shape(build, wall->shape);
    if (wall->placed) {
        model::ReplaceWall action{wall->name, wall->placed->shape, {}};
        action.base.position = wall->placed->position;
        action.base.rotation = wall->placed->rotation;
        stage.actions.emplace_back(action);
    }
}

void set_motion(Build& build, const Value& entry, model::Stage& stage) {
    KnownWall* wall = build.wall(entry.at("set_motion"));
    if (!entry.has("motion")) {
        build.fault(entry.at("set_motion"), "comes without a motion", "motion = [ … ] beside it; [] stops the wall");
    } else if (wall != nullptr) {
        BuiltMotion built = build_motion(build, entry.list("motion"), wall->placed);
        wall->driven = wall->driven || !built.motion.drives.empty();
        stage.actions.emplace_back(model::SetMotion{wall->name, std::move(built.motion), std::move(built.own_axes)});
    }
}

void remove_particles(Build& build, const Value& entry, model::Stage& stage) {
    model::RemoveParticles action;
    action.whole = entry.boolean_or("whole", false);
    if (const Value* above = entry.find("remove_above")) {
        action.region.parts = half_spaces(build, *above, 1);
    } else if (const Value* below = entry.find("remove_below")) {
        action.region.parts = half_spaces(build, *below, -1);
    } else if (const Value* inside = entry.find("remove_inside")) {
        if (inside->kind == Value::Kind::text) {
            if (const auto part = inside_of(build, *inside, {})) {
                action.region.parts = {*part};
            }
        } else {
            action.region = build_region(build, *inside);
        }
    }
    stage.actions.emplace_back(action);
}

/// Fills of stages have random numbers of their own, whatever fills come before them.
constexpr std::uint64_t first_stage_fill = 1000;

void add_particles(Build& build, const Value& keys, model::Stage& stage) {
    if (keys.has("file")) {
        build.fault(keys.at("file"),
                    "grains of a stage cannot come from a file, which may be gone when a run is resumed",
                    "lattice, blocks, random or pack");
    }
    std::vector<FillSpec>& fills = build.scene.stage_fills;
    stage.actions.emplace_back(model::AddParticles{fills.size()});
    fills.push_back(build_fill(build, keys, first_stage_fill + fills.size()));
}

void set_velocity(Build& build, const Value& keys, model::Stage& stage) {
    model::SetVelocity action;
    action.region = build_region(build, keys);
    action.add = keys.boolean_or("add", false);
    if (const Value* velocity = keys.find("velocity")) {
        action.velocity = velocity->vector;
    }
    if (const Value* spin = keys.find("spin")) {
        action.spin = spin->vector;
    }
    if (keys.complete && !action.velocity && !action.spin) {
        build.fault(keys, "sets nothing", "velocity, spin or both");
    }
    stage.actions.emplace_back(action);
}

void change_contact(Build& build, const Value& keys, model::Stage& stage) {
    build.stage_rules.push_back(contact_rule(build, keys));
    for (const auto& [a, b] : covered_pairs(build, build.stage_rules.back())) {
        build.pending.push_back({build.scene.plan.stages.size(), stage.actions.size(), build.stage_rules.size() - 1});
        stage.actions.emplace_back(model::SetContact{a, b, {}});
    }
}

void check_companions(const Build& build, const Value& entry) {
    const auto need = [&](const char* name, bool fits, const char* expected) {
        if (entry.has(name) && !fits) {
            build.fault(entry, fmt::format("\"{}\" does not belong to this action", name), expected);
        }
    };
    need("shape", entry.has("replace_wall"), "shape only beside replace_wall");
    need("motion", entry.has("set_motion"), "motion only beside set_motion");
    need("behaviour", entry.has("set_behaviour"), "behaviour only beside set_behaviour");
    need("whole", entry.has("remove_above") || entry.has("remove_below") || entry.has("remove_inside"),
         "whole only beside a removal");
}

void build_action(Build& build, const Value& entry, model::Stage& stage, Vec3d& gravity) {
    check_companions(build, entry);
    if (const Value* wall_keys = entry.find("add_wall")) {
        if (const auto wall = build_wall(build, *wall_keys, false)) {
            stage.actions.emplace_back(model::AddWall{*wall});
        }
    } else if (const Value* name = entry.find("remove_wall")) {
        if (KnownWall* wall = build.wall(*name)) {
            wall->present = false;
            stage.actions.emplace_back(model::RemoveWall{wall->name});
        }
    } else if (entry.find("replace_wall") != nullptr) {
        replace_wall(build, entry, stage);
    } else if (entry.find("set_motion") != nullptr) {
        set_motion(build, entry, stage);
    } else if (const Value* named = entry.find("set_behaviour")) {
        const Value* behaviour = entry.find("behaviour");
        if (behaviour == nullptr) {
            build.fault(*named, "comes without a behaviour", "behaviour = \"normal\", say, beside it");
        } else if (const KnownWall* wall = build.wall(*named)) {
            stage.actions.emplace_back(model::SetBehaviour{wall->name, wall_behaviour(behaviour->text)});
        }
    } else if (const Value* value = entry.find("gravity")) {
        gravity = value->vector;
        stage.actions.emplace_back(model::SetGravity{gravity});
    } else if (const Value* fill = entry.find("fill")) {
        add_particles(build, *fill, stage);
    } else if (const Value* contact = entry.find("contact")) {
        change_contact(build, *contact, stage);
    } else if (const Value* keys = entry.find("set_velocity")) {
        set_velocity(build, *keys, stage);
    } else if (entry.complete) {
        remove_particles(build, entry, stage);
    }
}

void read_settled(const Value& keys, model::StopRule& rule) {
    rule.settled = true;
    rule.settled_energy = keys.number_or("energy", rule.settled_energy);
    rule.settled_balance = keys.number_or("balance", rule.settled_balance);
    rule.settled_for = keys.number_or("for", rule.settled_for);
    if (keys.find("timeout") != nullptr) {
        rule.timeout = keys.number_or("timeout", 0);
    }
}

model::StopRule build_until(Build& build, const Value& until, const Vec3d& gravity) {
    model::StopRule rule;
    if (until.kind == Value::Kind::text) {
        rule.settled = true;
    } else {
        const auto optional_number = [&until](const char* name) {
            const Value* found = until.find(name);
            return found != nullptr ? std::optional(found->number) : std::nullopt;
        };
        const auto optional_count = [&until](const char* name) {
            const Value* found = until.find(name);
            return found != nullptr ? std::optional(found->integer) : std::nullopt;
        };
        rule.at_time = optional_number("time");
        rule.duration = optional_number("duration");
        rule.timeout = optional_number("timeout");
        rule.count_at_most = optional_count("count_at_most");
        rule.count_at_least = optional_count("count_at_least");
        rule.count_region = build_region(build, until);
        if (const Value* settled = until.find("settled")) {
            if (settled->kind == Value::Kind::boolean) {
                rule.settled = settled->boolean;
            } else {
                read_settled(*settled, rule);
            }
        }
        const bool counts = rule.count_at_most || rule.count_at_least;
        if (until.complete && !rule.at_time && !rule.duration && !rule.settled && !counts) {
            build.fault(until, "has no rule", "time, duration, settled, count_at_most or count_at_least");
        }
        if (until.complete && has_region(until) && !counts) {
            build.fault(until, "has a region but counts nothing", "count_at_most or count_at_least");
        }
    }
    const bool ends_anyway = rule.at_time || rule.duration || rule.timeout || rule.count_at_most || rule.count_at_least;
    if (rule.settled && !ends_anyway && norm(gravity) == 0) {
        build.fault(until, "waits for rest without gravity, which sets the scale of what counts as rest",
                    "gravity, or a timeout");
    }
    return rule;
}

}  // namespace

void build_stages(Build& build) {
    const Value* time = build.root.find("time");
    const Value* end = time != nullptr ? time->find("end") : nullptr;
    Vec3d gravity = build.scene.system.gravity;
    std::vector<std::pair<std::string, int>> names;
    for (const Value& entry : build.root.list("stages")) {
        model::Stage stage;
        if (const Value* name = entry.find("name")) {
            stage.name = name->text;
            check_name(build, *name);
            for (const auto& [other, line] : names) {
                if (other == stage.name) {
                    build.fault(*name, fmt::format("there is already a stage \"{}\", in line {}", stage.name, line),
                                "another name");
                }
            }
            names.emplace_back(stage.name, entry.where.line);
        }
        for (const Value& action : entry.list("do")) {
            build_action(build, action, stage, gravity);
        }
        if (const Value* until = entry.find("until")) {
            stage.until = build_until(build, *until, gravity);
        }
        build.scene.plan.stages.push_back(stage);
    }
    if (build.scene.plan.stages.empty() && end != nullptr) {
        model::Stage stage;
        stage.name = "run";
        stage.until.at_time = end->number;
        build.scene.plan.stages.push_back(stage);
    } else if (end != nullptr) {
        build.fault(*end, "is given together with [[stages]]", "one of the two: the last stage ends the run");
    } else if (build.scene.plan.stages.empty() && !build.root.has("stages") && time != nullptr && time->complete) {
        build.fault(build.root, "nothing says when the run ends", "end in [time], or [[stages]]");
    }
}

}  // namespace talus::scene
