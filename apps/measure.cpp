// `talus measure`: what can be told of a scene by running it several times.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "talus/simulation/order.h"
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

}  // namespace

void add_measure(CLI::App& app) {
    CLI::App* command = app.add_subcommand("measure", "Measure what a scene's integration is worth");
    command->require_subcommand(1);
    add_order(*command);
}

}  // namespace talus::apps
