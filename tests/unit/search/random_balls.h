// Random balls for the tests of searches: sizes, skins and boxes of all kinds.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "talus/base/random.h"
#include "talus/search/balls.h"

namespace talus::tests {

using math::Vec3d;

/// Balls with their skins and the space they are in.
struct Cloud {
    std::vector<double> rows;
    std::size_t stride = 4;
    std::vector<float> skin;  // m
    model::Domain domain;

    std::size_t size() const { return skin.size(); }
    search::Balls balls() const { return {rows.data(), stride, skin.size()}; }
    void add(const Vec3d& x, double radius, double skin_of_ball) {
        // What lies between rows is none of the search's business.
        rows.resize(rows.size() + stride, std::numeric_limits<double>::quiet_NaN());
        double* row = rows.data() + size() * stride;
        row[0] = x.x;
        row[1] = x.y;
        row[2] = x.z;
        row[3] = radius;
        skin.push_back(static_cast<float>(skin_of_ball));
    }
};

/// Sizes from `smallest` to `largest` with n(r) ~ 1/r, as many in each class of sizes; skins up to `skin` radii.
struct CloudSpec {
    std::size_t count = 200;
    Vec3d box{1, 1, 1};
    std::array<bool, 3> periodic{false, false, false};
    double smallest = 0.05, largest = 0.05;
    double skin = 0.3;
    std::size_t stride = 4;
    std::uint64_t seed = 0;
};

inline std::array<bool, 3> axes_of(int bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

inline Cloud random_cloud(const CloudSpec& spec) {
    Cloud cloud;
    cloud.stride = spec.stride;
    cloud.domain.periodic = spec.periodic;
    for (int axis = 0; axis < 3; ++axis) {
        if (spec.periodic[static_cast<std::size_t>(axis)]) {
            cloud.domain.low[axis] = -0.25 * spec.box[axis];
            cloud.domain.high[axis] = 0.75 * spec.box[axis];
        }
    }
    base::Random random(spec.seed, 0);
    for (std::size_t i = 0; i < spec.count; ++i) {
        Vec3d x;
        for (int axis = 0; axis < 3; ++axis) {
            x[axis] = random.uniform(-0.25 * spec.box[axis], 0.75 * spec.box[axis]);
        }
        const double radius = spec.smallest * std::pow(spec.largest / spec.smallest, random.uniform());
        cloud.add(x, radius, spec.skin * radius * random.uniform());
    }
    return cloud;
}

}  // namespace talus::tests
