#include "talus/model/region.h"

#include <cmath>

namespace talus::model {

namespace {

// Each part answers for a sphere; a point is a sphere of radius zero. Boundaries belong to the part.

bool holds(const HalfSpace& part, const Vec3d& p, double radius) {
    return dot(part.normal, p) - part.offset >= radius * norm(part.normal);
}

bool holds(const Box& part, const Vec3d& p, double radius) {
    for (int i = 0; i < 3; ++i) {
        if (!(p[i] - radius >= part.low[i] && p[i] + radius <= part.high[i])) {
            return false;
        }
    }
    return true;
}

bool holds(const Ball& part, const Vec3d& p, double radius) {
    return norm(p - part.center) + radius <= part.radius;
}

/// The frustum is convex, so a sphere lies inside if its centre is at least its radius away from both end planes and
/// from the nearest tangent plane of the slanted side.
bool holds(const Frustum& part, const Vec3d& p, double radius) {
    const Vec3d axis = part.to - part.from;
    const double length = norm(axis);
    if (!(length > 0)) {
        return false;
    }
    const Vec3d along = axis / length;
    const Vec3d arm = p - part.from;
    const double z = dot(arm, along);
    if (!(z >= radius && z + radius <= length)) {
        return false;
    }
    const double rho = norm(arm - z * along);
    const double slope = (part.radius_to - part.radius_from) / length;
    const double side = part.radius_from + slope * z;
    return side - rho >= radius * std::sqrt(1 + slope * slope);
}

bool holds(const Outside& part, const Vec3d& p, double radius) {
    return part.distance(p) >= radius;
}

}  // namespace

double Outside::distance(const Vec3d& point) const {
    const Vec3d arm = point - center;
    const double z = dot(arm, axis);
    const double beyond_side = norm(arm - z * axis) - radius;
    const double beyond_end = (z < 0 ? -z : z) - half_length;
    if (beyond_side > 0 && beyond_end > 0) {
        return std::sqrt(beyond_side * beyond_side + beyond_end * beyond_end);
    }
    return beyond_side > beyond_end ? beyond_side : beyond_end;
}

bool Region::contains(const Vec3d& point) const {
    return contains(point, 0);
}

bool Region::contains(const Vec3d& center, double radius) const {
    for (const RegionPart& part : parts) {
        if (!std::visit([&](const auto& p) { return holds(p, center, radius); }, part)) {
            return false;
        }
    }
    return true;
}

}  // namespace talus::model
