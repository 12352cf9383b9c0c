// `talus docs`: the reference pages, written by the code they describe.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "talus/simulation/toolbox.h"

namespace talus::apps {

void add_docs(CLI::App& app) {
    CLI::App* docs =
        app.add_subcommand("docs", "Print a reference page: scene (Markdown), schema (JSON), laws (Markdown)");
    auto page = std::make_shared<std::string>();
    docs->add_option("page", *page, "scene, schema or laws")
        ->required()
        ->check(CLI::IsMember({"scene", "schema", "laws"}));
    docs->callback([page] {
        if (*page == "scene") {
            fmt::print("{}", simulation::scene_reference_markdown());
        } else if (*page == "schema") {
            fmt::print("{}", simulation::scene_json_schema());
        } else {
            fmt::print("{}", simulation::laws_reference_markdown());
        }
    });
}

}  // namespace talus::apps
