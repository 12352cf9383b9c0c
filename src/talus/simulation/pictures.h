// Pictures and movies, where Talus was built with what they need.
#pragma once

#include "talus/render/options.h"

namespace talus::simulation {

using render::RenderOptions;
using render::Stereo;

/// Writes options.out; how many pictures were made. base::InputError if this Talus was built without Embree.
std::size_t make_pictures(const RenderOptions& options);

}  // namespace talus::simulation
