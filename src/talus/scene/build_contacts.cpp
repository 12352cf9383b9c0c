// Contacts: rules between materials, and which pairs need one.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "talus/model/solid.h"
#include "talus/scene/build.h"
#include "talus/scene/fill_grains.h"

namespace talus::scene {

namespace {

/// `*` stands for any run of characters.
bool matches(std::string_view pattern, std::string_view name) {
    if (pattern.empty()) {
        return name.empty();
    }
    if (pattern[0] == '*') {
        return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
    }
    return !name.empty() && pattern[0] == name[0] && matches(pattern.substr(1), name.substr(1));
}

bool covers(const ContactRule& rule, const std::string& a, const std::string& b) {
    return (matches(rule.pattern_a, a) && matches(rule.pattern_b, b)) ||
           (matches(rule.pattern_a, b) && matches(rule.pattern_b, a));
}

void check_pattern(const Build& build, const Value& pattern) {
    const auto& list = build.scene.system.materials.list;
    if (pattern.text.find('*') == std::string::npos) {
        build.material(pattern);
    } else if (std::none_of(list.begin(), list.end(),
                            [&](const model::Material& m) { return matches(pattern.text, m.name); })) {
        build.fault(pattern, fmt::format("\"{}\" fits no material", pattern.text), "part of a material's name and *");
    }
}

/// The member behind a registry key, "friction.static".
const Value* parameter_value(const Value& entry, const std::string& key) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) {
        return entry.find(key);
    }
    const Value* group = entry.find(key.substr(0, dot));
    return group != nullptr ? group->find(key.substr(dot + 1)) : nullptr;
}

void report(const Build& build, const ContactRule& rule, const std::vector<laws::ParameterFault>& faults) {
    for (const laws::ParameterFault& fault : faults) {
        const Value* value = parameter_value(rule.entry, fault.key);
        build.diagnostics.error((value != nullptr ? *value : rule.entry).where, rule.entry.key + "." + fault.key,
                                fault.message, fault.expected);
    }
}

GrainScales scales(const Build& build, const ContactRule& rule) {
    const model::System& system = build.scene.system;
    const auto concerned = [&](std::int32_t index) {
        const std::string& name = system.materials.list[static_cast<std::size_t>(index)].name;
        return matches(rule.pattern_a, name) || matches(rule.pattern_b, name);
    };
    const ContactScales contact_scales(system.grains);
    GrainScales out;
    double count = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if (!concerned(system.bodies.material[i])) {
            continue;
        }
        const double mass = system.bodies.mass[i];
        const double radius = system.bodies.radius[i];
        const double density = mass / model::solid_volume(system.domain.dimensions, radius);
        out.largest_mass = std::max(out.largest_mass, mass);
        out.largest_density = std::max(out.largest_density, density);
        out.largest_radius = std::max(out.largest_radius, radius);
        const double ball = contact_scales.of(i).radius * radius;
        out.smallest_radius = count == 0 ? ball : std::min(out.smallest_radius, ball);
        out.mean_mass += mass;
        out.mean_radius += radius;
        count += 1;
    }
    // A disc bears what stands on its diameter, 1 m thick.
    out.bearing_width = system.domain.planar() ? 2 : out.largest_radius;
    if (count > 0) {
        out.mean_mass /= count;
        out.mean_radius /= count;
    }
    return out;
}

/// Gives the rule its parameters, helpers and multiples worked out.
void resolve(const Build& build, ContactRule& rule, bool with_grains) {
    if (rule.law < 0) {
        return;
    }
    const laws::LawInfo& law = laws::registry()[static_cast<std::size_t>(rule.law)];
    laws::ParameterValues values = rule.values;
    if (!rule.helped.empty()) {
        if (!with_grains) {
            return;
        }
        const double stiffness = solve_stiffness(law, rule.helped, rule.values, rule.multiples, rule.helper,
                                                 scales(build, rule), norm(build.scene.system.gravity));
        if (!(stiffness > 0)) {
            const Value* value = parameter_value(rule.entry, rule.helped);
            build.fault(*value, "cannot be worked out from this",
                        "grains of these materials in the scene and, for depth, gravity");
            return;
        }
        values[rule.helped] = stiffness;
    }
    for (const auto& [key, multiple] : rule.multiples) {
        values[key] = multiple * values.find(rule.multiple_of)->second;
    }
    std::vector<laws::ParameterFault> faults;
    rule.parameters = law.derive(values, faults);
    report(build, rule, faults);
}

}  // namespace

std::vector<std::pair<std::int32_t, std::int32_t>> covered_pairs(const Build& build, const ContactRule& rule) {
    const auto& list = build.scene.system.materials.list;
    std::vector<std::pair<std::int32_t, std::int32_t>> out;
    for (std::size_t a = 0; a < list.size(); ++a) {
        for (std::size_t b = a; b < list.size(); ++b) {
            if (covers(rule, list[a].name, list[b].name)) {
                out.emplace_back(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
            }
        }
    }
    return out;
}

/// Parts of a force law that no instant of impact can have. Grains that cling are another material; without friction
/// against rolling they only roll on.
void refuse_lasting_parts(const Build& build, const ContactRule& rule) {
    const auto has = [&](const char* part) {
        const auto it = rule.values.find(part);
        return it != rule.values.end() && it->second > 0;
    };
    for (const char* part : {"cohesion.force", "cohesion.surface_tension", "work_of_adhesion"}) {
        if (has(part)) {
            build.fault(*parameter_value(rule.entry, part), "needs contacts that last; those of hard grains do not",
                        "engine = \"soft\", or an entry without it");
        }
    }
    for (const char* part : {"rolling.stiffness", "friction.rolling", "friction.twisting"}) {
        if (has(part)) {
            const Value& value = *parameter_value(rule.entry, part);
            build.diagnostics.warning(value.where, value.key,
                                      "is left out: it needs contacts that last, those of hard grains do not "
                                      "(engine = \"soft\" has it)");
        }
    }
}

/// The impact rule of an entry: its own, or what a force law says of restitution and friction.
void take_impact(const Build& build, ContactRule& rule) {
    const Value& entry = rule.entry;
    if (entry.text_or("law", "") == "impact") {
        rule.impact = {entry.number_or("restitution", 1),
                       entry.number_or("tangential_restitution", entry.has("friction") ? 0 : 1),
                       entry.number_or("friction", rule.impact.friction)};
        if (build.engine() == "soft") {
            build.fault(entry.at("law"), "\"impact\" is for hard grains; soft ones need a law of forces",
                        "another law, or engine = \"hard\" or \"stepped\"");
        }
        return;
    }
    const auto value = [&](const char* key) {
        const auto it = rule.values.find(key);
        return it != rule.values.end() ? std::optional<double>(it->second) : std::nullopt;
    };
    if ((build.engine() == "hard" || build.engine() == "stepped") && !value("restitution")) {
        const auto& parameters = laws::registry()[static_cast<std::size_t>(rule.law)].parameters;
        if (value("cn")) {
            build.fault(entry.at("cn"), "is damping of a force; hard grains have none",
                        "restitution, a number from 0 to 1, in its place");
        } else if (std::none_of(parameters.begin(), parameters.end(),
                                [](const laws::ParameterInfo& p) { return p.key == "restitution"; })) {
            build.fault(entry.at("law"), "has no restitution; hard grains need one",
                        "\"impact\", another law, or engine = \"soft\"");
        }
    }
    if (build.engine() == "hard" || build.engine() == "stepped") {
        refuse_lasting_parts(build, rule);
    }
    const double friction = value("friction.static").value_or(0);
    const double tangential = value("tangential_restitution").value_or(friction > 0 ? 0 : 1);
    rule.impact = {value("restitution").value_or(1), tangential, friction};
}

ContactRule contact_rule(const Build& build, const Value& entry) {
    ContactRule rule;
    rule.entry = entry;
    const std::vector<Value>& between = entry.list("between");
    if (between.size() == 2) {
        rule.pattern_a = between[0].text;
        rule.pattern_b = between[1].text;
        check_pattern(build, between[0]);
        check_pattern(build, between[1]);
    }
    if (!entry.complete) {
        return rule;
    }
    rule.law = laws::find_law(entry.text_or("law", ""));
    if (rule.law < 0) {
        take_impact(build, rule);
        return rule;
    }
    const laws::LawInfo& law = laws::registry()[static_cast<std::size_t>(rule.law)];
    if (build.planar()) {
        rule.values[std::string(laws::dimensions_value)] = 2;
    }
    for (const laws::ParameterInfo& parameter : law.parameters) {
        const Value* value = parameter_value(entry, parameter.key);
        if (value == nullptr && parameter.default_value) {
            rule.values[parameter.key] = *parameter.default_value;  // its sub-table was left out
        } else if (value != nullptr && value->kind == Value::Kind::number) {
            rule.values[parameter.key] = value->number;
        } else if (value != nullptr && value->kind == Value::Kind::relative) {
            rule.multiples[parameter.key] = value->number;
            rule.multiple_of = value->text;
        } else if (value != nullptr && value->kind == Value::Kind::table) {
            rule.helped = parameter.key;
            rule.helper = {value->number_or("max_speed", 0), value->number_or("depth", 0),
                           value->number_or("sound_speed", 0), value->number_or("overlap", 0.01)};
        }
    }
    take_impact(build, rule);
    rule.law = laws::form_of(rule.law, rule.values);
    if (!rule.multiples.empty() && rule.helped != rule.multiple_of && !rule.values.contains(rule.multiple_of)) {
        build.fault(*parameter_value(entry, rule.multiples.begin()->first),
                    fmt::format("is a multiple of {}, which is not given", rule.multiple_of));
        rule.law = -1;
    } else {
        resolve(build, rule, false);
    }
    return rule;
}

void build_contacts(Build& build) {
    for (const Value& entry : build.root.list("contacts")) {
        build.rules.push_back(contact_rule(build, entry));
    }
}

void resolve_contacts(Build& build) {
    model::Materials& materials = build.scene.system.materials;
    for (ContactRule& rule : build.rules) {
        resolve(build, rule, true);
        for (const auto& [a, b] : covered_pairs(build, rule)) {
            materials.set(a, b, {rule.law, rule.parameters, rule.impact});
        }
    }
    for (const PendingContact& place : build.pending) {
        ContactRule& rule = build.stage_rules[place.rule];
        resolve(build, rule, true);
        auto& action = build.scene.plan.stages[place.stage].actions[place.action];
        std::get<model::SetContact>(action).law = {rule.law, rule.parameters, rule.impact};
    }
}

void check_pairs(const Build& build) {
    const auto sound = [](const std::vector<ContactRule>& rules) {
        return std::all_of(rules.begin(), rules.end(), [](const ContactRule& r) { return r.entry.complete; });
    };
    if (!sound(build.rules) || !sound(build.stage_rules)) {
        return;  // the entry at fault may be the one that is missed
    }
    const auto& list = build.scene.system.materials.list;
    std::set<std::pair<std::int32_t, std::int32_t>> seen;
    const auto need = [&](std::int32_t a, std::int32_t b, const base::Location& where, bool later) {
        if (a < 0 || b < 0 || !seen.insert({std::min(a, b), std::max(a, b)}).second) {
            return;
        }
        const std::string& name_a = list[static_cast<std::size_t>(a)].name;
        const std::string& name_b = list[static_cast<std::size_t>(b)].name;
        const auto covered = [&](const std::vector<ContactRule>& rules) {
            return std::any_of(rules.begin(), rules.end(),
                               [&](const ContactRule& r) { return covers(r, name_a, name_b); });
        };
        if (!covered(build.rules) && !(later && covered(build.stage_rules))) {
            build.diagnostics.error(where, "contacts",
                                    fmt::format("no entry says how \"{}\" and \"{}\" touch", name_a, name_b),
                                    fmt::format("a [[contacts]] with between = [\"{}\", \"{}\"]", name_a, name_b));
        }
    };
    std::vector<std::pair<std::int32_t, base::Location>> grains;
    for (const std::vector<FillSpec>* fills : {&build.fills, &std::as_const(build.scene.stage_fills)}) {
        for (const FillSpec& fill : *fills) {
            for (const std::int32_t material : fill.materials) {
                grains.emplace_back(material, fill.where);
            }
        }
    }
    for (const auto& [a, ignored] : grains) {
        for (const auto& [b, where] : grains) {
            need(a, b, where, false);
        }
        for (const bool later : {false, true}) {  // what must hold from the start first
            for (const KnownWall& wall : build.walls) {
                if (wall.from_start != later) {
                    need(a, wall.material, wall.material_where, later);
                }
            }
        }
    }
}

}  // namespace talus::scene
