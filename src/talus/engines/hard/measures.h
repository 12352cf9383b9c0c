// What an event-driven run counts as it goes. Nothing here feeds back into the path.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace talus::engines::hard {

struct Measures {
    // events by kind
    std::int64_t collisions = 0;       // between flying spheres
    std::int64_t wall_collisions = 0;  // with walls
    std::int64_t held_collisions = 0;  // with held or stuck grains
    std::int64_t absorbed = 0;         // by walls
    std::int64_t asleep = 0;           // grains at rest now
    std::int64_t crossings = 0;        // from cell to cell
    std::int64_t borders = 0;          // across a periodic border
    std::int64_t departures = 0;       // out of the domain
    std::int64_t repredictions = 0;    // the partner had changed its flight
    std::int64_t epochs = 0;

    double sphere_time = 0;   // s, simulated, summed over the spheres
    double duration = 0;      // s, simulated
    double virial = 0;        // J, normal impulse times distance of centres, summed over collisions
    double wall_impulse = 0;  // N s, magnitudes, given to walls
    double seconds = 0;       // of wall time inside the engine

    /// s between two collisions of a sphere, on average.
    double mean_free_time() const { return collisions > 0 ? sphere_time / (2 * static_cast<double>(collisions)) : 0; }
    /// Impacts of all kinds.
    std::int64_t impacts() const { return collisions + wall_collisions + held_collisions; }
    /// Impacts per second of wall time.
    double events_per_second() const { return seconds > 0 ? static_cast<double>(impacts()) / seconds : 0; }
    /// Pa: P V = 2/3 E + 1/3 of the virial per time, with the mean kinetic energy of translation (J) in the volume
    /// (m3); in the plane E + 1/2 of the virial, and the area times 1 m.
    double pressure(double volume, double kinetic_energy, int dimensions = 3) const {
        return (2 * kinetic_energy + (duration > 0 ? virial / duration : 0)) / (dimensions * volume);
    }
};

/// Bit for bit, for a checkpoint.
using MeasureBits = std::array<double, sizeof(Measures) / sizeof(double)>;
inline std::vector<double> saved(const Measures& measures) {
    const auto bits = std::bit_cast<MeasureBits>(measures);
    return {bits.begin(), bits.end()};
}
/// Nothing if these are not the numbers that `saved` gave.
inline std::optional<Measures> loaded(const std::vector<double>& numbers) {
    MeasureBits bits;
    if (numbers.size() != bits.size()) {
        return std::nullopt;
    }
    for (std::size_t k = 0; k < bits.size(); ++k) {
        bits[k] = numbers[k];
    }
    return std::bit_cast<Measures>(bits);
}

}  // namespace talus::engines::hard
