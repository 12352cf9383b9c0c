#include "talus/model/sticking.h"

namespace talus::model {

void stick(System& system, std::size_t i, std::size_t wall_index) {
    Bodies& bodies = system.bodies;
    Wall& wall = system.walls[wall_index];
    const double before = kinetic_energy(bodies, i);
    const Vec3d momentum = bodies.velocity[i] * bodies.mass[i];
    const Vec3d turning = bodies.spin[i] * bodies.inertia[i];
    if (!bodies.is_held(i)) {
        system.ledger.gravity_reference -= bodies.mass[i] * dot(system.gravity, bodies.position[i]);
    }
    bodies.stuck_to[i] = static_cast<std::int32_t>(wall_index);
    bodies.stuck_at[i] = wall.pose.to_local(bodies.position[i]);
    bodies.velocity[i] = wall.pose.velocity_at(bodies.position[i]);
    bodies.spin[i] = wall.pose.spin;
    bodies.acceleration[i] = {};
    bodies.spin_rate[i] = {};
    ++wall.record.stuck;
    const Vec3d given = momentum - bodies.velocity[i] * bodies.mass[i];
    wall.record.impulse += given;
    wall.record.angular_impulse +=
        cross(bodies.position[i] - wall.pose.position, given) + turning - bodies.spin[i] * bodies.inertia[i];
    system.ledger.injected += kinetic_energy(bodies, i) - before;
}

}  // namespace talus::model
