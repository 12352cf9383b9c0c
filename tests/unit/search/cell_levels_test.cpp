// Cells bring together what is near: few looks a ball whatever the spread of sizes, and an order in memory like that in
// space.
#include "talus/search/cell_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numbers>
#include <numeric>

#include "talus/search/pair_search.h"
#include "unit/search/random_balls.h"

namespace talus::tests {
namespace {

/// Balls with n(r) ~ r^-3 from 1 to `ratio` that would fill 60 % of a periodic box.
Cloud dense_mixture(std::size_t count, double ratio) {
    std::vector<double> radii(count);
    base::Random random(2, 0);
    double volume = 0;
    for (double& r : radii) {
        r = 1 / std::sqrt(1 - random.uniform() * (1 - 1 / (ratio * ratio)));
        volume += 4.0 / 3.0 * std::numbers::pi * r * r * r;
    }
    const double width = std::cbrt(volume / 0.6);
    Cloud cloud;
    cloud.domain.low = {0, 0, 0};
    cloud.domain.high = {width, width, width};
    cloud.domain.periodic = {true, true, true};
    for (const double r : radii) {
        cloud.add({random.uniform(0, width), random.uniform(0, width), random.uniform(0, width)}, r, 0.1 * r);
    }
    return cloud;
}

double looks_a_ball(const Cloud& cloud) {
    search::CellLevels cells;
    cells.build(cloud.balls(), cloud.skin, cloud.domain);
    std::size_t looks = 0;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        cells.near(cloud.balls(), i, [&](std::uint32_t, std::uint8_t) { ++looks; });
    }
    return static_cast<double>(looks) / static_cast<double>(cloud.size());
}

TEST(CellLevels, TakeFewLooksABallWhateverTheSpreadOfSizes) {
    // A class of sizes fills at most 60 % of the 27 cells of (2.2 r)^3 where a ball looks for it: fewer than 100 balls
    // of r/2 < radius <= r for each class.
    for (const double ratio : {1.0, 10.0, 100.0}) {
        const Cloud cloud = dense_mixture(20000, ratio);
        const double looks = looks_a_ball(cloud);
        const double classes = 1 + std::floor(std::log2(ratio));
        // Cells for the largest alone: half of what is in 27 of them.
        const double cell = 2.2 * (ratio > 1 ? ratio : 1.0);
        const double width = std::max(cloud.domain.size().x, 3 * cell);
        const double by_one_grid = 13.5 * std::pow(cell / width, 3) * static_cast<double>(cloud.size());
        std::printf("sizes 1:%g: %.0f looks a ball, %.0f with one grid\n", ratio, looks, by_one_grid);
        EXPECT_LT(looks, 100 * classes);
        if (ratio > 1) {
            EXPECT_LT(looks, 0.5 * by_one_grid);
        }
    }
}

TEST(CellOrder, IsAPermutation) {
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
        for (int bits : {0, 5, 7}) {
            const Cloud cloud = random_cloud({.count = count, .periodic = axes_of(bits), .smallest = 0.01, .seed = 1});
            std::vector<std::uint32_t> order = search::cell_order(cloud.balls(), cloud.domain);
            ASSERT_EQ(order.size(), count);
            EXPECT_EQ(order, search::cell_order(cloud.balls(), cloud.domain)) << "not the same twice";
            std::sort(order.begin(), order.end());
            for (std::uint32_t k = 0; k < count; ++k) {
                EXPECT_EQ(order[k], k);
            }
        }
    }
}

/// The place of each ball in the order.
std::vector<double> places(const Cloud& cloud) {
    const std::vector<std::uint32_t> order = search::cell_order(cloud.balls(), cloud.domain);
    std::vector<double> at(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        at[order[k]] = static_cast<double>(k);
    }
    return at;
}

/// How far apart near pairs are in the order, on average; those through a border are left out.
double mean_separation(const Cloud& cloud, const std::vector<double>& at) {
    search::PairSearch search;
    search::NearList list;
    search.find(cloud.balls(), cloud.skin, cloud.domain, 1, list);
    double sum = 0;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        for (std::uint32_t p = list.row[i]; p < list.row[i + 1]; ++p) {
            if (list.image[p] == search::no_image) {
                sum += std::abs(at[i] - at[list.partner[p]]);
                ++pairs;
            }
        }
    }
    EXPECT_GT(pairs, cloud.size());
    return sum / static_cast<double>(pairs);
}

TEST(CellOrder, BringsNeighboursTogether) {
    for (const double ratio : {1.0, 10.0}) {
        for (int bits : {0, 7}) {
            Cloud cloud = dense_mixture(20000, ratio);
            cloud.domain.periodic = axes_of(bits);
            // A slab of cells has about n^(2/3) balls; as they come, near pairs are n / 3 apart.
            const double slab = std::pow(20000.0, 2.0 / 3.0);
            std::vector<double> as_they_come(cloud.size());
            std::iota(as_they_come.begin(), as_they_come.end(), 0.0);
            EXPECT_GT(mean_separation(cloud, as_they_come), 0.3 * 20000);
            EXPECT_LT(mean_separation(cloud, places(cloud)), slab * (ratio > 1 ? 2 : 1)) << ratio << " " << bits;
        }
    }
}

TEST(CellOrder, RunsAlongTheLongestAxisSlowest) {
    // In a chute the partners of a ball are within a few thin slabs.
    for (const int longest : {0, 1, 2}) {
        Vec3d box{0.3, 0.3, 0.3};
        box[longest] = 10;
        const Cloud cloud = random_cloud({.count = 5000, .box = box, .smallest = 0.03, .largest = 0.03, .seed = 7});
        EXPECT_LT(mean_separation(cloud, places(cloud)), 60) << "axis " << longest;
    }
}

TEST(CellOrder, KeepsBallsOfOneCellInTheirOrder) {
    Cloud cloud;
    for (int k = 0; k < 50; ++k) {
        cloud.add({0.5, 0.5, 0.5}, 0.1, 0);
    }
    const auto order = search::cell_order(cloud.balls(), cloud.domain);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(CellOrder, TakesBallsFarApart) {
    Cloud cloud = random_cloud({.count = 300, .seed = 9});
    cloud.add({1e15, -1e12, 0}, 0.1, 0);
    std::vector<std::uint32_t> order = search::cell_order(cloud.balls(), cloud.domain);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(std::adjacent_find(order.begin(), order.end()), order.end());
    EXPECT_EQ(order.size(), 301U);
}

}  // namespace
}  // namespace talus::tests
