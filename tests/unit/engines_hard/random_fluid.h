// Spheres thrown into a box at random without overlap, for tests of event-driven flight.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "talus/base/random.h"
#include "talus/geometry/nearest.h"
#include "talus/model/system.h"

namespace talus::tests {

using math::Vec3d;

struct FluidSpec {
    std::size_t count = 40;
    Vec3d box{1, 1, 1};  // m
    std::array<bool, 3> periodic{true, true, true};
    bool bounded = true;                     // open axes end at the box
    double smallest = 0.08, largest = 0.08;  // m, radii
    Vec3d gravity;                           // m/s2
    double speed = 1;                        // m/s, greatest along an axis
    double spin = 0;                         // rad/s
    std::uint64_t seed = 1;
    std::vector<model::Wall> walls;                            // kept clear of at the start
    bool (*inside)(const Vec3d& at, double radius) = nullptr;  // where to throw spheres; null: anywhere in the box
};

inline model::System random_fluid(const FluidSpec& spec) {
    base::Random random(spec.seed, 7);
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law.resize(1);
    out.gravity = spec.gravity;
    out.domain.periodic = spec.periodic;
    for (int k = 0; k < 3; ++k) {
        if (spec.periodic[static_cast<std::size_t>(k)] || spec.bounded) {
            out.domain.low[k] = 0;
            out.domain.high[k] = spec.box[k];
        }
    }
    out.walls = spec.walls;
    const auto is_free = [&](const Vec3d& at, double r) {
        for (const model::Wall& wall : out.walls) {
            if (geometry::nearest(wall.shape, wall.pose.to_local(at)).distance < r * 1.001) {
                return false;
            }
        }
        if (spec.inside != nullptr && !spec.inside(at, r)) {
            return false;
        }
        for (std::size_t j = 0; j < out.bodies.size(); ++j) {
            Vec3d d = at - out.bodies.position[j];
            for (int k = 0; k < 3; ++k) {
                if (spec.periodic[static_cast<std::size_t>(k)]) {
                    d[k] -= spec.box[k] * std::rint(d[k] / spec.box[k]);
                }
            }
            if (norm(d) < (r + out.bodies.radius[j]) * 1.001) {
                return false;
            }
        }
        return true;
    };
    while (out.bodies.size() < spec.count) {
        const double r = random.uniform(spec.smallest, spec.largest);
        const Vec3d at{random.uniform(0, spec.box.x), random.uniform(0, spec.box.y), random.uniform(0, spec.box.z)};
        if (is_free(at, r)) {
            out.bodies.add_sphere(out.counters.next_id, at, r, random.uniform(500, 1500), 0);
            out.counters.next_id += 3;  // ids need not be indices
            const double v = spec.speed;
            const double w = spec.spin;
            out.bodies.velocity.back() = {random.uniform(-v, v), random.uniform(-v, v), random.uniform(-v, v)};
            out.bodies.spin.back() = {random.uniform(-w, w), random.uniform(-w, w), random.uniform(-w, w)};
        }
    }
    Vec3d mean;  // none: a common drift would only cross borders
    for (const Vec3d& v : out.bodies.velocity) {
        mean += v / static_cast<double>(spec.count);
    }
    for (Vec3d& v : out.bodies.velocity) {
        v -= mean;
    }
    return out;
}

}  // namespace talus::tests
