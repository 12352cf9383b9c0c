// `talus import`: scenes from files of other codes.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "commands.h"
#include "talus/base/diagnostics.h"
#include "talus/simulation/toolbox.h"

namespace talus::apps {

void add_import(CLI::App& app) {
    struct Arguments {
        std::string file, target;
        simulation::ImportOptions options;
    };
    CLI::App* command = app.add_subcommand("import", "Make a scene from a file of another code");
    command->require_subcommand(1);
    CLI::App* walls = command->add_subcommand("walls", "A wall file of PKDGRAV (docs/import.md)");
    auto arguments = std::make_shared<Arguments>();
    walls->add_option("file", arguments->file, "Wall file")->required();
    walls->add_option("-o,--out", arguments->target, "Scene to write; standard output by default");
    walls->add_option("--length-unit", arguments->options.length_unit,
                      "What a length of 1 in the file is, as \"1 cm\"; in place of the file's lengthunit");
    walls->add_option("--time-unit", arguments->options.time_unit,
                      "What a time of 1 in the file is, as \"1 s\"; in place of the file's timeunit");
    walls->callback([arguments] {
        const std::string& target = arguments->target;
        if (!target.empty() && std::filesystem::exists(target)) {
            throw base::InputError(fmt::format("{} is there already; it was left as it is", target));
        }
        const simulation::ImportedScene scene = simulation::import_walls(arguments->file, arguments->options);
        for (const base::Diagnostic& warning : scene.warnings.list()) {
            fmt::print(stderr, "{}\n", warning.text());
        }
        if (target.empty()) {
            fmt::print("{}", scene.text);
            return;
        }
        simulation::write_text_file(target, scene.text);
        fmt::print("wrote {} with {} wall{}; `talus check {}` says what it means\n", target, scene.walls,
                   scene.walls == 1 ? "" : "s", target);
    });
}

}  // namespace talus::apps
