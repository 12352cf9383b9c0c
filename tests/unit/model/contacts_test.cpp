// Bodies that leave take their pairs with them, and the others keep theirs under their new numbers.
#include "talus/model/contacts.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "talus/base/random.h"

namespace talus::model {
namespace {

constexpr std::size_t bodies = 60;
constexpr std::size_t history_size = 3;

/// Random pairs whose histories name them.
PairList random_pairs(std::uint64_t seed) {
    PairList pairs;
    pairs.history_size = history_size;
    pairs.row.push_back(0);
    base::Random random(seed, 0);
    for (std::uint32_t i = 0; i < bodies; ++i) {
        for (std::uint32_t j = i + 1; j < bodies; ++j) {
            for (signed char x = -1; x <= 1; ++x) {
                if (random.uniform() < 0.05) {
                    pairs.partner.push_back(j);
                    pairs.image.push_back({x, 0, 1});
                    pairs.history.insert(pairs.history.end(), {1.0 * i, 1.0 * j, 0.5 + x});
                }
            }
        }
        pairs.row.push_back(static_cast<std::uint32_t>(pairs.partner.size()));
    }
    return pairs;
}

/// Row and partner as the histories remember them, and the numbers that they have now.
using Names = std::map<std::tuple<double, double, double>, std::tuple<std::size_t, std::uint32_t, int>>;
Names names(const PairList& pairs) {
    Names out;
    for (std::size_t i = 0; i + 1 < pairs.row.size(); ++i) {
        for (std::size_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            const double* h = &pairs.history[p * history_size];
            out[{h[0], h[1], h[2]}] = {i, pairs.partner[p], pairs.image[p].x};
        }
    }
    return out;
}

TEST(PairList, CompactingDropsThePairsOfRemovedBodiesAlone) {
    PairList pairs = random_pairs(5);
    const Names before = names(pairs);
    ASSERT_GT(before.size(), 100U);
    std::vector<char> keep(bodies);
    std::vector<std::size_t> new_index(bodies);
    base::Random random(6, 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < bodies; ++i) {
        keep[i] = random.uniform() < 0.7 ? 1 : 0;
        new_index[i] = next;
        next += keep[i] ? 1U : 0U;
    }
    Names expected;
    for (const auto& [name, now] : before) {
        const auto& [i, j, x] = now;
        if (keep[i] && keep[j]) {
            expected[name] = {new_index[i], static_cast<std::uint32_t>(new_index[j]), x};
        }
    }
    compact(pairs, keep);
    EXPECT_EQ(names(pairs), expected);
    EXPECT_LT(expected.size(), before.size());
    EXPECT_EQ(pairs.row.size(), next + 1);
    EXPECT_EQ(pairs.size(), expected.size());
    EXPECT_EQ(pairs.image.size(), pairs.size());
    EXPECT_EQ(pairs.history.size(), pairs.size() * history_size);
    EXPECT_EQ(pairs.history_size, history_size);
}

TEST(PairList, CompactingKeepsAllOrNothing) {
    PairList pairs = random_pairs(7);
    const Names before = names(pairs);
    compact(pairs, std::vector<char>(bodies, 1));
    EXPECT_EQ(names(pairs), before);
    compact(pairs, std::vector<char>(bodies, 0));
    EXPECT_EQ(pairs.size(), 0U);
    EXPECT_EQ(pairs.row, std::vector<std::uint32_t>{0});
    EXPECT_TRUE(pairs.history.empty());
}

}  // namespace
}  // namespace talus::model
