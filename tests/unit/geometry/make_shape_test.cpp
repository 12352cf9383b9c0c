// Shapes from user terms: they lie where they were said to lie, and senseless numbers are refused in words.
#include "talus/geometry/make_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "talus/geometry/nearest.h"

namespace talus::geometry {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Vec3d world(const Placed& placed, const Vec3d& local) {
    return placed.position + placed.rotation * local;
}

double distance(const Placed& placed, const Vec3d& at) {
    return nearest(placed.shape, math::transpose_times(placed.rotation, at - placed.position)).distance;
}

void expect_near(const Vec3d& actual, const Vec3d& expected) {
    EXPECT_LT(norm(actual - expected), 1e-14);
}

template <class Make>
std::string refusal(const Make& make) {
    try {
        make();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(MakeShape, PlaneAndDiskFaceAlongTheirNormal) {
    const Placed plane = make_plane({1, 2, 3}, {0, 3, 4});
    expect_near(plane.rotation.column(2), {0, 0.6, 0.8});
    EXPECT_NEAR(distance(plane, {9, 2 + 6, 3 + 8}), 10, 1e-14);
    const Placed disk = make_disk({1, 2, 3}, {5, 0, 0}, 4, 1);
    EXPECT_EQ(disk.shape.a, 1);
    EXPECT_EQ(disk.shape.b, 4);
    EXPECT_NEAR(distance(disk, {1, 2 + 4 + 3, 3}), 3, 1e-14);
    EXPECT_EQ(make_plane({}, {0, 0, 7}).rotation, Mat3d::identity());
}

TEST(MakeShape, RectangleHasItsFourCorners) {
    const Vec3d corner{1, 2, 3};
    const Vec3d edge1{3, 4, 0};
    const Vec3d edge2{-8, 6, 0};
    const Placed r = make_rectangle(corner, edge1, edge2);
    expect_near(world(r, {0, 0, 0}), corner);
    expect_near(world(r, {r.shape.a, 0, 0}), corner + edge1);
    expect_near(world(r, {0, r.shape.b, 0}), corner + edge2);
    expect_near(r.rotation.column(2), {0, 0, 1});
}

TEST(MakeShape, TriangleHasItsThreeCornersEvenWhenObtuse) {
    const Vec3d a{1, 1, 1};
    const Vec3d b{2, 1, 1};
    const Vec3d c{-1, 2, 3};
    const Placed t = make_triangle(a, b, c);
    expect_near(world(t, {0, 0, 0}), a);
    expect_near(world(t, {t.shape.a, 0, 0}), b);
    expect_near(world(t, {t.shape.b, t.shape.c, 0}), c);
    EXPECT_GT(t.shape.c, 0);
    EXPECT_GT(dot(t.rotation.column(2), cross(b - a, c - a)), 0);
}

TEST(MakeShape, TubeGoesFromItsFirstRadiusToItsSecond) {
    const Placed tube = make_tube({0, 0, 1}, {0, 4, 1}, 3, 1);
    expect_near(tube.position, {0, 2, 1});
    EXPECT_NEAR(distance(tube, {3, 0, 1}), 0, 1e-14);
    EXPECT_NEAR(distance(tube, {0, 4, 2}), 0, 1e-14);
    EXPECT_NEAR(distance(tube, {5, 3, 1}), 14 / std::sqrt(20.0), 1e-14);
}

TEST(MakeShape, TheOthersLieWhereTheyShould) {
    EXPECT_NEAR(distance(make_cylinder({1, 0, 0}, {0, 0, -2}, 3), {7, 0, 100}), 3, 1e-13);
    EXPECT_NEAR(distance(make_sphere({1, 0, 0}, 3), {1, 7, 0}), 4, 1e-14);
    EXPECT_NEAR(distance(make_ring({0, 0, 2}, {1, 0, 0}, 3), {0, 3, 2}), 0, 1e-14);
    EXPECT_NEAR(distance(make_line({0, 0, 2}, {1, 1, 0}), {5, 5, 4}), 2, 1e-14);
    EXPECT_NEAR(distance(make_segment({1, 0, 0}, {3, 0, 0}), {6, 4, 0}), 5, 1e-14);
    EXPECT_NEAR(distance(make_segment({1, 0, 0}, {3, 0, 0}), {-2, 4, 0}), 5, 1e-14);
    EXPECT_NEAR(distance(make_point({1, 2, 3}), {1, 2, 5}), 2, 1e-14);
}

TEST(MakeShape, TakesDirectionsOfAnyLength) {
    expect_near(make_plane({}, {1e-200, 0, 0}).rotation.column(2), {1, 0, 0});
    expect_near(make_plane({}, {3e200, 4e200, 0}).rotation.column(2), {0.6, 0.8, 0});
}

TEST(MakeShape, RefusesSenselessNumbers) {
    using testing::HasSubstr;
    EXPECT_THAT(refusal([] { make_plane({}, {0, 0, 0}); }), HasSubstr("zero vector"));
    EXPECT_THAT(refusal([] { make_plane({}, {0, nan, 1}); }), HasSubstr("finite"));
    EXPECT_THAT(refusal([] { make_plane({infinity, 0, 0}, {0, 0, 1}); }), HasSubstr("finite"));
    EXPECT_THAT(refusal([] { make_disk({}, {0, 0, 1}, 0); }), HasSubstr("positive"));
    EXPECT_THAT(refusal([] { make_disk({}, {0, 0, 1}, -1); }), HasSubstr("positive"));
    EXPECT_THAT(refusal([] { make_disk({}, {0, 0, 1}, 1, 1); }), HasSubstr("smaller than the disk"));
    EXPECT_THAT(refusal([] { make_disk({}, {0, 0, 1}, 1, -0.1); }), HasSubstr("negative"));
    EXPECT_THAT(refusal([] { make_disk({}, {0, 0, 1}, nan); }), HasSubstr("finite"));
    EXPECT_THAT(refusal([] { make_rectangle({}, {1, 0, 0}, {0.1, 1, 0}); }), HasSubstr("right angles"));
    EXPECT_THAT(refusal([] { make_rectangle({}, {0, 0, 0}, {0, 1, 0}); }), HasSubstr("zero vector"));
    EXPECT_THAT(refusal([] { make_triangle({0, 0, 0}, {1, 1, 1}, {3, 3, 3}); }), HasSubstr("one line"));
    EXPECT_THAT(refusal([] { make_triangle({0, 0, 0}, {1, 1, 1}, {1, 1, 1}); }), HasSubstr("zero"));
    EXPECT_THAT(refusal([] { make_cylinder({}, {0, 0, 0}, 1); }), HasSubstr("zero vector"));
    EXPECT_THAT(refusal([] { make_cylinder({}, {0, 0, 1}, 0); }), HasSubstr("positive"));
    EXPECT_THAT(refusal([] { make_tube({0, 0, 1}, {0, 0, 1}, 1, 1); }), HasSubstr("must not be zero"));
    EXPECT_THAT(refusal([] { make_tube({0, 0, 0}, {0, 0, 1}, 0, 0); }), HasSubstr("both be zero"));
    EXPECT_THAT(refusal([] { make_tube({0, 0, 0}, {0, 0, 1}, 1, -1); }), HasSubstr("negative"));
    EXPECT_THAT(refusal([] { make_sphere({}, 0); }), HasSubstr("positive"));
    EXPECT_THAT(refusal([] { make_ring({}, {0, 0, 1}, -2); }), HasSubstr("positive"));
    EXPECT_THAT(refusal([] { make_line({}, {0, 0, 0}); }), HasSubstr("zero vector"));
    EXPECT_THAT(refusal([] { make_segment({1, 2, 3}, {1, 2, 3}); }), HasSubstr("must not be zero"));
    EXPECT_THAT(refusal([] { make_point({nan, 0, 0}); }), HasSubstr("finite"));
    EXPECT_EQ(refusal([] { make_tube({0, 0, 0}, {0, 0, 1}, 1, 0); }), "accepted");
    EXPECT_EQ(refusal([] { make_disk({}, {0, 0, 1}, 1, 0); }), "accepted");
}

}  // namespace
}  // namespace talus::geometry
