// A wall at rest from a placed shape, as tests of engines and searches need it.
#pragma once

#include "talus/geometry/make_shape.h"
#include "talus/model/wall.h"

namespace talus::tests {

inline model::Wall wall_of(const geometry::Placed& placed) {
    model::Wall wall;
    wall.name = "wall";
    wall.shape = placed.shape;
    wall.base.position = placed.position;
    wall.base.rotation = placed.rotation;
    wall.pose = wall.base;
    return wall;
}

}  // namespace talus::tests
