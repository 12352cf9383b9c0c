#include "talus/simulation/bench_events.h"

#include <cmath>
#include <numbers>

#include "talus/analysis/energy.h"
#include "talus/base/diagnostics.h"
#include "talus/base/random.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/simulation/bench_parts.h"
#include "talus/simulation/bench_report.h"

namespace talus::simulation {

namespace {

constexpr double densest = 0.6;  // solid fraction; the lattice reaches 0.74, but its last cell may be nearly empty

/// Velocities with mean zero and k T/m = 1 m2/s2; which distribution they start from is forgotten in a few collisions.
void set_velocities(model::Bodies& bodies) {
    base::Random random(2011, 0);
    Vec3d mean;
    for (Vec3d& v : bodies.velocity) {
        v = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        mean += v;
    }
    mean = mean / static_cast<double>(bodies.size());
    double square = 0;
    for (Vec3d& v : bodies.velocity) {
        v -= mean;
        square += norm2(v);
    }
    const double scale = std::sqrt(3 * static_cast<double>(bodies.size()) / square);
    for (Vec3d& v : bodies.velocity) {
        v *= scale;
    }
}

}  // namespace

model::System hard_sphere_fluid(std::int64_t particles, double packing) {
    if (!(packing > 0 && packing <= densest)) {
        throw base::InputError("--packing: a fluid of equal spheres has a solid fraction above 0 and up to 0.6");
    }
    model::System fluid;
    fluid.materials.list.push_back({"grain", bench_grain::density});
    fluid.materials.pair_law.resize(1);
    std::int64_t edge = 3;  // cubic cells of four sites; fewer would be too small a box
    while (4 * edge * edge * edge < particles) {
        ++edge;
    }
    const double volume = static_cast<double>(particles) * bench_grain::volume / packing;  // m3
    const double length = std::cbrt(volume);
    const double pitch = length / static_cast<double>(edge);
    fluid.domain.high = {length, length, length};
    fluid.domain.low = {0, 0, 0};
    fluid.domain.periodic = {true, true, true};
    const std::int64_t sites = 4 * edge * edge * edge;
    for (std::int64_t n = 0; n < particles; ++n) {
        const std::int64_t site = n * sites / particles;  // empty sites are spread evenly
        const std::int64_t cell = site / 4;
        const std::int64_t corner = site % 4;
        const std::int64_t layer = cell / (edge * edge);
        const Vec3d at{static_cast<double>(cell % edge) + (corner == 1 || corner == 2 ? 0.75 : 0.25),
                       static_cast<double>(cell / edge % edge) + (corner == 1 || corner == 3 ? 0.75 : 0.25),
                       static_cast<double>(layer) + (corner >= 2 ? 0.75 : 0.25)};
        fluid.bodies.add_sphere(fluid.counters.next_id++, at * pitch, bench_grain::radius, bench_grain::density,
                                grain_material);
    }
    set_velocities(fluid.bodies);
    return fluid;
}

EventBenchResult run_event_bench(const EventBenchOptions& options) {
    EventBenchResult result;
    result.options = options;
    if (result.options.events == 0) {
        result.options.events = 10 * options.particles;
    }
    const double phi = options.packing;
    const double contact_value = (1 - phi / 2) / ((1 - phi) * (1 - phi) * (1 - phi));  // Carnahan and Starling
    result.expected_free_time = 1 / (24 * phi * contact_value / std::sqrt(std::numbers::pi));
    result.expected_compressibility = 1 + 4 * phi * contact_value;
    double held = 0;
    {
        model::System system = hard_sphere_fluid(options.particles, options.packing);
        engines::hard::BallisticEngine engine(system, {});
        engine.advance_events(options.relax * options.particles);
        engine.set_measures({});
        const double energy = analysis::measure_energies(system).translational;
        for (int r = 0; r < options.repeats; ++r) {
            const engines::hard::Measures before = engine.measures();
            engine.advance_events(result.options.events);
            result.samples.push_back(static_cast<double>(engine.measures().collisions - before.collisions) /
                                     (engine.measures().seconds - before.seconds));
        }
        result.events_per_second = median(result.samples);
        const engines::hard::Measures& measures = engine.measures();
        const auto collisions = static_cast<double>(measures.collisions);
        const double diameter = 2 * bench_grain::radius;
        const double volume = system.domain.size().x * system.domain.size().y * system.domain.size().z;
        result.mean_free_time = measures.mean_free_time() / diameter;  // the thermal speed is 1 m/s
        result.compressibility = measures.pressure(volume, energy) * volume / (2.0 / 3.0 * energy);
        result.crossings = static_cast<double>(measures.crossings + measures.borders) / collisions;
        result.repredictions = static_cast<double>(measures.repredictions) / collisions;
        result.energy_error = analysis::measure_energies(system).translational / energy - 1;
        result.largest_overlap = system.counters.largest_overlap;
        result.state_hash = model::state_hash(system);
        held = resident_bytes();
    }
    // What goes when system and engine do.
    result.bytes_per_particle = (held - resident_bytes()) / static_cast<double>(options.particles);
    return result;
}

}  // namespace talus::simulation
