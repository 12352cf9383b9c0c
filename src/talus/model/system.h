// Everything needed to go on with a run. Saving it and loading it is exact.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "talus/model/bodies.h"
#include "talus/model/contacts.h"
#include "talus/model/domain.h"
#include "talus/model/fields.h"
#include "talus/model/flights.h"
#include "talus/model/grain_contacts.h"
#include "talus/model/grains.h"
#include "talus/model/integration.h"
#include "talus/model/ledger.h"
#include "talus/model/materials.h"
#include "talus/model/stepping.h"
#include "talus/model/wall.h"

namespace talus::model {

struct Clock {
    double step = 0;         // s
    std::int64_t steps = 0;  // taken since the start
    double origin = 0;       // s, time at `origin_steps`
    std::int64_t origin_steps = 0;

    /// Time is counted, not summed, so that it never drifts.
    double time() const { return origin + step * static_cast<double>(steps - origin_steps); }
};

struct Counters {
    std::int64_t next_id = 0;
    std::int64_t left_domain = 0;  // grains
    double left_domain_mass = 0;   // kg
    std::int64_t removed_by_stage = 0;
    std::int64_t large_overlaps = 0;  // contact-steps beyond the wanted limit
    double largest_overlap = 0;       // of the smaller radius
    std::int64_t largest_overlap_id = -1;
};

/// Where the plan stands.
struct StageState {
    std::int32_t index = 0;
    bool entered = false;
    double entered_at = 0;    // s
    double quiet_since = -1;  // s; -1: not quiet
};

/// A mesh that walls are made of, now or in a stage to come; kept, so that a run that is resumed needs no file.
struct MeshSource {
    std::string file;  // as the scene names it
    double unit = 1;   // m
    std::shared_ptr<const geometry::Surface> surface;
};

struct System {
    Domain domain;
    Bodies bodies;
    Grains grains;  // what of the bodies is more than a sphere
    Materials materials;
    std::vector<Wall> walls;
    std::vector<MeshSource> meshes;
    Vec3d gravity;  // m/s2
    Fields fields;  // all else that acts over a distance
    PairList pairs;
    WallPairList wall_pairs;
    GrainContacts grain_contacts;  // in place of the two above where grains have many spheres
    IntegrationRules integration;
    IntegrationState integration_state;
    FlightRules flight_rules;  // of hard spheres
    Flights flights;           // of hard spheres; empty otherwise
    StepRules step_rules;      // of time-stepped hard grains
    Impulses impulses;         // of engines without lasting contacts
    Clock clock;
    Counters counters;
    Ledger ledger;
    StageState stage;
    std::uint64_t seed = 0;
    /// Whether grains of many spheres, or laws or methods beyond the packed ones, are there or will come: what the
    /// engines made for plain spheres cannot take. Decided for the whole run when its scene is read.
    bool general = false;
};

/// Puts every wall that is there where its motion has it now; always from the time itself, so that nothing adds up.
void place_walls(System& system);
/// The same for those that move: enough from one step to the next.
void move_walls(System& system);

/// J, sum of m g.x over the bodies that gravity can move (see Ledger::gravity_reference).
double gravity_lift(const System& system);
/// J, done by gravity since the start.
inline double gravity_work(const System& system) {
    return gravity_lift(system) - system.ledger.gravity_reference;
}

/// A hash of the whole physical state (bodies, touching contacts with their histories, flights, walls, clock),
/// independent of how pairs happen to be listed.
std::uint64_t state_hash(const System& system);

}  // namespace talus::model
