// What stays the same from frame to frame of a movie: how far things reach, which floor is the ground, which materials
// there are.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "talus/output/wall_surface.h"
#include "talus/render/look.h"

namespace talus::render {

class Setting {
public:
    void add(const output::FrameFile& frame, const Look& look);

    /// Of all grains.
    const output::Bounds& grains() const { return grains_; }
    /// With all finite walls that are shown: endless walls are cut to it. In the plane walls have no depth.
    output::Bounds bounds() const;
    /// m, the size that widths of lines go by.
    double diagonal() const;
    /// m, mean of all spheres.
    double grain_radius() const;
    /// Light reaches as far as most of the grains and all walls do: a single far grain changes no shade.
    Extent extent() const;

    /// Whether a wall is an endless level floor without a colour of its own, at or below all grains whenever it is
    /// there: then it is the ground.
    bool is_ground(const output::FrameWall& wall) const;
    /// m, where the ground is in a frame: at its floor, a little lower if something sinks into that, else below all.
    double ground(const output::FrameFile& frame) const;

    /// Names and colours of the materials that grains have, in their order.
    std::vector<std::pair<std::string, Rgb>> materials() const;

private:
    struct Floor {
        bool level = true;                           // an endless plane without a colour, in all frames
        double above_grains = -output::Bounds::far;  // m, the most it was above the lowest grain
        double above_all = 0;                        // m, the same for whatever is shown
    };
    void add_walls(const output::FrameFile& frame, const Look& look, double lowest_grain);

    bool plane_ = false;
    output::Bounds grains_, walls_, fallback_;
    double radii_ = 0, spheres_ = 0;             // sum and number
    std::array<std::vector<double>, 3> places_;  // m, of some grains of each frame
    std::map<std::string, Floor> floors_;        // by the name of the wall
    std::map<std::size_t, std::pair<std::string, Rgb>> materials_;
};

/// The colour of the grains of a material.
Rgb material_colour(const output::FrameFile& frame, std::size_t material);

/// Every so many of them, so that not more than `enough` are taken; at least 1.
inline std::size_t stride_for(std::size_t count, std::size_t enough) {
    return 1 + count / enough;
}

}  // namespace talus::render
