#include "talus/render/stereo.h"

namespace talus::render {
namespace {

constexpr double eyes_apart = 1.0 / 25;  // of the distance to the plane in focus

Picture seen(const World& world, Camera camera, double side, int width, int height, const TraceSettings& settings) {
    camera.shift = side * eyes_apart / 2 * camera.focus;
    return trace(world, camera, width, height, settings);
}

}  // namespace

Picture stereo_picture(const World& world, const Camera& camera, const RenderOptions& options,
                       const TraceSettings& settings, const std::function<void(Picture&)>& annotate) {
    const int height = options.height;
    if (options.stereo == Stereo::none) {
        Picture picture = trace(world, camera, options.width, height, settings);
        annotate(picture);
        return picture;
    }
    const bool pair = options.stereo == Stereo::pair;
    const int width = pair ? options.width / 2 : options.width;
    Picture left = seen(world, camera, -1, width, height, settings);
    Picture right = seen(world, camera, 1, width, height, settings);
    Picture out(options.width, height, settings.background);
    if (pair) {
        annotate(left);
        annotate(right);
    }
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (pair) {
                out.at(x, y) = left.at(x, y);
                out.at(width + x, y) = right.at(x, y);
            } else {
                // The left eye's red is its lightness: strong reds would otherwise flicker between the eyes.
                out.at(x, y) = {luminance(left.at(x, y)), right.at(x, y).g, right.at(x, y).b};
            }
        }
    }
    if (!pair) {
        annotate(out);
    }
    return out;
}

}  // namespace talus::render
