// The cell grid lists exactly the pairs that looking at everything lists, in the same order.
#include "talus/search/pair_search.h"

#include <gtest/gtest.h>

#include "unit/search/random_bodies.h"

namespace talus::tests {
namespace {

void expect_same_lists(model::System& system, double skin, const std::string& what) {
    model::System oracle = system;
    search::rebuild_pairs_by_brute_force(oracle, skin);
    for (const int threads : {1, 3}) {
        search::rebuild_pairs(system, skin, threads);
        ASSERT_EQ(listed_pairs(system.pairs), listed_pairs(oracle.pairs)) << what << ", threads " << threads;
        ASSERT_EQ(system.pairs.row, oracle.pairs.row) << what;
        ASSERT_EQ(system.pairs.incoming_row, oracle.pairs.incoming_row) << what;
        ASSERT_EQ(system.pairs.incoming_pair, oracle.pairs.incoming_pair) << what;
    }
}

std::array<bool, 3> axes_of(int bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

TEST(PairSearch, EqualsBruteForceForEveryCombinationOfPeriodicAxes) {
    std::size_t pairs = 0;
    std::size_t through_boundary = 0;
    for (int bits = 0; bits < 8; ++bits) {
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const auto count = static_cast<std::size_t>(40 + 160 * seed);
            model::System system = random_system(count, {1.0, 0.7, 1.3}, axes_of(bits), 0.01, 0.05, seed);
            expect_same_lists(system, 0.02, "axes " + std::to_string(bits) + " seed " + std::to_string(seed));
            pairs += system.pairs.size();
            for (const model::Image& image : system.pairs.image) {
                through_boundary += image == model::Image{} ? 0U : 1U;
            }
        }
    }
    EXPECT_GT(pairs, 10000U);
    EXPECT_GT(through_boundary, 500U);
}

TEST(PairSearch, EqualsBruteForceAtSizeRatioTen) {
    for (int bits : {0, 3, 7}) {
        model::System system = random_system(400, {1, 1, 1}, axes_of(bits), 0.01, 0.1, 11);
        expect_same_lists(system, 0.001, "axes " + std::to_string(bits));
        EXPECT_GT(system.pairs.size(), 300U);
    }
}

TEST(PairSearch, FindsBothImagesOfOnePartnerInATinyBox) {
    // Slightly wider than two diameters: a pair may meet through both sides of the box.
    std::size_t twice = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        model::System system = random_system(3, {0.42, 0.42, 0.42}, {true, true, true}, 0.1, 0.1, seed);
        expect_same_lists(system, 0.02, "seed " + std::to_string(seed));
        const auto pairs = listed_pairs(system.pairs);
        for (std::size_t p = 1; p < pairs.size(); ++p) {
            const auto bodies = [&](std::size_t at) {
                return std::tie(std::get<0>(pairs[at]), std::get<1>(pairs[at]));
            };
            twice += bodies(p) == bodies(p - 1) ? 1U : 0U;
        }
    }
    EXPECT_GT(twice, 20U);
}

TEST(PairSearch, BoxesOfAFewCellsAreNoSpecialCase) {
    // From less than one reach to several: one, two, three and more cells an axis.
    for (double width = 0.2; width < 1.0; width += 0.013) {
        model::System system = random_system(30, {width, 0.5, width}, {true, false, true}, 0.05, 0.1, 5);
        expect_same_lists(system, 0.003, "width " + std::to_string(width));
    }
}

TEST(PairSearch, GrainsFarApartAskForNoMoreCellsThanGrains) {
    model::System system = random_system(100, {1, 1, 1}, {false, false, false}, 0.02, 0.05, 3);
    system.bodies.position[7] = {1e9, -1e12, 3e5};
    system.bodies.position[8] = {1e9, -1e12, 3e5 + 0.05};
    system.bodies.position[9] = {-4e15, 0, 0};
    expect_same_lists(system, 0.01, "far-flung");
    EXPECT_EQ(system.pairs.row[8] - system.pairs.row[7], 1U);
}

TEST(PairSearch, EmptySingleAndCoincidentBodies) {
    for (int bits : {0, 7}) {
        model::System none = random_system(0, {1, 1, 1}, axes_of(bits), 0.1, 0.1, 0);
        expect_same_lists(none, 0, "none");
        EXPECT_EQ(none.pairs.size(), 0U);
        model::System one = random_system(1, {1, 1, 1}, axes_of(bits), 0.1, 0.1, 0);
        expect_same_lists(one, 0, "one");
        EXPECT_EQ(one.pairs.size(), 0U);
        model::System same = random_system(4, {1, 1, 1}, axes_of(bits), 0.1, 0.1, 0);
        same.bodies.position.assign(4, {0.1, 0.2, 0.3});
        expect_same_lists(same, 0, "coincident");
        EXPECT_EQ(same.pairs.size(), 6U);
    }
}

TEST(PairSearch, AListOfManyChunksEqualsBruteForce) {
    // More bodies than one share of the parallel loop.
    model::System system = random_system(2600, {2, 2, 2}, {true, false, true}, 0.02, 0.05, 21);
    expect_same_lists(system, 0.01, "many");
}

}  // namespace
}  // namespace talus::tests
