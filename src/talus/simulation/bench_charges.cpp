#include "talus/simulation/bench_charges.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "talus/engines/grains/engine.h"
#include "talus/simulation/bench_report.h"

namespace talus::simulation {

scene::Scene charged_cloud(std::int64_t particles) {
    constexpr double radius = 1e-3;    // m, of a grain
    constexpr double fraction = 0.02;  // solid
    const double ball = radius * std::cbrt(static_cast<double>(particles) / fraction);
    const std::string text = fmt::format(R"(
time = {{ end = "1 s", step = "10 us" }}
forces = {{ electric = true, magnetic = true }}
materials.plus = {{ density = 2500, charge = "0.1 nC" }}
materials.minus = {{ density = 2500, charge = "-0.1 nC" }}
[[contacts]]
between = ["*", "*"]
law = "hooke"
kn = "1 kN/m"
restitution = 0.8
[[fill]]
material = ["plus", "minus"]
radius = {}
random = {{}}
count = {}
ball = {{ radius = {} }}
electric_dipole = [0, 0, "0.1 nC mm"]
magnetic_dipole = ["0.1 mA m2", 0, 0]
)",
                                         radius, particles, ball);
    return scene::load_text(text, "charges");
}

ChargesBenchResult run_charges_bench(const ChargesBenchOptions& options) {
    ChargesBenchResult result;
    result.options = options;
    scene::Scene cloud = charged_cloud(options.particles);
    engines::grains::Options how;
    how.threads = options.threads;
    engines::grains::Engine engine(cloud.system, how, false);
    engine.advance(options.steps);
    const auto before = engine.timer().seconds();
    const double tens = static_cast<double>(options.steps) / 10;
    for (int r = 0; r < options.repeats; ++r) {
        const auto start = std::chrono::steady_clock::now();
        engine.advance(options.steps);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        result.samples.push_back(seconds / tens);
    }
    result.seconds_per_ten_steps = median(result.samples);
    const auto n = static_cast<double>(options.particles);
    result.ns_per_pair = result.seconds_per_ten_steps * 1e8 / (n * n);
    for (const auto& [phase, seconds] : engine.timer().seconds()) {
        const auto found = before.find(phase);
        result.phases[phase] = (seconds - (found == before.end() ? 0 : found->second)) / (tens * options.repeats);
    }
    result.state_hash = model::state_hash(cloud.system);
    return result;
}

}  // namespace talus::simulation
