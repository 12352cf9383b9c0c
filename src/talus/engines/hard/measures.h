// What an event-driven run counts as it goes. Nothing here feeds back into the path.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace talus::engines::hard {

/// The numbers among them.
struct MeasureNumbers {
    // events by kind
    std::int64_t collisions = 0;       // between flying spheres
    std::int64_t wall_collisions = 0;  // with walls
    std::int64_t held_collisions = 0;  // with held or stuck grains
    std::int64_t asleep = 0;           // grains at rest now
    std::int64_t crossings = 0;        // from cell to cell
    std::int64_t borders = 0;          // across a periodic border
    std::int64_t departures = 0;       // out of the domain
    std::int64_t repredictions = 0;    // the partner had changed its flight
    std::int64_t epochs = 0;

    double sphere_time = 0;  // s, simulated, summed over the spheres
    double duration = 0;     // s, simulated
    double virial = 0;       // J, normal impulse times distance of centres, summed over collisions
    double seconds = 0;      // of wall time inside the engine

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

struct Measures : MeasureNumbers {
    std::vector<double> wall_impulse;  // N s, by wall: normal impulses on its surface, magnitudes

    /// N, the mean normal force on wall w.
    double wall_force(std::size_t w) const {
        return w < wall_impulse.size() && duration > 0 ? wall_impulse[w] / duration : 0;
    }
};

/// Bit for bit, for a checkpoint.
using MeasureBits = std::array<double, sizeof(MeasureNumbers) / sizeof(double)>;
inline std::vector<double> saved(const Measures& measures) {
    const auto bits = std::bit_cast<MeasureBits>(static_cast<const MeasureNumbers&>(measures));
    std::vector<double> out(bits.begin(), bits.end());
    out.insert(out.end(), measures.wall_impulse.begin(), measures.wall_impulse.end());
    return out;
}
/// Nothing if these are not the numbers that `saved` gave in a run with so many walls.
inline std::optional<Measures> loaded(const std::vector<double>& numbers, std::size_t walls) {
    MeasureBits bits;
    if (numbers.size() != bits.size() + walls) {
        return std::nullopt;
    }
    const auto rest = numbers.begin() + static_cast<std::ptrdiff_t>(bits.size());
    std::copy(numbers.begin(), rest, bits.begin());
    return Measures{std::bit_cast<MeasureNumbers>(bits), {rest, numbers.end()}};
}

}  // namespace talus::engines::hard
