// The energy ledger: where every joule went.
#pragma once

#include <array>
#include <cstddef>

namespace talus::model {

enum class Mechanism : std::size_t { normal_damping, tangential_damping, sliding, rolling, twisting, time_step };
inline constexpr std::size_t mechanism_count = 6;
/// `time_step` is what the finite step took (or gave) where contacts began and ended; it shrinks with its square.
inline constexpr std::array<const char*, mechanism_count> mechanism_names = {
    "normal_damping", "tangential_damping", "sliding", "rolling", "twisting", "time_step"};

/// What the springs of all contacts hold.
struct StoredEnergy {
    double normal = 0;      // J
    double tangential = 0;  // J
};

/// Energy by kind, summed over all contacts and bodies. A step's power counts from half a step before its instant to
/// half a step after; energies hold whole steps, so the amount at the instant itself is `energy - power * step / 2`.
/// Sums over contacts are exact to a grain that follows the last step, so no order of contacts shows.
struct Ledger {
    std::array<double, mechanism_count> dissipated{};  // J
    std::array<double, mechanism_count> power{};       // W, of the last step; less what damping is ahead at a look
    StoredEnergy stored;                               // J, at the last look
    std::array<double, mechanism_count> peak{};        // W, largest magnitude of one contact's: sets the grain of power
    double held_work = 0;                              // J, done on bodies by whatever holds them
    double held_power = 0;                             // W, of the last step
    /// J: the work of gravity is the sum of m g.x over free bodies less this. Shifted whenever a body leaves, crosses a
    /// periodic border or sticks, and when gravity changes.
    double gravity_reference = 0;
    /// J: the work of electric and magnetic fields that do not turn is field_lift less this, shifted likewise.
    double field_reference = 0;
    double field_work = 0;   // J, of fields that turn
    double field_power = 0;  // W, of the last step
    double removed =
        0;  // J, kinetic energy carried off by removed grains plus stored energy of their contacts and pairs
    double injected = 0;  // J, by stage actions (set velocities, changed materials, removed walls)
};

}  // namespace talus::model
