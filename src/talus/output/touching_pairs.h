// Touching contacts by permanent ids, as checkpoints keep them: listing and body indices are left behind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "talus/model/bodies.h"
#include "talus/model/contacts.h"

namespace talus::output {

struct TouchingPairs {
    std::vector<std::int64_t> a, b;  // ids, a < b
    std::vector<model::Image> image;
    std::vector<double> history;  // history_size doubles a pair
    std::uint64_t history_size = 0;
};

struct TouchingWallPairs {
    std::vector<std::int64_t> body;  // id
    std::vector<std::uint32_t> wall;
    std::vector<std::uint8_t> side;
    std::vector<math::Vec3d> normal;
    std::vector<double> history;
    std::uint64_t history_size = 0;
};

TouchingPairs touching_pairs(const model::PairList& pairs, const model::Bodies& bodies);
TouchingWallPairs touching_wall_pairs(const model::WallPairList& pairs, const model::Bodies& bodies);

/// Valid lists that hold just these pairs. Throws std::runtime_error, saying what is wrong, on ids that do not exist,
/// columns of different length or pairs out of order.
model::PairList listed(const TouchingPairs& touching, const model::Bodies& bodies);
model::WallPairList listed(const TouchingWallPairs& touching, const model::Bodies& bodies, std::size_t walls);

}  // namespace talus::output
