// What the stepped engine cannot do with grains of several spheres.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

bool has_shapes(const std::vector<FillSpec>& fills) {
    return std::any_of(fills.begin(), fills.end(), [](const FillSpec& fill) { return !fill.shapes.empty(); });
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

}  // namespace

void check_shaped_grains(const Build& build) {
    const Scene& scene = build.scene;
    if (scene.engine != "stepped" || !(has_shapes(build.fills) || has_shapes(scene.stage_fills))) {
        return;
    }
    if (scene.system.step_rules.after_overlap) {
        build.fault(build.root.at("stepping").at("collide"), "is for spheres; there are grains of several",
                    "collide = \"ahead\"");
    }
    const std::set<std::string> sticky = sticky_walls(scene);
    for (const KnownWall& wall : build.walls) {
        if (sticky.contains(wall.name)) {
            build.diagnostics.error(
                wall.where, "walls",
                fmt::format("\"{}\" is sticky at some time, which time-stepped grains of several spheres cannot "
                            "be held by",
                            wall.name),
                "behaviour = \"normal\" or \"absorbing\"");
        }
    }
}

}  // namespace talus::scene
