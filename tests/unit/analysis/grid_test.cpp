// Grids against brute force: cells of points, shares of balls that add up, periodic borders, rings.
#include "talus/analysis/grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "talus/analysis/ball_volume.h"
#include "talus/analysis/region_volume.h"
#include "talus/base/diagnostics.h"
#include "talus/base/random.h"

namespace talus::analysis {
namespace {

using Kind = model::ProfileGrid::Kind;
using std::numbers::pi;

model::ProfileGrid boxes(const Vec3d& low, const Vec3d& high, int nx, int ny, int nz) {
    model::ProfileGrid grid;
    grid.kind = Kind::boxes;
    grid.along = {{low.x, high.x, nx}, {low.y, high.y, ny}, {low.z, high.z, nz}};
    return grid;
}

model::ProfileGrid rings(const Vec3d& origin, const Vec3d& axis, double radius, double length, int across, int along) {
    model::ProfileGrid grid;
    grid.kind = Kind::rings;
    grid.origin = origin;
    grid.axis = axis;
    grid.along = {{0, radius, across}, {0, length, along}};
    return grid;
}

Vec3d random_point(base::Random& random, double half) {
    return {random.uniform(-half, half), random.uniform(-half, half), random.uniform(-half, half)};
}

double whole(const std::vector<Grid::Share>& shares) {
    double sum = 0;
    for (const Grid::Share& share : shares) {
        sum += share.volume;
    }
    return sum;
}

TEST(Grid, BoxesAreCountedWithTheLastCoordinateFastest) {
    const auto grid = make_grid(boxes({0, 0, 0}, {2, 3, 4}, 2, 3, 4), {}, {});
    EXPECT_EQ(grid->cells(), 24U);
    EXPECT_EQ(grid->coordinates(), (std::vector<std::string>{"x", "y", "z"}));
    for (std::size_t cell = 0; cell < grid->cells(); ++cell) {
        const std::vector<double> at = grid->place(cell);
        const std::vector<std::size_t> bins = {cell / 12, cell / 4 % 3, cell % 4};
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(at.at(k), static_cast<double>(bins[k]) + 0.5);
        }
        EXPECT_EQ(grid->cell_of({at[0], at[1], at[2]}), cell);
        EXPECT_DOUBLE_EQ(grid->volume(cell), 1);
    }
    EXPECT_EQ(grid->cell_of({0, 1, 2}), 0U * 12 + 1 * 4 + 2) << "low sides belong to a cell";
    EXPECT_FALSE(grid->cell_of({2, 1, 2})) << "high sides to the next one";
    EXPECT_FALSE(grid->cell_of({-0.1, 1, 2}));
    EXPECT_EQ(grid->basis({1, 1, 1}), math::Mat3d::identity());
}

TEST(Grid, SharesOfBallsAddUpAndAreThoseOfEachBox) {
    const Vec3d low{-1, -0.8, -0.5};
    const Vec3d high{1, 0.9, 0.7};
    const auto grid = make_grid(boxes(low, high, 5, 3, 4), {}, {});
    const RegionVolume all({{model::Box{low, high}}}, {});
    base::Random random(3, 4);
    std::vector<Grid::Share> shares;
    for (int k = 0; k < 500; ++k) {
        const Vec3d x = random_point(random, 1.2);
        const double radius = random.uniform(0.01, 0.6);
        grid->share_out(x, radius, shares);
        EXPECT_NEAR(whole(shares), all.ball_inside(x, radius), 1e-12);
        for (const Grid::Share& share : shares) {
            const std::vector<double> at = grid->place(share.cell);
            const Vec3d half{0.2, 1.7 / 6, 0.15};
            const Vec3d middle{at[0], at[1], at[2]};
            const RegionVolume box({{model::Box{middle - half, middle + half}}}, {});
            EXPECT_NEAR(share.volume, box.ball_inside(x, radius), 1e-12);
        }
    }
}

TEST(Grid, BallsComeBackAtPeriodicBorders) {
    model::Domain domain;
    domain.low = {0, 0, 0};
    domain.high = {1, 2, 3};
    domain.periodic = {true, false, true};
    const auto grid = make_grid(boxes({0, 0, 0}, {1, 2, 3}, 4, 2, 3), {}, domain);
    std::vector<Grid::Share> shares;
    grid->share_out({0.05, 1.5, 2.95}, 0.2, shares);  // over two borders: four images
    EXPECT_NEAR(whole(shares), ball_volume(0.2), 1e-15);
    std::vector<double> by_cell(grid->cells());
    for (const Grid::Share& share : shares) {
        by_cell[share.cell] += share.volume;
    }
    const auto in_box = [](Bounds x, Bounds z) { return ball_in_box(0.2, {x, {}, z}); };
    const double far = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(by_cell[*grid->cell_of({0.1, 1.5, 2.9})], in_box({-0.05, far}, {-far, 0.05}), 1e-15);
    EXPECT_NEAR(by_cell[*grid->cell_of({0.9, 1.5, 2.9})], in_box({-far, -0.05}, {-far, 0.05}), 1e-15);
    EXPECT_NEAR(by_cell[*grid->cell_of({0.1, 1.5, 0.1})], in_box({-0.05, far}, {0.05, far}), 1e-15);
    EXPECT_NEAR(by_cell[*grid->cell_of({0.9, 1.5, 0.1})], in_box({-far, -0.05}, {0.05, far}), 1e-15);
    base::Random random(9, 9);
    for (int k = 0; k < 200; ++k) {
        grid->share_out({random.uniform(), random.uniform(0.3, 1.7), random.uniform(0, 3)}, 0.3, shares);
        EXPECT_NEAR(whole(shares), ball_volume(0.3), 1e-14);
    }
}

TEST(Grid, ARegionCutsCells) {
    const model::Region barrel{{model::Frustum{{0, 0, 0}, {0, 0, 1}, 1, 1}}};
    const auto grid = make_grid(boxes({-1, -1, 0}, {1, 1, 1}, 4, 4, 1), barrel, {});
    double volume = 0;
    for (std::size_t cell = 0; cell < grid->cells(); ++cell) {
        volume += grid->volume(cell);
    }
    EXPECT_NEAR(volume, pi, 0.005);
    EXPECT_DOUBLE_EQ(grid->volume(*grid->cell_of({0.25, 0.25, 0.5})), 0.25);
    EXPECT_FALSE(grid->cell_of({0.9, 0.9, 0.5})) << "in a box, but not in the barrel";
}

TEST(Grid, RingsHoldTheirVolumeAndTheirShares) {
    const Vec3d axis = math::normalized(Vec3d{1, 2, -2});
    const auto grid = make_grid(rings({0.1, 0.2, 0.3}, axis, 1.2, 2, 4, 5), {}, {});
    EXPECT_EQ(grid->coordinates(), (std::vector<std::string>{"r", "z"}));
    double volume = 0;
    for (std::size_t cell = 0; cell < grid->cells(); ++cell) {
        volume += grid->volume(cell);
    }
    EXPECT_NEAR(volume, pi * 1.44 * 2, 1e-12);
    base::Random random(7, 2);
    std::vector<Grid::Share> shares;
    const RegionVolume all({{model::Frustum{{0.1, 0.2, 0.3}, Vec3d{0.1, 0.2, 0.3} + axis * 2.0, 1.2, 1.2}}}, {});
    for (int k = 0; k < 300; ++k) {
        const Vec3d x = random_point(random, 2);
        const double radius = random.uniform(0.05, 0.7);
        grid->share_out(x, radius, shares);
        EXPECT_NEAR(whole(shares), all.ball_inside(x, radius), 0.02 * ball_volume(radius)) << "which samples";
        if (const auto cell = grid->cell_of(x)) {
            const std::vector<double> at = grid->place(*cell);
            const double z = dot(axis, x - Vec3d{0.1, 0.2, 0.3});
            const double r = norm(x - Vec3d{0.1, 0.2, 0.3} - axis * z);
            EXPECT_LE(std::abs(r - at[0]), 0.15 + 1e-12);
            EXPECT_LE(std::abs(z - at[1]), 0.2 + 1e-12);
        }
    }
    // Wholly inside, parts add up to the ball.
    grid->share_out(Vec3d{0.1, 0.2, 0.3} + axis, 0.55, shares);
    EXPECT_NEAR(whole(shares), ball_volume(0.55), 1e-9);
    grid->share_out(Vec3d{0.1, 0.2, 0.3} + axis * 0.9 + Vec3d{0, 0.4, 0.4}, 0.5, shares);
    EXPECT_NEAR(whole(shares), ball_volume(0.5), 1e-9);
}

TEST(Grid, RingsHaveTheirOwnAxes) {
    const auto grid = make_grid(rings({}, {0, 0, 1}, 1, 1, 2, 2), {}, {});
    EXPECT_STREQ(grid->letters(), "rtz");
    const math::Mat3d at_y = grid->basis({0, 0.5, 0.3});
    EXPECT_EQ(at_y.row[0], (Vec3d{0, 1, 0}));
    EXPECT_EQ(at_y.row[1], (Vec3d{-1, 0, 0}));
    EXPECT_EQ(at_y.row[2], (Vec3d{0, 0, 1}));
    const math::Mat3d on_axis = grid->basis({0, 0, 0.3});
    EXPECT_NEAR(dot(on_axis.row[0], on_axis.row[0]), 1, 1e-15);
    EXPECT_NEAR(dot(on_axis.row[0], on_axis.row[2]), 0, 1e-15);
}

TEST(Grid, RefusesNonsense) {
    EXPECT_THROW(make_grid(boxes({0, 0, 0}, {1, 0, 1}, 2, 2, 2), {}, {}), base::InputError);
    EXPECT_THROW(make_grid(boxes({0, 0, 0}, {1, 1, 1}, 2, 0, 2), {}, {}), base::InputError);
    EXPECT_THROW(make_grid(boxes({0, 0, 0}, {1, 1, 1}, 2000, 2000, 2000), {}, {}), base::InputError);
    EXPECT_THROW(make_grid(rings({}, {0, 0, 1}, 1, 1, 2, 2), {{model::Ball{{}, 1}}}, {}), base::InputError);
    model::ProfileGrid lacking = boxes({0, 0, 0}, {1, 1, 1}, 2, 2, 2);
    lacking.along.pop_back();
    EXPECT_THROW(make_grid(lacking, {}, {}), base::InputError);
}

}  // namespace
}  // namespace talus::analysis
