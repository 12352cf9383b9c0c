// What the event loop knows of a sphere: a record of its flight in one cache line and its next event in half of one.
#pragma once

#include <cstdint>
#include <limits>

#include "talus/math/vec3.h"

namespace talus::engines::hard {

using math::Vec3d;

inline constexpr double never = std::numeric_limits<double>::infinity();
inline constexpr std::uint32_t nobody = 0xffffffffU;

/// A flight: where the sphere was, and how fast, at its own time. It moves on only when something happens to it, so a
/// record holds until its count changes.
struct alignas(64) Record {
    Vec3d position;           // m, at the own time
    Vec3d velocity;           // m/s, at the own time
    double time = 0;          // s, own time since the epoch
    std::uint32_t count = 0;  // changes with the flight: predictions that saw another count are void
    std::uint32_t cell = 0;   // packed; authoritative, whatever rounding says of the position
};
static_assert(sizeof(Record) == 64);

/// Held and stuck grains have no own time. That makes every prediction in packs say that they are never met; they are
/// asked one by one (obstacle.h).
constexpr bool is_flying(const Record& record) {
    return record.time == record.time;
}

/// The next event of a sphere as far as it knows: a collision or leaving its cell, whichever comes first. Only the
/// sphere that predicts writes its own event; a partner's is left as it is and found void by the partner's count.
struct alignas(32) Event {
    double collision = never;  // s since the epoch
    double crossing = never;   // s since the epoch
    std::uint32_t partner = nobody;
    std::uint32_t partner_count = 0;
    std::uint32_t face = 0;  // of the crossing

    double key() const { return collision < crossing ? collision : crossing; }
};
static_assert(sizeof(Event) == 32);

/// Faces of a cell: two an axis, the lower one first.
inline constexpr std::uint32_t no_face = 6;
constexpr std::uint32_t face_of(std::uint32_t axis, bool upper) {
    return 2 * axis + (upper ? 1U : 0U);
}
constexpr std::uint32_t opposite(std::uint32_t face) {
    return face ^ 1U;
}

/// Coordinates of a cell in one word, ten bits each.
inline constexpr std::uint32_t most_cells_along = 1024;
constexpr std::uint32_t pack_cell(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return x | y << 10U | z << 20U;
}
constexpr std::uint32_t cell_coordinate(std::uint32_t cell, std::uint32_t axis) {
    return cell >> (10U * axis) & 0x3ffU;
}
/// The neighbour of a cell across a face that is not at the end of its axis.
constexpr std::uint32_t beyond(std::uint32_t cell, std::uint32_t face) {
    const std::uint32_t step = 1U << (10U * (face / 2));
    return face % 2 != 0 ? cell + step : cell - step;
}

}  // namespace talus::engines::hard
