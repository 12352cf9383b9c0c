// One root between two times where a function has opposite signs: Newton's steps where they help, halving where not.
#pragma once

#include "talus/math/host_device.h"

namespace talus::math {

/// A function of one variable and its derivative at one place.
struct Sample {
    double value = 0;
    double slope = 0;
};

/// Spacing of doubles next to one.
inline constexpr double epsilon = 0x1p-52;

/// A root of `f` between `low` and `high`, where f(low) and f(high) have opposite signs (`low_is_positive` says which);
/// `f` gives a Sample. The bracket never loses the root, whatever Newton's steps do. Stops where |f| <= `noise`, which
/// is what rounding leaves of f, or where neighbouring doubles are reached.
template <class F>
TALUS_HD double bracketed_root(const F& f, double low, double high, bool low_is_positive, double start, double noise) {
    double x = start > low && start < high ? start : low + 0.5 * (high - low);
    double width = high - low;
    for (int round = 0; round < 128; ++round) {
        const Sample at = f(x);
        if (at.value <= noise && at.value >= -noise) {
            return x;
        }
        if ((at.value > 0) == low_is_positive) {
            low = x;
        } else {
            high = x;
        }
        const double middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) {
            return high;
        }
        double next = x - at.value / at.slope;  // outside, infinite or NaN where the slope is none: then halve
        const bool inside = next > low && next < high;
        if (inside) {
            const double step = next - x;
            const double size = x < 0 ? -x : x;
            if ((step < 0 ? -step : step) <= 0.5 * epsilon * size) {
                return next;
            }
        }
        // Every third round the bracket must have halved: flat and wavy functions cannot hold Newton up.
        if (round % 3 == 2) {
            const bool halved = high - low <= 0.5 * width;
            width = high - low;
            if (!halved) {
                next = middle;
            }
        }
        x = inside ? (next > low && next < high ? next : middle) : middle;
    }
    return x;
}

}  // namespace talus::math
