// `talus plot`: curves of a run's series and profiles, drawn by a script with matplotlib.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "talus/base/diagnostics.h"

extern char** environ;

namespace talus::apps {
namespace {

/// Runs a program to its end; its exit code, or `run_failed` if a signal ended it.
int run_program(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    pid_t process = -1;
    const int error = posix_spawnp(&process, arguments[0], nullptr, nullptr, arguments.data(), environ);
    if (error != 0) {
        throw base::InputError(
            fmt::format("plots need {} (Debian: python3-matplotlib): {}", words[0], std::strerror(error)));
    }
    int status = 0;
    ::waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(run_failed);
}

}  // namespace

void add_plot(CLI::App& app) {
    CLI::App* command = app.add_subcommand("plot", "Draw curves of a run's series and profiles (PNG, SVG, PDF)");
    auto folder = std::make_shared<std::string>();
    auto wanted = std::make_shared<std::vector<std::string>>();
    auto out = std::make_shared<std::string>();
    command->add_option("folder", *folder, "Run folder")->required()->check(CLI::ExistingDirectory);
    command->add_option("what", *wanted,
                        "energy, losses, discharge, heights, packing, coordination, slope, displacement, numbers, "
                        "impacts, columns of the series (wall.floor), or a profile's name; all of them by default");
    command->add_option("-o,--out", *out, "File; FOLDER/plot.png by default");
    command->callback([=] {
        // Debian's Python is the one that Debian's matplotlib belongs to.
        const std::string debian = "/usr/bin/python3";
        std::vector<std::string> words = {::access(debian.c_str(), X_OK) == 0 ? debian : "python3",
                                          companion("tools") / "plot_run.py", *folder};
        words.insert(words.end(), wanted->begin(), wanted->end());
        if (!out->empty()) {
            words.insert(words.end(), {"--out", *out});
        }
        const int code = run_program(words);
        if (code != success) {
            throw CLI::RuntimeError(code);
        }
    });
}

}  // namespace talus::apps
