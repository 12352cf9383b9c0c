// Boxes around regions and the volumes inside, against closed forms and sampling.
#include "talus/scene/fill_bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/base/random.h"

namespace talus::scene {
namespace {

constexpr double unbounded = model::Domain::unbounded;

TEST(FillBounds, OfEachPart) {
    const Bounds ball = bounding_box({{model::Ball{{1, 2, 3}, 0.5}}}, {});
    EXPECT_EQ(ball.low, (Vec3d{0.5, 1.5, 2.5}));
    EXPECT_EQ(ball.high, (Vec3d{1.5, 2.5, 3.5}));
    const Bounds cone = bounding_box({{model::Frustum{{0, 0, 1}, {0, 0, 3}, 0.5, 2}}}, {});
    EXPECT_EQ(cone.low, (Vec3d{-2, -2, 1}));
    EXPECT_EQ(cone.high, (Vec3d{2, 2, 3}));
    EXPECT_FALSE(bounding_box({}, {}).finite());
    EXPECT_EQ(unbounded_axes(bounding_box({}, {})), "x and y and z");
    EXPECT_EQ(unbounded_axes(cone), "");
}

TEST(FillBounds, ObliqueFrustumIsBoundedTightly) {
    const model::Region region{{model::Frustum{{0, 0, 0}, {1, 2, 2}, 0.7, 0.3}}};
    const Bounds box = bounding_box(region, {});
    Vec3d low{9, 9, 9};
    Vec3d high{-9, -9, -9};
    base::Random random(1, 0);
    for (int i = 0; i < 400000; ++i) {
        const Vec3d p{random.uniform(-1, 2), random.uniform(-1, 3), random.uniform(-1, 3)};
        if (region.contains(p)) {
            for (int k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], p[k]);
                high[k] = std::max(high[k], p[k]);
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        EXPECT_GE(low[k], box.low[k]);
        EXPECT_LE(high[k], box.high[k]);
        EXPECT_NEAR(low[k], box.low[k], 0.05);
        EXPECT_NEAR(high[k], box.high[k], 0.05);
    }
}

TEST(FillBounds, HalfSpacesCutAsFarAsTheOtherPartsBoundThem) {
    // x + y + z <= 1 with x, y, z >= 0: a corner of the octant, each bounded by the others.
    const model::Region corner{{model::HalfSpace{{-1, -1, -1}, -1}, model::HalfSpace{{1, 0, 0}, 0},
                                model::HalfSpace{{0, 1, 0}, 0}, model::HalfSpace{{0, 0, 1}, 0}}};
    const Bounds box = bounding_box(corner, {});
    EXPECT_EQ(box.low, (Vec3d{0, 0, 0}));
    EXPECT_EQ(box.high, (Vec3d{1, 1, 1}));
    EXPECT_NEAR(volume_of(corner, box), 1.0 / 6, 2e-3);
    const Bounds half = bounding_box({{model::HalfSpace{{0, 0, 2}, 1}}}, {});
    EXPECT_EQ(half.low.z, 0.5);
    EXPECT_EQ(unbounded_axes(half), "x and y and z");
}

TEST(FillBounds, DomainBoundsCount) {
    model::Domain domain;
    domain.low = {0, -unbounded, 0};
    domain.high = {1, unbounded, 1};
    EXPECT_EQ(unbounded_axes(bounding_box({}, domain)), "y");
    const Bounds box = bounding_box({{model::Ball{{0, 0, 0}, 0.5}}}, domain);
    EXPECT_EQ(box.low, (Vec3d{0, -0.5, 0}));
    EXPECT_EQ(box.high, (Vec3d{0.5, 0.5, 0.5}));
    EXPECT_NEAR(volume_of({{model::Ball{{0, 0, 0}, 0.5}}}, box), std::numbers::pi / 24, 1e-4);
}

TEST(FillBounds, Volumes) {
    const model::Region box{{model::Box{{0, 0, 0}, {2, 3, 4}}, model::HalfSpace{{0, 0, -2}, -6}}};
    EXPECT_DOUBLE_EQ(volume_of(box, bounding_box(box, {})), 18);
    const model::Region cone{{model::Frustum{{0, 0, 0}, {0, 0, 1}, 0.25, 0.5}}};
    EXPECT_NEAR(volume_of(cone, bounding_box(cone, {})), std::numbers::pi / 3 * (0.0625 + 0.125 + 0.25), 3e-4);
    const model::Region nothing{{model::Box{{0, 0, 0}, {1, 1, 1}}, model::Box{{2, 2, 2}, {3, 3, 3}}}};
    EXPECT_TRUE(bounding_box(nothing, {}).empty());
}

TEST(FillBounds, ABoxOverAWholePeriodHasNoSidesThere) {
    model::Domain domain;
    domain.low = {0, 0, 0};
    domain.high = {1, 1, 1};
    domain.periodic = {true, true, false};
    const model::Region open = without_periodic_sides({{model::Box{{0, 0.1, 0}, {1, 1, 1}}}}, domain);
    EXPECT_TRUE(open.contains({0.01, 0.5, 0.5}, 0.1));
    EXPECT_FALSE(open.contains({0.5, 0.15, 0.5}, 0.1));  // covers only a part of the period along y
    EXPECT_FALSE(open.contains({0.5, 0.5, 0.05}, 0.1));  // z is not periodic
}

}  // namespace
}  // namespace talus::scene
