#include "talus/model/wall_impact.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "talus/geometry/impact_moving.h"
#include "talus/geometry/opposite.h"
#include "talus/math/rotation.h"

namespace talus::model {

namespace {

using geometry::FirstTouch;
using geometry::Flight;
using geometry::RelativeMotion;
using geometry::SearchLimits;
using geometry::Shape;
using geometry::ShapeKind;

/// Directions and places that agree to this fraction count as the same: they were typed or computed to be.
constexpr double same = 1e-12;
/// How deep a dip of the distance may be overlooked, as a fraction of the size of grain and wall.
constexpr double overlooked = 1e-13;

bool keyframes_turn(const Motion& motion) {
    return std::any_of(motion.keyframes.begin(), motion.keyframes.end(),
                       [](const Keyframe& frame) { return frame.rotation != Vec3d{}; });
}

/// Where the axis of a spin stands, seen from a frame that is carried along by the wall's translations.
Vec3d carried_axis(const Motion& motion, const Spin& spin) {
    return spin.through - displacement_at(motion, spin.start);
}

/// Whether a spin leaves the surface of a wall in place: it turns a round shape about its own axis.
bool leaves_in_place(const Target& target, const Spin& spin) {
    const auto& [shape, base, motion, offset] = target;
    const Vec3d centre = base.to_world(offset);
    const Vec3d arm = centre - carried_axis(motion, spin);
    const bool on_axis = norm(cross(arm, spin.axis)) <= same * (norm(centre) + norm(spin.through) + shape.a);
    if (shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::point) {
        return on_axis;
    }
    const bool parallel = norm(cross(base.rotation.column(2), spin.axis)) <= same;
    return geometry::is_round_about_z(shape) && parallel && (on_axis || shape.kind == ShapeKind::plane);
}

/// Spins before this one leave the surface in place.
std::size_t first_felt_spin(const Target& target) {
    std::size_t first = 0;
    while (!keyframes_turn(target.motion) && first < target.motion.spins.size() &&
           leaves_in_place(target, target.motion.spins[first])) {
        ++first;
    }
    return first;
}

/// One wall and one grain, or one sphere of a grain that turns: what of the motion matters, and the searches over spans
/// without sudden changes.
template <class Path>
class Search {
public:
    Search(const Target& target, const Path& flight, double clock, double radius, int looks)
        : shape_(target.shape),
          base_(target.base),
          motion_(target.motion),
          offset_(target.offset),
          flight_(flight),
          clock_(clock),
          radius_(radius),
          first_spin_(first_felt_spin(target)) {
        const double size = radius + shape_.a + std::abs(shape_.b) + shape_.c;
        limits_ = {overlooked * size, 4 * math::epsilon * size, looks};
    }

    FirstTouch first(double from, double to) {
        begin_ = clock_ + from;
        for (double t = from;;) {
            const double change = next_change();
            const double next = std::min(to, std::max(t, change - clock_));
            const FirstTouch found = touch_until(t, next);
            if (found.touches || found.time < next || next >= to) {
                return found;
            }
            t = next;
            begin_ = change;
        }
    }

    double clear_until(double from, double to) {
        begin_ = clock_ + from;
        now_ = pose_at(base_, motion_, begin_);
        const double distance = gap(from).value;
        double span = std::min(to, next_change() - clock_) - from;
        for (int tries = 0; tries < 6 && distance > 0; ++tries) {
            if (bound(from, span).speed * span * safety < distance) {
                return from + span;
            }
            span *= 0.25;
        }
        return from;
    }

private:
    /// Bounds are computed with rounding.
    static constexpr double safety = 1 + 1e-9;

    /// The next time of the run at which some motion begins, ends or changes suddenly.
    double next_change() const {
        double next = HUGE_VAL;
        const auto consider = [&](double time) { next = time > begin_ ? std::min(next, time) : next; };
        for (const Translation& m : motion_.translations) {
            consider(m.start);
        }
        for (const Oscillation& m : motion_.oscillations) {
            consider(m.start);
        }
        for (std::size_t k = first_spin_; k < motion_.spins.size(); ++k) {
            consider(motion_.spins[k].start);
        }
        for (const Keyframe& frame : motion_.keyframes) {
            consider(frame.time);
        }
        return next;
    }

    bool has_begun(double start) const { return begin_ >= start; }

    /// Whether keyframes turn the wall until the next change.
    bool keyframes_turn_now() const {
        for (std::size_t k = 1; k < motion_.keyframes.size(); ++k) {
            const Keyframe& a = motion_.keyframes[k - 1];
            const Keyframe& b = motion_.keyframes[k];
            if (begin_ >= a.time && begin_ < b.time) {
                return a.rotation != b.rotation;
            }
        }
        return false;
    }
    bool turns() const {
        for (std::size_t k = first_spin_; k < motion_.spins.size(); ++k) {
            if (has_begun(motion_.spins[k].start) && motion_.spins[k].rate != 0) {
                return true;
            }
        }
        return keyframes_turn_now();
    }
    /// What of a velocity or acceleration matters while the wall does not turn: nothing along a plane, a line or a
    /// cylinder brings a grain nearer.
    Vec3d felt(const Vec3d& v) const {
        const Vec3d axis = now_.rotation.column(2);
        switch (shape_.kind) {
            case ShapeKind::plane:
                return dot(v, axis) * axis;
            case ShapeKind::cylinder:
            case ShapeKind::line:
                return v - dot(v, axis) * axis;
            default:
                return v;
        }
    }
    bool moves_uniformly() {
        if (turns()) {
            return false;
        }
        now_ = pose_at(base_, motion_, begin_);
        return std::all_of(motion_.oscillations.begin(), motion_.oscillations.end(), [&](const Oscillation& m) {
            return !has_begun(m.start) || norm(felt(m.amplitude)) <= same * norm(m.amplitude);
        });
    }

    FirstTouch touch_until(double t, double next) {
        if constexpr (std::is_same_v<Path, Flight>) {
            if (moves_uniformly()) {
                return touch_of_uniform(t, next);
            }
        }
        return touch_of_other(t, next);
    }

    FirstTouch touch_of_uniform(double t, double next) const {
        const Flight local = geometry::in_frame(flight_.from(t), now_.rotation, now_.to_world(offset_), now_.velocity);
        const FirstTouch found = geometry::first_touch(shape_, local, radius_, 0, next - t);
        return {found.touches, found.touches ? std::min(t + found.time, next) : next};
    }

    math::Sample gap(double t) const {
        const Flight here = flight_.from(t);
        const Pose pose = pose_at(base_, motion_, clock_ + t);
        const Vec3d y = pose.to_local(here.position) - offset_;
        const Vec3d v = math::transpose_times(pose.rotation, here.velocity - pose.velocity_at(here.position));
        const geometry::Nearest n = geometry::nearest_ahead(shape_, y, v);
        return {n.distance - radius_, -dot(v, n.direction)};
    }

    /// Bounds on the grain's motion as the wall sees it, from `t` for `span`. The motions are undone from the outermost
    /// to the innermost; each turning adds omega r to the speed and 2 omega v + omega^2 r to the acceleration.
    RelativeMotion bound(double t, double span) const {
        const double time = clock_ + t;
        const bool turning = turns();
        const auto part = [&](const Vec3d& v) { return norm(turning ? v : felt(v)); };
        Vec3d steady;  // what moves the wall at a constant velocity
        for (const Translation& m : motion_.translations) {
            steady += has_begun(m.start) ? m.velocity : Vec3d{};
        }
        double turn_rate = 0;  // rad/s, of the keyframes
        for (std::size_t k = 1; k < motion_.keyframes.size(); ++k) {
            const Keyframe& a = motion_.keyframes[k - 1];
            const Keyframe& b = motion_.keyframes[k];
            if (begin_ >= a.time && begin_ < b.time) {
                steady += (b.displacement - a.displacement) / (b.time - a.time);
                turn_rate = norm(b.rotation - a.rotation) / (b.time - a.time);
            }
        }
        RelativeMotion result;
        if constexpr (std::is_same_v<Path, Flight>) {
            result = {std::max(part(flight_.velocity_at(t) - steady), part(flight_.velocity_at(t + span) - steady)),
                      part(flight_.acceleration)};
        } else {
            result = {part(flight_.velocity - steady) + flight_.turning_speed(), flight_.acceleration()};
        }
        for (const Oscillation& m : motion_.oscillations) {
            if (has_begun(m.start)) {
                const double omega = std::abs(m.omega);
                result.speed += omega * part(m.amplitude);
                result.acceleration += omega * omega * part(m.amplitude);
            }
        }
        if (!turning) {
            return result;
        }
        const auto turn = [&](double omega, double arm, double change) {
            const double r = arm + result.speed * span;
            result.acceleration += 2 * omega * result.speed + (omega * omega + change) * r;
            result.speed += omega * r;
        };
        Vec3d x = flight_.at(t) - displacement_at(motion_, time);
        for (std::size_t k = motion_.spins.size(); k-- > first_spin_;) {
            const Spin& m = motion_.spins[k];
            if (has_begun(m.start)) {
                const Vec3d center = carried_axis(motion_, m);
                turn(std::abs(m.rate), norm(cross(m.axis, x - center)), 0);
                x = center + transpose_times(math::rotation_matrix(m.axis, m.rate * (time - m.start)), x - center);
            }
        }
        turn(turn_rate, norm(x - base_.position), 0.5 * turn_rate * turn_rate);
        return result;
    }

    FirstTouch touch_of_other(double from, double to) {
        const auto sample = [this](double t) { return gap(t); };
        for (double t = from;;) {
            now_ = pose_at(base_, motion_, clock_ + t);
            const double distance = sample(t).value + radius_;
            const double speed = bound(t, 0).speed;
            // Bounds widen with the span they are for, so it is kept to a few times the distance.
            const double next = std::min(to, t + std::max(2 * (distance + radius_) / speed, 16 * math::epsilon * t));
            const RelativeMotion motion = bound(t, next - t);
            const bool convex = geometry::is_convex_from(shape_, now_.to_local(flight_.at(t)) - offset_);
            const FirstTouch found = convex ? geometry::first_touch_of_convex(sample, motion, t, next, limits_)
                                            : geometry::first_touch_of_any(sample, radius_, motion, t, next, limits_);
            if (found.touches || found.time < next || next >= to) {
                return found;
            }
            t = next;
        }
    }

    const Shape& shape_;
    const Pose& base_;
    const Motion& motion_;
    Vec3d offset_;
    const Path& flight_;
    double clock_;            // s, time of the run when the flight's clock reads zero
    double radius_;           // m
    std::size_t first_spin_;  // spins before this one leave the surface in place
    SearchLimits limits_;
    double begin_ = 0;  // s, time of the run: since then no motion has begun, ended or changed suddenly
    Pose now_;          // the wall at the beginning of what is searched
};

}  // namespace

FirstTouch first_touch(const Target& target, const Flight& flight, double clock, double radius, double from, double to,
                       int looks) {
    if (!(from <= to)) {
        return {false, to};
    }
    return Search(target, flight, clock, radius, looks).first(from, to);
}

FirstTouch first_touch(const Target& target, const geometry::CarriedPoint& point, double clock, double radius,
                       double from, double to, int looks) {
    if (!(from <= to)) {
        return {false, to};
    }
    return Search(target, point, clock, radius, looks).first(from, to);
}

double clear_until(const Target& target, const Flight& flight, double clock, double radius, double from, double to) {
    return from < to ? Search(target, flight, clock, radius, 0).clear_until(from, to) : from;
}

bool is_steady(const Target& target) {
    return target.motion.oscillations.empty() && target.motion.keyframes.empty() &&
           first_felt_spin(target) == target.motion.spins.size();
}

double material_speed(const Target& target, const Vec3d& at, double clock, double span) {
    const Motion& motion = target.motion;
    double speed = 0;
    for (const Translation& m : motion.translations) {
        speed += norm(m.velocity);
    }
    for (const Oscillation& m : motion.oscillations) {
        speed += std::abs(m.omega) * norm(m.amplitude);
    }
    double shift_rate = 0;
    double turn_rate = 0;
    for (std::size_t k = 1; k < motion.keyframes.size(); ++k) {
        const Keyframe& a = motion.keyframes[k - 1];
        const Keyframe& b = motion.keyframes[k];
        shift_rate = std::max(shift_rate, norm(b.displacement - a.displacement) / (b.time - a.time));
        turn_rate = std::max(turn_rate, norm(b.rotation - a.rotation) / (b.time - a.time));
    }
    speed += shift_rate + turn_rate * norm(target.offset);
    for (const Spin& m : motion.spins) {
        const Vec3d center = carried_axis(motion, m) + displacement_at(motion, clock);
        speed += std::abs(m.rate) * (norm(cross(m.axis, at - center)) + 2 * speed * span);
    }
    return speed;
}

}  // namespace talus::model
