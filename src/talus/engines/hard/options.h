// What the hard engines are told.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/engines/hard/predict.h"
#include "talus/laws/impact.h"
#include "talus/model/flights.h"

namespace talus::engines::hard {

struct Options {
    /// By pair of materials, as Materials::pair_law is; a single entry holds for all.
    std::vector<laws::ImpactParams> impacts{laws::ImpactParams{}};
    laws::SlowImpacts slow;  // the remedy against inelastic collapse; off by default
    /// s: 0 is event-driven flight under gravity; otherwise gravity kicks at the ends of drifts this long (HSDEM).
    double step = 0;
    model::StuckMotion stuck_motion = model::StuckMotion::exact;  // within drifts
    bool resting = false;                                         // whether grains that stay in place are put to rest
    bool stress = false;                                          // whether impulses are summed up grain by grain
    /// Predictions to use; no bit depends on it.
    const PredictKernels* kernels = &predict_kernels();
    /// Collisions a sphere until the epoch moves on and times are counted anew. The last bits of a path depend on it.
    std::int64_t epoch_collisions = 64;
};

/// One impact, for whoever watches.
struct Collision {
    double time = 0;              // s, on the clock
    std::int64_t a = -1, b = -1;  // ids, a < b; for an impact on wall w b is -1 - w
};

}  // namespace talus::engines::hard
