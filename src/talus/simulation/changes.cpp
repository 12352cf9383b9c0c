#include "talus/simulation/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/laws/friction.h"
#include "talus/model/motion.h"
#include "talus/server/message.h"

namespace talus::simulation {

namespace {

using math::Vec3d;
using server::to_json;

[[noreturn]] void refuse(const std::string& why) {
    throw base::InputError("a change " + why);
}

double number(const Json& json, const char* what) {
    // Beyond these no engine could go on; NaN fails as well.
    if (!json.is_number() || !(std::abs(json.get<double>()) <= 1e9)) {
        refuse(fmt::format("has no usable number for {}", what));
    }
    return json.get<double>();
}

Vec3d vector(const Json& json, const char* what) {
    if (!json.is_array() || json.size() != 3) {
        refuse(fmt::format("needs three numbers for {}", what));
    }
    return {number(json[0], what), number(json[1], what), number(json[2], what)};
}

const model::Wall* present_wall(const model::System& system, const std::string& name) {
    const auto found = std::find_if(system.walls.begin(), system.walls.end(),
                                    [&](const model::Wall& wall) { return wall.present && wall.name == name; });
    return found == system.walls.end() ? nullptr : &*found;
}

std::int32_t material_index(const model::System& system, const Json& name) {
    const auto& list = system.materials.list;
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& m) { return name == m.name; });
    if (found == list.end()) {
        refuse(fmt::format("names the material {}, which there is not", name.dump()));
    }
    return static_cast<std::int32_t>(found - list.begin());
}

model::Action gravity_action(const Json& what, const model::System& system) {
    const Vec3d gravity = vector(what.at("gravity"), "gravity");
    if (system.domain.planar() && gravity.z != 0) {
        refuse("of gravity leads out of the plane");
    }
    return model::SetGravity{gravity};
}

/// The line that a wall turns about now: that of its first spin, carried along by its translations; else its own axis.
model::Spin axis_of(const model::Wall& wall, const model::System& system) {
    model::Spin spin;
    if (wall.motion.spins.empty()) {
        spin.axis = system.domain.planar() ? Vec3d{0, 0, 1} : wall.pose.rotation * Vec3d{0, 0, 1};
        spin.through = wall.pose.position;
        return spin;
    }
    spin = wall.motion.spins.front();
    const double now = system.clock.time();
    spin.through += model::displacement_at(wall.motion, now) - model::displacement_at(wall.motion, spin.start);
    return spin;
}

model::Action wall_action(const Json& what, const model::System& system) {
    const std::string name = what.at("wall").is_string() ? what.at("wall").get<std::string>() : "";
    const model::Wall* wall = present_wall(system, name);
    if (wall == nullptr) {
        refuse(fmt::format("names the wall \"{}\", which is not there", name));
    }
    model::SetMotion action{name, {}, {}};
    const Vec3d velocity = vector(what.value("velocity", Json({0, 0, 0})), "the velocity of a wall");
    if (system.domain.planar() && velocity.z != 0) {
        refuse("of a wall's velocity leads out of the plane");
    }
    if (velocity != Vec3d{}) {
        action.motion.translations.push_back({velocity, 0});
    }
    const double rate = number(what.value("spin", Json(0)), "the spin of a wall");
    if (rate != 0) {
        model::Spin spin = axis_of(*wall, system);
        spin.rate = rate;
        spin.start = 0;
        action.motion.spins.push_back(spin);
        action.own_axes.emplace_back();
    }
    return action;
}

model::Action friction_action(const Json& what, const model::System& system) {
    const Json& between = what.at("between");
    if (!between.is_array() || between.size() != 2) {
        refuse("of friction names two materials");
    }
    const double friction = number(what.at("friction"), "friction");
    if (friction < 0) {
        refuse("of friction may not make it negative");
    }
    model::SetContact action{material_index(system, between[0]), material_index(system, between[1]), {}};
    action.law = system.materials.between(action.material_a, action.material_b);
    action.law.parameters = laws::with_friction(action.law.law, action.law.parameters, friction);
    action.law.impact.friction = friction;
    return action;
}

}  // namespace

model::Action change_action(const Json& what, const model::System& system) {
    if (what.is_object() && what.contains("gravity")) {
        return gravity_action(what, system);
    }
    if (what.is_object() && what.contains("wall")) {
        return wall_action(what, system);
    }
    if (what.is_object() && what.contains("between") && what.contains("friction")) {
        return friction_action(what, system);
    }
    refuse("is of gravity, of a wall's motion or of friction");
}

std::string change_text(const Json& what) {
    if (what.contains("gravity")) {
        return fmt::format("gravity set to {} m/s2", what.at("gravity").dump());
    }
    if (what.contains("wall")) {
        return fmt::format("wall {} set to move at {} m/s and turn at {} rad/s", what.at("wall").dump(),
                           what.value("velocity", Json({0, 0, 0})).dump(), what.value("spin", Json(0)).dump());
    }
    return fmt::format("friction between {} and {} set to {}", what.at("between").at(0).dump(),
                       what.at("between").at(1).dump(), what.at("friction").dump());
}

Json changeable(const model::System& system) {
    Json out = {{"gravity", to_json(system.gravity)}, {"walls", Json::array()}, {"contacts", Json::array()}};
    constexpr std::size_t most_walls = 64;  // nobody picks one of the triangles of a mesh from a list
    for (const model::Wall& wall : system.walls) {
        if (!wall.present || out["walls"].size() >= most_walls) {
            continue;
        }
        Vec3d velocity;
        for (const model::Translation& translation : wall.motion.translations) {
            velocity += translation.velocity;
        }
        const double rate = wall.motion.spins.empty() ? 0.0 : wall.motion.spins.front().rate;
        out["walls"].push_back({{"name", wall.name}, {"velocity", to_json(velocity)}, {"spin", rate}});
    }
    const auto count = static_cast<std::int32_t>(system.materials.size());
    for (std::int32_t a = 0; a < count; ++a) {
        for (std::int32_t b = a; b < count; ++b) {
            const model::PairLaw& law = system.materials.between(a, b);
            const std::optional<double> soft = laws::friction_of(law.law, law.parameters);
            const double friction = soft.value_or(law.impact.friction);
            if (std::isfinite(friction)) {
                const auto name = [&](std::int32_t m) {
                    return system.materials.list[static_cast<std::size_t>(m)].name;
                };
                out["contacts"].push_back({{"between", {name(a), name(b)}}, {"friction", friction}});
            }
        }
    }
    return out;
}

}  // namespace talus::simulation
