// Contacts between spheres and walls: the wall is a body of infinite mass whose surface moves with its pose.
#include <cmath>
#include <mutex>

#include "talus/backends/cpu/contact_response.h"
#include "talus/backends/cpu/phases.h"
#include "talus/base/parallel.h"
#include "talus/laws/visit.h"
#include "talus/search/wall_distance.h"

namespace talus::backends::cpu {

namespace {

laws::Kinematics<double> wall_kinematics(const Record& i, const model::Pose& pose, const geometry::Nearest& near,
                                         const Vec3d& last_normal) {
    // A normal that jumps (from one face of a corner to the other) is no rotation of the contact: the history is then
    // projected onto the new tangent plane.
    constexpr double largest_turn2 = 0.01;
    laws::Kinematics<double> c;
    c.normal = near.direction;
    c.overlap = i.radius - near.distance;
    c.lever_i = near.distance;
    c.lever_j = 0;
    c.velocity = pose.velocity_at(near.point) - i.velocity + cross(c.normal, i.spin) * c.lever_i;
    c.spin = i.spin - pose.spin;
    c.spin_sum = dot(i.spin + pose.spin, c.normal);
    const Vec3d turn = c.normal - last_normal;
    c.turn = norm2(turn) < largest_turn2 ? turn : Vec3d{};
    c.rolling_lever = c.lever_i;
    c.radius_i = i.radius;
    c.curvature = 1.0 / i.radius;
    c.inverse_mass = i.inverse_mass;
    c.mass = 1.0 / i.inverse_mass;
    c.inertia = i.inverse_inertia > 0 ? 1.0 / i.inverse_inertia : 0.0;
    return c;
}

}  // namespace

void wall_contacts(model::System& system, Workspace& work, int threads) {
    model::WallPairList& pairs = system.wall_pairs;
    work.wall_slot.resize(pairs.size());
    work.wall_point.resize(pairs.size());
    const double dt = system.clock.step;
    std::vector<std::array<int, 3>> range;
    for (const model::Wall& wall : system.walls) {
        range.push_back(search::image_range(wall, system.domain));
    }
    std::mutex merge;
    base::parallel_ranges(system.bodies.size(), threads, [&](std::size_t begin, std::size_t end) {
        ContactNotes mine;
        for (std::uint32_t q = pairs.row[begin]; q < pairs.row[end]; ++q) {
            const std::uint32_t i = pairs.body[q];
            const Record& record = work.record[i];
            const model::Wall& wall = system.walls[pairs.wall[q]];
            const model::PairLaw& between = system.materials.between(system.bodies.material[i], wall.material);
            double* history = &pairs.history[q * pairs.history_size];
            geometry::Nearest near;
            const bool can_touch = wall.present && record.inverse_mass > 0;
            if (can_touch) {
                near = search::nearest_wall_point(wall, system.domain, range[pairs.wall[q]], record.position);
            }
            const bool touches = can_touch && near.acts && near.distance < record.radius;
            laws::visit(between.law, [&](auto kind) {
                using Law = decltype(kind);
                const auto params = between.parameters.as<typename Law::Params>();
                if (!touches) {
                    if (pairs.touching[q]) {
                        pairs.touching[q] = 0;
                        system.bodies.dissipation[i].energy[static_cast<std::size_t>(model::Mechanism::sliding)] +=
                            end_contact<Law>(params, history);
                    }
                    return;
                }
                const Vec3d last_normal = pairs.touching[q] ? pairs.normal[q] : near.direction;
                const auto contact = wall_kinematics(record, wall.pose, near, last_normal);
                respond_into<Law>(contact, params, history, dt, work.wall_slot[q], system.bodies.dissipation[i].power);
                pairs.touching[q] = 1;
                pairs.normal[q] = near.direction;
                work.wall_point[q] = near.point;
                note_overlap(mine, contact.overlap, record.radius, work.overlap_limit, i);
            });
        }
        const std::lock_guard<std::mutex> lock(merge);
        work.notes.merge(mine);
    });
}

void book_walls(model::System& system, const Workspace& work) {
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
        const Slot& slot = work.wall_slot[q];
        wall.record.force -= slot.force;
        wall.record.torque += slot.torque_j - cross(work.wall_point[q] - wall.pose.position, slot.force);
        wall.record.power +=
            dot(slot.force, wall.pose.velocity_at(work.wall_point[q])) - dot(slot.torque_j, wall.pose.spin);
    }
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if (system.bodies.stuck_to[i] >= 0) {
            model::Wall& wall = system.walls[static_cast<std::size_t>(system.bodies.stuck_to[i])];
            const BodySum sum = sum_contacts(system, work, i);
            wall.record.force += sum.force;
            wall.record.torque += sum.torque + cross(system.bodies.position[i] - wall.pose.position, sum.force);
        }
    }
    for (model::Wall& wall : system.walls) {
        wall.record.impulse += wall.record.force * h;
        wall.record.angular_impulse += wall.record.torque * h;
        wall.record.work += wall.record.power * h;
    }
}

}  // namespace talus::backends::cpu
