// Touching contacts of grains of many spheres with their histories: between spheres of two grains, and between spheres
// and walls. Ascending in (body, part, partner, partner's part, image), pairs before walls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/model/domain.h"

namespace talus::model {

struct GrainContacts {
    std::vector<std::uint32_t> body, part;             // the lower one
    std::vector<std::uint32_t> partner, partner_part;  // with a wall: its index, and the side (WallPairList)
    std::vector<std::uint8_t> wall;                    // 1: with a wall
    std::vector<Image> image;                          // periods to add to the partner's position
    std::vector<Vec3d> normal;                         // at the last step
    std::vector<double> history;                       // history_size doubles a contact
    std::size_t history_size = 0;

    std::size_t size() const { return body.size(); }
    void clear();
};

/// Drops the contacts of bodies whose `keep` is false and renumbers the rest.
void compact(GrainContacts& contacts, const std::vector<char>& keep);

}  // namespace talus::model
