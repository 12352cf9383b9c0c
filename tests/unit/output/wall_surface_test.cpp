// Surfaces of walls: their areas and lengths by closed forms, their points on the shape, infinite ones cut to the box.
#include "talus/output/wall_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace talus::output {
namespace {

using geometry::ShapeKind;
using std::numbers::pi;

// Area of a regular 72-gon over that of its circle: n/2 sin(2 pi/n) / pi.
constexpr double polygon = 72 / pi / 2 * 0.087155742747658174;

FrameWall wall_of(ShapeKind kind, double a = 0, double b = 0, double c = 0) {
    FrameWall wall;
    wall.shape = {kind, a, b, c};
    wall.position = {1, -2, 3};
    const double s = std::sqrt(0.5);
    wall.rotation = math::Mat3d::from_columns({s, s, 0}, {0, 0, 1}, {s, -s, 0});
    return wall;
}

double area(const PolyData& surface) {
    double sum = 0;
    const auto& index = surface.polys.connectivity;
    for (std::size_t i = 0; i < index.size(); i += 3) {
        const Vec3d& p = surface.points[static_cast<std::size_t>(index[i])];
        const Vec3d u = surface.points[static_cast<std::size_t>(index[i + 1])] - p;
        const Vec3d v = surface.points[static_cast<std::size_t>(index[i + 2])] - p;
        sum += 0.5 * math::norm(math::cross(u, v));
    }
    return sum;
}

double length(const PolyData& surface) {
    double sum = 0;
    const auto& index = surface.lines.connectivity;
    for (std::size_t i = 0; i < index.size(); i += 2) {
        sum += math::norm(surface.points[static_cast<std::size_t>(index[i + 1])] -
                          surface.points[static_cast<std::size_t>(index[i])]);
    }
    return sum;
}

TEST(WallSurface, HasTheAreaOfItsShape) {
    const double chord = 2 * std::sin(pi / 72) * 72;  // circumference of the 72-gon in a unit circle
    EXPECT_NEAR(area(wall_surface(wall_of(ShapeKind::disk, 0, 2), {})), pi * 4 * polygon, 1e-9);
    EXPECT_NEAR(area(wall_surface(wall_of(ShapeKind::disk, 1, 2), {})), pi * 3 * polygon, 1e-9);
    EXPECT_NEAR(area(wall_surface(wall_of(ShapeKind::rectangle, 2, 3), {})), 6, 1e-12);
    EXPECT_NEAR(area(wall_surface(wall_of(ShapeKind::triangle, 2, 5, 3), {})), 3, 1e-12);
    EXPECT_NEAR(area(wall_surface(wall_of(ShapeKind::tube, 2, 2, 3), {})), 2 * chord * 3, 1e-9);
    // A cone: n triangles of base chord and the height of the flat side.
    const double slant = std::hypot(3.0, 2.0 * std::cos(pi / 72));
    EXPECT_NEAR(area(wall_surface(wall_of(ShapeKind::tube, 0, 2, 3), {})), 0.5 * 2 * chord * slant, 1e-9);
    EXPECT_NEAR(area(wall_surface(wall_of(ShapeKind::tube, 2, 0, 3), {})), 0.5 * 2 * chord * slant, 1e-9);
    EXPECT_NEAR(area(wall_surface(wall_of(ShapeKind::sphere, 2), {})), 4 * pi * 4, 0.005 * 4 * pi * 4);
    EXPECT_NEAR(length(wall_surface(wall_of(ShapeKind::ring, 2), {})), 2 * chord, 1e-9);
    EXPECT_NEAR(length(wall_surface(wall_of(ShapeKind::segment, 2), {})), 2, 1e-12);
    EXPECT_EQ(wall_surface(wall_of(ShapeKind::point), {}).verts.size(), 1U);
}

TEST(WallSurface, LiesOnTheShape) {
    const FrameWall sphere = wall_of(ShapeKind::sphere, 2);
    for (const Vec3d& point : wall_surface(sphere, {}).points) {
        EXPECT_NEAR(math::norm(point - sphere.position), 2, 1e-12);
    }
    const FrameWall cone = wall_of(ShapeKind::tube, 1, 2, 4);
    for (const Vec3d& point : wall_surface(cone, {}).points) {
        const Vec3d p = math::transpose_times(cone.rotation, point - cone.position);
        EXPECT_NEAR(std::hypot(p.x, p.y), p.z < 0 ? 1 : 2, 1e-12);
        EXPECT_NEAR(std::abs(p.z), 2, 1e-12);
    }
}

TEST(WallSurface, CutsPlanesToTheBox) {
    const Bounds box{{0, 0, 0}, {1, 2, 3}};
    FrameWall floor;
    floor.position = {0.3, 0.3, 1};
    EXPECT_NEAR(area(wall_surface(floor, box)), 2, 1e-4);
    floor.position.z = 0;  // grazes the box
    EXPECT_NEAR(area(wall_surface(floor, box)), 2, 1e-4);
    floor.position.z = -5;  // beyond it: still drawn, below
    const PolyData below = wall_surface(floor, box);
    EXPECT_NEAR(area(below), 2, 1e-3);
    for (const Vec3d& point : below.points) {
        EXPECT_EQ(point.z, -5);
    }
    FrameWall diagonal;  // through two opposite edges
    const double s = std::sqrt(0.5);
    diagonal.rotation = math::Mat3d::from_columns({s, s, 0}, {0, 0, 1}, {s, -s, 0});
    EXPECT_NEAR(area(wall_surface(diagonal, {{0, 0, 0}, {1, 1, 1}})), std::sqrt(2.0), 1e-4);
}

TEST(WallSurface, CutsCylindersAndLinesToTheBox) {
    const Bounds box{{-1, -1, -2}, {1, 1, 3}};
    FrameWall barrel;
    barrel.shape = {ShapeKind::cylinder, 0.5, 0, 0};
    EXPECT_NEAR(area(wall_surface(barrel, box)), 2 * std::sin(pi / 72) * 72 * 0.5 * 5, 1e-9);
    barrel.shape.kind = ShapeKind::line;
    EXPECT_NEAR(length(wall_surface(barrel, box)), 5, 1e-12);
}

TEST(VisibleBounds, HoldGrainsDomainAndFiniteWalls) {
    FrameFile frame;
    frame.id = {0};
    frame.position = {{1, 2, 3}};
    frame.radius = {0.5};
    Bounds bounds = visible_bounds(frame);
    EXPECT_EQ(bounds.low, (Vec3d{0.5, 1.5, 2.5}));
    EXPECT_EQ(bounds.high, (Vec3d{1.5, 2.5, 3.5}));
    frame.domain.low.y = -7;
    frame.walls.resize(3);
    frame.walls[0].position = {0, 0, -100};  // an infinite plane does not stretch the picture
    frame.walls[1].shape = {ShapeKind::rectangle, 9, 1, 0};
    frame.walls[2].shape = {ShapeKind::rectangle, 99, 1, 0};
    frame.walls[2].present = false;
    bounds = visible_bounds(frame);
    EXPECT_EQ(bounds.low, (Vec3d{0, -7, 0}));
    EXPECT_EQ(bounds.high, (Vec3d{9, 2.5, 3.5}));
    EXPECT_FALSE(visible_bounds(FrameFile{}).empty());
}

}  // namespace
}  // namespace talus::output
