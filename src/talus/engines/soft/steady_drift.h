// The drift that a body shares with its neighbourhood: what flows together uses up no list.
#pragma once

#include "talus/backends/cpu/workspace.h"

namespace talus::engines::soft {

/// What was found for all bodies.
struct SteadyDrift {
    bool any = false;         // false: bodies are best followed as they are, and all drifts are zero
    double largest = 0;       // m a step
    double widest_reach = 0;  // m, pairs with centres farther apart than that may drift apart faster than is told
};

/// Gives each body the mean velocity of a neighbourhood of several radii as its drift, and says by how much bodies and
/// their neighbours drift apart.
SteadyDrift find_steady_drift(const model::System& system, backends::cpu::Workspace& work, double mean_radius,
                              double largest_radius);
/// The same without any drift.
void follow_as_they_are(backends::cpu::Workspace& work);

}  // namespace talus::engines::soft
