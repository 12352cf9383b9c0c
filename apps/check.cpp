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
        const double density = bodies.mass[0] / (4.0 / 3.0 * 3.14159265358979 * std::pow(bodies.radius[0], 3));
        fmt::print("  {:<15} {:.3g} N/m (Eq. 5)\n", fmt::format("{:.3g} m deep", depth),
                   0.65 * density * g * depth * radius / limit);
    }
}

void print_contacts(const scene::Scene& scene) {
    const double step = scene.system.clock.step;
    fmt::print("step              {:.4g} s{}; suggested {:.4g} s (Eq. 39), stable to {:.4g} s\n", step,
               scene.automatic_step ? " (auto)" : "", scene.suggested_step, scene.stable_step);
    for (const scene::PairAdvice& pair : scene.pairs) {
        const auto& names = scene.system.materials.list;
        fmt::print("  {:<15} collision {:.4g} s = {:.0f} steps; overlap to {:.3g} m at {:.3g} m/s\n",
                   names[static_cast<std::size_t>(pair.material_a)].name + (pair.wall ? " | " : " - ") +
                       names[static_cast<std::size_t>(pair.material_b)].name,
                   pair.collision_time, pair.collision_time / step, pair.largest_overlap, scene.reference_speed);
    }
}

/// Takes a few steps to see how fast this machine is with this scene.
void print_length(scene::Scene scene, int threads) {
    const std::optional<double> end = simulation::planned_end(scene.plan);
    const double step = scene.system.clock.step;
    if (scene.system.bodies.size() == 0) {
        return;
    }
    simulation::Simulation simulation(std::move(scene), {threads, 0});
    constexpr int trial = 50;
    simulation.step(trial);
    const auto start = std::chrono::steady_clock::now();
    simulation.step(trial);
    const double per_step = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / trial;
    if (end) {
        fmt::print(
            "length            at most {:.4g} s = {:.0f} steps, about {} on this machine ({:.2g} ms a step now)\n",
            *end, *end / step, simulation::duration_text(*end / step * per_step), 1000 * per_step);
    } else {
        fmt::print("length            set by the grains; {:.2g} ms a step now, {:.0f} steps a simulated second\n",
                   1000 * per_step, 1 / step);
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
        print_contacts(scene);
        print_stiffness(scene);
        print_length(std::move(scene), *threads);
    });
}

}  // namespace talus::apps
