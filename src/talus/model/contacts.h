// Contacts that remember: listed pairs of spheres and listed sphere-wall pairs with their histories. A pair is listed
// while it might touch; only a touching pair has a history, so listing never changes the physics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/geometry/shape.h"
#include "talus/model/domain.h"

namespace talus::model {

using math::Vec3d;

/// Pairs in rows: row i lists partners j > i in ascending (j, image), so a body's pairs in order of partner id are its
/// incoming ones followed by its own row.
struct PairList {
    std::vector<std::uint32_t> row;      // row i is [row[i], row[i + 1])
    std::vector<std::uint32_t> partner;  // index of the higher body
    std::vector<Image> image;            // periods to add to the partner's position
    std::vector<std::uint8_t> touching;
    std::vector<double> history;  // history_size doubles a pair
    std::size_t history_size = 0;

    // Incoming pairs: for body j, the pairs in which it is the partner, in ascending order of the lower body.
    std::vector<std::uint32_t> incoming_row;
    std::vector<std::uint32_t> incoming_pair;

    std::size_t size() const { return partner.size(); }
};

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
