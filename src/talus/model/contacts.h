// Contacts that remember: touching pairs of spheres and listed sphere-wall pairs with their histories. A wall pair is
// listed while it might touch; only a touching pair has a history, so listing never changes the physics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/geometry/shape.h"
#include "talus/model/domain.h"

namespace talus::model {

using math::Vec3d;

/// Touching pairs of spheres in rows: row i has the partners j > i in ascending (j, image).
struct PairList {
    std::vector<std::uint32_t> row;      // row i is [row[i], row[i + 1])
    std::vector<std::uint32_t> partner;  // index of the higher body
    std::vector<Image> image;            // periods to add to the partner's position
    std::vector<double> history;         // history_size doubles a pair; the last is the age, positive
    std::size_t history_size = 0;

    std::size_t size() const { return partner.size(); }
};

/// Drops the pairs of bodies whose `keep` is false and renumbers the rest.
void compact(PairList& pairs, const std::vector<char>& keep);

/// Sphere-wall pairs in rows by body, ascending in (wall, side). Of a wall's nearest image the nearest point is listed
/// and, where a grain can reach that too, the one on the opposite side of its axis.
struct WallPairList {
    std::vector<std::uint32_t> row;
    std::vector<std::uint32_t> body;  // the row's body, for loops over pairs
    std::vector<std::uint32_t> wall;
    std::vector<std::uint8_t> side;  // 0: the nearest point; 1: the opposite one, right after the nearest
    std::vector<std::uint8_t> touching;
    std::vector<Vec3d> normal;  // of the last step while touching, for turning the history
    std::vector<double> history;
    std::size_t history_size = 0;

    std::size_t size() const { return wall.size(); }
};

}  // namespace talus::model
