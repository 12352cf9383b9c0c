// Pictures and movies of frames: the whole way from files to a file.
#pragma once

#include "talus/render/options.h"

namespace talus::render {

/// Writes options.out. Everything that can be wrong with the options is found before anything is written
/// (base::InputError). How many pictures were made; 0 if it was stopped, and then nothing is written.
std::size_t render(const RenderOptions& options);

}  // namespace talus::render
