// Stiffness for people who do not know it: from the fastest speed, the depth of the bed, or a sound speed.
#pragma once

#include "talus/laws/registry.h"

namespace talus::scene {

/// The grains a contact concerns.
struct GrainScales {
    double largest_mass = 0;     // kg
    double mean_mass = 0;        // kg
    double smallest_radius = 0;  // m
    double largest_radius = 0;   // m
    double mean_radius = 0;      // m
    double bearing_width = 0;    // m, times the largest radius: the area that carries what lies above, SSDEM Eq. 5
    double largest_density = 0;  // kg/m3
};

/// One of the three ways; the others are zero.
struct StiffnessHelper {
    double max_speed = 0;    // m/s, SSDEM Eq. 4
    double depth = 0;        // m, SSDEM Eq. 5
    double sound_speed = 0;  // m/s, SSDEM Sect. 2.1
    double overlap = 0.01;   // of the smallest radius
};

/// The value of parameter `key` of `law` that the helper asks for; `others` are the values of the other parameters, and
/// those written relative to `key` are `multiples` of it. Zero where there is none (no gravity for `depth`, say).
double solve_stiffness(const laws::LawInfo& law, const std::string& key, laws::ParameterValues others,
                       const laws::ParameterValues& multiples, const StiffnessHelper& helper, const GrainScales& grains,
                       double gravity);

}  // namespace talus::scene
