#include "talus/model/region.h"

#include <algorithm>
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

// The nearest place of a sphere inside each part.

Vec3d moved_into(const HalfSpace& part, const Vec3d& p, double radius) {
    const double length = norm(part.normal);
    const double missing = radius + (part.offset - dot(part.normal, p)) / length;
    return missing > 0 ? p + part.normal * (missing / length) : p;
}

Vec3d moved_into(const Box& part, Vec3d p, double radius) {
    for (int i = 0; i < 3; ++i) {
        const double low = part.low[i] + radius;
        const double high = part.high[i] - radius;
        p[i] = low > high ? 0.5 * (low + high) : std::clamp(p[i], low, high);
    }
    return p;
}

Vec3d moved_into(const Ball& part, const Vec3d& p, double radius) {
    const Vec3d arm = p - part.center;
    const double distance = norm(arm);
    const double most = std::max(0.0, part.radius - radius);
    return distance > most ? part.center + arm * (most / distance) : p;
}

Vec3d moved_into(const Frustum& part, Vec3d p, double radius) {
    const double length = norm(part.to - part.from);
    const Vec3d along = (part.to - part.from) / length;
    const double z = dot(p - part.from, along);
    const double low = std::min(radius, 0.5 * length);
    p += along * (std::clamp(z, low, length - low) - z);
    const double height = dot(p - part.from, along);
    const Vec3d out = p - part.from - along * height;
    const double rho = norm(out);
    const double slope = (part.radius_to - part.radius_from) / length;
    const double most = part.radius_from + slope * height - radius * std::sqrt(1 + slope * slope);
    return rho > most && rho > 0 ? p + out * (std::max(0.0, most) / rho - 1) : p;
}

Vec3d moved_into(const Outside& part, const Vec3d& p, double radius) {
    const double missing = radius - part.distance(p);
    if (missing <= 0) {
        return p;
    }
    const Vec3d arm = p - part.center;
    const double z = dot(arm, part.axis);
    const Vec3d out = arm - z * part.axis;
    const double rho = norm(out);
    const double beyond_end = (z < 0 ? -z : z) - part.half_length;
    const Vec3d side = rho > 0 ? out / rho : Vec3d{1, 0, 0};
    if (beyond_end > rho - part.radius) {  // over an end
        return p + part.axis * (z < 0 ? -missing : missing);
    }
    return p + side * missing;
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

Vec3d Region::confined(Vec3d center, double radius) const {
    for (const RegionPart& part : parts) {
        center = std::visit([&](const auto& p) { return moved_into(p, center, radius); }, part);
    }
    return center;
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
