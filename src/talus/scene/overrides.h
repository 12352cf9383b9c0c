// Changes to a scene from the command line: `--set materials.grain.density=2000`.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "talus/base/diagnostics.h"

namespace talus::scene {

/// Carries out "dotted.key=value" on the scene. Entries of lists are named by index, `walls.1.shape` or
/// `walls[1].shape`, or by their name, `walls.floor.shape`. The value is TOML, or a bare text if it is not.
void apply_override(const std::string& text, toml::table& scene, base::Diagnostics& diagnostics);

}  // namespace talus::scene
