// The memory of a step: bodies in cell order, contacts in blocks of eight, and the slots that contacts write and bodies
// gather. Nothing here needs to be saved: the model holds the state between advances.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "talus/backends/cpu/ledger_sum.h"
#include "talus/backends/cpu/pair_kinematics.h"
#include "talus/base/pages.h"
#include "talus/math/vec3.h"
#include "talus/model/system.h"
#include "talus/search/pair_search.h"

namespace talus::backends::cpu {

using math::Vec3d;

/// What a contact needs to know of a sphere: rows of four numbers, motion and spin in one line of the cache, place in
/// the other, beside how far the body may still stray before pairs must be listed anew.
struct alignas(64) Record {
    Vec3d velocity;           // predicted for the instant
    double inverse_mass = 0;  // 0: held or stuck, acts as infinite mass
    Vec3d spin;               // predicted
    double inverse_inertia = 0;
    Vec3d position;
    double radius = 0;
    Vec3d home;         // where it was when its contacts were listed; goes with its steady drift
    double leash2 = 0;  // m2, square of how far it may be from there

    double strayed2() const { return norm2(position - home); }
};

/// A grain that moves more than this many radii in one step has been thrown by an unstable contact. It is looked for
/// among those at the end of their leashes, which are shorter than that.
inline constexpr double absurd = 10;

/// What the leapfrog carries from step to step beside the record.
struct alignas(32) Motion {
    Vec3d velocity;      // half a step behind the record
    double unused = 0;   // fills the row
    Vec3d spin;          // half a step behind
    double gravity = 1;  // 1, or 0 for a body that is held
};

/// The steady drift of a body's neighbourhood. Neighbours drift alike, so that a flow as a whole uses up no list.
struct alignas(16) Flow {
    math::Vec3<float> drift;  // m a step
    float unused = 0;         // fills the row

    double speed() const { return std::sqrt(static_cast<double>(norm2(drift))) * (1 + 1e-6); }  // m a step, at most
};

inline Vec3d as_doubles(const math::Vec3<float>& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// What a contact between spheres answers; the torques are couple * lever. Slots sum in order of partner id.
struct alignas(64) Slot {
    Vec3d force;         // N, on the body of lower id
    double lever_i = 0;  // m
    Vec3d couple;        // N; or where both levers are the same, the torque (Slots::torques)
    double lever_j = 0;  // m
};

/// What a contact with a wall answers.
struct WallSlot {
    Vec3d force;                                      // N, on the body
    Vec3d torque_i;                                   // N m, on the body
    Vec3d torque_j;                                   // N m, on the wall
    double stored_normal = 0, stored_tangential = 0;  // J
    double ahead = 0;                                 // W, of damping; see laws::Response
};

/// The ends of eight contacts: places of the spheres, lower id first. The lanes that fill up the last block of a law
/// point to two spheres that never touch.
struct alignas(64) Ends {
    std::array<std::uint32_t, 8> i, j;
};

/// Contacts that share a law and its parameters.
struct ContactClass {
    std::int32_t material_a = 0, material_b = 0;
    bool alike = false;  // all spheres of one radius, and all of one mass and inertia at each end
    AlikePairs pairs;    // if they are alike
};

/// In which order the contacts of a class follow one another in its blocks: those that slide take longer, pairs that do
/// not touch much shorter, and those across a border of the domain need a shift.
enum class ContactKind : std::uint8_t { sliding, sliding_across, sticking_across, sticking, apart, apart_across };
inline constexpr std::size_t contact_kinds = 6;

/// Blocks of one class that follow one another.
struct ContactRun {
    std::uint32_t begin = 0, end = 0;  // blocks
    std::uint32_t apart = 0;           // from this one on, none held contacts that touched when they were listed
    std::uint32_t of_class = 0;
};

/// What the contact phases noticed beside forces; merged over threads by exact operations.
struct ContactNotes {
    std::int64_t large_overlaps = 0;
    double largest_overlap = 0;              // of the smaller radius
    std::int64_t largest_overlap_body = -1;  // model index of the lower body

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

/// Memory that is written before it is read: sized without being set to zero by one thread, and in large pages, since a
/// step touches more small ones than a processor keeps track of.
template <class T>
struct Uninitialised {
    using value_type = T;
    Uninitialised() = default;
    template <class U>
    Uninitialised(const Uninitialised<U>&) noexcept {}
    T* allocate(std::size_t count) { return static_cast<T*>(base::allocate_pages(count * sizeof(T))); }
    void deallocate(T* p, std::size_t) noexcept { base::free_pages(p); }
    template <class U>
    friend bool operator==(const Uninitialised&, const Uninitialised<U>&) {
        return true;
    }
    template <class U>
    void construct(U*) noexcept {}
    template <class U, class... Args>
    void construct(U* p, Args&&... args) {
        ::new (static_cast<void*>(p)) U(static_cast<Args&&>(args)...);
    }
};
template <class T>
using Buffer = std::vector<T, Uninitialised<T>>;

/// A body's contacts, in order of partner id: contact * 2 + side (0: it is the lower id), filled up with contact 0,
/// whose slot is always zero. Bodies with more contacts have the rest in `more`.
inline constexpr std::size_t refs_per_body = 8;
using References = std::array<std::uint32_t, refs_per_body>;

/// The contacts in the near rows of this many places make a tile.
inline constexpr std::size_t tile_places = 128;

struct Contacts {
    Buffer<Ends> ends;                          // by block
    Buffer<std::array<std::uint8_t, 8>> image;  // by block
    std::vector<std::uint8_t> crosses;          // by block: has an image
    Buffer<std::uint8_t> slides;                // by block: the lanes that slid in the last step, one bit each
    Buffer<double> history;                     // by block: history_size rows of eight
    std::vector<ContactClass> classes;
    std::vector<ContactRun> runs;
    std::vector<std::uint32_t> run_row;  // by tile, in runs
    std::size_t history_size = 0;
    std::size_t blocks = 1;               // block 0 is empty
    Buffer<References> refs;              // by place
    std::vector<std::uint32_t> more_row;  // by place, in more; empty if no body has more
    std::vector<std::uint32_t> more;

    std::size_t tiles() const { return run_row.size() - 1; }
};

/// Where contacts leave what they answer, for bodies to gather. A tile's slots are used again as soon as its bodies
/// have moved on, so that they stay in the cache.
struct Slots {
    Buffer<Slot> slot;                     // eight a block; the first eight are always zero
    Buffer<std::array<double, 4>> moment;  // beside slots, where a law has rolling or twisting friction
    std::vector<std::uint32_t> of_block;   // by block of contacts: which eight
    bool torques = false;                  // all pairs are alike: slots hold torques
    Buffer<References> refs;               // by place: those of the contacts as slot * 8, in doubles
    std::vector<std::uint8_t> higher;      // by place: in so many of these, the first ones, it is the body of higher id
    std::vector<std::uint8_t> used;        // by place: so many of these are of contacts
    std::vector<std::uint32_t> more;       // as those of the contacts, but slot * 2 + side
    // A body moves on as soon as its last tile is done, unless another share of the tiles has a contact of its.
    std::vector<std::uint32_t> share_tile;            // by share of a thread, the first tile
    std::vector<std::uint32_t> tile_row;              // by tile, in tile_place
    std::vector<std::uint32_t> tile_place;            // places by their last tile, without those that wait
    std::vector<std::vector<std::uint32_t>> waiting;  // by share: places that wait until all shares are done
    struct Room {
        std::vector<std::uint32_t> tile_of;                  // by block of contacts
        std::vector<std::uint32_t> first, last, kept_until;  // by place, tiles
        std::vector<std::uint32_t> next;                     // by tile
    };
    Room room;                             // kept from list to list
    std::vector<std::uint32_t> fresh_row;  // by tile, in fresh
    std::vector<std::uint32_t> fresh;      // places by the first tile that reads them
};

/// What the last step that was looked at answered: by block eight numbers each.
struct LookedAt {
    // Force on the lower body (N), energies of the normal and the tangential spring (J), damping's power ahead (W).
    static constexpr std::size_t rows = 6;
    Buffer<double> numbers;

    Vec3d force(std::size_t contact) const {
        const double* const first = &numbers[contact / 8 * rows * 8 + contact % 8];
        return {first[0], first[8], first[16]};
    }
    void clear(std::size_t contact) {
        for (std::size_t row = 0; row < rows; ++row) {
            numbers[(contact / 8 * rows + row) * 8 + contact % 8] = 0;
        }
    }
};

struct Workspace {
    // Bodies by place. `record` has two more that fill up blocks.
    Buffer<Record> record;
    Buffer<Motion> motion;
    Buffer<Flow> flow;
    static constexpr std::uint32_t nobody = 0xffffffff;
    std::vector<std::uint32_t> body_at;   // model index of each place, or nobody
    std::vector<std::uint32_t> place_of;  // the inverse
    std::vector<float> outer;             // m, skin of each place in `near`, shrunk by what was used up
    std::vector<float> margin;            // m, leash given at the last prune
    std::vector<float> apart_drift;       // m a step, that a body and its neighbours may drift apart, its part of it
    double drift_steps = 0;               // for so many steps contacts are listed for bodies that drift apart
    std::int64_t steps_drifted = 0;       // since the last prune
    std::vector<model::Image> wraps;      // by place: periods moved since `near` was made
    static constexpr std::uint8_t at_walls = 1, more_contacts = 2;
    std::vector<std::uint8_t> special;  // by place: touches walls, or did of late; more contacts than references
    std::vector<std::uint32_t> held;    // places of bodies that are held or stuck, by model index
    search::NearList near;
    Contacts contacts;
    Slots slots;
    LookedAt looked;
    bool spin_friction = false;
    std::vector<WallSlot> wall_slot;
    std::vector<Vec3d> wall_point;       // contact points with walls, by wall pair
    std::vector<double> wall_wake;       // m, by wall pair: it cannot touch while its body's `gone` is below this
    std::vector<model::Pose> wall_pose;  // by wall: where it was in the last step
    std::vector<double> wall_travel;     // m, by wall: at least as far as its surface has moved since it was listed
    double overlap_limit = 0.01;         // of the smaller radius
    double known_overlap = 0;            // of the smaller radius: the largest ever seen; smaller ones need no note
    ContactNotes notes;                  // of the last step
    LedgerScales scales;                 // of this step
    LedgerSums sums;                     // of this step

    static constexpr double awake = -std::numeric_limits<double>::infinity();  // of `wall_wake`: must be looked at
    double strayed(std::size_t place) const { return std::sqrt(record[place].strayed2()) * (1 + 1e-9); }  // m, at most
    /// m, at most, that a body has drifted since the last prune.
    double drifted(std::size_t place) const { return flow[place].speed() * static_cast<double>(steps_drifted); }
    /// m, at least as far as a body is from where it was at the last prune.
    double gone(std::size_t place) const { return strayed(place) + drifted(place); }
    /// Whether `gone` is below a length, without roots.
    bool is_within(std::size_t place, double length) const {
        const double left = drift_steps > 0 ? length - drifted(place) : length;
        return left > 0 && record[place].strayed2() < left * left * (1 - 1e-8);
    }
    /// What `gone` will be below until the body has come `gap` farther, m.
    double gone_after(std::size_t place, double gap) const { return gap - strayed(place) + drifted(place); }
    /// Number of places; some may be those of bodies that have left.
    std::size_t places() const { return body_at.size(); }
};

}  // namespace talus::backends::cpu
