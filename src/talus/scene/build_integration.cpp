// How the motion of soft grains is carried forward, and which engine that takes.
#include <algorithm>
#include <variant>

#include "talus/laws/registry.h"
#include "talus/scene/build.h"

namespace talus::scene {

const KnownWall* Build::find_wall(const std::string& name) const {
    const auto found =
        std::find_if(walls.begin(), walls.end(), [&](const KnownWall& wall) { return wall.name == name; });
    return found != walls.end() ? &*found : nullptr;
}

void build_integration(Build& build) {
    const Value* keys = build.root.find("integration");
    if (keys == nullptr) {
        return;
    }
    model::IntegrationRules& rules = build.scene.system.integration;
    const std::string method = keys->text_or("method", "leapfrog");
    rules.method = method == "midpoint" ? model::Method::midpoint
                   : method == "rkf45"  ? model::Method::rkf45
                   : method == "rk23"   ? model::Method::rk23
                                        : model::Method::leapfrog;
    if (rules.method != model::Method::leapfrog && !build.engine().empty() && build.engine() != "soft") {
        build.fault(keys->at("method"), "is for soft contacts; impacts have no forces to integrate",
                    "engine = \"soft\"");
    }
    for (const char* key : {"tolerance", "shortest", "successive"}) {
        if (keys->has(key) && !rules.adaptive()) {
            build.fault(keys->at(key), "is for methods that choose their steps", "method = \"rkf45\" or \"rk23\"");
        }
    }
    rules.tolerance = keys->number_or("tolerance", rules.tolerance);
    rules.shortest = keys->number_or("shortest", rules.shortest);
    rules.successive = keys->boolean_or("successive", true);
}

void check_general_engine(Build& build) {
    Scene& scene = build.scene;
    if (scene.engine != "soft") {
        return;
    }
    // What stages bring must find the engine that can take it.
    bool& general = scene.system.integration.general;
    for (const FillSpec& fill : scene.stage_fills) {
        general = general || !fill.shapes.empty();
    }
    const KnownWall* sticky = nullptr;
    for (const model::Stage& stage : scene.plan.stages) {
        for (const model::Action& action : stage.actions) {
            if (const auto* contact = std::get_if<model::SetContact>(&action)) {
                general = general || !laws::registry()[static_cast<std::size_t>(contact->law.law)].packed;
            }
            if (const auto* change = std::get_if<model::SetBehaviour>(&action);
                change != nullptr && change->behaviour == model::WallBehaviour::sticky) {
                sticky = build.find_wall(change->wall);
            }
        }
    }
    for (const model::Wall& wall : scene.system.walls) {
        sticky = wall.behaviour == model::WallBehaviour::sticky ? build.find_wall(wall.name) : sticky;
    }
    if (sticky != nullptr && scene.system.needs_general_engine()) {
        build.diagnostics.error(
            sticky->where, "behaviour",
            "a sticky wall holds plain spheres under the leapfrog and the laws hooke and hertz alone",
            "another behaviour, or none of grains of many spheres, other laws and integrators");
    }
}

}  // namespace talus::scene
