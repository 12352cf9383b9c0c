#include "talus/simulation/bench_couette.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "talus/base/diagnostics.h"
#include "talus/engines/stepped/engine.h"
#include "talus/simulation/bench_report.h"

namespace talus::simulation {

scene::Scene couette_cell(std::int64_t particles, double packing) {
    if (!(packing > 0 && packing < 0.9)) {
        throw base::InputError(fmt::format("a packing of {} cannot be made; it lies between 0 and 0.9", packing));
    }
    // The outer radius is three times the inner one; the mean square of the radii is 1 + 0.2^2 / 3.
    const double inner = std::sqrt(static_cast<double>(particles) * (1 + 0.04 / 3) / (8 * packing));
    const std::string text = fmt::format(R"(
engine = "stepped"
dimensions = 2
time = {{ end = "100 s", step = "100 us" }}
materials.disc = {{ density = "1 kg/m3" }}
[[contacts]]
between = ["disc", "disc"]
law = "impact"
restitution = 0.9
friction = 0.5
[[walls]]
name = "inner"
shape = {{ circle = {{ center = [0, 0], radius = "{0} m" }} }}
material = "disc"
motion = [ {{ spin = {{ rate = "1 rad/s" }} }} ]
[[walls]]
name = "outer"
shape = {{ circle = {{ center = [0, 0], radius = "{1} m" }} }}
material = "disc"
[[fill]]
material = "disc"
radius = {{ uniform = {{ low = "0.8 m", high = "1.2 m" }} }}
pack = {{ fraction = {2} }}
circle = {{ radius = "{1} m", hole = "{0} m" }}
velocity_spread = "1 m/s"
)",
                                         inner, 3 * inner, packing);
    return scene::load_text(text, "couette");
}

CouetteBenchResult run_couette_bench(const CouetteBenchOptions& options) {
    CouetteBenchResult result;
    result.options = options;
    double held = 0;
    {
        scene::Scene cell = couette_cell(options.particles, options.packing);
        model::System& system = cell.system;
        engines::stepped::Options how;
        how.threads = options.threads;
        engines::stepped::Engine engine(system, how, false);
        engine.advance(options.relax);
        engine.reset_timer();
        const engines::stepped::Measures before = engine.measures();
        const std::int64_t rebuilds = engine.rebuilds();
        result.particles = static_cast<std::int64_t>(system.bodies.size());
        const double work = static_cast<double>(result.particles) * static_cast<double>(options.steps);
        for (int r = 0; r < options.repeats; ++r) {
            const auto start = std::chrono::steady_clock::now();
            engine.advance(options.steps);
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            result.samples.push_back(seconds * 1e9 / work);
        }
        result.ns_per_particle_step = median(result.samples);
        result.disc_steps_per_second = 1e9 / result.ns_per_particle_step;
        const double all = work * options.repeats;
        for (const auto& [phase, seconds] : engine.timer().seconds()) {
            result.phases[phase] = seconds * 1e9 / all;
        }
        const engines::stepped::Measures& after = engine.measures();
        result.impacts =
            static_cast<double>(after.collisions + after.wall_collisions - before.collisions - before.wall_collisions) /
            all;
        result.corrections = static_cast<double>(after.corrections - before.corrections) / all;
        result.rebuilds = engine.rebuilds() - rebuilds;
        result.state_hash = model::state_hash(system);
        held = resident_bytes();
    }
    result.bytes_per_particle = (held - resident_bytes()) / static_cast<double>(result.particles);
    return result;
}

}  // namespace talus::simulation
