// `talus check`: what a scene means in numbers, before it is run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "talus/simulation/progress.h"
#include "talus/simulation/simulation.h"

namespace talus::apps {

namespace {

void print_grains(const scene::Scene& scene) {
    const model::Bodies& bodies = scene.system.bodies;
    fmt::print("grains            {}", bodies.size());
    if (bodies.size() > 0) {
        const auto [low, high] = std::minmax_element(bodies.radius.begin(), bodies.radius.end());
        double mass = 0;
        for (const double m : bodies.mass) {
            mass += m;
        }
        fmt::print(", radius {:.4g} to {:.4g} m, {:.4g} kg in all", *low, *high, mass);
    }
    fmt::print("\nwalls             {}\n", scene.system.walls.size());
    std::vector<std::size_t> count(scene.system.materials.size());
    for (const std::int32_t m : bodies.material) {
        ++count[static_cast<std::size_t>(m)];
    }
    for (std::size_t m = 0; m < count.size(); ++m) {
        fmt::print("  {:<15} {} grains\n", scene.system.materials.list[m].name, count[m]);
    }
}

/// SSDEM Eqs. 4 and 5: the stiffness that keeps overlaps at the wanted limit.
void print_stiffness(const scene::Scene& scene) {
    const model::Bodies& bodies = scene.system.bodies;
    if (bodies.size() == 0) {
        return;
    }
    const double limit = scene.plan.overlap_limit;
    const double radius = *std::min_element(bodies.radius.begin(), bodies.radius.end());
    const double mass = *std::max_element(bodies.mass.begin(), bodies.mass.end());
    const double by_speed = mass * std::pow(scene.reference_speed / (limit * radius), 2);
    fmt::print("suggested kn      for overlaps of {:g} radii\n", limit);
    fmt::print("  {:<15} {:.3g} N/m (SSDEM Eq. 4)\n", fmt::format("at {:.3g} m/s", scene.reference_speed), by_speed);
    const double g = norm(scene.system.gravity);
    if (g > 0) {
        double low = 1e300;
        double high = -1e300;
        for (const math::Vec3d& x : bodies.position) {
            const double depth = dot(x, scene.system.gravity) / g;
            low = std::min(low, depth);
            high = std::max(high, depth);
        }
        const double depth = high - low + 2 * radius;
        const bool planar = scene.system.domain.planar();  // discs bear what stands on their diameter, 1 m thick
        const double share = planar ? 1 : 4.0 / 3.0 * bodies.radius[0];
        const double density = bodies.mass[0] / (share * 3.14159265358979 * std::pow(bodies.radius[0], 2));
        fmt::print("  {:<15} {:.3g} N/m (Eq. 5)\n", fmt::format("{:.3g} m deep", depth),
                   0.65 * density * g * depth * (planar ? 2.0 : radius) / limit);
    }
}

std::string pair_name(const scene::Scene& scene, std::int32_t a, std::int32_t b, bool wall) {
    const auto& names = scene.system.materials.list;
    return names[static_cast<std::size_t>(a)].name + (wall ? " | " : " - ") + names[static_cast<std::size_t>(b)].name;
}

void print_contacts(const scene::Scene& scene) {
    const double step = scene.system.clock.step;
    if (scene.system.integration.adaptive()) {
        fmt::print("frames            {:.4g} s{}, divided into steps by their error\n", step,
                   scene.automatic_step ? " (auto)" : "");
        for (const scene::PairAdvice& pair : scene.pairs) {
            fmt::print("  {:<15} collision {:.4g} s; overlap to {:.3g} m at {:.3g} m/s\n",
                       pair_name(scene, pair.material_a, pair.material_b, pair.wall), pair.collision_time,
                       pair.largest_overlap, scene.reference_speed);
        }
        return;
    }
    fmt::print("step              {:.4g} s{}; suggested {:.4g} s (Eq. 39), stable to {:.4g} s\n", step,
               scene.automatic_step ? " (auto)" : "", scene.suggested_step, scene.stable_step);
    for (const scene::PairAdvice& pair : scene.pairs) {
        fmt::print("  {:<15} collision {:.4g} s = {:.0f} steps; overlap to {:.3g} m at {:.3g} m/s\n",
                   pair_name(scene, pair.material_a, pair.material_b, pair.wall), pair.collision_time,
                   pair.collision_time / step, pair.largest_overlap, scene.reference_speed);
    }
}

std::string rule_text(const laws::ImpactParams& impact) {
    if (impact.is_smooth()) {
        return fmt::format("restitution {:g}, smooth", impact.restitution);
    }
    const std::string limit =
        std::isinf(impact.friction) ? "no friction limit" : fmt::format("friction {:g}", impact.friction);
    return fmt::format("restitution {:g}, tangential restitution {:g}, {}", impact.restitution, impact.tangential,
                       limit);
}

/// Which materials grains are made of, and which walls, at any time of the run.
class Meetings {
public:
    explicit Meetings(const scene::Scene& scene)
        : grains_(scene.system.materials.size()), is_wall_(scene.system.materials.size()) {
        for (const std::int32_t m : scene.system.bodies.material) {
            ++grains_[static_cast<std::size_t>(m)];
        }
        for (const model::Wall& wall : scene.system.walls) {
            is_wall_[static_cast<std::size_t>(wall.material)] = true;
        }
        for (const model::Stage& stage : scene.plan.stages) {
            for (const model::Action& action : stage.actions) {
                if (const auto* added = std::get_if<model::AddWall>(&action)) {
                    is_wall_[static_cast<std::size_t>(added->wall.material)] = true;
                }
            }
        }
    }
    /// Prints a line for every way in which the two can meet.
    void print(const scene::Scene& scene, std::int32_t a, std::int32_t b, const std::string& text) const {
        if (has_grains(a) && has_grains(b) && (a != b || grains_[static_cast<std::size_t>(a)] > 1)) {
            fmt::print("  {:<15} {}\n", pair_name(scene, a, b, false), text);
        }
        if (has_grains(a) && is_wall_[static_cast<std::size_t>(b)]) {
            fmt::print("  {:<15} {}\n", pair_name(scene, a, b, true), text);
        }
        if (a != b && has_grains(b) && is_wall_[static_cast<std::size_t>(a)]) {
            fmt::print("  {:<15} {}\n", pair_name(scene, b, a, true), text);
        }
    }

private:
    bool has_grains(std::int32_t m) const { return grains_[static_cast<std::size_t>(m)] > 0; }
    std::vector<std::size_t> grains_;
    std::vector<bool> is_wall_;
};

/// What hard grains do, in place of stiffness and overlaps.
void print_impacts(const scene::Scene& scene) {
    const model::FlightRules& rules = scene.system.flight_rules;
    const char* automatic = scene.automatic_step ? " (auto)" : "";
    const bool stepped = scene.engine == "stepped";
    if (stepped) {
        fmt::print(
            "step              {:.4g} s{}: {:.2g} radii of the smallest grain at {:.3g} m/s; suggested {:.4g} s\n",
            scene.system.clock.step, automatic, scene.system.clock.step / scene.stable_step, scene.reference_speed,
            scene.suggested_step);
    } else if (rules.ballistic) {
        fmt::print("flight            ballistic, from impact to impact; looked at every {:.4g} s{}\n",
                   scene.system.clock.step, automatic);
    } else {
        fmt::print("flight            drifts of {:.4g} s{} between kicks; suggested {:.4g} s\n",
                   scene.system.clock.step, automatic, scene.suggested_step);
    }
    fmt::print("impacts\n");
    const model::Materials& materials = scene.system.materials;
    const Meetings meetings(scene);
    for (std::int32_t a = 0; a < static_cast<std::int32_t>(materials.size()); ++a) {
        for (std::int32_t b = a; b < static_cast<std::int32_t>(materials.size()); ++b) {
            meetings.print(scene, a, b, rule_text(materials.between(a, b).impact));
        }
    }
    for (const model::Stage& stage : scene.plan.stages) {
        for (const model::Action& action : stage.actions) {
            if (const auto* change = std::get_if<model::SetContact>(&action)) {
                meetings.print(scene, change->material_a, change->material_b,
                               fmt::format("{}; from stage \"{}\" on", rule_text(change->law.impact), stage.name));
            }
        }
    }
    if (stepped) {
        return;
    }
    if (rules.elastic_below > 0) {
        fmt::print("slow impacts      elastic below {:.3g} m/s; none leaves with less than {:.3g} m/s\n",
                   rules.elastic_below, rules.least_rebound);
    } else {
        fmt::print("slow impacts      as all others (elastic_below is 0)\n");
    }
}

/// s of wall time a step: a few of them, at once as in a run; looks at flights, which may be far apart, not for long.
double time_a_step(simulation::Simulation& simulation) {
    constexpr std::int64_t trial = 50;
    constexpr double longest = 1;  // s
    const std::int64_t chunk = simulation.engine().takes_steps() ? trial : 1;
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t before = simulation.clock().steps;
    double seconds = 0;
    do {
        simulation.step(chunk);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    } while (simulation.clock().steps - before < trial && seconds < longest && !simulation.finished());
    return seconds / static_cast<double>(std::max<std::int64_t>(1, simulation.clock().steps - before));
}

/// Takes a few steps to see how fast this machine is with this scene.
void print_length(scene::Scene scene, int threads) {
    const std::optional<double> end = simulation::planned_end(scene.plan);
    const double step = scene.system.clock.step;
    if (scene.system.bodies.size() == 0) {
        return;
    }
    simulation::Simulation simulation(std::move(scene), {threads, 0});
    time_a_step(simulation);
    const double per_step = time_a_step(simulation);
    const bool has_steps = simulation.engine().takes_steps();
    const std::string cost = has_steps ? fmt::format("{:.2g} ms a step now", 1000 * per_step)
                                       : fmt::format("{:.2g} s a simulated second now", per_step / step);
    if (end) {
        fmt::print("length            at most {:.4g} s{}, about {} on this machine ({})\n", *end,
                   has_steps ? fmt::format(" = {:.0f} steps", *end / step) : "",
                   simulation::duration_text(*end / step * per_step), cost);
    } else {
        fmt::print("length            set by the grains; {}{}\n", cost,
                   has_steps ? fmt::format(", {:.0f} steps a simulated second", 1 / step) : "");
    }
}

}  // namespace

void add_check(CLI::App& app) {
    CLI::App* command = app.add_subcommand("check", "Check a scene and print what it means, without running it");
    auto file = std::make_shared<std::string>();
    auto overrides = std::make_shared<std::vector<std::string>>();
    auto threads = std::make_shared<int>(0);
    command->add_option("scene", *file, "Scene file (TOML)")->required();
    command->add_option("--set", *overrides, "Override a key of the scene")->allow_extra_args(false);
    command->add_option("--threads", *threads, "Threads for the estimate")->check(CLI::PositiveNumber);
    command->callback([=] {
        scene::Scene scene = scene::load(*file, *overrides);
        for (const base::Diagnostic& warning : scene.warnings.list()) {
            fmt::print(stderr, "{}\n", warning.text());
        }
        fmt::print("scene             {}\n", scene.plan.title.empty() ? *file : scene.plan.title);
        print_grains(scene);
        if (scene.engine != "soft") {
            print_impacts(scene);
        } else {
            print_contacts(scene);
            print_stiffness(scene);
        }
        print_length(std::move(scene), *threads);
    });
}

}  // namespace talus::apps
