// The phases of a soft step as bulk loops over all bodies or all contacts.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/backends/cpu/workspace.h"
#include "talus/model/system.h"

namespace talus::backends::cpu {

/// What the first half of a step noticed.
struct Drift {
    double farthest2 = 0;                // m2, greatest squared distance from the reference position
    std::vector<std::uint32_t> wrapped;  // bodies that crossed a periodic boundary
    std::vector<model::Image> periods;   // by how many periods their positions were moved
    std::vector<std::uint32_t> outside;  // bodies beyond the domain's open bounds
    std::int64_t lost_body = -1;         // index of the lowest body with a NaN or an absurd speed
};

/// First half of kick-drift-kick: velocities become half-step ones, positions move, records get predicted velocities.
/// Held bodies keep their velocity, stuck ones follow their wall.
Drift kick_and_drift(model::System& system, Workspace& work, std::vector<Vec3d>& reference, int threads);

/// Fills the records from the state as it is (at the very start, when nothing can be predicted yet).
void take_records(model::System& system, Workspace& work, int threads);

/// Contact kinematics and law of every listed pair, into slots; histories advance. What a pair dissipates is booked on
/// its lower body, whose powers must be zero before.
void pair_contacts(model::System& system, Workspace& work, int threads);
/// The same for bodies against walls.
void wall_contacts(model::System& system, Workspace& work, int threads);

/// Per body: the sum of its slots in order of partner id, then acceleration and the second half kick.
/// `kick`: false at the very start, when velocities are already whole.
void gather_and_kick(model::System& system, const Workspace& work, bool kick, int threads);

/// What the contacts do to one body, summed in order of partner id: grains below, grains above, walls.
struct BodySum {
    Vec3d force, torque;
};
BodySum sum_contacts(const model::System& system, const Workspace& work, std::size_t body);

/// Adds up what each wall received, in order of body id; grains stuck to a wall pass on what they receive.
void book_walls(model::System& system, const Workspace& work);

}  // namespace talus::backends::cpu
