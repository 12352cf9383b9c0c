// How a rigid body turns while nothing acts on it, as a function of time that can be asked for any instant: the power
// series of Euler's equations about the start. Unlike the schemes of free_rotation.h it is exact but for rounding over
// the span it holds for, so that neither the energy nor the orientation depends on where a flight is cut.
#pragma once

#include <cmath>
#include <limits>

#include "talus/math/rotation.h"

namespace talus::math {

class TurningArc {
public:
    /// The body as it is turned at one instant.
    struct Turned {
        Mat3d axes;  // principal axes to the world
        Vec3d spin;  // rad/s, in the world's frame
    };

    /// A body that does not turn.
    TurningArc() : TurningArc(Quaterniond{}) {}
    explicit TurningArc(const Quaterniond& orientation) : turn_{orientation} {
        for (int k = 1; k <= order; ++k) {
            turn_[k].w = 0;
        }
    }
    /// `orientation` carries the principal axes to the world; `angular_momentum` (kg m2/s) is in the world's frame;
    /// `inverse_moment`: principal, 1/(kg m2). In the body's frame the spin is w = l / I and l' = l x w, q' = q w / 2.
    TurningArc(const Quaterniond& orientation, const Vec3d& angular_momentum, const Vec3d& inverse_moment)
        : turn_{orientation}, angular_momentum_(angular_momentum), inverse_moment_(inverse_moment) {
        Vec3d along[order];
        Vec3d spin[order];
        along[0] = transpose_times(to_matrix(orientation), angular_momentum);
        for (int k = 0;; ++k) {
            spin[k] = by_moment(along[k]);
            const double next = k + 1;
            Quaterniond change{0, {}};
            for (int i = 0; i <= k; ++i) {
                const Quaterniond part = turn_[i] * Quaterniond{0, spin[k - i]};
                change = {change.w + part.w, change.v + part.v};
            }
            turn_[k + 1] = {change.w / (2 * next), change.v / (2 * next)};
            if (k + 1 == order) {
                break;
            }
            Vec3d growth;
            for (int i = 0; i <= k; ++i) {
                growth += cross(along[i], spin[k - i]);
            }
            along[k + 1] = growth / next;
        }
        // Twice the energy is the sum of I w^2, of which no part is below w^2 times the least moment.
        const double stiffest = std::fmax(inverse_moment.x, std::fmax(inverse_moment.y, inverse_moment.z));
        fastest_ = std::sqrt(dot(along[0], spin[0]) * stiffest) * safety;
    }

    /// rad/s, never more.
    double fastest() const { return fastest_; }
    /// s, how long the series holds: for an eighth of a radian its last term is below rounding.
    double span() const { return fastest_ > 0 ? 0.125 / fastest_ : std::numeric_limits<double>::infinity(); }
    /// m/s2, never more, of a point 1 m off the centre. It is at most |w'| + |w|^2, and Euler's equations have
    /// w_x' = (I_y - I_z)/I_x w_y w_z with a factor of one at most: |w'| <= |w|^2 / sqrt(3).
    double bend() const { return 1.578 * fastest_ * fastest_; }

    /// After a time from 0 to span().
    Quaterniond orientation_at(double time) const {
        Quaterniond out = turn_[order];
        for (int k = order - 1; k >= 0; --k) {
            out = {out.w * time + turn_[k].w, out.v * time + turn_[k].v};
        }
        return out;
    }
    Turned at(double time) const {
        const Mat3d axes = to_matrix(orientation_at(time));
        return {axes, axes * by_moment(transpose_times(axes, angular_momentum_))};
    }

private:
    static constexpr int order = 12;
    static constexpr double safety = 1 + 1e-9;  // bounds are computed with rounding

    Vec3d by_moment(const Vec3d& l) const {
        return {l.x * inverse_moment_.x, l.y * inverse_moment_.y, l.z * inverse_moment_.z};
    }

    Quaterniond turn_[order + 1];  // coefficients; the first is the orientation at the start
    Vec3d angular_momentum_;       // kg m2/s
    Vec3d inverse_moment_;         // 1/(kg m2)
    double fastest_ = 0;           // rad/s
};

}  // namespace talus::math
