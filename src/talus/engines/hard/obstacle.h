// What stands in the way of flying spheres: walls, and grains that are held or stuck. They are asked for the instant of
// the next touch one by one (model/wall_impact.h), unlike spheres in flight, which are asked in packs.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/engines/hard/record.h"
#include "talus/model/flights.h"
#include "talus/model/system.h"
#include "talus/model/wall_impact.h"

namespace talus::engines::hard {

/// Partners with this bit are walls, the rest of the number being the wall's index.
inline constexpr std::uint32_t wall_bit = 0x80000000U;
constexpr bool is_wall(std::uint32_t partner) {
    return partner >= wall_bit && partner != nobody;
}

/// Counts of records with this bit belong to held grains.
inline constexpr std::uint32_t held_bit = 0x80000000U;

using model::StuckMotion;

/// The next touch of an obstacle, as far as a sphere knows. It holds for one flight.
struct ObstacleEvent {
    double time = never;       // s since the epoch, the first touch among those that were asked
    double until = -never;     // s since the epoch: none of the others is touched before
    std::uint64_t solved = 0;  // walls (of the first 64) whose next touch is known for good
    std::uint32_t partner = nobody;
    std::uint32_t count = nobody;  // of the flight
};

/// s: pieces of time in which a moving surface is searched: a radian of its fastest motion, or the shortest of its
/// frames; never if no pieces are needed.
double window_of(const model::Target& target);

/// A wall as spheres ask it. Times are looked for in fixed pieces of time, so that the answer depends on the flight
/// alone and not on when it was asked for.
struct WallView {
    std::uint32_t index = 0;
    double window = never;      // s
    std::vector<Vec3d> images;  // m, added to the sphere: where the wall's periodic copies are felt
};

/// Of the walls that are there.
std::vector<WallView> wall_views(const model::System& system);

/// Where a sphere touches a wall.
struct WallContact {
    Vec3d normal;  // from the sphere to the wall
    Vec3d point;   // m, on the wall
    double distance = 0;
    Vec3d image;  // m, added to the sphere: which copy of the wall it is
};
/// Of the copies of a wall the one that a sphere at `x`, moving with `v`, touches.
WallContact contact_with(const model::Wall& wall, const WallView& view, const Vec3d& x, const Vec3d& v, double radius);

/// The least rebound, as a part of the speeds involved: an impact that rounding makes a touch without approach must
/// part all the same.
inline constexpr double least_parting = 1e-14;

/// A grain that no impact can move: stuck to a wall, or held at a constant velocity.
struct Held {
    std::int32_t wall = -1;  // index; -1: held by itself
    Vec3d offset;            // m, in the wall's frame
    model::Pose base;        // where it would be without its motion, if held by itself
    model::Motion motion;
    double window = never;  // s
    bool moves = false;
    double since = 0;                // s, on the clock: before that it was not there
    std::uint32_t count_before = 0;  // of its last flight
    // Where it was when last looked for, so that who is far away need not ask in earnest.
    Vec3d seen_at;              // m
    double seen_time = -never;  // s, on the clock
    double speed = 0;           // m/s, never more
};

}  // namespace talus::engines::hard
