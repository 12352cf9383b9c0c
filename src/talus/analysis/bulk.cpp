#include "talus/analysis/bulk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "talus/analysis/ball_volume.h"
#include "talus/analysis/disc_area.h"
#include "talus/analysis/vector_sum.h"

namespace talus::analysis {

namespace {
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
}

Height height(const model::System& system, const Vec3d& axis, const model::Region& region) {
    const model::Bodies& bodies = system.bodies;
    std::vector<double> tops;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (region.contains(bodies.position[i])) {
            tops.push_back(math::dot(axis, bodies.position[i]) + bodies.radius[i]);
        }
    }
    if (tops.empty()) {
        return {nan, nan};
    }
    const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(tops.size()))) - 1;
    std::nth_element(tops.begin(), tops.begin() + static_cast<std::ptrdiff_t>(rank), tops.end());
    return {tops[rank], *std::max_element(tops.begin(), tops.end())};
}

Vec3d center_of_mass(const model::System& system, const model::Region& region) {
    const model::Bodies& bodies = system.bodies;
    ExactVectorSum moment;
    base::ExactSum mass;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (region.contains(bodies.position[i])) {
            moment += bodies.position[i] * bodies.mass[i];
            mass += bodies.mass[i];
        }
    }
    const double total = mass.value();
    return total > 0 ? moment.value() / total : Vec3d{nan, nan, nan};
}

double packing(const model::System& system, const RegionVolume& region) {
    base::ExactSum solid;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        solid += region.ball_inside(system.bodies.position[i], model::solid_radius(system.bodies, system.grains, i));
    }
    return solid.value() / region.volume();
}

double packing_at_heart(const model::System& system, const Vec3d& axis, double offset) {
    const model::Bodies& bodies = system.bodies;
    const model::Region above{{model::HalfSpace{axis, offset}}};
    const Vec3d heart = center_of_mass(system, above);
    ExactVectorSum squares;
    base::ExactSum mass;
    double largest_radius = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (above.contains(bodies.position[i])) {
            const Vec3d d = bodies.position[i] - heart;
            squares += Vec3d{d.x * d.x, d.y * d.y, d.z * d.z} * bodies.mass[i];
            mass += bodies.mass[i];
            largest_radius = std::max(largest_radius, bodies.radius[i]);
        }
    }
    const double total = mass.value();
    if (!(total > 0)) {
        return 0;
    }
    const Vec3d variance = squares.value() / total;
    const bool planar = system.domain.planar();
    const double radius = std::sqrt(std::min({variance.x, variance.y, planar ? variance.y : variance.z}));
    if (radius < 4 * largest_radius) {
        return 0;
    }
    base::ExactSum solid;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double distance = math::norm(bodies.position[i] - heart);
        solid += planar ? disc_in_disc(bodies.radius[i], radius, distance)
                        : ball_in_ball(bodies.radius[i], radius, distance);
    }
    return solid.value() / (planar ? disc_area(radius) : ball_volume(radius));
}

}  // namespace talus::analysis
