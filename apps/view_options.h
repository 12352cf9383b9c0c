// What `talus run --view` and `talus view` share: where to serve, and how a person gets there.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "browser.h"
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

/// Says where the page is, on standard error so that `--json` stays clean, and opens it.
inline void announce(const simulation::View& view, const ViewArguments& arguments, Browser& browser) {
    fmt::print(stderr, "the view is at {}\n", view.url());
    std::fflush(stderr);
    if (!arguments.no_browser) {
        browser.open(view.url());
    }
}

}  // namespace talus::apps
