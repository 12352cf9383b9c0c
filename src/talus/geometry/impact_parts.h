// What the searches for the first touch of a moving grain with the parts of a wall share: when the distance from one
// part falls to the grain's radius, and whether that part is then the one that is touched.
#pragma once

#include <cmath>

#include "talus/geometry/flight.h"
#include "talus/geometry/nearest.h"
#include "talus/math/polynomial.h"
#include "talus/math/root.h"

namespace talus::geometry {

/// The outcome of a search: a touch at `time`, or no touch before `time`.
struct FirstTouch {
    bool touches = false;
    double time = HUGE_VAL;  // s, on the flight's clock
};

namespace detail {

inline constexpr double never = HUGE_VAL;

/// A wall at rest, a grain in flight, and the time span that is searched.
struct Hunt {
    const Shape& shape;
    const Flight& flight;
    double radius;     // m, of the grain
    double low, high;  // s, the span
    double size;       // m, of the shape: distances from it are known to rounding of this and of the position

    TALUS_HD Hunt(const Shape& s, const Flight& f, double radius_, double low_, double high_)
        : shape(s), flight(f), radius(radius_), low(low_), high(high_), size(s.a + (s.b < 0 ? -s.b : s.b) + s.c) {}

    /// What rounding may add to the distance at time `t`.
    TALUS_HD double noise(double t) const {
        const auto sum = [](const Vec3d& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); };
        const double after = std::fabs(t);
        return 2 * math::epsilon *
               (radius + size + sum(flight.position) +
                after * (sum(flight.velocity) + 0.5 * after * sum(flight.acceleration)));
    }
};

/// Whether the wall is touched at `t` in the part that stands `distance` from the centre then: this part is the
/// nearest of all, and what is nearest is within reach. Edges do not count where the face beside them is nearer,
/// however little: a grain that slides over a face shall not be caught by its rim.
TALUS_HD inline bool is_touched(const Hunt& hunt, double t, double distance, bool is_face) {
    const Nearest n = nearest(hunt.shape, hunt.flight.at(t));
    const double slack = 16 * hunt.noise(t);
    return n.distance <= hunt.radius + slack && std::fabs(n.distance - distance) <= slack &&
           (is_face || n.feature != Feature::face);
}

/// The first time in [left, right] at which a gap that is negative at both ends becomes smaller (HSDEM Sect. 2.3), or
/// never: at once, or where it turns after it has grown. At turning points a slope is rounding noise, so a look at the
/// middle tells as well.
template <class Gap>
TALUS_HD double approach_while_overlapping(const Gap& gap, double left, double right, double noise) {
    const math::Sample at_left = gap(left);
    const math::Sample at_right = gap(right);
    if (at_left.slope <= 0) {
        return at_right.value < at_left.value - noise ? left : never;
    }
    double falling = right;
    if (!(at_right.value <= 0 && at_right.slope < 0)) {
        falling = left + 0.5 * (right - left);
        const math::Sample at_middle = gap(falling);
        if (!(at_middle.value <= 0 && at_middle.slope < 0)) {
            return never;
        }
    }
    double rising = left;
    for (int round = 0; round < 100; ++round) {
        const double middle = rising + 0.5 * (falling - rising);
        if (!(middle > rising && middle < falling)) {
            break;
        }
        (gap(middle).slope > 0 ? rising : falling) = middle;
    }
    return rising;
}

/// The first time in [low, high] at which `part` is touched: its distance falls to the radius, or is below it and falls
/// on. Between two turning points of a part its distance passes the radius once at most. `AnyHunt` is a Hunt, or one
/// with an is_touched() of its own.
template <class AnyHunt, class Part>
TALUS_HD double first_touch_of(const AnyHunt& hunt, const Part& part, double low, double high) {
    if (!(low <= high)) {
        return never;
    }
    const auto turns = part.turning_points(low, high);
    const auto gap = [&](double t) {
        const math::Sample s = part.sample(t);
        return math::Sample{s.value - hunt.radius, s.slope};
    };
    const auto touched = [&](double t) { return is_touched(hunt, t, part.sample(t).value, Part::is_face); };
    double left = low;
    math::Sample at_left = gap(low);
    for (int k = 0; k <= turns.count; ++k) {
        const double right = k < turns.count ? turns.root[k] : high;
        if (!(right > left)) {
            continue;
        }
        const math::Sample at_right = gap(right);
        const double noise = hunt.noise(left);
        double t = never;
        if (at_left.value > 0 && at_right.value < -noise) {  // a shallower dip is no touch
            t = math::bracketed_root(gap, left, right, true, part.guess(left, right, hunt.radius), noise);
        } else if (at_left.value <= 0 && at_left.value >= -hunt.radius) {  // not beyond it
            t = approach_while_overlapping(gap, left, right, noise);
        }
        if (t != never && touched(t)) {
            return t;
        }
        left = right;
        at_left = at_right;
    }
    return never;
}

/// A set of time spans, ascending.
struct Windows {
    int count = 0;
    double low[6] = {};
    double high[6] = {};

    /// Adds a span; one that begins where the last one ends lengthens it.
    TALUS_HD constexpr void add(double from, double to) {
        if (count > 0 && high[count - 1] == from) {
            high[count - 1] = to;
        } else {
            low[count] = from;
            high[count] = to;
            ++count;
        }
    }
};

/// The spans of [low, high] in which `inside` holds. It may change only at the `n` times `cuts`, in ascending order.
template <class Inside>
TALUS_HD Windows windows_between(const double* cuts, int n, double low, double high, const Inside& inside) {
    Windows windows;
    double left = low;
    for (int k = 0; k <= n; ++k) {
        const double right = k < n && cuts[k] < high ? cuts[k] : high;
        if (right > left) {
            if (inside(left + 0.5 * (right - left))) {
                windows.add(left, right);
            }
            left = right;
        }
    }
    return windows;
}

}  // namespace detail

}  // namespace talus::geometry
