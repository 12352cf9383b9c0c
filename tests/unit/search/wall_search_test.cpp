// Body-wall pairs: all that are near, with normals and histories carried over; nearest copies across boundaries.
#include "talus/search/wall_search.h"

#include <gtest/gtest.h>

#include "talus/geometry/make_shape.h"
#include "talus/search/wall_distance.h"
#include "unit/search/random_bodies.h"

namespace talus::tests {
namespace {

model::Wall wall_of(const geometry::Placed& placed) {
    model::Wall wall;
    wall.shape = placed.shape;
    wall.base.position = placed.position;
    wall.base.rotation = placed.rotation;
    wall.pose = wall.base;
    return wall;
}

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

TEST(WallSearch, ListsExactlyTheBodiesThatAreNear) {
    for (const bool periodic : {false, true}) {
        model::System system = with_walls({periodic, periodic, false});
        const double skin = 0.02;
        search::rebuild_wall_pairs(system, skin, {0, 0, 0}, 2);
        std::vector<std::pair<std::size_t, std::uint32_t>> expected;
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            for (std::uint32_t w = 0; w < system.walls.size(); ++w) {
                if (distance_by_brute_force(system, system.walls[w], system.bodies.position[i]) <
                    system.bodies.radius[i] + skin) {
                    expected.emplace_back(i, w);
                }
            }
        }
        std::vector<std::pair<std::size_t, std::uint32_t>> listed;
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            for (std::uint32_t q = system.wall_pairs.row[i]; q < system.wall_pairs.row[i + 1]; ++q) {
                EXPECT_EQ(system.wall_pairs.body[q], i);
                listed.emplace_back(i, system.wall_pairs.wall[q]);
            }
        }
        EXPECT_EQ(listed, expected);
        EXPECT_GT(listed.size(), 30U);
    }
}

TEST(WallSearch, ADirectionAndAPointBelongToTheNearestCopy) {
    model::System system = with_walls({true, true, false});
    const model::Wall& wall = system.walls[1];
    const auto range = search::image_range(wall, system.domain);
    int through_boundary = 0;
    for (const Vec3d& x : system.bodies.position) {
        const auto near = search::nearest_wall_point(wall, system.domain, range, x);
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

}  // namespace
}  // namespace talus::tests
