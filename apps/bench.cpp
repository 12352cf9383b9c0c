// `talus bench`: how fast the engine is on this machine.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "talus/simulation/bench.h"

namespace talus::apps {

namespace {

void print(const simulation::BenchResult& result, bool json) {
    const auto& options = result.options;
    if (json) {
        const nlohmann::json out = {{"case", result.name},
                                    {"particles", result.particles},
                                    {"threads", options.threads},
                                    {"steps", options.steps},
                                    {"repeats", options.repeats},
                                    {"ns_per_particle_step", result.ns_per_particle_step},
                                    {"phases", result.phases},
                                    {"coordination", result.coordination},
                                    {"bytes_per_particle", result.bytes_per_particle},
                                    {"rebuilds", result.rebuilds},
                                    {"state_hash", fmt::format("{:016x}", result.state_hash)}};
        fmt::print("{}\n", out.dump());
        return;
    }
    fmt::print("{}: {} grains, {} thread{}: {:.1f} ns per particle-step (median of {} x {} steps)\n", result.name,
               result.particles, options.threads, options.threads == 1 ? "" : "s", result.ns_per_particle_step,
               options.repeats, options.steps);
    for (const auto& [phase, ns] : result.phases) {
        fmt::print("  {:<14}{:8.1f} ns\n", phase, ns);
    }
    fmt::print("  coordination {:.2f}, {:.0f} bytes per grain, {} rebuilds, state {:016x}\n", result.coordination,
               result.bytes_per_particle, result.rebuilds, result.state_hash);
}

}  // namespace

void add_bench(CLI::App& app) {
    // One owner of all that the command line writes to: the callback keeps it alive.
    struct Arguments {
        std::string name = "bed";
        simulation::BenchOptions options;
        bool json = false;
    };
    CLI::App* bench = app.add_subcommand("bench", "Measure the speed of a ready case (bed: a settled packed bed)");
    auto arguments = std::make_shared<Arguments>();
    simulation::BenchOptions& options = arguments->options;
    bench->add_option("case", arguments->name, "bed")->check(CLI::IsMember({"bed"}));
    bench->add_option("--particles", options.particles, "Number of grains (rounded up to whole tiles)")
        ->check(CLI::PositiveNumber);
    bench->add_option("--threads", options.threads, "Threads")->check(CLI::PositiveNumber);
    bench->add_option("--steps", options.steps, "Timed steps a repeat")->check(CLI::PositiveNumber);
    bench->add_option("--repeats", options.repeats, "Repeats; the median counts")->check(CLI::PositiveNumber);
    bench->add_flag("--json", arguments->json, "Print one JSON object");
    bench->callback([arguments] { print(simulation::bench_bed(arguments->options), arguments->json); });
}

}  // namespace talus::apps
