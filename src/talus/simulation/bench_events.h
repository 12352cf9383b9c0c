// Measuring the event-driven engine: an elastic hard-sphere fluid, whose mean free time and pressure are known.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/model/system.h"

namespace talus::simulation {

struct EventBenchOptions {
    std::int64_t particles = 100'000;
    double packing = 0.3;     // solid fraction
    std::int64_t events = 0;  // collisions timed in each repeat; 0: ten a grain
    int repeats = 5;
    std::int64_t relax = 10;  // collisions a grain before timing, in which the lattice melts
};

struct EventBenchResult {
    EventBenchOptions options;
    double events_per_second = 0;   // collisions, median of the repeats
    std::vector<double> samples;    // collisions per second, in order
    double mean_free_time = 0;      // in units of a diameter over the thermal speed sqrt(k T/m)
    double expected_free_time = 0;  // after Enskog, with the contact value of Carnahan and Starling
    double compressibility = 0;     // P V / (N k T), from the virial
    double expected_compressibility = 0;
    double crossings = 0;           // cell crossings per collision
    double repredictions = 0;       // per collision
    double energy_error = 0;        // relative change of the kinetic energy over all timed events
    double largest_overlap = 0;     // of a radius
    double bytes_per_particle = 0;  // resident memory of system and engine
    std::uint64_t state_hash = 0;   // after the timed events
};

/// Equal spheres on a lattice with random velocities, periodic everywhere, with exactly this number and solid fraction.
model::System hard_sphere_fluid(std::int64_t particles, double packing);

/// base::InputError if the packing cannot be made.
EventBenchResult run_event_bench(const EventBenchOptions& options);

}  // namespace talus::simulation
