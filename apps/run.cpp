// `talus run`: runs a scene into an out folder, or goes on with an interrupted run.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "stop_signal.h"
#include "talus/base/diagnostics.h"
#include "talus/simulation/live_view.h"
#include "talus/simulation/run.h"
#include "view_options.h"

namespace talus::apps {

namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string scene;
    std::string out;
    std::string resume;
    std::vector<std::string> overrides;
    int threads = 0;
    bool quiet = false;
    bool json = false;
    bool overwrite = false;
    std::string replay;
    bool view = false;
    ViewArguments viewing;
};

void print_json(const simulation::RunResult& result) {
    const output::Manifest& manifest = result.manifest;
    nlohmann::json out = {{"status", manifest.status},
                          {"out", result.folder.string()},
                          {"time", manifest.time},
                          {"steps", manifest.steps},
                          {"grains", manifest.grains},
                          {"seconds", result.seconds},
                          {"ns_per_particle_step", result.ns_per_particle_step},
                          {"state_hash", manifest.state_hash},
                          {"result", nlohmann::json::parse(manifest.result)}};
    if (result.impacts) {
        out["impacts"] = *result.impacts;
        out["impacts_per_second"] = result.impacts_per_second;
    }
    if (!result.has_steps) {
        out.erase("ns_per_particle_step");
    }
    fmt::print("{}\n", out.dump());
}

/// What was done, and how fast.
std::pair<std::string, std::string> amount_and_rate(const simulation::RunResult& result) {
    const std::string steps = fmt::format("{} steps", result.manifest.steps);
    if (!result.impacts) {
        return {steps, fmt::format("{:.0f} ns per grain and step", result.ns_per_particle_step)};
    }
    const std::string impacts = fmt::format("{} impacts", *result.impacts);
    return {result.has_steps ? steps + " with " + impacts : impacts,
            fmt::format("{:.3g} impacts a second", result.impacts_per_second)};
}

void print_summary(const simulation::RunResult& result) {
    const output::Manifest& manifest = result.manifest;
    for (const std::string& line : result.report) {
        fmt::print("{}\n", line);
    }
    const auto [amount, rate] = amount_and_rate(result);
    fmt::print("{} at t = {:.6g} s after {}, {} grains; {} in this session, {}\n", manifest.status, manifest.time,
               amount, manifest.grains, simulation::duration_text(result.seconds), rate);
    fmt::print("results are in {}\n", result.folder.string());
    if (!result.finished) {
        fmt::print("go on with: talus run --resume {}\n", result.folder.string());
    }
}

void run(const Arguments& arguments) {
    if (arguments.scene.empty() == arguments.resume.empty()) {
        throw base::InputError("give either a scene or --resume DIR");
    }
    if (!arguments.resume.empty() && (!arguments.overrides.empty() || !arguments.out.empty())) {
        throw base::InputError("--resume goes on with the scene and the folder it has; --set and --out have no place");
    }
    simulation::RunOptions options;
    options.simulation.threads = arguments.threads;
    options.stop = &heed_stop_signals();
    options.overwrite = arguments.overwrite;
    options.progress = arguments.quiet  ? simulation::ProgressStyle::quiet
                       : isatty(2) != 0 ? simulation::ProgressStyle::bar
                                        : simulation::ProgressStyle::lines;
    if (!arguments.replay.empty()) {
        options.replay = simulation::recorded_changes(arguments.replay);
    }
    std::unique_ptr<simulation::View> view;
    std::unique_ptr<simulation::LiveView> live_view;
    if (arguments.view) {
        view = std::make_unique<simulation::View>(arguments.viewing.options());
        live_view = std::make_unique<simulation::LiveView>(view->exchange());
        options.view = live_view.get();
    }
    std::unique_ptr<simulation::Run> the_run;
    if (!arguments.resume.empty()) {
        the_run = simulation::Run::resume(arguments.resume, options);
    } else {
        const fs::path out =
            arguments.out.empty() ? fs::path("out") / fs::path(arguments.scene).stem() : fs::path(arguments.out);
        the_run = std::make_unique<simulation::Run>(scene::load(arguments.scene, arguments.overrides), out, options);
    }
    Browser browser;
    if (arguments.view) {
        if (the_run->had_finished()) {
            throw base::InputError(fmt::format("the run in {} has finished; look at it with `talus view {}`",
                                               arguments.resume, arguments.resume));
        }
        announce(*view, arguments.viewing, browser);  // now that there is something to see
    }
    const simulation::RunResult result = the_run->go();
    if (arguments.json) {
        print_json(result);
    } else if (!arguments.quiet) {
        print_summary(result);
    }
    if (!result.finished) {
        throw CLI::RuntimeError(interrupted);
    }
}

}  // namespace

void add_run(CLI::App& app) {
    CLI::App* command = app.add_subcommand("run", "Run a scene, or go on with an interrupted run");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("scene", arguments->scene, "Scene file (TOML)");
    command->add_option("-o,--out", arguments->out, "Folder for the results; out/SCENE by default");
    command->add_option("--resume", arguments->resume, "Go on with the run in this folder, bit for bit");
    command
        ->add_option("--set", arguments->overrides, "Override a key of the scene: --set materials.grain.density=2000")
        ->allow_extra_args(false);
    command->add_option("--threads", arguments->threads, "Threads; all cores by default. Results do not depend on it")
        ->check(CLI::PositiveNumber);
    command->add_flag("--overwrite", arguments->overwrite, "Replace what an earlier run left in the folder");
    command->add_option("--replay", arguments->replay,
                        "Change what was changed in the run of this manifest.json, at the same steps");
    command->add_flag("--view", arguments->view, "Watch and steer the run in a browser");
    arguments->viewing.add_to(*command, "view-");
    command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
    command->add_flag("--json", arguments->json, "End with one JSON object on standard output");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace talus::apps
