// Measuring forces over a distance: a dilute cloud of grains with charges and dipoles, all of which act on all others.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "talus/scene/scene.h"

namespace talus::simulation {

struct ChargesBenchOptions {
    std::int64_t particles = 5000;
    int threads = 1;
    std::int64_t steps = 10;  // timed, in each repeat
    int repeats = 5;
};

struct ChargesBenchResult {
    ChargesBenchOptions options;
    double seconds_per_ten_steps = 0;      // median of the repeats
    double ns_per_pair = 0;                // the same over the ordered pairs of grains
    std::vector<double> samples;           // seconds per ten steps, in order
    std::map<std::string, double> phases;  // seconds per ten steps
    std::uint64_t state_hash = 0;          // after the timed steps
};

/// The cloud: a solid fraction of 0.02 in a ball, charges of both signs, electric and magnetic dipoles.
scene::Scene charged_cloud(std::int64_t particles);

ChargesBenchResult run_charges_bench(const ChargesBenchOptions& options);

}  // namespace talus::simulation
