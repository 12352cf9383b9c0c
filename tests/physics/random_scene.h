// Random clouds of grains without overlap, for tests that need many.
#pragma once

#include "physics/two_body.h"
#include "random_vector.h"
#include "talus/base/random.h"

namespace talus::tests {

inline Vec3d random_direction(base::Random& random) {
    for (;;) {
        const Vec3d v = random_vector(random, 1);
        if (norm2(v) > 1e-4 && norm2(v) <= 1) {
            return normalized(v);
        }
    }
}

struct Cloud {
    std::size_t count = 50;
    Vec3d low, high;                         // m, where centres may lie
    double smallest = 0.01, largest = 0.01;  // m, radii, uniform in between
    double speed = 0, spin = 0;              // greatest component, m/s and rad/s
    double gap = 0;                          // m, least distance between surfaces
    std::uint64_t seed = 1;
};

/// Distance between two points, to the nearest image where the domain is periodic.
inline Vec3d nearest_difference(const model::Domain& domain, Vec3d d) {
    for (int axis = 0; axis < 3; ++axis) {
        if (domain.periodic[static_cast<std::size_t>(axis)]) {
            d[axis] -= domain.size()[axis] * std::round(d[axis] / domain.size()[axis]);
        }
    }
    return d;
}

inline void add_cloud(model::System& system, const Cloud& cloud) {
    base::Random random(cloud.seed, 0);
    for (std::size_t placed = 0, tries = 0; placed < cloud.count; ++tries) {
        if (tries > 2000 * cloud.count) {
            throw std::runtime_error("the cloud does not fit");
        }
        const double radius = random.uniform(cloud.smallest, cloud.largest);
        Vec3d x;
        for (int axis = 0; axis < 3; ++axis) {
            x[axis] = random.uniform(cloud.low[axis], cloud.high[axis]);
        }
        bool free = true;
        for (std::size_t j = 0; j < system.bodies.size() && free; ++j) {
            const double reach = radius + system.bodies.radius[j] + cloud.gap;
            free = norm2(nearest_difference(system.domain, system.bodies.position[j] - x)) > reach * reach;
        }
        if (free) {
            add_sphere(system, x, radius, random_vector(random, cloud.speed), random_vector(random, cloud.spin));
            ++placed;
        }
    }
}

/// Contacts between grains that began in the last step.
inline std::int64_t contacts_begun(const model::System& system) {
    const model::PairList& pairs = system.pairs;
    std::int64_t count = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        // The last number of a history is the contact's age.
        const double age = pairs.history[(p + 1) * pairs.history_size - 1];
        count += age < 1.5 * system.clock.step ? 1 : 0;
    }
    return count;
}

}  // namespace talus::tests
