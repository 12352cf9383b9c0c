// `talus info`: what a file or folder is.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "talus/simulation/toolbox.h"

namespace talus::apps {

void add_info(CLI::App& app) {
    CLI::App* info = app.add_subcommand("info", "Describe a run folder, frame, checkpoint, series or scene");
    auto path = std::make_shared<std::string>();
    info->add_option("path", *path, "File or folder")->required();
    info->callback([path] { fmt::print("{}", simulation::describe(*path)); });
}

}  // namespace talus::apps
