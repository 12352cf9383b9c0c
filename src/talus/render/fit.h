// The camera of a picture or a movie: one that sees all of every frame, goes round, or follows the grains.
#pragma once

#include <optional>
#include <vector>

#include "talus/render/camera.h"
#include "talus/render/options.h"

namespace talus::render {

/// Those of many dots that a camera from anywhere could have to make room for, nearly.
std::vector<Dot> outermost(const std::vector<Dot>& dots);

class Cameraman {
public:
    /// `dots`: all that is to be seen, ever; as seen from what is followed, if anything is.
    Cameraman(const RenderOptions& options, bool plane, const std::vector<Dot>& dots, const Window& window);
    /// With what is followed at `followed`, and the part of a turn gone round so far.
    Camera camera(const std::optional<Vec3d>& followed, double turn);

private:
    Camera first_;
    Vec3d pivot_;                // what a turntable turns about, unless something is followed
    std::optional<Vec3d> home_;  // where what is followed was when the first camera was set up
};

}  // namespace talus::render
