// One contact with its force at one instant, as engines hand it to measures, frames and exports.
#pragma once

#include <cstdint>

#include "talus/math/vec3.h"

namespace talus::model {

using math::Vec3d;

struct ContactSample {
    std::int64_t a = -1, b = -1;  // ids of the grains, a < b; with a wall, b is -1
    std::int32_t wall = -1;       // index of the wall; -1: a pair of grains
    Vec3d force;                  // N, on a
    Vec3d normal;                 // unit vector from a towards its partner
    Vec3d point;                  // m, contact point beside a (no periods added)
    double overlap = 0;           // m
};

}  // namespace talus::model
