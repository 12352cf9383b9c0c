// Measuring the stepped engine: the Couette cell of AHS at a given packing fraction, sheared until stress reaches
// through.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "talus/scene/scene.h"

namespace talus::simulation {

struct CouetteBenchOptions {
    std::int64_t particles = 5685;  // about; those of the paper's cell, 30 and 90 mean radii wide
    double packing = 0.8;           // of the area
    int threads = 1;
    std::int64_t steps = 2000;  // timed, in each repeat
    int repeats = 5;
    std::int64_t relax = 20'000;  // steps before timing: two units of time
};

struct CouetteBenchResult {
    CouetteBenchOptions options;
    std::int64_t particles = 0;            // as built
    double disc_steps_per_second = 0;      // median of the repeats
    double ns_per_particle_step = 0;       // the same
    std::vector<double> samples;           // ns per particle-step, in order
    std::map<std::string, double> phases;  // ns per particle-step
    double impacts = 0, corrections = 0;   // per disc and step, in the timed steps
    std::int64_t rebuilds = 0;             // in the timed steps
    double bytes_per_particle = 0;         // resident memory of system and engine
    std::uint64_t state_hash = 0;          // after the timed steps
};

/// The cell: a wall inside that turns by one radian a second, one outside that rests; discs of radius 0.8 to 1.2 m.
scene::Scene couette_cell(std::int64_t particles, double packing);

CouetteBenchResult run_couette_bench(const CouetteBenchOptions& options);

}  // namespace talus::simulation
