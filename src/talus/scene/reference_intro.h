// The hand-written opening of docs/scene.md.
#pragma once

#include <string>

namespace talus::scene {

std::string reference_introduction();

}  // namespace talus::scene
