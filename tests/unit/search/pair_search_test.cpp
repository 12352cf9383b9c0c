// Cells of many sizes list exactly the pairs that looking at everything lists, each of them once.
#include "talus/search/pair_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "unit/search/random_balls.h"

namespace talus::tests {
namespace {

/// (lower ball, higher ball, image of the higher one)
using Pair = std::tuple<std::uint32_t, std::uint32_t, int>;

/// In order, whichever ball's row a pair stands in.
std::vector<Pair> sorted_pairs(const search::NearList& list) {
    std::vector<Pair> out;
    for (std::uint32_t i = 0; i + 1 < list.row.size(); ++i) {
        for (std::uint32_t p = list.row[i]; p < list.row[i + 1]; ++p) {
            const std::uint32_t j = list.partner[p];
            // Seen from the other end an image is the opposite one.
            out.push_back(i < j ? Pair(i, j, list.image[p]) : Pair(j, i, 26 - list.image[p]));
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

class PairSearch : public testing::Test {
protected:
    /// Compares with brute force; returns the pairs.
    std::vector<Pair> expect_all_found(const Cloud& cloud, const std::string& what) {
        const auto expected = sorted_pairs(search::find_by_brute_force(cloud.balls(), cloud.skin, cloud.domain));
        search::NearList first;
        for (const int threads : {1, 2, 3}) {
            search::NearList list;
            search_.find(cloud.balls(), cloud.skin, cloud.domain, threads, list);
            EXPECT_EQ(list.row.size(), cloud.size() + 1) << what;
            EXPECT_EQ(list.image.size(), list.size()) << what;
            const auto found = sorted_pairs(list);
            EXPECT_TRUE(std::adjacent_find(found.begin(), found.end()) == found.end()) << "a pair twice, " << what;
            EXPECT_TRUE(found == expected) << what << ": " << found.size() << " pairs of " << expected.size();
            if (threads == 1) {
                first = list;
            }
            EXPECT_EQ(list.row, first.row) << what;
            EXPECT_EQ(list.partner, first.partner) << what;
            EXPECT_EQ(list.image, first.image) << what;
        }
        return expected;
    }

    search::PairSearch search_;  // one for all clouds of a test: nothing may be left over from the last
};

TEST_F(PairSearch, EqualsBruteForceForEveryCombinationOfPeriodicAxesAndEverySpreadOfSizes) {
    for (const double ratio : {1.0, 10.0, 100.0}) {
        std::size_t pairs = 0;
        std::size_t through_boundary = 0;
        for (int bits = 0; bits < 8; ++bits) {
            for (std::uint64_t seed = 0; seed < 4; ++seed) {
                const Cloud cloud = random_cloud({.count = 60 + 130 * seed,
                                                  .box = {1.0, 0.7, 1.3},
                                                  .periodic = axes_of(bits),
                                                  .smallest = ratio > 1 ? 0.2 / ratio : 0.05,
                                                  .largest = ratio > 1 ? 0.2 : 0.05,
                                                  .stride = seed % 2 == 0 ? 4U : 12U,
                                                  .seed = seed});
                const auto found = expect_all_found(cloud, "ratio " + std::to_string(ratio) + ", axes " +
                                                               std::to_string(bits) + ", seed " + std::to_string(seed));
                pairs += found.size();
                for (const Pair& pair : found) {
                    through_boundary += std::get<2>(pair) == search::no_image ? 0U : 1U;
                }
            }
        }
        EXPECT_GT(pairs, 5000U) << ratio;
        EXPECT_GT(through_boundary, 500U) << ratio;
    }
}

TEST_F(PairSearch, ALongSkinOfASmallBallReachesFarLargeOnes) {
    // Skins have nothing to do with sizes: a fast grain of the smallest class may look farther than any.
    for (int bits : {0, 2, 7}) {
        Cloud cloud = random_cloud(
            {.count = 250, .periodic = axes_of(bits), .smallest = 0.002, .largest = 0.1, .skin = 0.1, .seed = 5});
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            if (cloud.balls().radius(i) < 0.005) {
                cloud.skin[i] = 0.3F;
            }
        }
        EXPECT_GT(expect_all_found(cloud, "axes " + std::to_string(bits)).size(), 500U);
    }
}

TEST_F(PairSearch, BoxesOfAFewCellsAreNoSpecialCase) {
    // From less than one reach to several: one, two, three and more cells an axis, for one size and for many.
    for (const double smallest : {0.09, 0.004}) {
        for (double width = 0.12; width < 1.0; width += 0.017) {
            for (int bits : {1, 4, 5, 7}) {
                const Cloud cloud = random_cloud({.count = 30,
                                                  .box = {width, 0.5, 0.4 + 0.5 * width},
                                                  .periodic = axes_of(bits),
                                                  .smallest = smallest,
                                                  .largest = 0.09,
                                                  .skin = 0.05,
                                                  .seed = 8});
                expect_all_found(cloud, "width " + std::to_string(width) + ", axes " + std::to_string(bits));
            }
        }
    }
}

TEST_F(PairSearch, FindsBothImagesOfOnePartnerInATinyBox) {
    // Slightly wider than two diameters: a pair may meet through both sides of the box.
    std::size_t twice = 0;
    for (std::uint64_t seed = 0; seed < 800; ++seed) {
        const Cloud cloud = random_cloud({.count = 3,
                                          .box = {0.42, 0.42, 0.42},
                                          .periodic = {true, true, true},
                                          .smallest = 0.1,
                                          .largest = 0.1,
                                          .skin = 0.2,
                                          .seed = seed});
        const auto pairs = expect_all_found(cloud, "seed " + std::to_string(seed));
        for (std::size_t p = 1; p < pairs.size(); ++p) {
            const auto balls = [&](std::size_t at) { return std::tie(std::get<0>(pairs[at]), std::get<1>(pairs[at])); };
            twice += balls(p) == balls(p - 1) ? 1U : 0U;
        }
    }
    EXPECT_GT(twice, 20U);
}

TEST_F(PairSearch, ClustersFarApartAskForNoMoreCellsThanBalls) {
    for (const double smallest : {0.05, 0.001}) {
        Cloud cloud = random_cloud({.count = 100, .smallest = smallest, .largest = 0.05, .seed = 3});
        const std::size_t alone = expect_all_found(cloud, "one cluster").size();
        for (const Vec3d& at : {Vec3d{1e9, -1e12, 3e5}, Vec3d{-4e15, 0, 0}, Vec3d{0, 7e5, 7e5}}) {
            cloud.add(at, 0.05, 0.01);
            cloud.add({at.x, at.y, at.z + 0.05}, 0.02, 0.01);
        }
        // At 4e15 m a double still tells half metres apart.
        EXPECT_EQ(expect_all_found(cloud, "far-flung").size(), alone + 3);
    }
}

TEST_F(PairSearch, NoneOneAndCoincidentBalls) {
    for (int bits : {0, 7}) {
        Cloud cloud = random_cloud({.count = 0, .periodic = axes_of(bits)});
        EXPECT_TRUE(expect_all_found(cloud, "none").empty());
        cloud.add({0.1, 0.2, 0.3}, 0.1, 0);
        EXPECT_TRUE(expect_all_found(cloud, "one").empty());
        for (int k = 0; k < 3; ++k) {
            cloud.add({0.1, 0.2, 0.3}, 0.1, 0);
        }
        EXPECT_EQ(expect_all_found(cloud, "coincident").size(), 6U);
        cloud.add({0.1, 0.2, 0.3}, 0.001, 0);
        EXPECT_EQ(expect_all_found(cloud, "one of another size").size(), 10U);
    }
}

TEST_F(PairSearch, BallsOnAPlaneOrALineAreFoundToo) {
    // An open axis along which nothing extends is one cell.
    Cloud line = random_cloud({.count = 200, .box = {20, 0, 0}, .smallest = 0.02, .largest = 0.1, .seed = 4});
    EXPECT_GT(expect_all_found(line, "line").size(), 50U);
    Cloud plane = random_cloud({.count = 200, .box = {3, 0, 3}, .smallest = 0.02, .largest = 0.1, .seed = 4});
    EXPECT_GT(expect_all_found(plane, "plane").size(), 50U);
}

TEST_F(PairSearch, BallsOnTheBordersOfThePeriodicBoxAndOfCellsAreFound) {
    Cloud cloud;
    cloud.domain.low = {0, 0, 0};
    cloud.domain.high = {1, 1, 1};
    cloud.domain.periodic = {true, true, true};
    const double below = std::nextafter(1.0, 0.0);
    for (const double x : {0.0, 0.25, 0.5, 0.75, below}) {
        for (const double y : {0.0, 0.25, 0.5, 0.75, below}) {
            for (const double z : {0.0, 0.25, 0.5, 0.75, below}) {
                cloud.add({x, y, z}, 0.1, 0.025);
            }
        }
    }
    EXPECT_GT(expect_all_found(cloud, "grid").size(), 125U);
}

TEST_F(PairSearch, AListOfManyChunksEqualsBruteForce) {
    // More balls than one share of the parallel loop.
    const Cloud equal = random_cloud(
        {.count = 2600, .box = {2, 2, 2}, .periodic = {true, false, true}, .smallest = 0.05, .largest = 0.05});
    EXPECT_GT(expect_all_found(equal, "equal").size(), 2000U);
    const Cloud spread = random_cloud(
        {.count = 2100, .box = {2, 2, 2}, .periodic = {false, true, true}, .smallest = 0.01, .largest = 0.3});
    EXPECT_GT(expect_all_found(spread, "spread").size(), 2000U);
}

}  // namespace
}  // namespace talus::tests
