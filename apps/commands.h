// The subcommands of `talus`, one file each. Each adds itself to the command line; its work runs when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace talus::apps {

void add_run(CLI::App& app);
void add_check(CLI::App& app);
void add_new(CLI::App& app);
void add_info(CLI::App& app);
void add_export(CLI::App& app);
void add_import(CLI::App& app);
void add_docs(CLI::App& app);
void add_bench(CLI::App& app);
void add_measure(CLI::App& app);
void add_render(CLI::App& app);
void add_plot(CLI::App& app);
void add_view(CLI::App& app);

/// A folder that came with the program: installed with it, or linked beside a built one.
std::filesystem::path companion(const std::string& folder);

/// What `talus` exits with.
enum ExitCode : int {
    success = 0,
    bad_input = 2,    // the scene, a file or the command line cannot be used; nothing was written
    run_failed = 3,   // the run went wrong; the last checkpoint is usable
    interrupted = 4,  // stopped by a signal after saving; `talus run --resume DIR` goes on
};

}  // namespace talus::apps
