// Nearest points of the degenerate shapes: ring, line, segment, point. They have no sides; a point exactly on one
// gets a fixed direction across it.
#pragma once

#include <cmath>

#include "talus/geometry/nearest_parts.h"
#include "talus/geometry/shape.h"

namespace talus::geometry::detail {

/// As the rim of a disk's hole, on the axis too.
TALUS_HD inline Nearest nearest_ring(double radius, const Vec3d& p) {
    const double rho = std::sqrt(p.x * p.x + p.y * p.y);
    if (rho <= on_axis_fraction * radius) {
        const double distance = std::sqrt(p.z * p.z + radius * radius);
        return p.z == 0 ? no_net_force(p, distance) : phantom_on_axis(p, distance, p.z > 0 ? -1.0 : 1.0);
    }
    const double scale = radius / rho;
    return contact_at(p, {p.x * scale, p.y * scale, 0}, Feature::edge, {0, 0, -1});
}

TALUS_HD inline Nearest nearest_line(const Vec3d& p) {
    return contact_at(p, {0, 0, p.z}, Feature::edge, {-1, 0, 0});
}

TALUS_HD inline Nearest nearest_segment(double length, const Vec3d& p) {
    if (p.z < 0) {
        return contact_at(p, {0, 0, 0}, Feature::corner, {0, 0, 1});
    }
    if (p.z > length) {
        return contact_at(p, {0, 0, length}, Feature::corner, {0, 0, -1});
    }
    return nearest_line(p);
}

TALUS_HD inline Nearest nearest_point(const Vec3d& p) {
    return contact_at(p, {0, 0, 0}, Feature::corner, {0, 0, -1});
}

}  // namespace talus::geometry::detail
