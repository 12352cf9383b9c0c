// How crowded it is around each grain.
#pragma once

#include <vector>

#include "talus/math/vec3.h"
#include "talus/model/domain.h"

namespace talus::analysis {

/// A ball without its history.
struct Ball {
    math::Vec3d position;  // m
    double radius = 0;     // m
};

/// For each ball the number of others whose surfaces are at most `gap` from its own, across periodic borders too.
std::vector<int> count_near(const std::vector<Ball>& balls, double gap, const model::Domain& domain);

}  // namespace talus::analysis
