// The energy ledger read at one instant, its balance, and the total momenta. All sums over grains are exact, so that
// they do not depend on the order in which grains are stored.
#pragma once

#include <array>

#include "talus/math/vec3.h"
#include "talus/model/ledger.h"
#include "talus/model/system.h"

namespace talus::analysis {

using math::Vec3d;

struct Energies {
    double translational = 0;  // J, kinetic
    double rotational = 0;     // J, kinetic
    model::StoredEnergy stored;
    /// J, -sum m g.x of the uniform field. For looking at; the balance uses the work of the field instead, which also
    /// holds where grains leave, cross periodic borders or gravity is changed.
    double potential = 0;
    model::MutualEnergy mutual;  // J, of grains that act on one another over a distance
    /// J, -sum q E.x + p.E + m.B in fields that do not turn. For looking at, as `potential`.
    double field_potential = 0;
    std::array<double, model::mechanism_count> dissipated{};  // J, by model::Mechanism
    double gravity_work = 0;                                  // J, done by gravity on grains
    double field_work = 0;                                    // J, by electric, magnetic and turning fields
    double wall_work = 0;                                     // J, done by walls on grains
    double held_work = 0;                                     // J, done by whatever holds or drives single grains
    double removed = 0;                                       // J, carried off by grains that left
    double injected = 0;                                      // J, by actions of stages

    double kinetic() const { return translational + rotational; }
    double stored_total() const { return stored.normal + stored.tangential; }
    double dissipated_total() const;
    /// Kinetic, stored in contacts, and of grains that act on one another.
    double mechanical() const { return kinetic() + stored_total() + mutual.total(); }
};

Energies measure_energies(const model::System& system);

struct EnergyBalance {
    double residual = 0;  // J, what is on the books too much
    double largest = 0;   // J, the largest entry in play
    double relative() const { return largest > 0 ? residual / largest : 0; }
};

/// Kinetic + stored + mutual + dissipated + removed - work of fields, walls and holds - injected - what was at the
/// start
/// (`Energies::mechanical` then). Zero but for the error of the integrator.
EnergyBalance energy_balance(const Energies& now, double initial_mechanical);

Vec3d momentum(const model::System& system);                                   // kg m/s
Vec3d angular_momentum(const model::System& system, const Vec3d& about = {});  // kg m2/s, spins included
double total_mass(const model::System& system);                                // kg

}  // namespace talus::analysis
