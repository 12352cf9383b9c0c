// Body-wall pairs: all that are near, with normals and histories carried over; nearest copies across boundaries.
#include "talus/search/wall_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "talus/geometry/make_shape.h"
#include "talus/math/rotation.h"
#include "talus/search/wall_cells.h"
#include "talus/search/wall_distance.h"
#include "talus/search/wall_search.h"
#include "unit/search/random_bodies.h"
#include "wall_of.h"

namespace talus::tests {
namespace {

model::System with_walls(const std::array<bool, 3>& periodic) {
    model::System system = random_system(400, {1, 1, 1}, periodic, 0.02, 0.06, 17);
    system.walls = {wall_of(geometry::make_plane({0, 0, -0.1}, {0, 0, 1})),
                    wall_of(geometry::make_disk({0.7, 0.2, 0.2}, {1, 0.2, 0}, 0.2, 0.05)),
                    wall_of(geometry::make_sphere({0.1, 0.1, 0.1}, 0.1))};
    system.wall_pairs.history_size = 4;
    return system;
}

/// Distance to the wall or any of its copies, by looking at two periods to each side.
double distance_by_brute_force(const model::System& system, const model::Wall& wall, const Vec3d& x) {
    double least = 1e300;
    const auto range = [&](std::size_t axis) { return system.domain.periodic[axis] ? 2 : 0; };
    const Vec3d period = system.domain.any_periodic() ? system.domain.size() : Vec3d{};
    for (int i = -range(0); i <= range(0); ++i) {
        for (int j = -range(1); j <= range(1); ++j) {
            for (int k = -range(2); k <= range(2); ++k) {
                const Vec3d at{range(0) ? x.x + i * period.x : x.x, range(1) ? x.y + j * period.y : x.y,
                               range(2) ? x.z + k * period.z : x.z};
                least = std::min(least, geometry::nearest(wall.shape, wall.pose.to_local(at)).distance);
            }
        }
    }
    return least;
}

/// One wall of every kind in and around the unit box, tilted, and some that a body could touch on two sides.
std::vector<model::Wall> all_kinds_of_walls() {
    using namespace geometry;
    const Vec3d tilted{1, -2, 3};
    std::vector<model::Wall> walls = {
        wall_of(make_plane({0, 0, -0.1}, {0.1, 0, 1})),
        wall_of(make_disk({0.7, 0.2, 0.2}, {1, 0.2, 0}, 0.2, 0.02)),
        wall_of(make_disk({0.1, 0.3, 0.6}, tilted, 0.15)),
        wall_of(make_rectangle({-0.2, 0.1, 0.5}, {0.3, 0, 0}, {0, 0, 0.2})),
        wall_of(make_triangle({0.2, 0.2, 0.2}, {0.5, 0.2, 0.2}, {0.2, 0.6, 0.4})),
        wall_of(make_cylinder({0.4, 0.4, 0}, tilted, 0.03)),
        wall_of(make_tube({0, 0, 0}, {0.2, 0.1, 0.3}, 0.01, 0.2)),
        wall_of(make_tube({0.6, 0.6, 0}, {0.6, 0.6, 0.3}, 0.25, 0)),
        wall_of(make_sphere({0.1, 0.1, 0.1}, 0.1)),
        wall_of(make_ring({0.4, 0.1, 0.4}, tilted, 0.02)),
        wall_of(make_line({0.3, 0.7, 0}, tilted)),
        wall_of(make_segment({-0.1, 0.4, 0.4}, {0.3, 0.4, 0.7})),
        wall_of(make_point({0.5, 0.5, 0.5})),
    };
    walls.push_back(walls[8]);
    walls.back().present = false;
    return walls;
}

/// (body, wall, side)
using Entry = std::tuple<std::size_t, std::uint32_t, int>;

std::vector<Entry> entries(const model::WallPairList& pairs) {
    std::vector<Entry> out;
    for (std::size_t i = 0; i + 1 < pairs.row.size(); ++i) {
        for (std::uint32_t q = pairs.row[i]; q < pairs.row[i + 1]; ++q) {
            EXPECT_EQ(pairs.body[q], i);
            out.emplace_back(i, pairs.wall[q], pairs.side[q]);
        }
    }
    return out;
}

/// Every body against every wall.
std::vector<Entry> entries_by_brute_force(const model::System& system, double skin) {
    std::vector<Entry> out;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        const Vec3d& x = system.bodies.position[i];
        const double reach = system.bodies.radius[i] + skin;
        for (std::uint32_t w = 0; w < system.walls.size(); ++w) {
            const model::Wall& wall = system.walls[w];
            if (!wall.present || search::nearest_wall_point(wall, system.domain, x).distance >= reach) {
                continue;
            }
            out.emplace_back(i, w, 0);
            if (geometry::has_opposite(wall.shape) &&
                search::opposite_wall_point(wall, system.domain, x).distance < reach) {
                out.emplace_back(i, w, 1);
            }
        }
    }
    return out;
}

TEST(WallSearch, ListsExactlyTheBodiesThatAreNear) {
    base::Random random(5, 0);
    std::array<int, 2> found{};  // by side
    for (const std::array<bool, 3>& periodic :
         {std::array{false, false, false}, std::array{true, true, false}, std::array{true, true, true}}) {
        for (const std::size_t count : {3U, 50U, 3000U}) {
            model::System system = random_system(count, {1, 1, 1}, periodic, 0.005, 0.04, 17 + count);
            system.walls = all_kinds_of_walls();
            const std::vector<char> always(system.walls.size(), 0);
            for (int moment = 0; moment < 3; ++moment) {
                const double skin = moment == 1 ? 0 : 0.01;
                search::rebuild_wall_pairs(system, skin, always, moment + 1);
                const auto listed = entries(system.wall_pairs);
                ASSERT_EQ(listed, entries_by_brute_force(system, skin));
                for (const Entry& entry : listed) {
                    ++found[static_cast<std::size_t>(std::get<2>(entry))];
                }
                for (model::Wall& wall : system.walls) {  // all walls have moved by the next moment
                    wall.pose.position += Vec3d{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.03};
                    wall.pose.rotation =
                        math::rotation_matrix({random.uniform(-1, 1), 0.3, random.uniform(-1, 1)}) * wall.pose.rotation;
                }
            }
        }
    }
    EXPECT_GT(found[0], 3000);
    EXPECT_GT(found[1], 10);
}

TEST(WallSearch, TakesBodiesFarApart) {
    model::System system = with_walls({false, false, false});
    system.bodies.position[7] = {1e6, -1e6, 3e5};
    system.bodies.position[8] = {1e6, 0, -0.1};
    search::rebuild_wall_pairs(system, 0.01, {0, 0, 0}, 2);
    EXPECT_EQ(entries(system.wall_pairs), entries_by_brute_force(system, 0.01));
}

TEST(WallCells, AskFewBodiesFarFromEveryWall) {
    // A box full of bodies, with a wall on one side: those within a few radii of it are asked, the others are not.
    const model::System system = random_system(20000, {1, 1, 1}, {false, false, false}, 0.01, 0.01, 3);
    const std::vector<model::Wall> walls = {wall_of(geometry::make_plane({0, 0, -0.25}, {0, 0, 1}))};
    const search::WallCells cells(system.bodies.position, 0.011, walls, system.domain, 1);
    EXPECT_LE(cells.cells(), system.bodies.size() / 4);
    std::size_t asked = 0;
    std::size_t missed = 0;
    for (const Vec3d& x : system.bodies.position) {
        const bool near = !cells.near(x).empty();
        asked += near ? 1U : 0U;
        missed += !near && x.z + 0.25 < 0.011 ? 1U : 0U;
    }
    EXPECT_EQ(missed, 0U);
    EXPECT_LT(asked, system.bodies.size() / 5);
}

TEST(WallSearch, ADirectionAndAPointBelongToTheNearestCopy) {
    model::System system = with_walls({true, true, false});
    const model::Wall& wall = system.walls[1];
    int through_boundary = 0;
    for (const Vec3d& x : system.bodies.position) {
        const auto near = search::nearest_wall_point(wall, system.domain, x);
        EXPECT_NEAR(near.distance, distance_by_brute_force(system, wall, x), 1e-14);
        EXPECT_NEAR(norm(near.direction), 1, 1e-14);
        // The point lies on the wall itself, whichever copy is near: the wall's motion is asked for there.
        EXPECT_LT(geometry::nearest(wall.shape, wall.pose.to_local(near.point)).distance, 1e-14);
        through_boundary += norm(near.point - x) > near.distance + 1e-9 ? 1 : 0;
    }
    EXPECT_GT(through_boundary, 10);
}

TEST(WallSearch, CopiesAreLookedAtOnlyAlongAxesThatChangeTheWall) {
    model::Domain domain;
    domain.low = {0, 0, 0};
    domain.high = {1, 1, 1};
    domain.periodic = {true, true, true};
    using Range = std::array<int, 3>;
    EXPECT_EQ(search::image_range(wall_of(geometry::make_plane({}, {0, 0, 1})), domain), (Range{0, 0, 1}));
    EXPECT_EQ(search::image_range(wall_of(geometry::make_cylinder({}, {0, 1, 0}, 0.1)), domain), (Range{1, 0, 1}));
    EXPECT_EQ(search::image_range(wall_of(geometry::make_point({})), domain), (Range{1, 1, 1}));
    domain.periodic = {false, true, false};
    EXPECT_EQ(search::image_range(wall_of(geometry::make_point({})), domain), (Range{0, 1, 0}));
}

TEST(WallSearch, WallsThatSweepAreListedForEveryoneAndAbsentOnesForNobody) {
    model::System system = with_walls({false, false, false});
    system.walls[1].present = false;
    search::rebuild_wall_pairs(system, 0, {0, 1, 1}, 1);
    std::size_t spheres = 0;
    for (const std::uint32_t w : system.wall_pairs.wall) {
        EXPECT_NE(w, 1U);
        spheres += w == 2 ? 1 : 0;
    }
    EXPECT_EQ(spheres, system.bodies.size());
}

TEST(WallSearch, AContactThatHasJustPartedStaysListedUntilItsEndIsBooked) {
    model::System system = with_walls({false, false, false});
    system.bodies.position[5] = {0, 0, -0.1 + 0.9 * system.bodies.radius[5]};  // on the plane
    search::rebuild_wall_pairs(system, 0.01, {0, 0, 0}, 1);
    const auto listed = [&](std::size_t body) { return system.wall_pairs.row[body + 1] - system.wall_pairs.row[body]; };
    ASSERT_EQ(listed(5), 1U);
    system.wall_pairs.touching[system.wall_pairs.row[5]] = 1;
    system.wall_pairs.history[system.wall_pairs.row[5] * 4] = 0.25;
    system.bodies.position[5] = {0, 0, 50};
    search::rebuild_wall_pairs(system, 0.01, {0, 0, 0}, 1);
    ASSERT_EQ(listed(5), 1U);
    EXPECT_EQ(system.wall_pairs.history[system.wall_pairs.row[5] * 4], 0.25);
    system.wall_pairs.touching[system.wall_pairs.row[5]] = 0;
    search::rebuild_wall_pairs(system, 0.01, {0, 0, 0}, 1);
    EXPECT_EQ(listed(5), 0U);
}

TEST(WallSearch, RebuildingAndCompactingCarryHistories) {
    model::System system = with_walls({false, false, false});
    search::rebuild_wall_pairs(system, 0.02, {0, 0, 0}, 1);
    model::WallPairList& pairs = system.wall_pairs;
    for (std::size_t q = 0; q < pairs.size(); q += 2) {
        pairs.touching[q] = 1;
        pairs.normal[q] = {0, 0, static_cast<double>(q)};
        pairs.history[q * 4 + 1] = 100.0 * static_cast<double>(system.bodies.id[pairs.body[q]]) + pairs.wall[q];
    }
    const std::size_t touching = (pairs.size() + 1) / 2;
    const auto check = [&](std::size_t expected) {
        std::size_t found = 0;
        for (std::size_t q = 0; q < pairs.size(); ++q) {
            const double name = 100.0 * static_cast<double>(system.bodies.id[pairs.body[q]]) + pairs.wall[q];
            EXPECT_EQ(pairs.history[q * 4 + 1], pairs.touching[q] ? name : 0.0);
            found += pairs.touching[q];
        }
        EXPECT_EQ(found, expected);
    };
    search::rebuild_wall_pairs(system, 0.05, {0, 0, 0}, 1);
    check(touching);
    std::vector<char> keep(system.bodies.size(), 1);
    for (std::size_t i = 0; i < keep.size(); i += 3) {
        keep[i] = 0;
    }
    std::size_t left = 0;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
        left += pairs.touching[q] && keep[pairs.body[q]] ? 1U : 0U;
    }
    ASSERT_LT(left, touching);
    const auto old_wall = pairs.wall;
    const auto kept = search::compact_wall_pairs(pairs, keep);
    system.bodies.compact(keep);
    check(left);
    for (std::size_t q = 0; q < kept.size(); ++q) {
        EXPECT_EQ(pairs.wall[q], old_wall[kept[q]]);
    }
}

TEST(WallSearch, ARebuildKeepsBothContactsOfATwoSidedWall) {
    model::System system = random_system(1, {1, 1, 1}, {false, false, false}, 0.05, 0.05, 1);
    system.bodies.position[0] = {0.002, 0, 0};
    system.walls = {wall_of(geometry::make_sphere({0.5, 0, 0}, 0.1)),
                    wall_of(geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, 0.049))};
    model::WallPairList& pairs = system.wall_pairs;
    pairs.history_size = 2;
    search::rebuild_wall_pairs(system, 0.01, {0, 0}, 1);
    ASSERT_EQ(entries(pairs), (std::vector<Entry>{{0, 1, 0}, {0, 1, 1}}));
    pairs.touching = {0, 1};
    pairs.normal[1] = {-1, 0, 0};
    pairs.history = {0, 0, 5, 6};
    // Out of reach, but for one more step what touched is listed, with the near side that comes before it.
    system.bodies.position[0] = {0.02, 0.3, 0};
    search::rebuild_wall_pairs(system, 0.01, {0, 0}, 1);
    ASSERT_EQ(entries(pairs), (std::vector<Entry>{{0, 1, 0}, {0, 1, 1}}));
    EXPECT_EQ(pairs.touching, (std::vector<std::uint8_t>{0, 1}));
    EXPECT_EQ(pairs.normal[1], (Vec3d{-1, 0, 0}));
    EXPECT_EQ(pairs.history, (std::vector<double>{0, 0, 5, 6}));
    pairs.touching = {0, 0};
    search::rebuild_wall_pairs(system, 0.01, {0, 0}, 1);
    EXPECT_EQ(pairs.size(), 0U);
    // A cylinder that sweeps is listed on both sides for whoever fills it.
    search::rebuild_wall_pairs(system, 0.01, {0, 1}, 1);
    EXPECT_EQ(entries(pairs), (std::vector<Entry>{{0, 1, 0}, {0, 1, 1}}));
    system.bodies.radius[0] = 0.03;
    search::rebuild_wall_pairs(system, 0.01, {0, 1}, 1);
    EXPECT_EQ(entries(pairs), (std::vector<Entry>{{0, 1, 0}}));
}

TEST(WallSearch, RowsFollowBodiesIntoAnotherOrder) {
    model::System system = with_walls({false, false, false});
    search::rebuild_wall_pairs(system, 0.02, {0, 0, 0}, 1);
    model::WallPairList& pairs = system.wall_pairs;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
        pairs.touching[q] = static_cast<std::uint8_t>(q % 2);
        pairs.history[4 * q] = static_cast<double>(q);
    }
    const model::WallPairList before = pairs;
    std::vector<std::uint32_t> order(system.bodies.size());
    std::iota(order.rbegin(), order.rend(), 0U);
    const auto kept = search::take_wall_rows(pairs, order);
    ASSERT_EQ(pairs.size(), before.size());
    for (std::size_t q = 0; q < pairs.size(); ++q) {
        EXPECT_EQ(order[pairs.body[q]], before.body[kept[q]]);
        EXPECT_EQ(pairs.wall[q], before.wall[kept[q]]);
        EXPECT_EQ(pairs.touching[q], before.touching[kept[q]]);
        EXPECT_EQ(pairs.history[4 * q], static_cast<double>(kept[q]));
    }
}

}  // namespace
}  // namespace talus::tests
