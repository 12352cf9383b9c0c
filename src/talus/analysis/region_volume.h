// How large a region is and how much of a ball lies in it, for solid fractions and averages per volume.
#pragma once

#include <vector>

#include "talus/math/vec3.h"
#include "talus/model/domain.h"
#include "talus/model/region.h"

namespace talus::analysis {

using math::Vec3d;

/// In the plane volumes are areas, times 1 m, and balls are discs.
///
/// A region cut by the borders of the domain: always where the domain is periodic (balls then count with their periodic
/// images), elsewhere only if the region would have no end without.
///
/// Closed forms serve balls that are cut by planes at right angles (or parallel) to each other, or by one ball; the
/// volume is closed for boxes, slabs, balls and frusta cut along their axis. Everything else is sampled at a fixed set
/// of evenly spread points: `samples_per_ball` for a cut ball (good to about 1 % of that ball), `samples` for a volume.
class RegionVolume {
public:
    static constexpr int samples_per_ball = 1000;
    static constexpr int samples_per_region = 1 << 18;

    RegionVolume(const model::Region& region, const model::Domain& domain, int samples = samples_per_region);

    /// m3; infinite for a region without end.
    double volume() const { return volume_; }
    bool bounded() const;
    /// m3, of the part of a ball that lies inside, periodic images included.
    double ball_inside(const Vec3d& center, double radius) const;
    /// The same without the images.
    double one_ball_inside(const Vec3d& center, double radius) const;

private:
    struct Plane {  // inside: normal . x >= offset, unit normal
        Vec3d normal;
        double offset = 0;
    };
    struct Cone {  // inside: rho <= radius + slope z, z along the axis from `from`
        Vec3d from, axis;
        double radius = 0, slope = 0;
    };

    void add_planes_of(const model::Box& box);
    void add_frustum(const model::Frustum& frustum);
    model::Box bounding_box() const;
    double find_volume() const;
    double sampled(const model::Box& box) const;
    double sampled_ball(const Vec3d& center, double radius) const;
    double whole_ball(double radius) const;
    double area() const;
    bool contains(const Vec3d& point) const;

    bool holds_corners_of(const model::Box& box) const;

    model::Domain domain_;
    int samples_;
    std::vector<Plane> planes_;
    std::vector<model::Ball> balls_;
    std::vector<Cone> cones_;
    std::vector<model::Outside> holes_;
    double volume_ = 0;
};

}  // namespace talus::analysis
