// The phases of a soft step as bulk loops over all bodies or all contacts. Between two looks at the system the bodies
// live in the workspace, in cell order, and the second half kick of one step, the first of the next and the drift are
// one sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/backends/cpu/workspace.h"
#include "talus/laws/contact.h"
#include "talus/model/system.h"

namespace talus::backends::cpu {

/// What moving the bodies brought up.
struct Drift {
    bool spent = false;                  // a body has moved as far as the lists allow for
    std::vector<std::uint32_t> wrapped;  // places that crossed a periodic boundary, by model index
    std::vector<model::Image> periods;   // by how many periods their positions were moved
    std::vector<std::uint32_t> outside;  // model indices of bodies beyond the domain's open bounds, ascending
    std::int64_t lost_body = -1;         // lowest model index of a body with a NaN or an absurd speed

    void lose(std::int64_t body) { lost_body = lost_body < 0 || body < lost_body ? body : lost_body; }
};

/// Room for the bodies, whose places `work.body_at` tells.
void make_room(Workspace& work);
/// Puts the bodies into cell order, leaves out those that were buried, and finds the ones that are held. Returns where
/// each was before.
std::vector<std::uint32_t> sort_bodies(const model::System& system, Workspace& work, int threads);
/// A body that leaves keeps its place until the next sort, but nothing reaches it and it does not move.
void bury(const model::System& system, Workspace& work, std::uint32_t place);
/// Bodies have new indices in the model: those with `keep` false are gone.
void renumber(Workspace& work, const std::vector<char>& keep);

void take_body(const model::System& system, Workspace& work, std::size_t place);
/// Takes the bodies from the model as they are (at the very start, when nothing can be predicted yet).
void take_bodies(const model::System& system, Workspace& work, int threads);
/// Takes the bodies from the model and moves them: first half kick and drift; records get predicted velocities.
Drift take_and_drift(const model::System& system, Workspace& work, int threads);

/// Stuck bodies follow their walls, whose poses are those of the new instant.
void follow_walls(model::System& system, Workspace& work, Drift& drift);

/// Contact kinematics and law of every listed body and wall, into slots; histories advance. Adds to `work.sums`. Meshes
/// have a call of their own, so that what they cost can be told.
enum class WallKind : std::uint8_t { plain, mesh };
void wall_contacts(model::System& system, Workspace& work, WallKind which, int threads);
/// What a law is told of a sphere and a wall: `point` of the wall, at `distance` along `normal`.
laws::Kinematics<double> wall_kinematics(const Record& i, const model::Wall& wall, const Vec3d& point,
                                         const Vec3d& normal, double distance, const Vec3d& last_normal);
/// Closes the books of the contact phases into the system's ledger.
void book_contacts(model::System& system, Workspace& work);
/// Sums up what all springs hold, and by how much damping is ahead; after a contact phase that was looking.
void book_stored(model::System& system, const Workspace& work);

/// Contacts of pairs, and per body as soon as its contacts are known: the sum of its slots in order of partner id,
/// acceleration, second half kick, then first half kick and drift of the next step. Adds to `work.sums`.
Drift contacts_and_drift(const model::System& system, Workspace& work, int threads);
/// The same, but the bodies stop at the instant: the model gets their state, and what the contacts answered is kept to
/// be looked at. `kick`: false at the very start, when velocities are whole already.
void contacts_and_stop(model::System& system, Workspace& work, bool kick, int threads);

/// What the contacts do to one body, summed in order of partner id, walls last.
struct BodySum {
    Vec3d force, torque;
};
BodySum sum_contacts(const model::System& system, Workspace& work, std::size_t place);

/// Adds up what each wall received, in order of body id; grains stuck to a wall pass on what they receive.
void book_walls(model::System& system, Workspace& work);
/// Adds up the work of whatever holds a body against its contacts.
void book_held(model::System& system, Workspace& work);

}  // namespace talus::backends::cpu
