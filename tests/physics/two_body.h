// Small systems built in code for the physics tests: a few spheres, one material, walls where wanted.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "talus/engines/soft/engine.h"
#include "talus/geometry/make_shape.h"
#include "talus/laws/registry.h"
#include "talus/model/system.h"

namespace talus::tests {

using math::Vec3d;

/// A system of one material "grain" (index 0) that also serves for walls.
inline model::System make_system(const std::string& law, const laws::ParameterValues& values, double step) {
    model::System system;
    system.materials.list.push_back({"grain", 1000});
    system.materials.pair_law.resize(1);
    const int index = laws::find_law(law);
    std::vector<laws::ParameterFault> faults;
    const auto block = laws::registry()[static_cast<std::size_t>(index)].derive(values, faults);
    if (!faults.empty()) {
        throw std::runtime_error(faults[0].key + " " + faults[0].message);
    }
    system.materials.set(0, 0, {index, block});
    system.clock.step = step;
    return system;
}

inline std::size_t add_sphere(model::System& system, const Vec3d& at, double radius, const Vec3d& velocity = {},
                              const Vec3d& spin = {}, double density = 1000) {
    system.bodies.add_sphere(system.counters.next_id++, at, radius, density, 0);
    system.bodies.velocity.back() = velocity;
    system.bodies.spin.back() = spin;
    return system.bodies.size() - 1;
}

inline std::size_t add_wall(model::System& system, const geometry::Placed& placed) {
    model::Wall wall;
    wall.name = "wall" + std::to_string(system.walls.size());
    wall.shape = placed.shape;
    wall.base.position = placed.position;
    wall.base.rotation = placed.rotation;
    wall.pose = wall.base;
    system.walls.push_back(wall);
    return system.walls.size() - 1;
}

inline double collision_time(const model::System& system, double mass, double radius = 0.01, double speed = 1) {
    const model::PairLaw& pair = system.materials.between(0, 0);
    return laws::registry()[static_cast<std::size_t>(pair.law)].collision_time(pair.parameters, mass, radius, speed);
}

inline double kinetic_energy(const model::System& system) {
    double sum = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        sum += 0.5 * system.bodies.mass[i] * norm2(system.bodies.velocity[i]) +
               0.5 * system.bodies.inertia[i] * norm2(system.bodies.spin[i]);
    }
    return sum;
}

inline Vec3d momentum(const model::System& system) {
    Vec3d sum;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        sum += system.bodies.velocity[i] * system.bodies.mass[i];
    }
    return sum;
}

inline Vec3d angular_momentum(const model::System& system) {
    Vec3d sum;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        sum += cross(system.bodies.position[i], system.bodies.velocity[i] * system.bodies.mass[i]) +
               system.bodies.spin[i] * system.bodies.inertia[i];
    }
    return sum;
}

/// Kinetic + stored + dissipated + removed - work of gravity, walls and holds - injected: constant in a correct run.
inline double ledger_total(const model::System& system, const engines::soft::Engine& engine) {
    const auto stored = engine.stored_energy();
    const model::Ledger& ledger = system.ledger;
    const double half = 0.5 * system.clock.step;
    double sum = kinetic_energy(system) + stored.normal + stored.tangential + ledger.removed -
                 model::gravity_work(system) - ledger.injected - (ledger.held_work - half * ledger.held_power);
    for (std::size_t m = 0; m < model::mechanism_count; ++m) {
        sum += ledger.dissipated[m] - half * ledger.power[m];
    }
    for (const model::Wall& wall : system.walls) {
        sum -= wall.record.work - half * wall.record.power;
    }
    return sum;
}

}  // namespace talus::tests
