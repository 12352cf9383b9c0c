// Regions: points and whole spheres in each part and in intersections.
#include "talus/model/region.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "talus/base/random.h"

namespace talus::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Region of(const RegionPart& part) {
    return {{part}};
}

TEST(Region, WithoutPartsIsAllOfSpace) {
    EXPECT_TRUE(Region{}.contains({1e9, -3, 0}));
    EXPECT_TRUE(Region{}.contains({1e9, -3, 0}, 1e12));
}

TEST(Region, HalfSpaceMeasuresAlongItsNormalWhateverItsLength) {
    const Region region = of(HalfSpace{{0, 0, 2}, 6});  // z >= 3
    EXPECT_TRUE(region.contains({0, 0, 3}));
    EXPECT_FALSE(region.contains({0, 0, 2.999}));
    EXPECT_TRUE(region.contains({0, 0, 4.001}, 1));
    EXPECT_FALSE(region.contains({0, 0, 3.999}, 1));
}

TEST(Region, BoxHoldsItsBoundary) {
    const Region region = of(Box{{0, 0, -infinity}, {1, 2, 3}});
    EXPECT_TRUE(region.contains({0, 2, -1e30}));
    EXPECT_FALSE(region.contains({-0.001, 1, 0}));
    EXPECT_FALSE(region.contains({0.5, 1, 3.001}));
    EXPECT_TRUE(region.contains({0.5, 1, 0}, 0.5));
    EXPECT_FALSE(region.contains({0.5, 1, 0}, 0.501));
}

TEST(Region, BallHoldsSmallerBalls) {
    const Region region = of(Ball{{1, 0, 0}, 2});
    EXPECT_TRUE(region.contains({3, 0, 0}));
    EXPECT_FALSE(region.contains({3.001, 0, 0}));
    EXPECT_TRUE(region.contains({2, 0, 0}, 1));
    EXPECT_FALSE(region.contains({2, 0, 0}, 1.001));
}

TEST(Region, FrustumNarrowsTowardsItsSecondEnd) {
    const Region region = of(Frustum{{0, 0, 1}, {0, 0, 5}, 3, 1});
    EXPECT_TRUE(region.contains({1.999, 0, 3}));
    EXPECT_FALSE(region.contains({0, 2.001, 3}));
    EXPECT_FALSE(region.contains({0, 0, 0.999}));
    EXPECT_FALSE(region.contains({0, 0, 5.001}));
    EXPECT_FALSE(of(Frustum{{0, 0, 1}, {0, 0, 1}, 3, 1}).contains({0, 0, 1}));  // no length, no inside
}

TEST(Region, WholeSpheresInAFrustumHaveAllTheirPointsInside) {
    base::Random random(41, 1);
    const Region region = of(Frustum{{0.2, -0.1, 0.3}, {1, 2, -1}, 1.5, 0.4});
    int inside = 0;
    for (int i = 0; i < 4000; ++i) {
        const Vec3d center{random.uniform(-1, 2), random.uniform(-1, 3), random.uniform(-2, 1)};
        const double radius = random.uniform(0, 0.5);
        bool all = true;
        for (int j = 0; j < 400; ++j) {  // points spread evenly over the sphere's surface
            const double z = (j + 0.5) / 200 - 1;
            const double angle = j * std::numbers::pi * (3 - std::sqrt(5.0));
            const double r = std::sqrt(1 - z * z);
            all = all && region.contains(center + radius * Vec3d{r * std::cos(angle), r * std::sin(angle), z});
        }
        const bool whole = region.contains(center, radius);
        inside += whole ? 1 : 0;
        if (whole) {
            ASSERT_TRUE(all);
        } else if (all) {  // the spread points miss the farthest one by little
            ASSERT_TRUE(region.contains(center, 0.97 * radius - 0.001));
        }
    }
    EXPECT_GT(inside, 100);
}

TEST(Region, IsTheIntersectionOfItsParts) {
    const Region region{{HalfSpace{{0, 0, 1}, 0}, Ball{{0, 0, 0}, 1}}};
    EXPECT_TRUE(region.contains({0, 0, 0.5}));
    EXPECT_FALSE(region.contains({0, 0, -0.5}));
    EXPECT_FALSE(region.contains({0, 0, 1.5}));
}

}  // namespace
}  // namespace talus::model
