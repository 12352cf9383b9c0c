#include "talus/scene/fill_space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "talus/geometry/extent.h"
#include "talus/geometry/nearest.h"

namespace talus::scene {

namespace {

bool within_reach(const Bounds& bounds, const model::Domain& domain, const Vec3d& p, double reach) {
    for (int i = 0; i < 3; ++i) {
        if (!domain.periodic[static_cast<std::size_t>(i)] &&
            (p[i] < bounds.low[i] - reach || p[i] > bounds.high[i] + reach)) {
            return false;
        }
    }
    return true;
}

double largest_of(const model::Bodies& bodies, double largest) {
    for (const double r : bodies.radius) {
        largest = std::max(largest, r);
    }
    return largest;
}

}  // namespace

FillSpace::FillSpace(model::Region region, const Bounds& bounds, const model::System& system, double largest,
                     double gap)
    : region_(std::move(region)),
      domain_(system.domain),
      bounds_(bounds),
      gap_(gap),
      grid_(bounds, system.domain, largest_of(system.bodies, largest)) {
    for (const model::Wall& wall : system.walls) {
        if (wall.present) {
            walls_.push_back({wall.shape, model::pose_at(wall.base, wall.motion, system.clock.time()),
                              geometry::bounding_radius(wall.shape)});
        }
    }
    const Vec3d period = domain_.size();
    const auto range = [this](std::size_t axis) { return domain_.periodic[axis] ? 1 : 0; };
    for (int k = -range(2); k <= range(2); ++k) {
        for (int j = -range(1); j <= range(1); ++j) {
            for (int i = -range(0); i <= range(0); ++i) {
                images_.push_back({i == 0 ? 0 : i * period.x, j == 0 ? 0 : j * period.y, k == 0 ? 0 : k * period.z});
            }
        }
    }
    const model::Bodies& bodies = system.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (within_reach(bounds_, domain_, bodies.position[b], bodies.radius[b] * (1 + gap))) {
            grid_.add(bodies.position[b], bodies.radius[b]);
            obstacles_.push_back({bodies.position[b], bodies.radius[b]});
        }
    }
}

Bounds FillSpace::centers(double radius) const {
    Bounds c = bounds_;
    for (int i = 0; i < domain_.dimensions; ++i) {
        const bool periodic = domain_.periodic[static_cast<std::size_t>(i)];
        if (!periodic || bounds_.low[i] > domain_.low[i]) {
            c.low[i] += radius;
        }
        if (!periodic || bounds_.high[i] < domain_.high[i]) {
            c.high[i] -= radius;
        }
    }
    return c;
}

bool FillSpace::inside(const Vec3d& center, double radius, double slack) const {
    const Bounds c = centers(radius);
    const double forgiven = slack * radius;
    for (int i = 0; i < 3; ++i) {
        if (!(center[i] >= c.low[i] - forgiven && center[i] <= c.high[i] + forgiven)) {
            return false;
        }
        // The far side of a period is the near side of the next: a crystal's site there is not counted twice.
        if (domain_.periodic[static_cast<std::size_t>(i)] && center[i] >= domain_.high[i] - forgiven) {
            return false;
        }
    }
    return region_.contains(center, radius * (1 - slack));
}

bool FillSpace::on_wall(const Vec3d& center, double radius, double slack) const {
    const double least = radius * (1 - slack);
    for (const PlacedWall& wall : walls_) {
        for (const Vec3d& shift : images_) {
            const Vec3d p = wall.pose.to_local(center + shift);
            const double far = wall.reach + radius;
            if (norm2(p) <= far * far && geometry::nearest(wall.shape, p).distance < least) {
                return true;
            }
        }
    }
    return false;
}

Vec3d FillSpace::confined(Vec3d center, double radius) const {
    center = region_.confined(center, radius);
    const Bounds c = centers(radius);
    for (int i = 0; i < domain_.dimensions; ++i) {
        if (!domain_.periodic[static_cast<std::size_t>(i)]) {
            center[i] = std::min(std::max(center[i], c.low[i]), c.high[i]);
        }
    }
    return center;
}

double FillSpace::push_off_walls(Vec3d& center, double radius) const {
    double clearance = std::numeric_limits<double>::infinity();
    for (const PlacedWall& wall : walls_) {
        for (const Vec3d& shift : images_) {
            const Vec3d p = wall.pose.to_local(center + shift);
            const double gap = norm(p) - wall.reach - radius;  // at least
            if (gap > 0) {
                clearance = std::min(clearance, gap);
                continue;
            }
            const geometry::Nearest near = geometry::nearest(wall.shape, p);
            if (near.distance < radius) {
                center -= wall.pose.rotation * near.direction * (radius - near.distance);
            }
            clearance = std::min(clearance, std::max(0.0, near.distance - radius));
        }
    }
    return clearance;
}

Vec3d FillSpace::nearest_image(Vec3d d) const {
    for (int i = 0; i < 3; ++i) {
        if (domain_.periodic[static_cast<std::size_t>(i)]) {
            const double period = domain_.high[i] - domain_.low[i];
            d[i] -= period * std::floor(d[i] / period + 0.5);
        }
    }
    return d;
}

FillSpace::Verdict FillSpace::judge(const Vec3d& center, double radius, double slack) const {
    if (!inside(center, radius, slack)) {
        return Verdict::outside;
    }
    if (grid_.overlaps(center, radius, gap_, slack)) {
        return Verdict::on_grain;
    }
    return on_wall(center, radius, slack) ? Verdict::on_wall : Verdict::free;
}

}  // namespace talus::scene
