// The step of time-stepped hard grains: a small part of a radius at the speeds to be expected, and of the fall through
// one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/scene/build.h"
#include "talus/scene/fill_grains.h"

namespace talus::scene {

namespace {

/// A grain looks larger by what it moves in a step against its neighbour (AHS, "Method"): a hundredth of a radius at
/// the reference speed.
constexpr double part_of_radius = 0.01;
/// A grain at rest under gravity falls by (step / fall time)^2 radii between two impacts.
constexpr double part_of_fall = 0.01;
/// Beyond this many radii in one step grains pass through one another.
constexpr double longest_way = 1;

/// A column of that many layers passes its weight on by impacts, one layer a sweep: meanwhile it gives way by
/// layers^4 g h^2 / sweeps^2 (docs/stepped.md). A tenth of a radius is safe, beyond a whole one it is worth a word.
constexpr double safe_way = 0.1;
constexpr double long_way = 1;

/// How many mean diameters high grains stand at the start.
double layers(const model::System& system) {
    const model::Bodies& bodies = system.bodies;
    const double g = norm(system.gravity);
    if (!(g > 0) || bodies.size() == 0) {
        return 0;
    }
    const math::Vec3d up = system.gravity / -g;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double height = dot(bodies.position[i], up);
        low = std::min(low, height - bodies.radius[i]);
        high = std::max(high, height + bodies.radius[i]);
        sum += bodies.radius[i];
    }
    return (high - low) / (2 * sum / static_cast<double>(bodies.size()));
}

/// m, the farthest that any grain reaches from an axis.
double reach_from(const model::Bodies& bodies, const math::Vec3d& through, const math::Vec3d& axis) {
    double out = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        out = std::max(out, norm(cross(bodies.position[i] - through, axis)) + bodies.radius[i]);
    }
    return out;
}

/// m/s, the fastest any wall moves where there are grains at the start.
double fastest_wall(const model::System& system) {
    double out = 0;
    for (const model::Wall& wall : system.walls) {
        for (const model::Translation& t : wall.motion.translations) {
            out = std::max(out, norm(t.velocity));
        }
        for (const model::Oscillation& o : wall.motion.oscillations) {
            out = std::max(out, norm(o.amplitude) * std::abs(o.omega));
        }
        for (const model::Spin& s : wall.motion.spins) {
            out = std::max(out, std::abs(s.rate) * reach_from(system.bodies, s.through, s.axis));
        }
        const std::vector<model::Keyframe>& frames = wall.motion.keyframes;
        for (std::size_t k = 1; k < frames.size(); ++k) {
            const double span = frames[k].time - frames[k - 1].time;
            const math::Vec3d turn = frames[k].rotation - frames[k - 1].rotation;
            const double angle = norm(turn);
            const double turning =
                angle > 0 ? angle * reach_from(system.bodies, wall.base.position, turn / angle) : 0.0;
            out = std::max(out, (norm(frames[k].displacement - frames[k - 1].displacement) + turning) / span);
        }
    }
    return out;
}

}  // namespace

void choose_stepped_step(Build& build) {
    Scene& scene = build.scene;
    const model::Bodies& bodies = scene.system.bodies;
    const ContactScales scales(scene.system.grains);
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        smallest = std::min(smallest, scales.of(i).radius * bodies.radius[i]);
    }
    const Value& time = build.root.at("time");
    const double wall = fastest_wall(scene.system);
    scene.reference_speed = time.number_or("reference_speed", std::max(default_speed(scene.system), wall));
    const double g = norm(scene.system.gravity);
    const double fall = g > 0 ? std::sqrt(2 * smallest / g) : std::numeric_limits<double>::infinity();
    scene.suggested_step = std::min(part_of_radius * smallest / scene.reference_speed, part_of_fall * fall);
    scene.stable_step = longest_way * smallest / scene.reference_speed;
    const Value& step = time.at("step");
    scene.automatic_step = step.kind == Value::Kind::text;
    if (scene.automatic_step && bodies.size() == 0) {
        build.fault(step, "there are no grains yet, so no step can be chosen", "a time (s)");
        return;
    }
    const double chosen = scene.automatic_step ? time.number_or("safety", 1) * scene.suggested_step : step.number;
    scene.system.clock.step = chosen;
    const Value& cause = scene.automatic_step ? time.at("safety") : step;
    if (chosen > scene.stable_step) {
        build.fault(
            cause,
            fmt::format("in a step of {:.4g} s a grain at {:.4g} m/s goes {:.2g} radii of the smallest grain: "
                        "grains would pass through one another",
                        chosen, scene.reference_speed, chosen * scene.reference_speed / smallest),
            fmt::format("at most {:.4g} s, better the advised {:.4g} s", scene.stable_step, scene.suggested_step));
    } else if (chosen > 20 * scene.suggested_step) {
        build.diagnostics.warning(
            cause.where, cause.key,
            fmt::format("a step of {:.4g} s is long: grains at {:.4g} m/s look larger by {:.2g} radii of the smallest; "
                        "advised are {:.4g} s",
                        chosen, scene.reference_speed, chosen * scene.reference_speed / smallest,
                        scene.suggested_step));
    }
    const double deep = layers(scene.system);
    const double sweeps = scene.system.step_rules.sweeps;
    const double way = deep * deep * deep * deep * g * chosen * chosen / (sweeps * sweeps);
    if (way > long_way * smallest) {
        build.diagnostics.warning(
            cause.where, cause.key,
            fmt::format("grains stand {:.0f} high at the start: if they come to rest so deep, their pile sinks into "
                        "itself, since weight is passed on by one layer a sweep; shorter steps or more "
                        "stepping.sweeps help ({:.2g} s with {:.0f}, or {:.0f} with {:.2g} s)",
                        deep, chosen * std::sqrt(safe_way * smallest / way), sweeps,
                        std::ceil(sweeps * std::sqrt(way / (safe_way * smallest))), chosen));
    }
}

}  // namespace talus::scene
