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
/// and, where a grain can reach that too, the one on the opposite side of its axis. Of a mesh there are as many sides
/// as a grain may meet it in places; a contact keeps the side it has begun with.
struct WallPairList {
    static constexpr std::uint8_t most_sides = 8;
    std::vector<std::uint32_t> row;
    std::vector<std::uint32_t> body;  // the row's body, for loops over pairs
    std::vector<std::uint32_t> wall;
    std::vector<std::uint8_t> side;  // 0: the nearest point; 1: the opposite one, right after the nearest; or of a mesh
    std::vector<std::uint8_t> touching;
    std::vector<Vec3d> normal;  // of the last step while touching, for turning the history
    std::vector<double> history;
    std::size_t history_size = 0;
    // Triangles of meshes that a body may reach, for its pair of side 0, ascending in (image, triangle). Not part of
    // the state: empty until pairs are listed, and where no wall is a mesh.
    std::vector<std::uint32_t> face_row;  // of pair p in `face`: [face_row[p], face_row[p + 1])
    std::vector<std::uint32_t> face;
    std::vector<std::uint8_t> face_image;  // code of the periods to add to the body's position as it was then
    std::vector<Vec3d> listed_at;          // m, that position, by body; where the domain is periodic

    std::size_t size() const { return wall.size(); }
};

}  // namespace talus::model
