// What `talus run --view` and `talus view` share: where to serve, and how a person gets there.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "talus/simulation/view.h"

namespace talus::apps {

struct ViewArguments {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;
    bool token = false;
    bool no_browser = false;

    void add_to(CLI::App& command, const std::string& prefix) {
        command.add_option("--" + prefix + "address", address,
                           "Address to serve at; any but the loopback one asks for a token");
        command.add_option("--" + prefix + "port", port, "Port; 8377 by default, or a free one if that is taken");
        command.add_flag("--" + prefix + "token", token,
                         "Ask for a token at the loopback address too: on a machine that others use");
        command.add_flag("--no-browser", no_browser, "Do not open the page in a browser");
    }
    server::ServerOptions options() const { return {address, port, token, {}}; }
};

/// Opens the page where there is a desktop to open it on. Nothing hangs on it: the address has been printed.
inline void open_in_browser(const std::string& url) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
        return;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        if (::fork() == 0) {  // nobody waits for the grandchild
            const int nowhere = ::open("/dev/null", O_RDWR);
            for (const int stream : {0, 1, 2}) {
                ::dup2(nowhere, stream);
            }
            ::execlp("xdg-open", "xdg-open", url.c_str(), static_cast<char*>(nullptr));
        }
        ::_exit(0);
    }
    if (child > 0) {
        ::waitpid(child, nullptr, 0);
    }
}

/// Says where the page is, on standard error so that `--json` stays clean, and opens it.
inline void announce(const simulation::View& view, const ViewArguments& arguments) {
    fmt::print(stderr, "the view is at {}\n", view.url());
    std::fflush(stderr);
    if (!arguments.no_browser) {
        open_in_browser(view.url());
    }
}

}  // namespace talus::apps
