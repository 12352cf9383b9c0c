// Contact counts of small graphs worked out by hand.
#include "talus/analysis/coordination.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace talus::analysis {
namespace {

model::System grains_at(const std::vector<math::Vec3d>& places) {
    model::System system;
    std::int64_t id = 10;  // ids are not indices
    for (const math::Vec3d& at : places) {
        system.bodies.add_sphere(id, at, 0.5, 1000, 0);
        id += 5;
    }
    return system;
}

model::ContactSample pair(int a, int b) {
    model::ContactSample c;
    c.a = 10 + 5 * a;
    c.b = 10 + 5 * b;
    return c;
}

model::ContactSample with_wall(int a) {
    model::ContactSample c;
    c.a = 10 + 5 * a;
    c.wall = 0;
    return c;
}

TEST(Coordination, TriangleWithATailAndALoneGrain) {
    // 0-1-2 form a triangle, 3 hangs on 2, 4 hangs on 3, 5 touches nothing: 3, 4 and 5 are rattlers, one by one.
    const model::System system = grains_at({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {9, 9, 9}});
    const std::vector<model::ContactSample> contacts = {pair(0, 1), pair(0, 2), pair(1, 2), pair(2, 3), pair(3, 4)};
    const Coordination c = coordination(system, contacts);
    EXPECT_EQ(c.grains, 6);
    EXPECT_DOUBLE_EQ(c.mean, 10.0 / 6);
    EXPECT_DOUBLE_EQ(c.without_rattlers, 2);
    EXPECT_DOUBLE_EQ(c.rattlers, 0.5);
}

TEST(Coordination, WallsCarryLoadToo) {
    // A column between two walls: floor, 0, 1, ceiling.
    const model::System system = grains_at({{0, 0, 0}, {0, 0, 1}});
    const std::vector<model::ContactSample> contacts = {with_wall(0), pair(0, 1), with_wall(1)};
    const Coordination c = coordination(system, contacts);
    EXPECT_DOUBLE_EQ(c.with_grains, 1);
    EXPECT_DOUBLE_EQ(c.with_walls, 1);
    EXPECT_DOUBLE_EQ(c.mean, 2);
    EXPECT_DOUBLE_EQ(c.without_rattlers, 2);
    EXPECT_EQ(c.rattlers, 0);
    // Without the ceiling the column stands on nothing that counts as a loop.
    const std::vector<model::ContactSample> open = {with_wall(0), pair(0, 1)};
    EXPECT_EQ(coordination(system, open).rattlers, 1);
    EXPECT_TRUE(std::isnan(coordination(system, open).without_rattlers));
}

TEST(Coordination, CountsInARegionContactsThatLeaveIt) {
    const model::System system = grains_at({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}});
    const std::vector<model::ContactSample> contacts = {pair(0, 1), pair(1, 2), pair(0, 2)};
    const model::Region left{{model::HalfSpace{{-1, 0, 0}, -0.5}}};
    const Coordination c = coordination(system, contacts, left);
    EXPECT_EQ(c.grains, 1);
    EXPECT_DOUBLE_EQ(c.mean, 2);
}

TEST(Coordination, OfNothing) {
    const Coordination c = coordination(model::System{}, {});
    EXPECT_EQ(c.grains, 0);
    EXPECT_TRUE(std::isnan(c.mean));
}

}  // namespace
}  // namespace talus::analysis
