// Where a point appears in a picture: what rays through pixels are checked against.
#pragma once

#include "talus/render/camera.h"

namespace talus::render {

struct Pixel {
    double x = 0, y = 0;
};

/// For an eye that is not shifted.
inline Pixel project(const Camera& camera, const Vec3d& point) {
    const Vec3d d = point - camera.eye;
    const double size =
        camera.pixels_per_metre() * (camera.parallel ? 1 : camera.focus / math::dot(d, camera.axes.forward));
    const Window& window = camera.window;
    return {window.left + window.width / 2 + math::dot(d, camera.axes.right) * size,
            window.top + window.height / 2 - math::dot(d, camera.axes.up) * size};
}

}  // namespace talus::render
