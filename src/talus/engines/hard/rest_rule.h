// When a grain that has stayed in place is put to rest, and which neighbours may carry one another.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "talus/laws/impact.h"
#include "talus/model/system.h"

namespace talus::engines::hard {

struct RestRule {
    /// How far from its anchor a calm grain may be, of its radius.
    static constexpr double reach = 0.01;
    /// Neighbours nearer than this part of the sum of radii may carry one another.
    static constexpr double carrying_gap = 0.02;

    /// How long a grain must be calm, in times of a free fall that far: one that nothing carries would be sixteen times
    /// as far away, and one at the top of its flight is near for two such times.
    double falls = 4;
    /// A grain that has hit walls and grains at rest so often without getting anywhere is caught between them: in a
    /// narrow gap it would go on ever faster.
    std::int32_t knocks = 64;

    /// For a grain of several spheres that touches others in one point alone: it may stand on end, and falls over ever
    /// so slowly at first.
    static constexpr RestRule on_end() { return {24, 1024}; }

    bool is_over(std::int32_t hits, double calm, double radius, const model::Vec3d& gravity) const {
        return hits > knocks || calm > falls * std::sqrt(2 * reach * radius / norm(gravity));
    }
};

/// Rest needs weight and a remedy for slow impacts; nothing may rest in the way of what moves by itself.
inline bool grains_may_rest(const model::System& system, bool wanted, const laws::SlowImpacts& slow) {
    return wanted && slow.elastic_below > 0 && !(system.gravity == model::Vec3d{}) &&
           std::all_of(system.walls.begin(), system.walls.end(),
                       [](const model::Wall& wall) { return !wall.present || wall.motion.at_rest(); });
}

}  // namespace talus::engines::hard
