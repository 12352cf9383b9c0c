// talus: the command-line door.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "commands.h"
#include "talus/base/diagnostics.h"
#include "talus/base/version.h"

namespace {

std::string version_text() {
    std::string text = fmt::format("talus {}", talus::base::version());
    if (!talus::base::revision().empty()) {
        text += fmt::format(" ({})", talus::base::revision());
    }
    return text;
}

/// Threads that wait by spinning for long stall each other on a machine that others use too. The OpenMP library reads
/// how long to spin only while it is loaded, so the program starts itself once more with that said.
void spin_briefly(char** argv) {
    // Threads that are bound to cores have been bound by now, and a new start would keep to the first one's core.
    const bool bound = std::getenv("OMP_PROC_BIND") != nullptr || std::getenv("OMP_PLACES") != nullptr;
    if (!bound && std::getenv("OMP_WAIT_POLICY") == nullptr && std::getenv("GOMP_SPINCOUNT") == nullptr) {
        setenv("GOMP_SPINCOUNT", "20000", 1);
        execv("/proc/self/exe", argv);
    }
}

void refuse_unknown_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    if (word.starts_with("-") || std::find(names.begin(), names.end(), word) != names.end()) {
        return;
    }
    const std::string near = talus::base::nearest_name(word, names);
    throw talus::base::InputError(fmt::format("talus has no command \"{}\"{}; `talus --help` lists them", word,
                                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
}

}  // namespace

int main(int argc, char** argv) {
    using namespace talus;
    spin_briefly(argv);
    CLI::App app("Granular dynamics: write a scene, run it, open the result.", "talus");
    app.set_version_flag("--version", version_text());
    app.require_subcommand(1);
    apps::add_run(app);
    apps::add_check(app);
    apps::add_new(app);
    apps::add_info(app);
    apps::add_render(app);
    apps::add_plot(app);
    apps::add_export(app);
    apps::add_import(app);
    apps::add_docs(app);
    apps::add_bench(app);
    apps::add_measure(app);
    apps::add_view(app);
    try {
        if (argc > 1) {
            refuse_unknown_command(app, argv[1]);
        }
        app.parse(argc, argv);
    } catch (const CLI::RuntimeError& e) {  // a command that ran and says how it ended
        return e.get_exit_code();
    } catch (const CLI::ParseError& e) {
        const int code = app.exit(e);
        return code == 0 ? apps::success : apps::bad_input;
    } catch (const base::InputError& e) {
        fmt::print(stderr, "{}\n", e.what());
        return apps::bad_input;
    } catch (const std::exception& e) {
        fmt::print(stderr, "talus: {}\n", e.what());
        return apps::run_failed;
    }
    return apps::success;
}
