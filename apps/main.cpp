// talus: the command-line door.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

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

}  // namespace

int main(int argc, char** argv) {
    using namespace talus;
    CLI::App app("Granular dynamics: write a scene, run it, open the result.", "talus");
    app.set_version_flag("--version", version_text());
    app.require_subcommand(1);
    apps::add_run(app);
    apps::add_check(app);
    apps::add_new(app);
    apps::add_info(app);
    apps::add_export(app);
    apps::add_docs(app);
    apps::add_bench(app);
    try {
        app.parse(argc, argv);
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
