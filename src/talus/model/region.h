// Parts of space, for fills, removals and measures. A region is the intersection of its parts.
#pragma once

#include <limits>
#include <variant>
#include <vector>

#include "talus/math/vec3.h"

namespace talus::model {

using math::Vec3d;

struct HalfSpace {  // points with normal . x >= offset
    Vec3d normal{0, 0, 1};
    double offset = 0;
};
struct Box {
    Vec3d low, high;
};
struct Ball {
    Vec3d center;
    double radius = 0;
};
struct Frustum {  // cylinder or cone between two points
    Vec3d from, to;
    double radius_from = 0, radius_to = 0;
};

/// All but a ball, or all but a cylinder that has no ends or some.
struct Outside {
    static constexpr double endless = std::numeric_limits<double>::infinity();
    Vec3d center;
    Vec3d axis;  // unit vector; zero: a ball
    double radius = 0;
    double half_length = endless;  // of a cylinder

    /// How far the point lies from what is left out; not positive within.
    double distance(const Vec3d& point) const;
};

using RegionPart = std::variant<HalfSpace, Box, Ball, Frustum, Outside>;

struct Region {
    std::vector<RegionPart> parts;  // empty: all of space

    bool contains(const Vec3d& point) const;
    /// Whether a whole sphere lies inside.
    bool contains(const Vec3d& center, double radius) const;
    /// Where a sphere is moved to that lies inside each part in turn by the shortest way; later parts may move it out
    /// of earlier ones again.
    Vec3d confined(Vec3d center, double radius) const;
};

}  // namespace talus::model
