#include "talus/analysis/energy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "talus/analysis/vector_sum.h"

namespace talus::analysis {

using base::ExactSum;

double Energies::dissipated_total() const {
    double sum = 0;
    for (const double d : dissipated) {
        sum += d;
    }
    return sum;
}

Energies measure_energies(const model::System& system) {
    const model::Bodies& bodies = system.bodies;
    const model::Ledger& ledger = system.ledger;
    ExactSum translational;
    ExactSum rotational;
    ExactSum potential;
    // The last step's power is booked until half a step ahead (model/ledger.h).
    const double half_step = 0.5 * system.clock.step;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        translational += 0.5 * bodies.mass[i] * math::norm2(bodies.velocity[i]);
        rotational += model::turning_energy(bodies, system.grains, i);
        potential += -bodies.mass[i] * math::dot(system.gravity, bodies.position[i]);
    }
    Energies e;
    e.translational = translational.value();
    e.rotational = rotational.value();
    e.stored = ledger.stored;
    e.potential = potential.value();
    for (std::size_t k = 0; k < model::mechanism_count; ++k) {
        e.dissipated[k] = ledger.dissipated[k] - ledger.power[k] * half_step;
    }
    e.gravity_work = model::gravity_work(system);
    if (system.fields.any()) {
        e.mutual = model::mutual_energy(system);
        e.field_potential = -model::field_lift(system);
        e.field_work = model::field_work(system);
    }
    ExactSum wall_work;
    for (const model::Wall& wall : system.walls) {
        wall_work += wall.record.work - wall.record.power * half_step;
    }
    e.wall_work = wall_work.value();
    e.held_work = ledger.held_work - ledger.held_power * half_step;
    e.removed = ledger.removed;
    e.injected = ledger.injected;
    return e;
}

EnergyBalance energy_balance(const Energies& now, double initial_mechanical) {
    ExactSum residual;
    EnergyBalance balance;
    for (const double entry :
         {now.translational, now.rotational, now.stored.normal, now.stored.tangential, now.dissipated_total(),
          now.removed, now.mutual.gravity, now.mutual.electric, now.mutual.magnetic, -now.field_work, -now.gravity_work,
          -now.wall_work, -now.held_work, -now.injected, -initial_mechanical}) {
        residual += entry;
        balance.largest = std::max(balance.largest, std::abs(entry));
    }
    balance.residual = residual.value();
    return balance;
}

Vec3d momentum(const model::System& system) {
    ExactVectorSum sum;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        sum += system.bodies.velocity[i] * system.bodies.mass[i];
    }
    return sum.value();
}

Vec3d angular_momentum(const model::System& system, const Vec3d& about) {
    const model::Bodies& bodies = system.bodies;
    ExactVectorSum sum;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        sum += math::cross(bodies.position[i] - about, bodies.velocity[i] * bodies.mass[i]);
        sum += model::angular_momentum(bodies, system.grains, i, bodies.spin[i]);
    }
    return sum.value();
}

double total_mass(const model::System& system) {
    ExactSum sum;
    for (const double m : system.bodies.mass) {
        sum += m;
    }
    return sum.value();
}

}  // namespace talus::analysis
