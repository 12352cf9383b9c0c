// How a rigid body turns while nothing acts on it, or between two kicks of its angular momentum: POLY Eq. 59 in the
// form that keeps angular momentum (papers' errata), second order in spin, orientation and energy.
#pragma once

#include "talus/math/rotation.h"

namespace talus::math {

/// A tensor that is diagonal in the frame of `axes` (its columns), in the world's frame.
TALUS_HD inline Mat3d in_world(const Mat3d& axes, const Vec3d& diagonal) {
    Mat3d out;
    for (int r = 0; r < 3; ++r) {
        const Vec3d& a = axes.row[r];
        const Vec3d scaled{a.x * diagonal.x, a.y * diagonal.y, a.z * diagonal.z};
        out.row[r] = {dot(scaled, axes.row[0]), dot(scaled, axes.row[1]), dot(scaled, axes.row[2])};
    }
    return out;
}

/// kg m2/s: the angular momentum that goes with a spin (rad/s), both in the world's frame; `moment`: principal, kg m2.
TALUS_HD inline Vec3d angular_momentum_of(const Vec3d& spin, const Quaterniond& orientation, const Vec3d& moment) {
    const Mat3d axes = to_matrix(orientation);
    const Vec3d along = transpose_times(axes, spin);
    return axes * Vec3d{along.x * moment.x, along.y * moment.y, along.z * moment.z};
}

/// The orientation of a body whose spin (rad/s, world frame) is kept whatever the torque.
TALUS_HD inline Quaterniond turned_steadily(const Quaterniond& orientation, const Vec3d& spin, double time) {
    return norm2(spin) > 0 ? normalized(quaternion_from_rotation_vector(spin * time) * orientation) : orientation;
}

/// rad/s: the spin that goes with an angular momentum (kg m2/s), both in the world's frame. `orientation` carries the
/// principal axes to the world; `inverse_moment` are the inverse principal moments, 1/(kg m2).
TALUS_HD inline Vec3d spin_of(const Vec3d& angular_momentum, const Quaterniond& orientation,
                              const Vec3d& inverse_moment) {
    const Mat3d axes = to_matrix(orientation);
    const Vec3d along = transpose_times(axes, angular_momentum);
    return axes * Vec3d{along.x * inverse_moment.x, along.y * inverse_moment.y, along.z * inverse_moment.z};
}

/// The orientation after `span` (s) with a constant angular momentum. Half of the way tells the spin for all of it.
TALUS_HD inline Quaterniond turned_freely(const Quaterniond& orientation, const Vec3d& angular_momentum,
                                          const Vec3d& inverse_moment, double span) {
    const Vec3d before = spin_of(angular_momentum, orientation, inverse_moment);
    const Quaterniond half = quaternion_from_rotation_vector(before * (0.5 * span)) * orientation;
    const Vec3d midway = spin_of(angular_momentum, half, inverse_moment);
    return normalized(quaternion_from_rotation_vector(midway * span) * orientation);
}

/// The same by turns about the principal axes one after another, each exact, forth and back: time-reversible and
/// symplectic, so that the energy wavers with the square of `span` but never drifts.
TALUS_HD inline Quaterniond turned_by_parts(Quaterniond orientation, const Vec3d& angular_momentum,
                                            const Vec3d& inverse_moment, double span) {
    const auto about = [&](int axis, double part) {
        const double along = dot(to_matrix(orientation).column(axis), angular_momentum);
        Vec3d unit;
        unit[axis] = 1;
        orientation = orientation * quaternion_from_axis_angle(unit, part * along * inverse_moment[axis]);
    };
    about(2, 0.5 * span);
    about(1, 0.5 * span);
    about(0, span);
    about(1, 0.5 * span);
    about(2, 0.5 * span);
    return normalized(orientation);
}

}  // namespace talus::math
