// Steps of hard grains: how long a drift may be, how often ballistic flights are looked at, and which impacts are slow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/scene/build.h"
#include "talus/scene/fill_grains.h"

namespace talus::scene {

namespace {

/// Looks at ballistic flights within a run. They are where stages end and rows are written; how often something is
/// written must not change the path, so they follow from the plan alone.
constexpr double looks_per_run = 10000;
/// The same where nothing says when the run ends: a part of the fall through the smallest radius, or this time.
constexpr double part_of_fall_per_look = 0.1;
constexpr double look_without_scale = 1e-3;  // s
/// A drift may last this part of the fall through the smallest radius: it is then off by 1e-4 of a radius.
constexpr double part_of_fall = 0.01;
/// Impacts slower than this part of the speed of a fall through the mean radius are elastic, if nothing is said.
constexpr double slow_part = 0.02;
constexpr double least_rebound_part = 0.1;

/// m/s2, the strongest at any time of the run.
double strongest_gravity(const Scene& scene) {
    double out = norm(scene.system.gravity);
    for (const model::Stage& stage : scene.plan.stages) {
        for (const model::Action& action : stage.actions) {
            if (const auto* change = std::get_if<model::SetGravity>(&action)) {
                out = std::max(out, norm(change->gravity));
            }
        }
    }
    return out;
}

/// Whether no impact of these takes energy, whatever its direction.
bool all_elastic(const std::vector<ContactRule>& rules) {
    return std::all_of(rules.begin(), rules.end(), [](const ContactRule& rule) {
        const laws::ImpactParams& impact = rule.impact;
        const bool reverses = impact.tangential == -1 && std::isinf(impact.friction);
        return impact.restitution == 1 && (impact.is_smooth() || reverses);
    });
}

/// The remedy against inelastic collapse.
void choose_slow_impacts(Build& build, double fall_speed) {
    const Value* impacts = build.root.find("impacts");
    const Value* given = impacts != nullptr ? impacts->find("elastic_below") : nullptr;
    const bool automatic = given == nullptr || given->kind == Value::Kind::text;
    const bool elastic = all_elastic(build.rules) && all_elastic(build.stage_rules);
    model::FlightRules& rules = build.scene.system.flight_rules;
    rules.elastic_below = !automatic ? given->number : elastic ? 0.0 : slow_part * fall_speed;
    rules.least_rebound = least_rebound_part * rules.elastic_below;
}

double look_interval(const model::Plan& plan, double fall_time) {
    const double end = model::planned_end(plan).value_or(0);
    if (end > 0) {
        return end / looks_per_run;
    }
    return std::isfinite(fall_time) ? part_of_fall_per_look * fall_time : look_without_scale;
}

/// Rows and frames are written at looks.
void warn_of_few_looks(const Build& build) {
    const Value& output = build.root.at("output");
    const double step = build.scene.system.clock.step;
    for (const char* key : {"series", "frames"}) {
        const double interval = output.number_or(key, 0);
        if (interval > 0 && interval < step) {
            build.diagnostics.warning(
                output.at(key).where, output.at(key).key,
                fmt::format("{:.4g} s is less than the {:.4g} s between two looks at the flights; "
                            "time.step says how often",
                            interval, step));
        }
    }
}

}  // namespace

void choose_hard_step(Build& build) {
    Scene& scene = build.scene;
    const model::Bodies& bodies = scene.system.bodies;
    const ContactScales scales(scene.system.grains);
    double smallest = std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double r = scales.of(i).radius * bodies.radius[i];  // of the smallest sphere of a grain
        smallest = std::min(smallest, r);
        sum += r;
    }
    const double g = strongest_gravity(scene);
    const double mean = sum / static_cast<double>(std::max<std::size_t>(1, bodies.size()));
    choose_slow_impacts(build, std::sqrt(2 * g * mean));
    const bool ballistic = scene.system.flight_rules.ballistic;
    const double fall_time = g > 0 ? std::sqrt(2 * smallest / g) : std::numeric_limits<double>::infinity();
    const bool kicks = !ballistic && std::isfinite(fall_time);
    scene.suggested_step = kicks ? part_of_fall * fall_time : look_interval(scene.plan, fall_time);
    scene.stable_step = std::numeric_limits<double>::infinity();
    const Value& time = build.root.at("time");
    const Value& step = time.at("step");
    scene.automatic_step = step.kind == Value::Kind::text;
    scene.system.clock.step = scene.automatic_step ? time.number_or("safety", 1) * scene.suggested_step : step.number;
    if (kicks && scene.system.clock.step > scene.suggested_step * (1 + 1e-9)) {
        const Value& cause = scene.automatic_step ? time.at("safety") : step;
        build.diagnostics.warning(cause.where, cause.key,
                                  fmt::format("a drift of {:.4g} s is longer than the advised {:.4g} s, a hundredth of "
                                              "the fall through the smallest radius",
                                              scene.system.clock.step, scene.suggested_step));
    }
    if (ballistic) {
        warn_of_few_looks(build);
    }
}

}  // namespace talus::scene
