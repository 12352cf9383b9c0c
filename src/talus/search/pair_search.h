// Pairs of balls that might touch soon. Listing never changes the physics.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/search/balls.h"
#include "talus/search/cell_levels.h"

namespace talus::search {

/// Rows of partners: each near pair stands in the row of one of its balls, in no particular order.
struct NearList {
    std::vector<std::uint32_t> row;      // row i is [row[i], row[i + 1])
    std::vector<std::uint32_t> partner;  // ball
    std::vector<std::uint8_t> image;     // code of the periods to add to the partner's position

    std::size_t size() const { return partner.size(); }
};

class PairSearch {
public:
    /// Lists all pairs whose surfaces are nearer than the sum of their skins.
    void find(const Balls& balls, const std::vector<float>& skin, const model::Domain& domain, int threads,
              NearList& list);

private:
    struct Found {
        std::uint32_t partner;
        std::uint8_t image;
    };
    CellLevels cells_;
    std::vector<std::vector<Found>> chunks_;  // kept, so that a search allocates little
};

/// The oracle: the same by looking at every pair of balls and every near image.
NearList find_by_brute_force(const Balls& balls, const std::vector<float>& skin, const model::Domain& domain);

}  // namespace talus::search
