// From a scene file to a model that can run.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/model/plan.h"
#include "talus/model/system.h"

namespace talus::scene {

struct Scene {
    model::System system;
    model::Plan plan;
    std::string engine = "soft";
    base::Diagnostics warnings;   // warnings only
    std::string text;             // the scene as run: the file with the overrides applied, valid TOML
    std::filesystem::path source; // empty for a scene given as text
    bool automatic_step = true;
};

/// Reads, checks and builds a scene. `overrides` are "dotted.key=value" as given to --set.
/// Throws base::InputError with every fault found.
Scene load(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
/// The same from text; `name` stands for the file in messages, relative paths are resolved against `folder`.
Scene load_text(std::string_view toml, const std::string& name, const std::vector<std::string>& overrides = {},
                const std::filesystem::path& folder = ".");

}  // namespace talus::scene
