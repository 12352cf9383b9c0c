// Cuts as a person writes them.
#pragma once

#include <string>

#include "talus/output/wall_surface.h"
#include "talus/render/world.h"

namespace talus::render {

/// Cuts away what fulfils the text: "y<0", "z > 0.1" (m), "1,0,-1<0.2" (any direction), "x<middle" (of `grains`).
/// base::InputError for anything else.
CutPlane cut_from_text(const std::string& text, const output::Bounds& grains);

/// Numbers with commas between; base::InputError, naming `what`, if there are not three.
Vec3d triple_from_text(const std::string& text, const std::string& what);

}  // namespace talus::render
