#include "talus/model/leaving.h"

namespace talus::model {

bool Leaving::drop(std::size_t i) {
    keep_.resize(system_.bodies.size(), 1);
    const bool first = keep_[i] != 0;
    keep_[i] = 0;
    return first;
}

void Leaving::leave_domain(std::size_t i) {
    if (drop(i)) {
        ++system_.counters.left_domain;
        system_.counters.left_domain_mass += system_.bodies.mass[i];
    }
}

void Leaving::absorb(std::size_t i, Wall& wall) {
    if (drop(i)) {
        ++wall.record.absorbed;
        wall.record.absorbed_mass += system_.bodies.mass[i];
    }
}

void book_removal(System& system, std::size_t i) {
    system.ledger.removed += kinetic_energy(system.bodies, system.grains, i);
    if (!system.bodies.is_held(i)) {
        system.ledger.gravity_reference -= system.bodies.mass[i] * dot(system.gravity, system.bodies.position[i]);
    }
}

}  // namespace talus::model
