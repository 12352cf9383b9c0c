// The walls as viewers are told of them: their surfaces once, and from then on which of them stand elsewhere.
#pragma once

#include <string>
#include <vector>

#include "talus/model/system.h"
#include "talus/output/frame.h"
#include "talus/output/wall_surface.h"
#include "talus/server/picture.h"

namespace talus::server {

class WallBoard {
public:
    /// Fills `walls` and `poses` of a picture, whose box of grains decides where infinite walls end.
    void show(const std::vector<output::FrameWall>& walls, Picture& picture);
    void show(const std::vector<model::Wall>& walls, Picture& picture);

private:
    /// A wall as it was told last.
    struct Told {
        geometry::Shape shape;
        bool present = true;
        std::string colour;
        double opacity = 1;
        Vec3d position;
        Mat3d rotation;
    };
    template <class Wall>
    void show_any(const std::vector<Wall>& walls, Picture& picture);
    template <class Wall>
    bool still_holds(const std::vector<Wall>& walls, const output::Bounds& grains) const;

    template <class Wall>
    WallPose pose_of(std::size_t w, const Wall& wall) const;

    std::vector<Told> told_;
    output::Bounds bounds_;  // where infinite walls end, and a little more
    Message message_;        // null: nothing has been told
};

/// The walls that are there as triangles, lines and points in their own frames; infinite ones end at `bounds`. Says how
/// far those of finite size reach.
Message walls_message(const std::vector<output::FrameWall>& walls, const output::Bounds& bounds);

}  // namespace talus::server
