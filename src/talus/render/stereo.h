// One eye or two: a plain picture, a pair side by side, or a red-cyan anaglyph.
#pragma once

#include <functional>

#include "talus/render/options.h"
#include "talus/render/tracer.h"

namespace talus::render {

/// `annotate` writes the labels: on the picture, or on each half of a pair.
Picture stereo_picture(const World& world, const Camera& camera, const RenderOptions& options,
                       const TraceSettings& settings, const std::function<void(Picture&)>& annotate);

}  // namespace talus::render
