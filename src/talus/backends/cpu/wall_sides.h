// Which points of a wall a body meets, and how they follow from those of the last step.
#pragma once

#include <cstdint>

#include "talus/model/contacts.h"
#include "talus/model/wall.h"
#include "talus/search/wall_distance.h"

namespace talus::backends::cpu {

using math::Vec3d;

/// A normal that turns by more than this in a step (squared) has jumped, from one face of a corner to the other, say:
/// that is no rotation of the contact, and the history is projected onto the new tangent plane.
inline constexpr double largest_turn2 = 0.01;

template <class T>
auto has_jumped(const math::Vec3<T>& from, const math::Vec3<T>& to) {
    return norm2(to - from) >= T(largest_turn2);
}

/// The nearest point of a wall and, where a grain can touch both, the opposite one.
struct WallSides {
    geometry::Nearest near;
    geometry::Nearest far{0, {}, {}, geometry::Feature::face, false};
    bool exchanged = false;  // the nearest point is now on the side that was the far one
};

/// Finds the points and follows the contacts by their normals: when the body crosses the axis of a round wall, what was
/// near becomes far. `q` is the pair of the nearest side; the far one follows it if it is listed. Which of them are
/// listed makes no difference: only a listed far side can touch.
inline WallSides find_sides(const model::WallPairList& pairs, std::uint32_t q, bool far_listed, const model::Wall& wall,
                            const model::Domain& domain, const Vec3d& x) {
    const bool near_touched = pairs.touching[q] != 0;
    const bool far_touched = far_listed && pairs.touching[q + 1];
    const Vec3d last = near_touched ? pairs.normal[q] : (far_touched ? -pairs.normal[q + 1] : Vec3d{});
    WallSides out;
    out.near = search::nearest_wall_point(wall, domain, x, last);
    const bool jumped = near_touched && has_jumped(pairs.normal[q], out.near.direction);
    if (!far_listed && !(jumped && geometry::has_opposite(wall.shape))) {
        return out;
    }
    out.far = search::opposite_wall_point(wall, domain, x, last);
    if (out.far.acts && (jumped || far_touched)) {
        double better = 0;  // how much better the normals agree with the last ones if the two are exchanged
        if (near_touched) {
            better += dot(pairs.normal[q], out.far.direction - out.near.direction);
        }
        if (far_touched) {
            better += dot(pairs.normal[q + 1], out.near.direction - out.far.direction);
        }
        out.exchanged = better > 0;
    }
    return out;
}

}  // namespace talus::backends::cpu
