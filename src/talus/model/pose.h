// Where a wall is, how it is turned, and how it moves at one instant.
#pragma once

#include "talus/math/mat3.h"
#include "talus/math/vec3.h"

namespace talus::model {

using math::Mat3d;
using math::Vec3d;

struct Pose {
    Vec3d position;                      // m, the origin of the shape's frame
    Mat3d rotation = Mat3d::identity();  // carries the shape's frame to the world's
    Vec3d velocity;                      // m/s, of the origin
    Vec3d spin;                          // rad/s, of the frame

    Vec3d to_local(const Vec3d& world) const { return math::transpose_times(rotation, world - position); }
    Vec3d to_world(const Vec3d& local) const { return position + rotation * local; }
    /// Velocity of the wall's material at a world point.
    Vec3d velocity_at(const Vec3d& world) const { return velocity + math::cross(spin, world - position); }
};

}  // namespace talus::model
