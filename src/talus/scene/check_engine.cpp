// Which engine a run needs, and what the engines for grains of any shape cannot do.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "talus/laws/registry.h"
#include "talus/scene/build.h"

namespace talus::scene {

namespace {

bool has_shapes(const std::vector<FillSpec>& fills) {
    return std::any_of(fills.begin(), fills.end(), [](const FillSpec& fill) { return !fill.shapes.empty(); });
}

bool is_packed(const model::PairLaw& pair) {
    return pair.law < 0 || laws::registry()[static_cast<std::size_t>(pair.law)].packed;
}

/// Whether every contact of the run, from the start and by its stages, has a law that the packed engine knows.
bool all_packed(const Scene& scene) {
    const auto& start = scene.system.materials.pair_law;
    return std::all_of(start.begin(), start.end(), is_packed) &&
           std::all_of(scene.plan.stages.begin(), scene.plan.stages.end(), [](const model::Stage& stage) {
               return std::all_of(stage.actions.begin(), stage.actions.end(), [](const model::Action& action) {
                   const auto* contact = std::get_if<model::SetContact>(&action);
                   return contact == nullptr || is_packed(contact->law);
               });
           });
}

/// Names of the walls that are sticky at some time of the run.
std::set<std::string> sticky_walls(const Scene& scene) {
    std::set<std::string> out;
    const auto see = [&](const std::string& name, model::WallBehaviour behaviour) {
        if (behaviour == model::WallBehaviour::sticky) {
            out.insert(name);
        }
    };
    for (const model::Wall& wall : scene.system.walls) {
        see(wall.name, wall.behaviour);
    }
    for (const model::Stage& stage : scene.plan.stages) {
        for (const model::Action& action : stage.actions) {
            if (const auto* added = std::get_if<model::AddWall>(&action)) {
                see(added->wall.name, added->wall.behaviour);
            } else if (const auto* change = std::get_if<model::SetBehaviour>(&action)) {
                see(change->wall, change->behaviour);
            }
        }
    }
    return out;
}

/// Walls that forces move are known to the soft engines, whose steps are explicit.
void check_drives(Build& build) {
    const bool soft = build.scene.engine == "soft";
    if (soft && build.scene.system.integration.method != model::Method::implicit) {
        return;
    }
    for (const KnownWall& wall : build.walls) {
        if (wall.driven) {
            build.diagnostics.error(
                wall.where, "motion",
                fmt::format("\"{}\" is moved by forces at some time, which {} cannot do", wall.name,
                            soft ? "the implicit method" : fmt::format("engine = \"{}\"", build.scene.engine)),
                soft ? "method = \"leapfrog\", \"midpoint\", \"rkf45\" or \"rk23\"" : "engine = \"soft\"");
        }
    }
}

}  // namespace

void check_engine(Build& build) {
    check_drives(build);
    Scene& scene = build.scene;
    model::System& system = scene.system;
    const bool soft = scene.engine == "soft";
    const bool shaped = has_shapes(build.fills) || has_shapes(scene.stage_fills);
    system.general =
        shaped ||
        (soft && (system.integration.method != model::Method::leapfrog || !all_packed(scene) || system.fields.any()));
    if (!system.general) {
        return;
    }
    if (scene.engine == "stepped" && system.step_rules.after_overlap) {
        build.fault(build.root.at("stepping").at("collide"), "is for spheres; there are grains of several",
                    "collide = \"ahead\"");
    }
    if (scene.engine == "hard" && system.flight_rules.ballistic) {
        build.fault(build.root.at("flight"), "is for spheres; there are grains of several", "flight = \"drift\"");
    }
    const std::set<std::string> sticky = sticky_walls(scene);
    for (const KnownWall& wall : build.walls) {
        if (sticky.contains(wall.name)) {
            build.diagnostics.error(
                wall.where, "behaviour",
                fmt::format("\"{}\" is sticky at some time, which holds plain spheres alone{}", wall.name,
                            soft ? ", under the leapfrog and the laws hooke and hertz, without fields" : ""),
                "behaviour = \"normal\" or \"absorbing\"");
        }
    }
}

}  // namespace talus::scene
