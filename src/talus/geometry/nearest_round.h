// Nearest points of the round shapes: infinite cylinder, finite cylinder or cone, sphere. Each has an inside and an
// outside; a point exactly on such a surface counts as inside.
#pragma once

#include <cmath>

#include "talus/geometry/nearest_parts.h"
#include "talus/geometry/shape.h"

namespace talus::geometry::detail {

/// SSDEM appendix, "Infinite cylinder".
TALUS_HD inline Nearest nearest_cylinder(double radius, const Vec3d& p) {
    const double rho = std::sqrt(p.x * p.x + p.y * p.y);
    if (rho <= on_axis_fraction * radius) {
        return no_net_force(p, radius);
    }
    const Vec3d outward{p.x / rho, p.y / rho, 0};
    const bool inside = rho <= radius;
    return {inside ? radius - rho : rho - radius,
            inside ? outward : -outward,
            {radius * outward.x, radius * outward.y, p.z},
            Feature::face,
            true};
}

TALUS_HD inline Nearest nearest_sphere(double radius, const Vec3d& p) {
    const double r = norm(p);
    if (r <= on_axis_fraction * radius) {
        return no_net_force(p, radius);
    }
    const Vec3d outward = p / r;
    const bool inside = r <= radius;
    return {inside ? radius - r : r - radius, inside ? outward : -outward, radius * outward, Feature::face, true};
}

/// SSDEM Eqs. A.2-A.5 (as corrected) in the half-plane (rho, z): a slanted line from (a, -c/2) to (b, c/2).
struct TubeProfile {
    double a, b, c;
    double length;  // of the slanted line

    TALUS_HD TubeProfile(double a_, double b_, double c_)
        : a(a_), b(b_), c(c_), length(std::sqrt((b_ - a_) * (b_ - a_) + c_ * c_)) {}

    /// Where along the line the foot of the perpendicular lies: 0 to 1 on the line itself.
    TALUS_HD double foot(double rho, double z) const {
        return ((rho - a) * (b - a) + (z + 0.5 * c) * c) / (length * length);
    }
    /// Distance from the line, positive outside; its outward normal is (c, a - b) / length.
    TALUS_HD double beyond(double rho, double z) const { return ((rho - a) * c + (z + 0.5 * c) * (a - b)) / length; }
};

/// On the axis the contact is a whole circle, and what force it leaves points along the axis. From beyond an end it
/// pushes away from the tube. Inside a cone it pushes towards the wide end, since the circle lies nearer the narrow
/// one (paper errata: Q = O + rho + |rho - P_c| N). Inside an untapered tube nothing is left.
TALUS_HD inline Nearest nearest_tube_on_axis(const TubeProfile& tube, const Vec3d& p) {
    const double s = tube.foot(0, p.z);
    double distance = 0;
    if (s >= 0 && s <= 1) {
        const double d = tube.beyond(0, p.z);
        distance = d < 0 ? -d : d;
    } else {
        const double rim = s < 0 ? tube.a : tube.b;
        const double dz = p.z - (s < 0 ? -0.5 : 0.5) * tube.c;
        distance = std::sqrt(rim * rim + dz * dz);
    }
    const bool below = p.z < -0.5 * tube.c;
    const bool above = p.z > 0.5 * tube.c;
    if (!below && !above && tube.a == tube.b) {
        return no_net_force(p, distance);
    }
    // The narrow end lies at +z if b < a. Before the wide end and inside, the circle lies towards the narrow one.
    const bool narrow_above = tube.b < tube.a;
    const bool circle_above = below || (!above && narrow_above);
    return phantom_on_axis(p, distance, circle_above ? 1.0 : -1.0);
}

TALUS_HD inline Nearest nearest_tube(double a, double b, double c, const Vec3d& p) {
    const TubeProfile tube(a, b, c);
    const double rho = std::sqrt(p.x * p.x + p.y * p.y);
    const double widest = a > b ? a : b;
    if (rho <= on_axis_fraction * (widest > c ? widest : c)) {
        return nearest_tube_on_axis(tube, p);
    }
    const double tx = p.x / rho;
    const double ty = p.y / rho;
    const double nr = c / tube.length;
    const double nz = (a - b) / tube.length;
    const Vec3d normal{nr * tx, nr * ty, nz};
    const double s = tube.foot(rho, p.z);
    if (s >= 0 && s <= 1) {
        const double d = tube.beyond(rho, p.z);
        const double foot_rho = a + s * (b - a);
        return {d > 0 ? d : -d,
                d > 0 ? -normal : normal,
                {foot_rho * tx, foot_rho * ty, c * (s - 0.5)},
                Feature::face,
                true};
    }
    const double rim = s < 0 ? a : b;
    const Vec3d q{rim * tx, rim * ty, s < 0 ? -0.5 * c : 0.5 * c};
    return contact_at(p, q, rim > 0 ? Feature::edge : Feature::corner, normal);
}

}  // namespace talus::geometry::detail
