// `talus bench`: how fast the engine is on this machine.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "talus/simulation/bench.h"

namespace talus::apps {

namespace {

void print_json(const simulation::BenchResult& result) {
    const auto& options = result.options;
    const nlohmann::json out = {{"case", result.name},
                                {"particles", result.particles},
                                {"threads", options.threads},
                                {"steps", options.steps},
                                {"repeats", options.repeats},
                                {"relax", options.relax},
                                {"ns_per_particle_step", result.ns_per_particle_step},
                                {"ns_per_contact_step", result.ns_per_contact_step},
                                {"samples", result.samples},
                                {"phases", result.phases},
                                {"coordination", result.coordination},
                                {"bytes_per_particle", result.bytes_per_particle},
                                {"rebuilds", result.rebuilds},
                                {"kinetic_energy", result.kinetic_energy},
                                {"top", result.top},
                                {"state_hash", fmt::format("{:016x}", result.state_hash)}};
    fmt::print("{}\n", out.dump());
}

void print_text(const simulation::BenchResult& result) {
    const auto& options = result.options;
    fmt::print(
        "{}: {} grains, {} thread{}: {:.1f} ns per particle-step, {:.1f} per contact-step (median of {} x {} "
        "steps)\n",
        result.name, result.particles, options.threads, options.threads == 1 ? "" : "s", result.ns_per_particle_step,
        result.ns_per_contact_step, options.repeats, options.steps);
    for (const auto& [phase, ns] : result.phases) {
        fmt::print("  {:<14}{:8.1f} ns\n", phase, ns);
    }
    fmt::print(
        "  coordination {:.2f}, {:.0f} bytes per grain, {} rebuilds, kinetic energy {:.4g} J, top {:.4g} m, "
        "state {:016x}\n",
        result.coordination, result.bytes_per_particle, result.rebuilds, result.kinetic_energy, result.top,
        result.state_hash);
}

}  // namespace

void add_bench(CLI::App& app) {
    // One owner of all that the command line writes to: the callback keeps it alive.
    struct Arguments {
        std::string name = "bed";
        simulation::BenchOptions options;
        bool json = false;
    };
    std::string cases;
    for (const simulation::BenchCase& which : simulation::bench_cases()) {
        cases += fmt::format("\n{}: {}", which.name, which.summary);
    }
    CLI::App* bench = app.add_subcommand("bench", "Measure the speed of a ready case");
    auto arguments = std::make_shared<Arguments>();
    simulation::BenchOptions& options = arguments->options;
    bench->add_option("case", arguments->name, "What is measured (default: bed)" + cases);
    bench->add_option("--particles", options.particles, "Number of grains (most cases round up to whole tiles)")
        ->check(CLI::PositiveNumber);
    bench->add_option("--threads", options.threads, "Threads")->check(CLI::PositiveNumber);
    bench->add_option("--steps", options.steps, "Timed steps a repeat")->check(CLI::PositiveNumber);
    bench->add_option("--repeats", options.repeats, "Repeats; the median counts")->check(CLI::PositiveNumber);
    bench->add_option("--relax", options.relax, "Steps before timing, in which contacts come to bear")
        ->check(CLI::NonNegativeNumber);
    bench->add_option("--cache", options.cache, "Folder that keeps relaxed states; later calls start from them");
    bench->add_option("--write-data", options.data, "Also write the state before relaxing as a LAMMPS data file");
    bench->add_flag("--json", arguments->json, "Print one JSON object");
    bench->callback([arguments] {
        const simulation::BenchCase& which = simulation::find_bench_case(arguments->name);
        const simulation::BenchResult result = simulation::run_bench(which, arguments->options);
        arguments->json ? print_json(result) : print_text(result);
    });
}

}  // namespace talus::apps
