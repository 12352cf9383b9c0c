// Powers and cube roots of packs, the same bits lane by lane as those of plain numbers.
#pragma once

#include "talus/math/pack.h"
#include "talus/math/portable_power.h"
#include "talus/math/select.h"

namespace talus::math {

template <int n>
TALUS_INLINE PackOf<n> power(const PackOf<n>& x, double p) {
    PackOf<n> out;
    if (p == 0.5) {
        out = sqrt(x);
    } else if (p == 1.5) {
        out = x * sqrt(x);
    } else if (p == 1) {
        out = x;
    } else if (p == 2) {
        out = x * x;
    } else if (p == 2.5) {
        out = x * x * sqrt(x);
    } else {
        for (int lane = 0; lane < n; ++lane) {
            out.lanes[lane] = power(x[lane], p);
        }
    }
    return select(x > PackOf<n>(smallest_normal), out, PackOf<n>(p > 0 ? 0.0 : 1.0));
}

template <int n>
TALUS_INLINE PackOf<n> cube_root(const PackOf<n>& x) {
    PackOf<n> rough;
    for (int lane = 0; lane < n; ++lane) {
        rough.lanes[lane] = rough_cube_root(x[lane]);
    }
    return select(x > PackOf<n>(smallest_normal), refined_cube_root(x, rough), PackOf<n>(0.0));
}

}  // namespace talus::math
