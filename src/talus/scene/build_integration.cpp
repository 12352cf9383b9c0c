// How the motion of soft grains is carried forward.
#include "talus/scene/build.h"

namespace talus::scene {

void build_integration(Build& build) {
    const Value* keys = build.root.find("integration");
    if (keys == nullptr) {
        return;
    }
    model::IntegrationRules& rules = build.scene.system.integration;
    const std::string method = keys->text_or("method", "leapfrog");
    rules.method = method == "midpoint"   ? model::Method::midpoint
                   : method == "rkf45"    ? model::Method::rkf45
                   : method == "rk23"     ? model::Method::rk23
                   : method == "implicit" ? model::Method::implicit
                                          : model::Method::leapfrog;
    if (rules.method != model::Method::leapfrog && !build.engine().empty() && build.engine() != "soft") {
        build.fault(keys->at("method"), "is for soft contacts; impacts have no forces to integrate",
                    "engine = \"soft\"");
    }
#ifndef TALUS_HAS_ARKODE
    if (rules.method == model::Method::implicit) {
        build.fault(keys->at("method"), "\"implicit\" needs SUNDIALS, which Talus was built without",
                    "libsundials-dev installed and Talus built again, or another method");
    }
#endif
    if (rules.method == model::Method::implicit && keys->has("successive")) {
        build.fault(keys->at("successive"), "is for explicit methods", "method = \"rkf45\" or \"rk23\"");
    }
    for (const char* key : {"tolerance", "shortest", "successive"}) {
        if (keys->has(key) && !rules.adaptive()) {
            build.fault(keys->at(key), "is for methods that choose their steps", "method = \"rkf45\" or \"rk23\"");
        }
    }
    rules.tolerance = keys->number_or("tolerance", rules.tolerance);
    rules.shortest = keys->number_or("shortest", rules.shortest);
    rules.successive = rules.method != model::Method::implicit && keys->boolean_or("successive", true);
}

}  // namespace talus::scene
