// Where a fill may put grains: inside its region and the domain, clear of walls and of grains already there.
#pragma once

#include <optional>
#include <vector>

#include "talus/geometry/shape.h"
#include "talus/model/pose.h"
#include "talus/model/system.h"
#include "talus/scene/fill.h"
#include "talus/scene/fill_bounds.h"
#include "talus/scene/fill_grid.h"

namespace talus::scene {

/// One grain as a placement or a file gives it; the fill's own velocity and spin are added to it later.
struct Grain {
    Vec3d position{};    // m
    double radius = 0;   // m
    Vec3d velocity{};    // m/s
    Vec3d spin{};        // rad/s
    double density = 0;  // kg/m3; 0: the material's
    double mass = 0;     // kg; 0: from the density
};

/// A grain that was there before the fill.
struct Obstacle {
    Vec3d center;       // m
    double radius = 0;  // m
};

class FillSpace {
public:
    /// Grains that touch exactly, or lie on a side, are off by rounding: this share of a radius is forgiven to
    /// crystals.
    static constexpr double rounding = 1e-9;

    enum class Verdict { free, outside, on_grain, on_wall };

    /// `bounds`: finite, from bounding_box. `gap`: as in RandomFill. `largest`: radius of the fill's largest grain.
    FillSpace(model::Region region, const Bounds& bounds, const model::System& system, double largest, double gap);

    const Bounds& bounds() const { return bounds_; }
    const model::Domain& domain() const { return domain_; }
    /// The box of centres that keeps a sphere within the bounds; periodic sides do not confine.
    Bounds centers(double radius) const;
    bool inside(const Vec3d& center, double radius, double slack) const;
    bool on_wall(const Vec3d& center, double radius, double slack) const;
    Verdict judge(const Vec3d& center, double radius, double slack) const;
    SphereGrid::Overlap deepest(const Vec3d& center, double radius) const {
        return grid_.deepest(center, radius, gap_);
    }
    void add(const Vec3d& center, double radius) { grid_.add(center, radius); }

    /// The nearest place at which the sphere lies inside region and domain, part after part.
    Vec3d confined(Vec3d center, double radius) const;
    /// Moves the sphere off the walls, each to the side on which it is, and tells how far (m) it is then from touching
    /// one; infinite without walls.
    double push_off_walls(Vec3d& center, double radius) const;
    /// The shortest of a distance vector's periodic images.
    Vec3d nearest_image(Vec3d d) const;
    /// Grains that were there before, as far as they matter.
    const std::vector<Obstacle>& obstacles() const { return obstacles_; }

    /// Volume (m3) of the region; in the plane its area times 1 m, as of grains.
    double volume() const {
        if (!volume_) {
            volume_ = volume_of(region_, bounds_, domain_.dimensions);
        }
        return *volume_;
    }

private:
    struct PlacedWall {
        geometry::Shape shape;
        model::Pose pose;
        double reach = 0;  // m, of the shape about its origin
    };

    model::Region region_;
    model::Domain domain_;
    Bounds bounds_;
    double gap_;
    std::vector<PlacedWall> walls_;
    std::vector<Vec3d> images_;  // m, shifts to the wall's periodic images, the zero shift included
    std::vector<Obstacle> obstacles_;
    mutable std::optional<double> volume_;  // m3, once asked for
    SphereGrid grid_;
};

}  // namespace talus::scene
