// Walls as triangles and lines, for pictures. Infinite shapes are cut to what there is to see.
#pragma once

#include <limits>
#include <vector>

#include "talus/output/frame.h"
#include "talus/output/vtk_file.h"

namespace talus::output {

/// An axis-parallel box that grows.
struct Bounds {
    static constexpr double far = std::numeric_limits<double>::infinity();
    Vec3d low{far, far, far};
    Vec3d high{-far, -far, -far};

    bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }
    void add(const Vec3d& point);
    void add(const Bounds& other);
    /// Larger by `fraction` of the diagonal on every side.
    Bounds widened(double fraction) const;
    Vec3d corner(int index) const;  // 0 to 7
};

/// What a frame shows: grains, the bounded sides of the domain, walls of finite size. Never empty.
Bounds visible_bounds(const FrameFile& frame);

/// Surface (or curve, or point) of one wall in world coordinates, without data arrays. Circles have `circle_parts`
/// sides.
PolyData wall_surface(const FrameWall& wall, const Bounds& bounds, int circle_parts = 72);

}  // namespace talus::output
