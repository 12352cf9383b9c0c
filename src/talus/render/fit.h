// The camera of a picture or a movie: one that sees all of every frame, goes round, or follows the grains.
#pragma once

#include "talus/render/camera.h"
#include "talus/render/look.h"
#include "talus/render/options.h"

namespace talus::render {

/// Those of many dots that a camera from anywhere could have to make room for, nearly.
std::vector<Dot> outermost(const std::vector<Dot>& dots);

class Cameraman {
public:
    /// `dots`: all that is to be seen, ever.
    Cameraman(const RenderOptions& options, bool plane, const std::vector<Dot>& dots, const Window& window);
    /// For a frame, with the part of a turn gone round so far.
    Camera camera(const output::FrameFile& frame, double turn);

private:
    Vec3d followed(const output::FrameFile& frame);

    Camera first_;
    Vec3d pivot_;  // what a turntable turns about
    bool follows_;
    std::optional<std::int64_t> grain_;
    std::optional<Vec3d> begun_;  // where what is followed was in the first frame
    Vec3d last_;                  // where it was last
};

}  // namespace talus::render
