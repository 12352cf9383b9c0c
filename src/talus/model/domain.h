// The space grains live in: open or periodic along each axis, with bounds.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "talus/math/vec3.h"

namespace talus::model {

using math::Vec3d;

struct Domain {
    static constexpr double unbounded = std::numeric_limits<double>::infinity();
    Vec3d low{-unbounded, -unbounded, -unbounded};  // m
    Vec3d high{unbounded, unbounded, unbounded};    // m
    std::array<bool, 3> periodic{false, false, false};
    /// 2: grains are discs in the plane z = 0 that turn about z alone. Nothing ever pushes them out of it, so the same
    /// code serves both; only sizes, masses and what is measured per area know.
    int dimensions = 3;

    bool any_periodic() const { return periodic[0] || periodic[1] || periodic[2]; }
    /// Whether a body can leave it or come back on its other side.
    bool is_bounded() const {
        return any_periodic() || low != Vec3d{-unbounded, -unbounded, -unbounded} ||
               high != Vec3d{unbounded, unbounded, unbounded};
    }
    bool planar() const { return dimensions == 2; }
    Vec3d size() const { return high - low; }
    /// Which way is up where no gravity says.
    Vec3d up() const { return planar() ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1}; }
};

/// The same place within the domain's first period; open axes are left as they are.
inline Vec3d wrapped(const Domain& domain, Vec3d x) {
    for (int k = 0; k < 3; ++k) {
        if (domain.periodic[static_cast<std::size_t>(k)]) {
            const double period = domain.high[k] - domain.low[k];
            x[k] -= period * std::floor((x[k] - domain.low[k]) / period);
            if (x[k] >= domain.high[k]) {  // a hair below the low side rounds up to the high one
                x[k] = domain.low[k];
            }
        }
    }
    return x;
}

/// Whether a place lies beyond an open side.
inline bool is_outside(const Domain& domain, const Vec3d& x) {
    for (int k = 0; k < 3; ++k) {
        if (!domain.periodic[static_cast<std::size_t>(k)] && !(x[k] >= domain.low[k] && x[k] <= domain.high[k])) {
            return true;
        }
    }
    return false;
}

/// Which copy of a neighbour a contact is with: the neighbour's position is shifted by whole periods.
/// Packed as three signed bytes so that it sorts and compares as one number.
struct Image {
    signed char x = 0, y = 0, z = 0;
    friend constexpr bool operator==(const Image&, const Image&) = default;
    friend constexpr auto operator<=>(const Image&, const Image&) = default;
};

}  // namespace talus::model
