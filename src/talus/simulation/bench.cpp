#include "talus/simulation/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "talus/analysis/energy.h"
#include "talus/base/diagnostics.h"
#include "talus/engines/soft/engine.h"
#include "talus/output/atomic_file.h"
#include "talus/output/checkpoint.h"
#include "talus/output/lammps_data.h"
#include "talus/simulation/bench_parts.h"
#include "talus/simulation/bench_report.h"

namespace talus::simulation {

namespace {

engines::soft::Options engine_options(const BenchOptions& options) {
    engines::soft::Options out;
    out.threads = options.threads;
    return out;
}

model::System relaxed(const BenchCase& which, const BenchOptions& options) {
    const std::filesystem::path kept =
        options.cache / fmt::format("{}_{}_{}.h5", which.name, options.particles, options.relax);
    if (!options.cache.empty() && options.data.empty() && std::filesystem::exists(kept)) {
        return output::load_checkpoint(kept).system;
    }
    model::System system = which.prepare(options.particles, options.threads);
    if (!options.data.empty()) {
        output::write_lammps_data(options.data, system);
    }
    {
        engines::soft::Engine engine(system, engine_options(options), false);
        run_steps(engine, options.relax);
    }
    if (!options.cache.empty()) {
        output::make_folder(options.cache);
        output::save_checkpoint(kept, system, {});
    }
    return system;
}

double highest_centre(const model::System& system) {
    double top = system.bodies.size() > 0 ? system.bodies.position[0].z : 0;
    for (const Vec3d& x : system.bodies.position) {
        top = std::max(top, x.z);
    }
    return top;
}

/// The timed steps, and the state they end in.
void measure(engines::soft::Engine& engine, const model::System& system, BenchResult& result) {
    const BenchOptions& options = result.options;
    result.particles = static_cast<std::int64_t>(system.bodies.size());
    const auto grains = static_cast<double>(result.particles);
    const double work = grains * static_cast<double>(options.steps);
    double touching = 0;
    engine.timer().reset();
    const std::int64_t rebuilds = engine.rebuilds();
    for (int r = 0; r < options.repeats; ++r) {
        const auto start = std::chrono::steady_clock::now();
        run_steps(engine, options.steps);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        result.samples.push_back(seconds * 1e9 / work);
        touching += static_cast<double>(engine.touching_pairs()) / options.repeats;
    }
    result.ns_per_particle_step = median(result.samples);
    for (const auto& [phase, seconds] : engine.timer().seconds()) {
        result.phases[phase] = seconds * 1e9 / (work * options.repeats);
    }
    result.coordination = 2 * touching / grains;
    result.ns_per_contact_step = touching > 0 ? result.ns_per_particle_step * grains / touching : 0;
    result.state_hash = model::state_hash(system);
    result.rebuilds = engine.rebuilds() - rebuilds;
    result.kinetic_energy = analysis::measure_energies(system).translational;
    result.top = highest_centre(system);
}

}  // namespace

const std::vector<BenchCase>& bench_cases() {
    static const std::vector<BenchCase> cases = {
        {"bed", "settled packed bed of equal grains, periodic sideways", packed_bed},
        {"hopper", "cylindrical hopper that discharges; what falls out comes back on top", flowing_hopper},
        {"polydisperse", "settled bed of radii 1 to 10 mm by a power law", polydisperse_bed},
        {"drum", "half-full turning drum", turning_drum},
        {"mixer", "mesh of 992 triangles that turns in a bed", turning_mixer},
        {"gas", "dilute periodic granular gas", dilute_gas},
        {"chute", "steady flow down an incline over a bumpy floor", flowing_chute},
    };
    return cases;
}

const BenchCase& find_bench_case(const std::string& name) {
    std::vector<std::string> names;
    for (const BenchCase& which : bench_cases()) {
        if (which.name == name) {
            return which;
        }
        names.push_back(which.name);
    }
    const std::string near = base::nearest_name(name, names);
    throw base::InputError(fmt::format("there is no bench case \"{}\"{}; there are {}", name,
                                       near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                                       fmt::join(names, ", ")));
}

BenchResult run_bench(const BenchCase& which, const BenchOptions& options) {
    BenchResult result;
    result.name = which.name;
    result.options = options;
    double held = 0;
    {
        model::System system = relaxed(which, options);
        engines::soft::Engine engine(system, engine_options(options), true);
        run_steps(engine, warm_steps);
        measure(engine, system, result);
        held = resident_bytes();
    }
    // What goes when system and engine do, since files and earlier stages leave traces of their own.
    result.bytes_per_particle = (held - resident_bytes()) / static_cast<double>(result.particles);
    return result;
}

}  // namespace talus::simulation
