// The cases of SSDEM's appendix one by one: features, sides, phantom points on axes, and points on the surface itself.
#include <gtest/gtest.h>

#include <cmath>

#include "talus/geometry/nearest.h"

namespace talus::geometry {
namespace {

void expect_vector(const Vec3d& actual, const Vec3d& expected) {
    EXPECT_NEAR(actual.x, expected.x, 1e-15);
    EXPECT_NEAR(actual.y, expected.y, 1e-15);
    EXPECT_NEAR(actual.z, expected.z, 1e-15);
}

void expect_phantom(const Nearest& n, double distance, double sign) {
    EXPECT_TRUE(n.acts);
    EXPECT_EQ(n.feature, Feature::axis);
    EXPECT_NEAR(n.distance, distance, 1e-15);
    EXPECT_EQ(n.direction, (Vec3d{0, 0, sign}));
}

void expect_no_force(const Nearest& n, double distance) {
    EXPECT_FALSE(n.acts);
    EXPECT_NEAR(n.distance, distance, 1e-15);
    EXPECT_EQ(n.direction, Vec3d{});
}

TEST(NearestDisk, HasFaceOuterRimAndInnerRim) {
    const Shape disk{ShapeKind::disk, 1, 3};
    EXPECT_EQ(nearest(disk, {2, 0, 0.5}).feature, Feature::face);
    const Nearest outer = nearest(disk, {0, 6, 4});
    EXPECT_EQ(outer.feature, Feature::edge);
    EXPECT_NEAR(outer.distance, 5, 1e-15);
    expect_vector(outer.point, {0, 3, 0});
    const Nearest inner = nearest(disk, {-0.7, 0, -0.4});
    EXPECT_EQ(inner.feature, Feature::edge);
    EXPECT_NEAR(inner.distance, 0.5, 1e-15);
    expect_vector(inner.direction, {-0.6, 0, 0.8});
}

TEST(NearestDisk, UsesAPhantomPointOnTheAxisOfItsHole) {
    const Shape disk{ShapeKind::disk, 3, 10};
    const Nearest above = nearest(disk, {0, 0, 4});
    expect_phantom(above, 5, -1);
    expect_vector(above.point, {0, 0, -1});  // Q = O + rho - sqrt(rho^2 + R_in^2) rho_hat
    expect_phantom(nearest(disk, {0, 0, -4}), 5, 1);
    expect_phantom(nearest(disk, {5e-14, 0, -4}), 5, 1);  // nearer than 1e-14 of its size counts as on the axis
    EXPECT_EQ(nearest(disk, {2e-13, 0, -4}).feature, Feature::edge);
    expect_no_force(nearest(disk, {0, 0, 0}), 3);
}

TEST(NearestDisk, WithoutAHoleHasAFaceOnItsAxis) {
    const Nearest n = nearest({ShapeKind::disk, 0, 10}, {0, 0, 4});
    EXPECT_EQ(n.feature, Feature::face);
    EXPECT_EQ(n.distance, 4);
    EXPECT_EQ(n.direction, (Vec3d{0, 0, -1}));
}

TEST(NearestRectangle, HasTheNineRegionsOfTable2) {
    const Shape r{ShapeKind::rectangle, 2, 3};
    const Feature corner = Feature::corner;
    const Feature edge = Feature::edge;
    const Feature expected[3][3] = {{corner, edge, corner}, {edge, Feature::face, edge}, {corner, edge, corner}};
    const double xs[3] = {-1, 1, 3};
    const double ys[3] = {-1, 1, 4};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            EXPECT_EQ(nearest(r, {xs[i], ys[j], 0.1}).feature, expected[i][j]) << i << ' ' << j;
        }
    }
    expect_vector(nearest(r, {4, 5, -1}).point, {2, 3, 0});
    EXPECT_NEAR(nearest(r, {4, 5, -1}).distance, 3, 1e-15);
}

TEST(NearestTriangle, TakesTheRightSideBehindAnObtuseCorner) {
    const Shape t{ShapeKind::triangle, 1, 4, 1};  // obtuse at (1, 0)
    const Nearest n = nearest(t, {1.05, -0.3, 0});
    EXPECT_EQ(n.feature, Feature::corner);
    expect_vector(n.point, {1, 0, 0});
    EXPECT_EQ(nearest(t, {0.5, -0.3, 0.4}).feature, Feature::edge);
    EXPECT_EQ(nearest(t, {2.0, 0.4, 0.4}).feature, Feature::face);
    EXPECT_EQ(nearest(t, {9, 2, 0}).feature, Feature::corner);
}

TEST(NearestTube, HasFaceAndRimsInsideAndOutside) {
    const Shape tube{ShapeKind::tube, 2, 2, 4};
    const Nearest inside = nearest(tube, {1.5, 0, 1});
    EXPECT_EQ(inside.feature, Feature::face);
    expect_vector(inside.direction, {1, 0, 0});
    const Nearest outside = nearest(tube, {0, -2.5, 1});
    expect_vector(outside.direction, {0, 1, 0});
    const Nearest rim = nearest(tube, {5, 0, 6});
    EXPECT_EQ(rim.feature, Feature::edge);
    EXPECT_NEAR(rim.distance, 5, 1e-15);
    const Nearest tip = nearest({ShapeKind::tube, 2, 0, 4}, {0.3, 0, 2.4});
    EXPECT_EQ(tip.feature, Feature::corner);
    EXPECT_NEAR(tip.distance, 0.5, 1e-15);
}

TEST(NearestTube, OnItsAxisBeyondAnEndIsPushedAwayFromThatRim) {
    const Shape tube{ShapeKind::tube, 3, 3, 2};
    expect_phantom(nearest(tube, {0, 0, 5}), 5, -1);
    expect_phantom(nearest(tube, {0, 0, -5}), 5, 1);
    expect_vector(nearest(tube, {0, 0, 5}).point, {0, 0, 0});
    // a funnel with its narrow end up: the distance is that to the narrow rim
    const Shape funnel{ShapeKind::tube, 8, 3, 2};
    expect_phantom(nearest(funnel, {0, 0, 5}), 5, -1);
}

TEST(NearestTube, OnItsAxisInsideLeavesNoForceUnlessTapered) {
    const Shape tube{ShapeKind::tube, 3, 3, 2};
    for (const double z : {-1.0, -0.3, 0.0, 0.9, 1.0}) {
        expect_no_force(nearest(tube, {0, 0, z}), 3);
    }
    // A cone is the line from (4, -1.5) to (0, 1.5) turned about z: on the axis at z it is (1.5 - z) 4/5 away.
    // The grain is pushed towards the wide end, so the phantom lies towards the narrow one.
    expect_phantom(nearest({ShapeKind::tube, 4, 0, 3}, {0, 0, 0}), 1.2, 1);
    expect_phantom(nearest({ShapeKind::tube, 0, 4, 3}, {0, 0, 0}), 1.2, -1);
    // where the foot would lie past the narrow rim, that rim is nearest
    expect_phantom(nearest({ShapeKind::tube, 8, 3, 2}, {0, 0, 1}), 3, 1);
    // before the wide mouth of a shallow cone its face is nearer than its rim
    expect_phantom(nearest({ShapeKind::tube, 40, 0, 3}, {0, 0, -2}), 3.5 * 40 / std::sqrt(1609), 1);
}

TEST(NearestRound, CentresAndAxesLeaveNoForce) {
    expect_no_force(nearest({ShapeKind::cylinder, 2}, {0, 0, 17}), 2);
    expect_no_force(nearest({ShapeKind::sphere, 2}, {0, 0, 0}), 2);
    expect_no_force(nearest({ShapeKind::ring, 2}, {0, 0, 0}), 2);
    expect_phantom(nearest({ShapeKind::ring, 3}, {0, 0, -4}), 5, 1);
}

TEST(NearestRound, ASphereIsACavityAndABall) {
    const Shape sphere{ShapeKind::sphere, 2};
    const Nearest cavity = nearest(sphere, {0, 0, 1.5});
    expect_vector(cavity.direction, {0, 0, 1});
    const Nearest ball = nearest(sphere, {0, 3, 0});
    expect_vector(ball.direction, {0, -1, 0});
    EXPECT_NEAR(ball.distance, 1, 1e-15);
}

TEST(NearestOnTheSurface, StillHasADirection) {
    const Vec3d down{0, 0, -1};
    EXPECT_EQ(nearest({ShapeKind::plane}, {3, 4, 0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::plane}, {3, 4, -0.0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::disk, 1, 2}, {1, 0, 0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::disk, 1, 2}, {0, 2, 0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::disk, 0, 2}, {0, 0, 0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::rectangle, 1, 2}, {1, 2, 0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::triangle, 1, 0, 2}, {0, 2, 0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::cylinder, 2}, {2, 0, 1}).direction, (Vec3d{1, 0, 0}));
    EXPECT_EQ(nearest({ShapeKind::tube, 2, 2, 2}, {2, 0, 1}).direction, (Vec3d{1, 0, 0}));
    EXPECT_EQ(nearest({ShapeKind::tube, 2, 0, 2}, {0, 0, 1}).direction, (Vec3d{0, 0, 1}));
    EXPECT_EQ(nearest({ShapeKind::sphere, 2}, {0, 0, 2}).direction, (Vec3d{0, 0, 1}));
    EXPECT_EQ(nearest({ShapeKind::ring, 2}, {2, 0, 0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::line}, {0, 0, 3}).direction, (Vec3d{-1, 0, 0}));
    EXPECT_EQ(nearest({ShapeKind::segment, 2}, {0, 0, 2}).direction, (Vec3d{-1, 0, 0}));
    EXPECT_EQ(nearest({ShapeKind::point}, {0, 0, 0}).direction, down);
    EXPECT_EQ(nearest({ShapeKind::point}, {1e-300, 0, 0}).direction, down);  // too near for its square to be told
}

}  // namespace
}  // namespace talus::geometry
