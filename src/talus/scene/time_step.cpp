// The time step: SSDEM Eq. 39 for every pair of materials that can meet, and the limit of stability.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/model/solid.h"
#include "talus/scene/build.h"
#include "talus/scene/fill_grains.h"

namespace talus::scene {

namespace {

struct Smallest {  // the two lightest grains of a material, and its smallest radii
    double mass[2] = {0, 0};
    double radius[2] = {0, 0};
    std::size_t count = 0;

    void add(double m, double r) {
        const auto keep = [n = count](double(&least)[2], double x) {
            if (n == 0 || x < least[0]) {
                least[1] = least[0];
                least[0] = x;
            } else if (n == 1 || x < least[1]) {
                least[1] = x;
            }
        };
        keep(mass, m);
        keep(radius, r);
        ++count;
    }
};

double reduced(double a, double b) {
    return a * b / (a + b);
}

}  // namespace

double default_speed(const model::System& system) {
    const double g = norm(system.gravity);
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    double fastest = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        const double along = g > 0 ? dot(system.bodies.position[i], system.gravity) / g : 0;
        lowest = std::min(lowest, along - system.bodies.radius[i]);
        highest = std::max(highest, along + system.bodies.radius[i]);
        fastest = std::max(fastest, norm(system.bodies.velocity[i]));
    }
    const double speed = std::max(fastest, g > 0 ? std::sqrt(2 * g * (highest - lowest)) : 0);
    return speed > 0 ? speed : 1;
}

namespace {

PairAdvice advise(const model::PairLaw& pair, double mass, double radius, double speed) {
    const laws::LawInfo& law = laws::registry()[static_cast<std::size_t>(pair.law)];
    PairAdvice out;
    out.reduced_mass = mass;
    out.radius = radius;
    out.collision_time = law.collision_time(pair.parameters, mass, radius, speed);
    out.suggested_step = laws::suggested_step(law, pair.parameters, mass, radius, speed);
    out.stable_step = law.stable_step(pair.parameters, mass, radius, speed);
    out.largest_overlap = law.largest_overlap(pair.parameters, mass, radius, speed);
    return out;
}

class Adviser {
public:
    Adviser(const Build& build, double speed) : speed_(speed) {
        const model::System& system = build.scene.system;
        smallest_.resize(system.materials.size());
        const ContactScales scales(system.grains);
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            const ContactScale scale = scales.of(i);
            smallest_[static_cast<std::size_t>(system.bodies.material[i])].add(scale.mass * system.bodies.mass[i],
                                                                               scale.radius * system.bodies.radius[i]);
        }
        for (const FillSpec& fill : build.scene.stage_fills) {  // who comes later binds the step as well
            std::vector<LeastGrain> least = least_grains(fill, system.grains);
            if (least.empty()) {
                const double radius = smallest_radius(fill.sizes);
                least.push_back({model::solid_volume(system.domain.dimensions, radius), radius});
            }
            for (const std::int32_t material : fill.materials) {
                for (const LeastGrain& grain : least) {
                    const double own = system.materials.list[static_cast<std::size_t>(material)].density;
                    const double mass = grain.volume * (grain.density > 0 ? grain.density : own);
                    smallest_[static_cast<std::size_t>(material)].add(mass, grain.radius);
                    smallest_[static_cast<std::size_t>(material)].add(mass, grain.radius);
                }
            }
        }
        for (const KnownWall& wall : build.walls) {
            walls_.push_back(wall.material);
        }
    }

    /// Adds the advice for grain against grain and for grain against wall.
    void pair(std::int32_t a, std::int32_t b, const model::PairLaw& law, std::vector<PairAdvice>& out) const {
        const Smallest& first = smallest_[static_cast<std::size_t>(a)];
        const Smallest& second = smallest_[static_cast<std::size_t>(b)];
        const std::size_t other = a == b ? 1 : 0;  // the second lightest of the same material
        if (law.law < 0) {
            return;
        }
        if (first.count > 0 && second.count > other) {
            add(a, b, false, law, reduced(first.mass[0], second.mass[other]),
                reduced(first.radius[0], second.radius[other]), out);
        }
        if (first.count > 0 && is_wall(b)) {
            add(a, b, true, law, first.mass[0], first.radius[0], out);
        }
        if (a != b && second.count > 0 && is_wall(a)) {
            add(b, a, true, law, second.mass[0], second.radius[0], out);
        }
    }

private:
    bool is_wall(std::int32_t material) const {
        return std::find(walls_.begin(), walls_.end(), material) != walls_.end();
    }
    void add(std::int32_t a, std::int32_t b, bool wall, const model::PairLaw& law, double mass, double radius,
             std::vector<PairAdvice>& out) const {
        PairAdvice advice = advise(law, mass, radius, speed_);
        advice.material_a = a;
        advice.material_b = b;
        advice.wall = wall;
        out.push_back(advice);
    }

    double speed_;
    std::vector<Smallest> smallest_;
    std::vector<std::int32_t> walls_;
};

void advise_all(Build& build, double speed) {
    const Adviser adviser(build, speed);
    const model::Materials& materials = build.scene.system.materials;
    std::vector<PairAdvice>& pairs = build.scene.pairs;
    for (std::size_t a = 0; a < materials.size(); ++a) {
        for (std::size_t b = a; b < materials.size(); ++b) {
            const auto ia = static_cast<std::int32_t>(a);
            const auto ib = static_cast<std::int32_t>(b);
            adviser.pair(ia, ib, materials.between(ia, ib), pairs);
        }
    }
    for (const model::Stage& stage : build.scene.plan.stages) {  // contacts that come later bind the step as well
        for (const model::Action& action : stage.actions) {
            if (const auto* change = std::get_if<model::SetContact>(&action)) {
                adviser.pair(change->material_a, change->material_b, change->law, pairs);
            }
        }
    }
}

}  // namespace

void choose_time_step(Build& build) {
    Scene& scene = build.scene;
    if (scene.engine == "hard") {
        choose_hard_step(build);
        return;
    }
    if (scene.engine == "stepped") {
        choose_stepped_step(build);
        return;
    }
    const Value& time = build.root.at("time");
    scene.reference_speed = time.number_or("reference_speed", default_speed(scene.system));
    advise_all(build, scene.reference_speed);
    double suggested = std::numeric_limits<double>::infinity();
    double stable = suggested;
    for (const PairAdvice& pair : scene.pairs) {
        suggested = std::min(suggested, pair.suggested_step);
        stable = std::min(stable, pair.stable_step);
    }
    scene.suggested_step = suggested;
    scene.stable_step = stable;
    const Value& step = time.at("step");
    if (scene.system.integration.adaptive()) {
        // The step is a frame; what lies within follows the error.
        constexpr double film_frame = 1.0 / 24;
        scene.automatic_step = step.kind == Value::Kind::text;
        const double frame = scene.automatic_step ? film_frame : step.number;
        scene.system.clock.step = frame;
        double& shortest = scene.system.integration.shortest;
        const Value& keys = build.root.at("integration");
        if (shortest > frame && keys.has("shortest")) {
            build.fault(keys.at("shortest"),
                        fmt::format("{:.4g} s is longer than time.step, into which steps fit", shortest),
                        fmt::format("at most {:.4g} s", frame));
        }
        shortest = std::min(shortest, frame);
        return;
    }
    scene.automatic_step = step.kind == Value::Kind::text;
    if (scene.automatic_step && std::isinf(suggested)) {
        build.fault(step, "nothing in the scene can collide, so no step can be chosen", "a time (s)");
        return;
    }
    const double safety = time.number_or("safety", 1);
    scene.system.clock.step = scene.automatic_step ? safety * suggested : step.number;
    const double chosen = scene.system.clock.step;
    const Value& cause = scene.automatic_step ? time.at("safety") : step;
    if (chosen > stable) {
        build.fault(cause, fmt::format("a step of {:.4g} s is unstable: the limit is {:.4g} s", chosen, stable),
                    fmt::format("at most {:.4g} s, better the advised {:.4g} s (SSDEM Eq. 39)", stable, suggested));
    } else if (chosen > suggested * (1 + 1e-9)) {
        build.diagnostics.warning(cause.where, cause.key,
                                  fmt::format("a step of {:.4g} s is longer than the advised {:.4g} s, a fiftieth of a "
                                              "collision (SSDEM Eq. 39)",
                                              chosen, suggested));
    }
}

}  // namespace talus::scene
