// What the tests of fills share: a bare system, and checks by brute force.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "talus/scene/fill.h"

namespace talus::scene {

inline model::System bare_system() {
    model::System system;
    system.materials.list = {{"grain", 2000}, {"other", 500}};
    return system;
}

inline model::Domain periodic_box(const Vec3d& low, const Vec3d& high) {
    model::Domain domain;
    domain.low = low;
    domain.high = high;
    domain.periodic = {true, true, true};
    return domain;
}

inline FillSpec spec_in(std::vector<model::RegionPart> parts, Placement placement, SizeDistribution sizes) {
    FillSpec spec;
    spec.region.parts = std::move(parts);
    spec.placement = std::move(placement);
    spec.sizes = std::move(sizes);
    spec.key = "fill[0]";
    spec.where = {"scene.toml", 12, 1};
    spec.seed = 99;
    return spec;
}

/// Carries out a fill that must succeed; returns its warnings.
inline std::string fill(const FillSpec& spec, model::System& system) {
    base::Diagnostics diagnostics;
    append_fill(spec, system, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
    return diagnostics.text();
}

/// Carries out a fill that must fail; returns the messages and checks that nothing was added.
inline std::string fault_of(const FillSpec& spec, model::System system = bare_system()) {
    base::Diagnostics diagnostics;
    const std::size_t before = system.bodies.size();
    append_fill(spec, system, diagnostics);
    EXPECT_TRUE(diagnostics.has_errors());
    EXPECT_EQ(system.bodies.size(), before);
    return diagnostics.text();
}

/// Smallest distance between surfaces over all pairs, in radii of the smaller grain; images included.
inline double smallest_gap(const model::System& system) {
    const model::Bodies& b = system.bodies;
    double smallest = 1e300;
    for (std::size_t i = 0; i < b.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            Vec3d d = b.position[i] - b.position[j];
            for (int k = 0; k < 3; ++k) {
                if (system.domain.periodic[static_cast<std::size_t>(k)]) {
                    d[k] = std::remainder(d[k], system.domain.size()[k]);
                }
            }
            smallest = std::min(smallest, (norm(d) - b.radius[i] - b.radius[j]) / std::min(b.radius[i], b.radius[j]));
        }
    }
    return smallest;
}

inline bool all_inside(const model::System& system, const model::Region& region, double slack = 0) {
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if (!region.contains(system.bodies.position[i], system.bodies.radius[i] * (1 - slack))) {
            return false;
        }
    }
    return true;
}

inline double solid_volume(const model::System& system) {
    double sum = 0;
    for (const double r : system.bodies.radius) {
        sum += 4.0 / 3.0 * std::numbers::pi * r * r * r;
    }
    return sum;
}

inline model::Wall wall_of(const geometry::Shape& shape, const Vec3d& at) {
    model::Wall wall;
    wall.shape = shape;
    wall.base.position = at;
    return wall;
}

}  // namespace talus::scene
