// Scenes of the gallery, as a user would change them with --set.
#pragma once

#include <string>
#include <vector>

#include "talus/scene/scene.h"

namespace talus::tests {

inline scene::Scene gallery(const std::string& name, const std::vector<std::string>& overrides) {
    return scene::load(std::string(TALUS_SOURCE_DIR) + "/scenes/" + name, overrides);
}

}  // namespace talus::tests
