// Bounding radii hold every point of a shape, and not by a margin.
#include "talus/geometry/extent.h"

#include <gtest/gtest.h>

#include <cmath>

namespace talus::geometry {
namespace {

TEST(BoundingRadius, IsTheFarthestPoint) {
    EXPECT_EQ(bounding_radius({ShapeKind::disk, 1, 2}), 2);
    EXPECT_EQ(bounding_radius({ShapeKind::rectangle, 3, 4}), 5);
    EXPECT_EQ(bounding_radius({ShapeKind::triangle, 1, -3, 4}), 5);
    EXPECT_EQ(bounding_radius({ShapeKind::triangle, 7, 3, 4}), 7);
    EXPECT_EQ(bounding_radius({ShapeKind::tube, 1, 3, 8}), 5);
    EXPECT_EQ(bounding_radius({ShapeKind::tube, 3, 1, 8}), 5);
    EXPECT_EQ(bounding_radius({ShapeKind::sphere, 2}), 2);
    EXPECT_EQ(bounding_radius({ShapeKind::ring, 2}), 2);
    EXPECT_EQ(bounding_radius({ShapeKind::segment, 2}), 2);
    EXPECT_EQ(bounding_radius({ShapeKind::point}), 0);
}

TEST(BoundingRadius, IsInfiniteForUnboundedShapes) {
    for (const ShapeKind kind : {ShapeKind::plane, ShapeKind::cylinder, ShapeKind::line}) {
        EXPECT_TRUE(std::isinf(bounding_radius({kind, 1, 1, 1})));
    }
}

TEST(RoundAboutZ, HoldsForAllButRectangleAndTriangle) {
    for (const ShapeKind kind :
         {ShapeKind::plane, ShapeKind::disk, ShapeKind::cylinder, ShapeKind::tube, ShapeKind::sphere, ShapeKind::ring,
          ShapeKind::line, ShapeKind::segment, ShapeKind::point}) {
        EXPECT_TRUE(is_round_about_z({kind, 1, 1, 1}));
    }
    EXPECT_FALSE(is_round_about_z({ShapeKind::rectangle, 1, 1}));
    EXPECT_FALSE(is_round_about_z({ShapeKind::triangle, 1, 0, 1}));
}

}  // namespace
}  // namespace talus::geometry
