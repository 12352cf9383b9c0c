#include "talus/model/motion.h"

#include <algorithm>
#include <cstddef>

#include "talus/math/portable.h"
#include "talus/math/rotation.h"

namespace talus::model {

namespace {

/// What moves the wall without turning it, and how fast.
struct Displacement {
    Vec3d by;    // m
    Vec3d rate;  // m/s
};

/// Keyframes at one time: where they put the wall and how they turn it.
struct KeyframeState {
    Displacement displacement;
    Vec3d rotation;       // rad, rotation vector
    Vec3d rotation_rate;  // rad/s
};

KeyframeState keyframes_at(const std::vector<Keyframe>& frames, double t) {
    if (frames.empty()) {
        return {};
    }
    const auto next = std::upper_bound(frames.begin(), frames.end(), t,
                                       [](double time, const Keyframe& frame) { return time < frame.time; });
    if (next == frames.begin()) {
        return {{frames.front().displacement, {}}, frames.front().rotation, {}};
    }
    const Keyframe& last = *(next - 1);
    if (next == frames.end()) {
        return {{last.displacement, {}}, last.rotation, {}};
    }
    const double span = next->time - last.time;  // positive: last.time <= t < next.time
    const Vec3d move_rate = (next->displacement - last.displacement) / span;
    const Vec3d turn_rate = (next->rotation - last.rotation) / span;
    const double since = t - last.time;
    return {{last.displacement + since * move_rate, move_rate}, last.rotation + since * turn_rate, turn_rate};
}

/// The sum of translations, oscillations and keyframe displacements.
Displacement carried_at(const Motion& motion, double t) {
    Displacement sum = keyframes_at(motion.keyframes, t).displacement;
    for (const Translation& m : motion.translations) {
        if (t >= m.start) {
            sum.by += (t - m.start) * m.velocity;
            sum.rate += m.velocity;
        }
    }
    for (const Oscillation& m : motion.oscillations) {
        if (t >= m.start) {
            const math::SinCos now = math::sincos(m.omega * (t - m.start) + m.phase);
            sum.by += (now.sin - math::sin(m.phase)) * m.amplitude;
            sum.rate += (m.omega * now.cos) * m.amplitude;
        }
    }
    return sum;
}

}  // namespace

Pose pose_at(const Pose& base, const Motion& motion, double t) {
    if (motion.at_rest()) {
        return base;
    }
    const Displacement moved = carried_at(motion, t);
    Pose pose;
    pose.position = base.position + moved.by;
    pose.velocity = moved.rate;
    pose.rotation = base.rotation;
    if (!motion.keyframes.empty()) {
        const KeyframeState keyed = keyframes_at(motion.keyframes, t);
        pose.rotation = math::rotation_matrix(keyed.rotation) * base.rotation;
        pose.spin = math::spin_from_rotation_rate(keyed.rotation, keyed.rotation_rate);
    }
    const auto turn_about = [&](const Vec3d& axis, const Vec3d& center, double angle, double rate) {
        const Mat3d turn = math::rotation_matrix(axis, angle);
        const Vec3d omega = rate * axis;
        const Vec3d arm = turn * (pose.position - center);
        pose.position = center + arm;
        pose.velocity = moved.rate + turn * (pose.velocity - moved.rate) + cross(omega, arm);
        pose.rotation = turn * pose.rotation;
        pose.spin = omega + turn * pose.spin;
    };
    for (const Spin& m : motion.spins) {
        if (t >= m.start) {
            // The axis stood at `through` when the spin began and has been carried along since.
            const Vec3d center = m.through + (moved.by - carried_at(motion, m.start).by);
            turn_about(m.axis, center, m.rate * (t - m.start), m.rate);
        }
    }
    for (const Drive& m : motion.drives) {
        if (m.turns) {
            turn_about(m.axis, m.through, m.way, m.speed);
        } else {
            pose.position += m.way * m.axis;
            pose.velocity += m.speed * m.axis;
        }
    }
    return pose;
}

Vec3d displacement_at(const Motion& motion, double t) {
    return carried_at(motion, t).by;
}

void take_own_axes(const Pose& base, Motion& motion, const std::vector<OwnAxis>& own) {
    Motion before = motion;
    before.spins.clear();
    for (std::size_t k = 0; k < own.size(); ++k) {
        Spin& spin = motion.spins[k];
        const Pose then = pose_at(base, before, spin.start);
        if (own[k].direction) {
            spin.axis = normalized(then.rotation.column(2));
        }
        if (own[k].place) {
            spin.through = then.position;
        }
        before.spins.push_back(spin);
    }
}

std::pair<Pose, Motion> restart_motion(const Pose& now, const Motion& relative, double t0) {
    Pose base = now;
    base.velocity = {};
    base.spin = {};
    Motion motion = relative;
    for (Translation& m : motion.translations) {
        m.start += t0;
    }
    for (Oscillation& m : motion.oscillations) {
        m.start += t0;
    }
    for (Spin& m : motion.spins) {
        m.start += t0;
    }
    for (Keyframe& frame : motion.keyframes) {
        frame.time += t0;
    }
    for (Drive& m : motion.drives) {
        m.start += t0;
    }
    return {base, motion};
}

}  // namespace talus::model
