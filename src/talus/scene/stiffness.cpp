#include "talus/scene/stiffness.h"

#include <cmath>

namespace talus::scene {

namespace {

constexpr double solid_fraction = 0.65;  // SSDEM below Eq. 4

}  // namespace

double solve_stiffness(const laws::LawInfo& law, const std::string& key, laws::ParameterValues others,
                       const laws::ParameterValues& multiples, const StiffnessHelper& helper, const GrainScales& grains,
                       double gravity) {
    const double wanted = helper.overlap * grains.smallest_radius;
    const double force =
        solid_fraction * grains.largest_density * gravity * helper.depth * grains.largest_radius * grains.bearing_width;
    if (!(grains.smallest_radius > 0) || (helper.depth > 0 && !(force > 0))) {
        return 0;
    }
    // Too soft: the overlap or the collision is larger than wanted. Both fall as the stiffness grows, for any law.
    const auto too_soft = [&](double stiffness) {
        others[key] = stiffness;
        for (const auto& [other, multiple] : multiples) {
            others[other] = multiple * stiffness;
        }
        std::vector<laws::ParameterFault> ignored;  // reported once, for the value found
        const laws::ParameterBlock block = law.derive(others, ignored);
        if (helper.max_speed > 0) {
            // Against a wall the grain's own mass counts, as in Eq. 4.
            return law.largest_overlap(block, grains.largest_mass, grains.smallest_radius, helper.max_speed) > wanted;
        }
        if (helper.depth > 0) {
            return law.overlap_under(block, grains.smallest_radius, force) > wanted;
        }
        // Equal mean grains: half the mass, half the radius.
        const double time =
            law.collision_time(block, 0.5 * grains.mean_mass, 0.5 * grains.mean_radius, helper.sound_speed);
        return time > 2 * grains.mean_radius / helper.sound_speed;
    };
    double low = 1e-12;
    double high = 1e18;
    if (!too_soft(low) || too_soft(high)) {
        return 0;
    }
    while (high / low > 1 + 1e-12) {
        const double middle = std::sqrt(low) * std::sqrt(high);
        if (!(middle > low && middle < high)) {
            break;
        }
        (too_soft(middle) ? low : high) = middle;
    }
    return high;
}

}  // namespace talus::scene
