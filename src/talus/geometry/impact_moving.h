// When a grain first touches a wall whose motion is no straight line: a search in time that cannot step over a touch,
// because it only skips spans in which bounds on speed and acceleration rule one out. docs/impact.md proves the bounds.
#pragma once

#include <cmath>

#include "talus/geometry/extent.h"
#include "talus/geometry/impact_parts.h"
#include "talus/math/quadratic.h"
#include "talus/math/root.h"

namespace talus::geometry {

/// Bounds, over the span that is searched, on how the centre of the grain moves as the wall sees it.
struct RelativeMotion {
    double speed = 0;         // m/s
    double acceleration = 0;  // m/s^2, in the wall's own, perhaps turning, frame
};

/// What a search may spend and overlook.
struct SearchLimits {
    double tolerance = 0;  // m, a dip of the distance below the radius that is shallower than this may be overlooked
    double noise = 0;      // m, what rounding leaves of a distance
    int looks = 0;         // how many more times the distance may be asked for; counted down
};

/// Whether the set of points of the wall is convex as seen from a centre at `p`: then its distance is a convex function
/// of place. A shell is, from outside, as good as the ball or rod that it bounds.
TALUS_HD inline bool is_convex_from(const Shape& shape, const Vec3d& p) {
    switch (shape.kind) {
        case ShapeKind::disk:
            return shape.a == 0;
        case ShapeKind::cylinder:
            return p.x * p.x + p.y * p.y > shape.a * shape.a;
        case ShapeKind::sphere:
            return norm2(p) > shape.a * shape.a;
        case ShapeKind::tube:
        case ShapeKind::ring:
        case ShapeKind::mesh:
            return false;
        default:
            return true;
    }
}

/// The first touch of a convex wall in [from, to]. `gap(t)` is the distance less the radius, with its rate. Along the
/// way of the centre a convex distance has gap'' >= -A, so after a look at t it stays above gap + gap' u - A u^2/2.
template <class Gap>
TALUS_HD FirstTouch first_touch_of_convex(const Gap& gap, const RelativeMotion& motion, double from, double to,
                                          SearchLimits& limits) {
    const double a = motion.acceleration;
    double last = from;
    bool was_clear = false;
    double t = from;
    for (; limits.looks > 0; --limits.looks) {
        const math::Sample at = gap(t);
        if (at.value <= 0 && at.slope < 0) {
            const double first = was_clear ? math::bracketed_root(gap, last, t, true, t, limits.noise) : t;
            return {true, first};
        }
        if (t >= to) {
            return {false, to};
        }
        const double height = (at.value > 0 ? at.value : 0) + limits.tolerance;
        const double root = std::sqrt(at.slope * at.slope + 2 * a * height);
        const double step = at.slope < 0 ? 2 * height / (root - at.slope) : (at.slope + root) / a;  // a = 0: infinite
        was_clear = at.value > 0;
        last = t;
        const double least = 4 * math::epsilon * std::fabs(t);
        t += step > least ? step : least;
        t = t < to ? t : to;
    }
    return {false, last};
}

/// The first touch of any wall in [from, to]. For a wall of any form D^2 - K t^2 is a concave function of time where K
/// is at least V^2 + A |x - q| for the points q that come into question, so between two looks D^2 lies above its chord
/// less K (t - a)(b - t).
template <class Gap>
TALUS_HD FirstTouch first_touch_of_any(const Gap& gap, double radius, const RelativeMotion& motion, double from,
                                       double to, SearchLimits& limits) {
    const double v = motion.speed;
    const double shallow = 2 * radius * limits.tolerance;  // as a difference of squares
    const auto look = [&](double t) {
        --limits.looks;
        return gap(t);
    };
    const auto square = [&](const math::Sample& s) { return s.value * (s.value + 2 * radius); };  // D^2 - s^2
    double a = from;
    math::Sample at_a = look(a);
    double h = to - from;
    while (limits.looks > 0) {
        if (at_a.value <= 0 && at_a.slope < 0) {
            return {true, a};
        }
        if (a >= to) {
            return {false, to};
        }
        const double reach = at_a.value + radius;
        if (at_a.value <= 0) {  // overlapping and leaving: go on in steps in which it cannot come back deeper by much
            const double depth = -0.1 * square(at_a);
            const double k = v * v + motion.acceleration * (reach + v * h);
            a += 2 * std::sqrt((depth > shallow ? depth : shallow) / k);
            a = a < to ? a : to;
            at_a = look(a);
            continue;
        }
        h = v * h < 4 * reach ? h : 4 * reach / v;
        double b = a + h < to ? a + h : to;
        h = b - a;
        const double k = v * v + motion.acceleration * (reach + 2 * v * h);
        const math::Sample at_b = look(b);
        const double fa = square(at_a);
        const double fb = square(at_b);
        const bool falls = reach * at_a.slope + k * h < 0;  // all the way from a to b
        if (fb <= 0 && (falls || 0.25 * k * h * h <= shallow)) {
            return {true, math::bracketed_root(gap, a, b, true, b, limits.noise)};
        }
        // The lower bound is fa + 2 p u + k u^2 after a time u; `shallow` above it may be overlooked.
        const double p = 0.5 * ((fb - fa) / h - k * h);
        const double discriminant = math::difference_of_products(p, p, k, fa + shallow);
        const double root = discriminant > 0 ? std::sqrt(discriminant) : 0.0;
        const double clear = p < 0 && discriminant > 0 ? (fa + shallow) / (root - p) : h;  // nothing before a + clear
        if (fb > 0 && clear >= h) {
            a = b;
            at_a = at_b;
            h *= 2;
            continue;
        }
        const double least = 4 * math::epsilon * std::fabs(a);
        const double next = a + (clear > least ? (clear < h ? clear : 0.5 * h) : least);
        const math::Sample at_next = look(next);
        if (at_next.value <= 0 && at_next.slope < 0) {
            return {true, math::bracketed_root(gap, a, next, true, next, limits.noise)};
        }
        const double doubtful = fb <= 0 ? b - next : 2 * root / k;  // the span in which the bound is negative
        const double finest = std::sqrt(shallow / k);
        h = 0.5 * doubtful > finest ? 0.5 * doubtful : finest;
        a = next;
        at_a = at_next;
    }
    return {false, a};
}

}  // namespace talus::geometry
