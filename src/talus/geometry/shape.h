// Wall shapes as plain data in their own frame, and the nearest point of a shape (SSDEM appendix, with its errata).
#pragma once

#include <cstdint>
#include <memory>

#include "talus/math/vec3.h"

namespace talus::geometry {

using math::Vec3d;

enum class ShapeKind : std::uint8_t {
    plane,      // z = 0, infinite
    disk,       // z = 0, a <= rho <= b (a: radius of the hole, 0 for none; b: outer radius)
    rectangle,  // z = 0, 0 <= x <= a, 0 <= y <= b
    triangle,   // z = 0, corners (0, 0), (a, 0), (b, c), c > 0
    cylinder,   // infinite along z, radius a
    tube,       // finite cylinder or cone: -c/2 <= z <= c/2, radius a at z = -c/2 and b at z = +c/2
    sphere,     // shell of radius a, centred at the origin: a cavity from inside, a ball from outside
    ring,       // circle of radius a in z = 0
    line,       // the z axis, infinite
    segment,    // the z axis from 0 to a
    point,      // the origin
    mesh,       // triangles; a is the radius of the ball about the origin that holds them
};

class Surface;

/// A wall is infinitely thin and has two sides. What a, b, c mean stands beside the kinds above; all in metres.
struct Shape {
    ShapeKind kind = ShapeKind::plane;
    double a = 0, b = 0, c = 0;
    std::shared_ptr<const Surface> surface{};  // of a mesh
};

/// Which part of a shape is nearest: a face, an edge or rim, a corner, or a phantom point on an axis of symmetry.
enum class Feature : std::uint8_t { face, edge, corner, axis };

struct Nearest {
    double distance = 0;  // from the query point to the shape
    Vec3d direction;      // unit vector from the query point to the contact point; zero where no direction exists
    Vec3d point;          // the contact point (a phantom one on an axis of symmetry)
    Feature feature = Feature::face;
    bool acts = true;  // false where symmetry leaves no net force (on the axis of a cylinder, say)
};

}  // namespace talus::geometry
