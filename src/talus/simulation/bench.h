// Ready systems for measuring speed: built and settled in code, then timed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "talus/model/system.h"

namespace talus::simulation {

struct BenchOptions {
    std::int64_t particles = 32000;
    int threads = 1;
    std::int64_t steps = 1000;
    int repeats = 5;
};

struct BenchResult {
    std::string name;
    BenchOptions options;
    std::int64_t particles = 0;            // as built
    double ns_per_particle_step = 0;       // median of the repeats
    std::map<std::string, double> phases;  // ns per particle-step
    double coordination = 0;               // contacts per grain
    double bytes_per_particle = 0;         // resident memory gained by the system
    std::uint64_t state_hash = 0;          // after the timed steps
    std::int64_t rebuilds = 0;             // in the timed steps
};

/// The packed bed: periodic x and y, flat floor, gravity, Hooke with history and friction 0.2, radius 1 cm, k_n 8e4.
/// A tile of about 2000 grains is settled and repeated sideways, so that preparing a large bed stays quick.
model::System settled_bed(std::int64_t particles, int threads);
BenchResult bench_bed(const BenchOptions& options);

}  // namespace talus::simulation
