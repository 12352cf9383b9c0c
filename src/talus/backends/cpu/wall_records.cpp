// What each wall receives in a step, added up from the slots of its contacts.
#include "talus/backends/cpu/phases.h"

namespace talus::backends::cpu {

void book_walls(model::System& system, Workspace& work) {
    const double h = system.clock.step;
    for (model::Wall& wall : system.walls) {
        wall.record.force = {};
        wall.record.torque = {};
        wall.record.power = 0;
    }
    const model::WallPairList& pairs = system.wall_pairs;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
        if (!pairs.touching[q]) {
            continue;
        }
        model::Wall& wall = system.walls[pairs.wall[q]];
        const WallSlot& slot = work.wall_slot[q];
        wall.record.force -= slot.force;
        wall.record.torque += slot.torque_j - cross(work.wall_point[q] - wall.pose.position, slot.force);
        wall.record.power +=
            dot(slot.force, wall.pose.velocity_at(work.wall_point[q])) - dot(slot.torque_j, wall.pose.spin);
    }
    for (const std::uint32_t s : work.held) {
        const std::size_t i = work.body_at[s];
        if (system.bodies.stuck_to[i] >= 0) {
            model::Wall& wall = system.walls[static_cast<std::size_t>(system.bodies.stuck_to[i])];
            const BodySum sum = sum_contacts(system, work, s);
            wall.record.force += sum.force;
            // Its record may already be that of the next instant.
            const Vec3d at = wall.pose.to_world(system.bodies.stuck_at[i]);
            wall.record.torque += sum.torque + cross(at - wall.pose.position, sum.force);
        }
    }
    for (model::Wall& wall : system.walls) {
        wall.record.impulse += wall.record.force * h;
        wall.record.angular_impulse += wall.record.torque * h;
        wall.record.work += wall.record.power * h;
    }
}

}  // namespace talus::backends::cpu
