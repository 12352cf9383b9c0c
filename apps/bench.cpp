// `talus bench`: how fast the engine is on this machine.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "talus/simulation/bench.h"
#include "talus/simulation/bench_charges.h"
#include "talus/simulation/bench_couette.h"
#include "talus/simulation/bench_events.h"

namespace talus::apps {

namespace {

constexpr const char* event_case = "events";
constexpr const char* couette_case = "couette";
constexpr const char* charges_case = "charges";

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

void print_json(const simulation::EventBenchResult& result) {
    const auto& options = result.options;
    const nlohmann::json out = {{"case", event_case},
                                {"particles", options.particles},
                                {"packing", options.packing},
                                {"threads", 1},
                                {"events", options.events},
                                {"repeats", options.repeats},
                                {"relax", options.relax},
                                {"events_per_second", result.events_per_second},
                                {"samples", result.samples},
                                {"mean_free_time", result.mean_free_time},
                                {"expected_free_time", result.expected_free_time},
                                {"compressibility", result.compressibility},
                                {"expected_compressibility", result.expected_compressibility},
                                {"crossings", result.crossings},
                                {"repredictions", result.repredictions},
                                {"energy_error", result.energy_error},
                                {"largest_overlap", result.largest_overlap},
                                {"bytes_per_particle", result.bytes_per_particle},
                                {"state_hash", fmt::format("{:016x}", result.state_hash)}};
    fmt::print("{}\n", out.dump());
}

void print_text(const simulation::EventBenchResult& result) {
    const auto& options = result.options;
    fmt::print("{}: {} spheres at packing {}: {:.0f} collisions per second (median of {} x {})\n", event_case,
               options.particles, options.packing, result.events_per_second, options.repeats, options.events);
    fmt::print(
        "  mean free time {:.5f} ({:.5f} after Enskog), compressibility {:.4f} ({:.4f} after Carnahan and Starling)\n",
        result.mean_free_time, result.expected_free_time, result.compressibility, result.expected_compressibility);
    fmt::print(
        "  per collision {:.2f} cell crossings, {:.2f} predictions anew; energy error {:.1e}, largest overlap {:.1e} "
        "radii, {:.0f} bytes per sphere, state {:016x}\n",
        result.crossings, result.repredictions, result.energy_error, result.largest_overlap, result.bytes_per_particle,
        result.state_hash);
}

void print_json(const simulation::CouetteBenchResult& result) {
    const auto& options = result.options;
    const nlohmann::json out = {{"case", couette_case},
                                {"particles", result.particles},
                                {"packing", options.packing},
                                {"threads", options.threads},
                                {"steps", options.steps},
                                {"repeats", options.repeats},
                                {"relax", options.relax},
                                {"disc_steps_per_second", result.disc_steps_per_second},
                                {"ns_per_particle_step", result.ns_per_particle_step},
                                {"samples", result.samples},
                                {"phases", result.phases},
                                {"impacts", result.impacts},
                                {"corrections", result.corrections},
                                {"rebuilds", result.rebuilds},
                                {"bytes_per_particle", result.bytes_per_particle},
                                {"state_hash", fmt::format("{:016x}", result.state_hash)}};
    fmt::print("{}\n", out.dump());
}

void print_text(const simulation::CouetteBenchResult& result) {
    const auto& options = result.options;
    fmt::print(
        "{}: {} discs at packing {}, {} thread{}: {:.1f} million disc-steps per second (median of {} x {} steps)\n",
        couette_case, result.particles, options.packing, options.threads, options.threads == 1 ? "" : "s",
        result.disc_steps_per_second / 1e6, options.repeats, options.steps);
    for (const auto& [phase, ns] : result.phases) {
        fmt::print("  {:<18}{:8.1f} ns\n", phase, ns);
    }
    fmt::print(
        "  per disc and step {:.3f} impacts, {:.3f} overlaps moved apart; {} rebuilds, {:.0f} bytes per disc, state "
        "{:016x}\n",
        result.impacts, result.corrections, result.rebuilds, result.bytes_per_particle, result.state_hash);
}

void print_json(const simulation::ChargesBenchResult& result) {
    const auto& options = result.options;
    const nlohmann::json out = {{"case", charges_case},
                                {"particles", options.particles},
                                {"threads", options.threads},
                                {"steps", options.steps},
                                {"repeats", options.repeats},
                                {"seconds_per_ten_steps", result.seconds_per_ten_steps},
                                {"ns_per_pair", result.ns_per_pair},
                                {"samples", result.samples},
                                {"phases", result.phases},
                                {"state_hash", fmt::format("{:016x}", result.state_hash)}};
    fmt::print("{}\n", out.dump());
}

void print_text(const simulation::ChargesBenchResult& result) {
    const auto& options = result.options;
    fmt::print("{}: {} grains, {} thread{}: {:.3f} s per ten steps, {:.2f} ns per pair (median of {} x {} steps)\n",
               charges_case, options.particles, options.threads, options.threads == 1 ? "" : "s",
               result.seconds_per_ten_steps, result.ns_per_pair, options.repeats, options.steps);
    for (const auto& [phase, seconds] : result.phases) {
        fmt::print("  {:<14}{:8.4f} s\n", phase, seconds);
    }
    fmt::print("  state {:016x}\n", result.state_hash);
}

}  // namespace

void add_bench(CLI::App& app) {
    // One owner of all that the command line writes to: the callback keeps it alive.
    struct Arguments {
        std::string name = "bed";
        simulation::BenchOptions options;
        simulation::EventBenchOptions events;
        double packing = 0;  // 0: the case's own
        bool json = false;
    };
    std::string cases;
    for (const simulation::BenchCase& which : simulation::bench_cases()) {
        cases += fmt::format("\n{}: {}", which.name, which.summary);
    }
    cases += fmt::format("\n{}: elastic hard-sphere fluid, event-driven, periodic", event_case);
    cases += fmt::format("\n{}: sheared cell of hard discs, stepped", couette_case);
    cases += fmt::format("\n{}: charges and dipoles that all act on one another", charges_case);
    CLI::App* bench = app.add_subcommand("bench", "Measure the speed of a ready case");
    auto arguments = std::make_shared<Arguments>();
    simulation::BenchOptions& options = arguments->options;
    bench->add_option("case", arguments->name, "What is measured (default: bed)" + cases);
    CLI::Option* particles =
        bench->add_option("--particles", options.particles, "Number of grains (most cases round up to whole tiles)")
            ->check(CLI::PositiveNumber);
    bench->add_option("--threads", options.threads, "Threads")->check(CLI::PositiveNumber);
    CLI::Option* steps =
        bench->add_option("--steps", options.steps, "Timed steps a repeat")->check(CLI::PositiveNumber);
    bench->add_option("--repeats", options.repeats, "Repeats; the median counts")->check(CLI::PositiveNumber);
    CLI::Option* relax =
        bench->add_option("--relax", options.relax, "Steps before timing, in which contacts come to bear")
            ->check(CLI::NonNegativeNumber);
    bench->add_option("--cache", options.cache, "Folder that keeps relaxed states; later calls start from them");
    bench->add_option("--write-data", options.data, "Also write the state before relaxing as a LAMMPS data file");
    bench->add_option("--packing", arguments->packing, "events, couette: solid fraction (default: 0.3, 0.8)")
        ->check(CLI::PositiveNumber);
    bench->add_option("--events", arguments->events.events, "events: timed collisions a repeat (default: ten a grain)")
        ->check(CLI::PositiveNumber);
    bench->add_flag("--json", arguments->json, "Print one JSON object");
    bench->callback([=] {
        if (arguments->name == couette_case) {
            simulation::CouetteBenchOptions couette;
            const simulation::BenchOptions& given = arguments->options;
            couette.particles = particles->count() > 0 ? given.particles : couette.particles;
            couette.packing = arguments->packing > 0 ? arguments->packing : couette.packing;
            couette.threads = given.threads;
            couette.steps = steps->count() > 0 ? given.steps : couette.steps;
            couette.relax = relax->count() > 0 ? given.relax : couette.relax;
            couette.repeats = given.repeats;
            const simulation::CouetteBenchResult result = simulation::run_couette_bench(couette);
            arguments->json ? print_json(result) : print_text(result);
            return;
        }
        if (arguments->name == charges_case) {
            simulation::ChargesBenchOptions charges;
            const simulation::BenchOptions& given = arguments->options;
            charges.particles = particles->count() > 0 ? given.particles : charges.particles;
            charges.threads = given.threads;
            charges.steps = steps->count() > 0 ? given.steps : charges.steps;
            charges.repeats = given.repeats;
            const simulation::ChargesBenchResult result = simulation::run_charges_bench(charges);
            arguments->json ? print_json(result) : print_text(result);
            return;
        }
        if (arguments->name == event_case) {
            simulation::EventBenchOptions& events = arguments->events;
            events.particles = arguments->options.particles;
            events.repeats = arguments->options.repeats;
            events.packing = arguments->packing > 0 ? arguments->packing : events.packing;
            const simulation::EventBenchResult result = simulation::run_event_bench(events);
            arguments->json ? print_json(result) : print_text(result);
            return;
        }
        const simulation::BenchCase& which = simulation::find_bench_case(arguments->name);
        const simulation::BenchResult result = simulation::run_bench(which, arguments->options);
        arguments->json ? print_json(result) : print_text(result);
    });
}

}  // namespace talus::apps
