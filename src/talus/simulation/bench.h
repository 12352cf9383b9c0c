// Measuring speed: a ready case is relaxed, then timed, and what is needed to compare it with other codes is reported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "talus/simulation/bench_cases.h"

namespace talus::simulation {

struct BenchOptions {
    std::int64_t particles = 32000;
    int threads = 1;
    std::int64_t steps = 1000;  // timed, in each repeat
    int repeats = 5;
    std::int64_t relax = 200;     // steps before timing, in which contact histories come back
    std::filesystem::path cache;  // folder that keeps relaxed states for the next call; empty: none
    std::filesystem::path data;   // the state before relaxing goes here as a LAMMPS data file; empty: nowhere
};

struct BenchResult {
    std::string name;
    BenchOptions options;
    std::int64_t particles = 0;            // as built
    double ns_per_particle_step = 0;       // median of the repeats
    double ns_per_contact_step = 0;        // the same time over the pairs of grains that touch; 0 without any
    std::vector<double> samples;           // ns per particle-step, in order
    std::map<std::string, double> phases;  // ns per particle-step
    double coordination = 0;               // contacts with grains, per grain, mean over the repeats
    double bytes_per_particle = 0;         // resident memory of system and engine
    std::uint64_t state_hash = 0;          // after the timed steps
    std::int64_t rebuilds = 0;             // in the timed steps
    double kinetic_energy = 0;             // J, of translation, after the timed steps
    double top = 0;                        // m, the highest centre of a grain then
};

/// Steps taken after relaxing and before timing: memory is touched and the lists have found their skin.
inline constexpr std::int64_t warm_steps = 200;

/// The case of this name; base::InputError if there is none.
const BenchCase& find_bench_case(const std::string& name);

BenchResult run_bench(const BenchCase& which, const BenchOptions& options);

}  // namespace talus::simulation
