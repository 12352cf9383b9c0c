// The few pieces that the nearest-point queries of all shapes share.
#pragma once

#include "talus/geometry/shape.h"

namespace talus::geometry::detail {

/// A point nearer to an axis than this fraction of the shape's size counts as on it: its direction from the axis is
/// rounding noise there.
inline constexpr double on_axis_fraction = 1e-14;

/// The contact at `point`, seen from `p`. Where the two coincide no direction can be told; `otherwise` stands in.
TALUS_HD inline Nearest contact_at(const Vec3d& p, const Vec3d& point, Feature feature, const Vec3d& otherwise) {
    const Vec3d d = point - p;
    const double distance = norm(d);
    return {distance, distance > 0 ? d / distance : otherwise, point, feature, true};
}

/// The contact with the plane z = 0. A point in the plane counts as above it, so its direction is -z.
TALUS_HD inline Nearest contact_with_face(const Vec3d& p) {
    const bool above = p.z >= 0;
    return {above ? p.z : -p.z, {0, 0, above ? -1.0 : 1.0}, {p.x, p.y, 0}, Feature::face, true};
}

/// On an axis of symmetry: the real contact is a whole circle, `distance` away. A phantom point on the axis takes its
/// place, as deep inside the grain as the circle is (SSDEM appendix, "Disk" and "Finite cylinder"); `sign` says to
/// which side of `p` along z it lies.
TALUS_HD inline Nearest phantom_on_axis(const Vec3d& p, double distance, double sign) {
    return {distance, {0, 0, sign}, {p.x, p.y, p.z + sign * distance}, Feature::axis, true};
}

/// Where symmetry cancels every force: the distance is right, a direction does not exist.
TALUS_HD inline Nearest no_net_force(const Vec3d& p, double distance) {
    return {distance, {0, 0, 0}, p, Feature::axis, false};
}

}  // namespace talus::geometry::detail
