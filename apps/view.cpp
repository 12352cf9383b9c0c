// `talus view`: shows what a run left, or still adds to, in a browser.
#include <csignal>
#include <memory>
#include <string>

#include "commands.h"
#include "view_options.h"

namespace talus::apps {

namespace {

std::atomic<bool> stop_requested{false};

extern "C" void stop_view(int /*signal*/) {
    stop_requested.store(true);
}

}  // namespace

void add_view(CLI::App& app) {
    CLI::App* command = app.add_subcommand("view", "Look at a run in the browser, finished or not");
    auto folder = std::make_shared<std::string>();
    auto arguments = std::make_shared<ViewArguments>();
    command->add_option("folder", *folder, "Folder of a run")->required();
    arguments->add_to(*command, "");
    command->callback([=] {
        std::signal(SIGINT, stop_view);
        std::signal(SIGTERM, stop_view);
        simulation::require_frames(*folder);
        simulation::View view(arguments->options());
        Browser browser;
        announce(view, *arguments, browser);
        simulation::view_folder(view, *folder, stop_requested);
    });
}

}  // namespace talus::apps
