// A wall: a shape with a pose, a motion, a material and a behaviour, and the record of what it has received.
#pragma once

#include <cstdint>
#include <string>

#include "talus/geometry/shape.h"
#include "talus/model/motion.h"
#include "talus/model/pose.h"

namespace talus::model {

enum class WallBehaviour : std::uint8_t {
    normal,
    sticky,     // a grain that touches is held rigidly from then on and moves with the wall
    absorbing,  // a grain that touches is removed and counted
};

/// What grains have done to a wall. Torques are about the wall's position at the time.
struct WallRecord {
    Vec3d force;            // N, at the end of the last step
    Vec3d torque;           // N m
    Vec3d impulse;          // N s, received since the start
    Vec3d angular_impulse;  // N m s
    double work = 0;   // J, done by the wall on the grains, whole steps: at the instant it is work - power * step / 2
    double power = 0;  // W, at the end of the last step
    std::int64_t absorbed = 0;  // grains
    double absorbed_mass = 0;   // kg
    std::int64_t stuck = 0;     // grains
};

struct Wall {
    std::string name;
    geometry::Shape shape;
    Pose base;  // where the wall is without its motions
    Motion motion;
    Pose pose;  // at the current time
    std::int32_t material = 0;
    WallBehaviour behaviour = WallBehaviour::normal;
    bool present = true;  // a removed wall keeps its place, so that ids stay
    std::string colour;   // for pictures, "#rrggbb"; empty: the renderer chooses
    double opacity = 1;   // for pictures
    WallRecord record;
};

}  // namespace talus::model
