// Nearest points of the flat shapes: plane, disk with an optional hole, rectangle, triangle. All lie in z = 0.
#pragma once

#include <cmath>

#include "talus/geometry/nearest_parts.h"
#include "talus/geometry/shape.h"

namespace talus::geometry::detail {

/// SSDEM appendix, "Disk", with the errata's phantom point on the axis of the hole.
TALUS_HD inline Nearest nearest_disk(double hole, double radius, const Vec3d& p) {
    const double rho = std::sqrt(p.x * p.x + p.y * p.y);
    if (rho >= hole && rho <= radius) {
        return contact_with_face(p);
    }
    if (rho <= on_axis_fraction * radius) {  // so there is a hole
        const double distance = std::sqrt(p.z * p.z + hole * hole);
        if (p.z == 0) {
            return no_net_force(p, distance);
        }
        return phantom_on_axis(p, distance, p.z > 0 ? -1.0 : 1.0);
    }
    const double scale = (rho < hole ? hole : radius) / rho;
    return contact_at(p, {p.x * scale, p.y * scale, 0}, Feature::edge, {0, 0, -1});
}

TALUS_HD constexpr double clamped(double x, double low, double high) {
    return x < low ? low : (x > high ? high : x);
}

/// SSDEM appendix, Table 2: the nine regions are what clamping each coordinate gives.
TALUS_HD inline Nearest nearest_rectangle(double a, double b, const Vec3d& p) {
    const Vec3d q{clamped(p.x, 0, a), clamped(p.y, 0, b), 0};
    const bool past_x = q.x != p.x;
    const bool past_y = q.y != p.y;
    if (!past_x && !past_y) {
        return contact_with_face(p);
    }
    return contact_at(p, q, past_x && past_y ? Feature::corner : Feature::edge, {0, 0, -1});
}

/// The side from (ax, ay) along (ex, ey), seen from a point of the plane.
struct Side {
    double ax, ay, ex, ey;

    /// Positive on the inner side of a counter-clockwise triangle.
    TALUS_HD constexpr double inward(const Vec3d& p) const { return ex * (p.y - ay) - ey * (p.x - ax); }
    /// Where along the side the nearest point lies, 0 to 1.
    TALUS_HD constexpr double along(const Vec3d& p) const {
        return clamped(((p.x - ax) * ex + (p.y - ay) * ey) / (ex * ex + ey * ey), 0, 1);
    }
    TALUS_HD constexpr Vec3d at(double t) const { return {ax + t * ex, ay + t * ey, 0}; }
};

/// Corners (0, 0), (a, 0), (b, c).
TALUS_HD inline Nearest nearest_triangle(double a, double b, double c, const Vec3d& p) {
    const Side sides[3] = {{0, 0, a, 0}, {a, 0, b - a, c}, {b, c, -b, -c}};
    bool found = false;
    double least = 0;
    Vec3d best;
    Feature feature = Feature::edge;
    for (const Side& side : sides) {
        if (side.inward(p) >= 0) {
            continue;  // from outside, the nearest side is one that the point lies beyond
        }
        const double t = side.along(p);
        const Vec3d q = side.at(t);
        const double d2 = norm2(q - p);
        if (!found || d2 < least) {
            found = true;
            least = d2;
            best = q;
            feature = t > 0 && t < 1 ? Feature::edge : Feature::corner;
        }
    }
    return found ? contact_at(p, best, feature, {0, 0, -1}) : contact_with_face(p);
}

}  // namespace talus::geometry::detail
