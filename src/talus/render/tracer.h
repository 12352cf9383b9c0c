// Ray tracing: a world, a camera and lights to a picture. Every pixel is a function of these alone, whatever the number
// of threads. Embree finds what a ray meets.
#pragma once

#include "talus/render/camera.h"
#include "talus/render/picture.h"
#include "talus/render/world.h"

namespace talus::render {

struct TraceSettings {
    int samples = 6;  // rays a pixel, each with its own shadow and ambient rays
    int threads = 1;
    Rgb background{1, 1, 1};
};

Picture trace(const World& world, const Camera& camera, int width, int height, const TraceSettings& settings);

}  // namespace talus::render
