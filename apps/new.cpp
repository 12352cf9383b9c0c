// `talus new`: copies a scene of the gallery out, ready to be changed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "talus/base/diagnostics.h"

namespace talus::apps {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> scene_names(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".toml") {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// The first comment line of a scene says what it shows.
std::string first_comment(const fs::path& scene) {
    std::ifstream file(scene);
    std::string line;
    std::getline(file, line);
    return line.starts_with("# ") ? line.substr(2) : "";
}

}  // namespace

void add_new(CLI::App& app) {
    CLI::App* command = app.add_subcommand("new", "Copy a scene of the gallery here; without a name, list them");
    auto name = std::make_shared<std::string>();
    auto target = std::make_shared<std::string>();
    command->add_option("name", *name, "Name of the scene");
    command->add_option("file", *target, "File to write; NAME.toml by default");
    command->callback([=] {
        const fs::path folder = companion("scenes");
        const std::vector<std::string> names = scene_names(folder);
        if (name->empty()) {
            for (const std::string& each : names) {
                fmt::print("{:<20}{}\n", each, first_comment(folder / (each + ".toml")));
            }
            return;
        }
        if (std::find(names.begin(), names.end(), *name) == names.end()) {
            const std::string near = base::nearest_name(*name, names);
            throw base::InputError(
                fmt::format("the gallery has no scene \"{}\"{}", *name,
                            near.empty() ? "; `talus new` lists them" : fmt::format("; did you mean \"{}\"?", near)));
        }
        const fs::path file = target->empty() ? fs::path(*name + ".toml") : fs::path(*target);
        if (fs::exists(file)) {
            throw base::InputError(fmt::format("{} is there already; it was left as it is", file.string()));
        }
        fs::copy_file(folder / (*name + ".toml"), file);
        fmt::print("wrote {}; run it with `talus run {}`\n", file.string(), file.string());
    });
}

}  // namespace talus::apps
