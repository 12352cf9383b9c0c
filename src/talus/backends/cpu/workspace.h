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
struct alignas(32) Record {
    Vec3d position;
    double radius = 0;
    Vec3d velocity;           // predicted for the instant
    double inverse_mass = 0;  // 0: held or stuck, acts as infinite mass
    Vec3d spin;               // predicted
    double inverse_inertia = 0;
};

/// What a contact answers: three rows of four numbers. A body sums its slots in order of partner id.
struct alignas(32) Slot {
    Vec3d force;                   // N, on the lower body (on the body, for a wall)
    double stored_normal = 0;      // J, held by the contact's springs
    Vec3d torque_i;                // N m, on the lower body (on the body)
    double stored_tangential = 0;  // J
    Vec3d torque_j;                // N m, on the higher body (on the wall)
    double unused = 0;             // fills the row
};

using Powers = std::array<double, model::mechanism_count>;  // W

/// What the contact phase noticed beside forces; merged over threads by exact operations.
struct ContactNotes {
    std::int64_t large_overlaps = 0;
    double largest_overlap = 0;              // of the smaller radius
    std::int64_t largest_overlap_body = -1;  // index of the lower body

    void merge(const ContactNotes& other) {
        large_overlaps += other.large_overlaps;
        const bool same = other.largest_overlap == largest_overlap;
        if (other.largest_overlap > largest_overlap ||
            (same && other.largest_overlap_body >= 0 && other.largest_overlap_body < largest_overlap_body)) {
            largest_overlap = other.largest_overlap;
            largest_overlap_body = other.largest_overlap_body;
        }
    }
};

struct Workspace {
    std::vector<Record> record;
    std::vector<Slot> pair_slot;
    std::vector<Slot> wall_slot;
    std::vector<Vec3d> wall_point;  // contact points with walls, by wall pair
    double overlap_limit = 0.01;    // of the smaller radius
    ContactNotes notes;             // of the last step
};

}  // namespace talus::backends::cpu
