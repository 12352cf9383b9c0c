// The energy ledger: where every joule went.
#pragma once

#include <array>
#include <cstddef>

namespace talus::model {

enum class Mechanism : std::size_t { normal_damping, tangential_damping, sliding, rolling, twisting };
inline constexpr std::size_t mechanism_count = 5;
inline constexpr std::array<const char*, mechanism_count> mechanism_names = {"normal_damping", "tangential_damping",
                                                                             "sliding", "rolling", "twisting"};

/// Per body: what its contacts with walls and with grains of higher id have dissipated.
/// A step's power counts from half a step before its instant to half a step after; `energy` holds whole steps, so the
/// amount at the instant itself is `energy - power * step / 2`.
struct Dissipation {
    std::array<double, mechanism_count> energy{};  // J
    std::array<double, mechanism_count> power{};   // W, of the last step
};

/// Energy that entered or left other than through contacts (those sums live with the bodies and walls).
struct LedgerTotals {
    double gravity_work = 0;  // J, done by fields on grains that have since left (the living keep their own)
    double removed = 0;       // J, kinetic energy carried off by removed grains plus stored energy of their contacts
    double dissipated_by_removed[mechanism_count] = {};  // J
    double injected = 0;  // J, by stage actions (set velocities, changed materials, removed walls)
};

}  // namespace talus::model
