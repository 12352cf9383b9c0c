// `talus measure`: what can be told of a scene's equations of motion by running it.
#include <fmt/format.h>

#include <complex>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "talus/simulation/order.h"
#include "talus/simulation/stiffness_study.h"
#include "talus/simulation/toolbox.h"

namespace talus::apps {

namespace {

struct OrderArguments {
    std::string scene;
    std::vector<std::string> overrides;
    std::string out;
    double until = 0;
    bool json = false;
    simulation::OrderOptions options;
};

void print_study(const simulation::OrderStudy& study) {
    fmt::print("{:>12}  {:>22}  {:>24}\n", "step, s", "distance to next, m", "largest energy error, J");
    for (std::size_t k = 0; k < study.step.size(); ++k) {
        const std::string apart = k < study.apart.size() ? fmt::format("{:.4g}", study.apart[k]) : std::string();
        fmt::print("{:>12.5g}  {:>22}  {:>24.4g}\n", study.step[k], apart, study.wrong[k]);
    }
    fmt::print("order of the trajectory {:.3f}, of the energy error {:.3f}\n", study.trajectory_order,
               study.energy_order);
}

void print_json(const simulation::OrderStudy& study) {
    fmt::print("{}\n", nlohmann::json{{"steps", study.step},
                                      {"times", study.time},
                                      {"distances", study.distance},
                                      {"energy_errors", study.energy},
                                      {"trajectory_order", study.trajectory_order},
                                      {"energy_order", study.energy_order}}
                           .dump());
}

void add_order(CLI::App& measure) {
    CLI::App* command =
        measure.add_subcommand("order", "Run a scene with half the step again and again; the order of the integrator");
    auto a = std::make_shared<OrderArguments>();
    command->add_option("scene", a->scene, "Scene file (TOML)")->required();
    command->add_option("--set", a->overrides, "Override a key of the scene")->allow_extra_args(false);
    command->add_option("--halvings", a->options.halvings, "How often the step is halved")->check(CLI::Range(2, 12));
    command->add_option("--samples", a->options.samples, "Instants at which runs are compared")
        ->check(CLI::Range(1, 100'000));
    command->add_option("--until", a->until, "Compare up to this time (s); otherwise to the end of the scene")
        ->check(CLI::PositiveNumber);
    command->add_option("--threads", a->options.threads, "Threads")->check(CLI::PositiveNumber);
    command->add_option("-o,--out", a->out, "Also write all distances and errors over time (CSV)");
    command->add_flag("--json", a->json, "Print one JSON object");
    command->callback([a] {
        if (a->until > 0) {
            a->options.until = a->until;
        }
        const auto load = [&](const std::vector<std::string>& more) {
            std::vector<std::string> all = a->overrides;
            all.insert(all.end(), more.begin(), more.end());
            return scene::load(a->scene, all);
        };
        const simulation::OrderStudy study = simulation::study_order(load, a->options);
        if (!a->out.empty()) {
            simulation::write_text_file(a->out, simulation::as_csv(study));
        }
        a->json ? print_json(study) : print_study(study);
    });
}

struct StiffnessArguments {
    std::string scene;
    std::vector<std::string> overrides;
    std::string out;
    double until = 0;
    bool json = false;
    simulation::StiffnessOptions options;
};

std::string as_text(const std::complex<double>& e) {
    return e.imag() == 0 ? fmt::format("{:.5g}", e.real()) : fmt::format("{:.5g} + {:.5g}i", e.real(), e.imag());
}

void print_study(const simulation::StiffnessStudy& study) {
    const auto row = [](const std::string& name, const simulation::StiffnessSample& s) {
        fmt::print("{:>12}  {:>27}  {:>27}  {:>18.5g}\n", name, as_text(s.most_negative), as_text(s.farthest),
                   s.radius);
    };
    fmt::print("{:>12}  {:>27}  {:>27}  {:>18}\n", "time, s", "most negative real, 1/s", "largest |real|, 1/s",
               "radius, 1/s");
    for (const simulation::StiffnessSample& s : study.samples) {
        row(fmt::format("{:.5g}", s.time), s);
    }
    row("largest", study.largest);
    row("median", study.median);
    if (study.largest.radius > 0) {
        fmt::print("{} unknowns; explicit steps up to about {:.4g} s are stable, time.step is {:.4g} s\n",
                   study.unknowns, study.stable_step, study.step);
    } else {
        fmt::print("{} unknowns; nothing acts, any step is stable\n", study.unknowns);
    }
}

nlohmann::json as_json(const simulation::StiffnessSample& s) {
    const auto pair = [](const std::complex<double>& e) { return nlohmann::json{e.real(), e.imag()}; };
    return {{"most_negative", pair(s.most_negative)}, {"largest_real", pair(s.farthest)}, {"radius", s.radius}};
}

void print_json(const simulation::StiffnessStudy& study) {
    nlohmann::json samples = nlohmann::json::array();
    for (const simulation::StiffnessSample& s : study.samples) {
        samples.push_back(as_json(s));
        samples.back()["time"] = s.time;
    }
    fmt::print("{}\n", nlohmann::json{{"unknowns", study.unknowns},
                                      {"step", study.step},
                                      {"samples", samples},
                                      {"largest", as_json(study.largest)},
                                      {"median", as_json(study.median)},
                                      {"stable_step", study.stable_step}}
                           .dump());
}

void add_stiffness(CLI::App& measure) {
    CLI::App* command = measure.add_subcommand(
        "stiffness", "Run a small soft scene and find eigenvalues of its equations of motion on the way");
    auto a = std::make_shared<StiffnessArguments>();
    command->add_option("scene", a->scene, "Scene file (TOML)")->required();
    command->add_option("--set", a->overrides, "Override a key of the scene")->allow_extra_args(false);
    command->add_option("--samples", a->options.samples, "Instants at which eigenvalues are found")
        ->check(CLI::Range(1, 100'000));
    command->add_option("--until", a->until, "Look up to this time (s); otherwise to the end of the scene")
        ->check(CLI::PositiveNumber);
    command->add_option("--threads", a->options.threads, "Threads")->check(CLI::PositiveNumber);
    command->add_option("-o,--out", a->out, "Also write the samples (CSV)");
    command->add_flag("--json", a->json, "Print one JSON object");
    command->callback([a] {
        if (a->until > 0) {
            a->options.until = a->until;
        }
        const simulation::StiffnessStudy study =
            simulation::study_stiffness(scene::load(a->scene, a->overrides), a->options);
        if (!a->out.empty()) {
            simulation::write_text_file(a->out, simulation::as_csv(study));
        }
        a->json ? print_json(study) : print_study(study);
    });
}

}  // namespace

void add_measure(CLI::App& app) {
    CLI::App* command = app.add_subcommand("measure", "Measure what a scene's integration is worth");
    command->require_subcommand(1);
    add_order(*command);
    add_stiffness(*command);
}

}  // namespace talus::apps
