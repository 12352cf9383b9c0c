// The memory of a step: what the contact phases read (records) and write (slots). Nothing here needs to be saved.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "talus/math/vec3.h"
#include "talus/model/ledger.h"

namespace talus::backends::cpu {

using math::Vec3d;

/// What a contact needs to know of a sphere: one row of four numbers each for place, motion and spin.
struct Record {
    Vec3d position;
    double radius = 0;
    Vec3d velocity;  // predicted for the instant
    double inverse_mass = 0;  // 0: held or stuck, acts as infinite mass
    Vec3d spin;      // predicted
    double inverse_inertia = 0;
};

/// What a contact answers. A body sums its slots in order of partner id.
struct Slot {
    Vec3d force;               // on the lower body (on the body, for a wall)
    Vec3d torque_i, torque_j;  // on the lower and the higher body (on the body and the wall)
};

/// Energy held by a contact's springs, J; read only when somebody asks.
struct Stored {
    double normal = 0, tangential = 0;
};

using Powers = std::array<double, model::mechanism_count>;  // W

/// What the contact phase noticed beside forces; merged over threads by exact operations.
struct ContactNotes {
    std::int64_t large_overlaps = 0;
    double largest_overlap = 0;        // of the smaller radius
    std::int64_t largest_overlap_body = -1;  // index of the lower body

    void merge(const ContactNotes& other) {
        large_overlaps += other.large_overlaps;
        const bool same = other.largest_overlap == largest_overlap;
        if (other.largest_overlap > largest_overlap || (same && other.largest_overlap_body >= 0 &&
                                                        other.largest_overlap_body < largest_overlap_body)) {
            largest_overlap = other.largest_overlap;
            largest_overlap_body = other.largest_overlap_body;
        }
    }
};

struct Workspace {
    std::vector<Record> record;
    std::vector<Slot> pair_slot;
    std::vector<Slot> wall_slot;
    std::vector<Stored> pair_stored;
    std::vector<Stored> wall_stored;
    std::vector<Vec3d> wall_point;  // contact points with walls, by wall pair
    double overlap_limit = 0.01;    // of the smaller radius
    ContactNotes notes;             // of the last step
};

}  // namespace talus::backends::cpu
