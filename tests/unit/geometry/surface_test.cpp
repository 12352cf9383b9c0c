// Meshes as walls: their nearest points against brute force, and where spheres meet them.
#include "talus/geometry/surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "low_discrepancy.h"
#include "mesh_cases.h"
#include "talus/geometry/impact.h"
#include "talus/geometry/make_shape.h"

namespace talus::geometry {
namespace {

std::vector<std::uint32_t> everything(const Surface& surface) {
    std::vector<std::uint32_t> out(surface.faces());
    std::iota(out.begin(), out.end(), 0U);
    return out;
}

SurfaceContacts met(const Surface& surface, const Vec3d& p, double radius) {
    return surface.contacts(p, radius, everything(surface));
}

/// z = height(x, y) over [0, n] x [0, n], two triangles a square.
template <class Height>
Mesh sheet(int n, const Height& height) {
    Mesh mesh;
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            mesh.points.push_back({static_cast<double>(i), static_cast<double>(j), height(i, j)});
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const std::int32_t at = j * (n + 1) + i;
            mesh.triangles.push_back({at, at + 1, at + n + 2});
            mesh.triangles.push_back({at, at + n + 2, at + n + 1});
        }
    }
    return mesh;
}

TEST(Surface, NearestPointsAreThoseOfTheTrianglesOneByOne) {
    const Mesh mesh = ball_mesh(7);
    const Surface surface(mesh);
    std::vector<Placed> triangles;
    for (const auto& t : mesh.triangles) {
        const auto at = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(t[k])]; };
        triangles.push_back(make_triangle(at(0), at(1), at(2)));
    }
    std::vector<std::uint32_t> near;
    for (int k = 0; k < 2000; ++k) {
        const Vec3d p = even_point(k, {-2, -2, -2}, {2, 2, 2});
        double least = 1e300;
        std::vector<std::uint32_t> within;
        for (std::uint32_t f = 0; f < triangles.size(); ++f) {
            const Placed& placed = triangles[f];
            const double d =
                nearest(placed.shape, math::transpose_times(placed.rotation, p - placed.position)).distance;
            EXPECT_NEAR(surface.nearest_of(f, p).distance, d, 1e-14);
            least = std::min(least, d);
            if (d < 0.6) {
                within.push_back(f);
            }
        }
        const Nearest found = surface.nearest(p);
        EXPECT_NEAR(found.distance, least, 1e-14);
        EXPECT_NEAR(norm(p + found.direction * found.distance - found.point), 0, 1e-14);
        surface.list_near(p, 0.6, near);
        EXPECT_EQ(near, within);
        if (!near.empty()) {
            EXPECT_NEAR(surface.distance_of(near, p), least, 1e-14);
        }
    }
}

TEST(Surface, AFlatFloorIsMetOnceWhereverItIsDivided) {
    const Surface surface(sheet(8, [](int, int) { return 0.0; }));
    for (int k = 0; k < 3000; ++k) {
        // Over faces, edges and corners, and over places off them by no more than rounding.
        Vec3d p = even_point(k, {2, 2, 0.2}, {6, 6, 0.8});
        if (k % 3 > 0) {
            p.x = std::round(p.x);
        }
        if (k % 3 > 1) {
            p.y = std::round(p.y) + (k % 5 - 2) * 1e-16;
        }
        const SurfaceContacts found = met(surface, p, 1.7);
        ASSERT_EQ(found.count, 1U) << p.x << " " << p.y;
        EXPECT_NEAR(found.of[0].near.distance, p.z, 1e-15);
        EXPECT_NEAR(norm(found.of[0].near.direction - Vec3d{0, 0, -1}), 0, 1e-15);
        EXPECT_EQ(found.of[0].near.feature, Feature::face);
    }
}

TEST(Surface, ATiltedFloorToo) {
    const Surface surface(sheet(8, [](int i, int j) { return 0.3 * i - 0.17 * j; }));
    const Vec3d normal = normalized(Vec3d{-0.3, 0.17, 1});
    for (int k = 0; k < 3000; ++k) {
        Vec3d foot = even_point(k, {2, 2, 0}, {6, 6, 0});
        foot = k % 3 > 0 ? Vec3d{std::round(foot.x), k % 3 > 1 ? std::round(foot.y) : foot.y, 0} : foot;
        foot.z = 0.3 * foot.x - 0.17 * foot.y;
        const SurfaceContacts found = met(surface, foot + normal * 0.4, 1.1);
        ASSERT_EQ(found.count, 1U);
        EXPECT_NEAR(found.of[0].near.distance, 0.4, 1e-15);
        EXPECT_NEAR(norm(found.of[0].near.direction + normal), 0, 4e-15);
    }
}

TEST(Surface, ACubeIsMetFromOutsideOnceAndInItsCornersThreeTimes) {
    const Surface surface(cube_mesh());
    // Beyond a face, an edge, a corner.
    EXPECT_EQ(met(surface, {0.5, 0.5, 1.2}, 0.3).count, 1U);
    const SurfaceContacts edge = met(surface, {1.1, 0.4, 1.1}, 0.3);
    ASSERT_EQ(edge.count, 1U);
    EXPECT_EQ(edge.of[0].near.feature, Feature::edge);
    EXPECT_NEAR(std::abs(edge.of[0].along.y), 1, 1e-15);
    EXPECT_NEAR(edge.of[0].near.distance, 0.1 * std::numbers::sqrt2, 1e-15);
    const SurfaceContacts corner = met(surface, {1.1, 1.1, 1.1}, 0.3);
    ASSERT_EQ(corner.count, 1U);
    EXPECT_EQ(corner.of[0].near.feature, Feature::corner);
    // From inside: one wall, two, three; on the diagonal of a face and off it.
    EXPECT_EQ(met(surface, {0.5, 0.5, 0.1}, 0.11).count, 1U);
    EXPECT_EQ(met(surface, {0.4, 0.9, 0.1}, 0.11).count, 2U);
    const SurfaceContacts three = met(surface, {0.9, 0.9, 0.1}, 0.11);
    ASSERT_EQ(three.count, 3U);
    for (const SurfaceContact& contact : three.all()) {
        EXPECT_NEAR(contact.near.distance, 0.1, 1e-15);
        EXPECT_NEAR(norm2(contact.near.direction), 1, 1e-15);
        EXPECT_EQ(contact.near.feature, Feature::face);
    }
    EXPECT_EQ(met(surface, {0.5, 0.5, 0.5}, 0.4).count, 0U);
    EXPECT_EQ(met(surface, {0.5, 0.5, 0.5}, 0.51).count, 6U);
}

/// The sum of overlaps along their directions: what linear springs would push with.
Vec3d pushed(const SurfaceContacts& found, double radius) {
    Vec3d sum;
    for (const SurfaceContact& contact : found.all()) {
        sum += contact.near.direction * (radius - contact.near.distance);
    }
    return sum;
}

TEST(Surface, WhatASpringWouldDoNeverJumps) {
    // Hills and hollows, some with slopes so slight that the sphere reaches over several of them.
    for (const double height : {1.0, 0.1, 0.01, 0.001, 1e-6}) {
        const auto hill = [&](int i, int j) { return height * std::sin(1.7 * i + 0.3 * j) * std::cos(2.1 * j); };
        const Surface surface(sheet(8, hill));
        const double radius = 1;
        const auto place = [&](double x, double y) {  // in touch
            double low = -1;
            double high = 3;
            for (int k = 0; k < 50; ++k) {
                const double middle = 0.5 * (low + high);
                (surface.nearest({x, y, middle}).distance < 0.99 * radius ? low : high) = middle;
            }
            return Vec3d{x, y, high};
        };
        const int steps = 20000;
        Vec3d last_place = place(2, 2.3);
        Vec3d last = pushed(met(surface, last_place, radius), radius);
        double largest = 0;
        for (int k = 1; k <= steps; ++k) {
            const double along = static_cast<double>(k) / steps;
            const Vec3d now_place = place(2 + 4 * along, 2.3 + 2.6 * along);
            const Vec3d now = pushed(met(surface, now_place, radius), radius);
            largest = std::max(largest, norm(now - last) / norm(now_place - last_place));
            last = now;
            last_place = now_place;
        }
        // The surface comes nearer by no more than the sphere moves, and each contact by as much; there are a few.
        EXPECT_LT(largest, 4) << height;
    }
}

TEST(Surface, ANarrowGrooveIsMetAsOneWallAsItFlattens) {
    for (const double slope : {0.2, 1e-2, 1e-4, 1e-8, 1e-12}) {
        Mesh groove;
        groove.points = {{0, -5, 0},        {0, 5, 0},           {5, -5, 5 * slope},
                         {5, 5, 5 * slope}, {-5, -5, 5 * slope}, {-5, 5, 5 * slope}};
        groove.triangles = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}};
        const Surface surface(groove);
        for (const double height : {0.999, 1.0005}) {
            const bool joined = height < 1;  // the bottom of the groove is inside the sphere
            const double depth = 1 - height / std::sqrt(1 + slope * slope);  // of either side
            const SurfaceContacts found = met(surface, {0, 0.3, height}, 1);
            EXPECT_EQ(found.count, joined ? 1U : (depth > 0 ? 2U : 0U)) << slope;
            const double sides = std::max(0.0, 2 * depth / std::sqrt(1 + slope * slope));
            const Vec3d push = pushed(found, 1);
            EXPECT_NEAR(-push.z, joined ? sides - (1 - height) : sides, 1e-13) << slope;
            EXPECT_NEAR(push.x, 0, 1e-13) << slope;
        }
    }
}

TEST(Surface, ContactsGoOnAsPlanesLinesAndPoints) {
    const Surface surface(cube_mesh());
    const Vec3d drift{0.03, -0.02, 0.05};
    for (const Vec3d& p : {Vec3d{0.5, 0.5, 1.2}, Vec3d{1.1, 0.4, 1.1}, Vec3d{1.1, 1.1, 1.1}}) {
        const SurfaceContact contact = met(surface, p, 0.3).of[0];
        const Nearest now = surface.nearest(p + drift);
        EXPECT_NEAR(contact.after(drift).distance, now.distance, 1e-15);
        EXPECT_NEAR(norm(contact.after(drift).direction - now.direction), 0, 1e-14);
    }
}

TEST(Surface, InACornerTheWallAheadIsMet) {
    const Shape cube{ShapeKind::mesh, 2, 0, 0, std::make_shared<const Surface>(cube_mesh())};
    const Vec3d p{0.9, 0.5, 0.1 - 1e-13};
    EXPECT_EQ(nearest_ahead(cube, p, {1, 0, 0}).direction, (Vec3d{1, 0, 0}));
    EXPECT_EQ(nearest_ahead(cube, p, {0, 0, -1}).direction, (Vec3d{0, 0, -1}));
}

TEST(Surface, AFlightTouchesWhatItsTrianglesWouldTellOneByOne) {
    const Mesh mesh = ball_mesh(5);
    const auto surface = std::make_shared<const Surface>(mesh);
    const Shape shape{ShapeKind::mesh, surface->reach(), 0, 0, surface};
    int touched = 0;
    for (int k = 0; k < 600; ++k) {
        const Vec3d from = even_point(k, {-3, -3, -3}, {3, 3, 3});
        const Vec3d towards = even_point(k + 77, {-1, -1, -1}, {1, 1, 1});
        const Vec3d gravity = k % 2 == 0 ? Vec3d{} : Vec3d{0.1, 0, -0.6};
        const Flight flight{from, (towards - from) * 0.5, gravity};
        const double radius = 0.15;
        if (nearest(shape, from).distance < radius) {
            continue;
        }
        double first = 4;
        for (const auto& t : mesh.triangles) {
            const auto at = [&](std::size_t c) { return mesh.points[static_cast<std::size_t>(t[c])]; };
            const Placed placed = make_triangle(at(0), at(1), at(2));
            const FirstTouch touch =
                first_touch(placed.shape, in_frame(flight, placed.rotation, placed.position, {}), radius, 0, 4);
            first = touch.touches ? std::min(first, touch.time) : first;
        }
        const FirstTouch found = first_touch(shape, flight, radius, 0, 4);
        EXPECT_EQ(found.touches, first < 4) << k;
        EXPECT_NEAR(found.time, first, 1e-12) << k;
        touched += found.touches ? 1 : 0;
        // Without an end the answer is the same.
        EXPECT_EQ(first_touch(shape, flight, radius, 0, HUGE_VAL).touches || !found.touches, true);
    }
    EXPECT_GT(touched, 100);
}

TEST(Surface, ASphereThatSlidesOverAFlatFloorTouchesNothing) {
    const auto surface = std::make_shared<const Surface>(sheet(8, [](int, int) { return 0.0; }));
    const Shape shape{ShapeKind::mesh, surface->reach(), 0, 0, surface};
    for (const double height : {0.5, std::nextafter(0.5, 0.0), std::nextafter(0.5, 1.0)}) {
        const Flight flight{{1, 1.3, height}, {1, 0.7, 0}, {}};
        EXPECT_FALSE(first_touch(shape, flight, 0.5, 0, 5).touches) << height;
    }
}

TEST(Surface, AMillionSliversAreFoundInTime) {
    // Blades a hair's breadth wide, side by side: nothing here takes longer than their number asks for.
    const int n = 500000;
    Mesh mesh;
    for (int k = 0; k <= n; ++k) {
        mesh.points.push_back({1e-6 * k, 0, 0});
        mesh.points.push_back({1e-6 * k, 1, 0});
    }
    for (int k = 0; k < n; ++k) {
        mesh.triangles.push_back({2 * k, 2 * k + 2, 2 * k + 1});
        mesh.triangles.push_back({2 * k + 1, 2 * k + 2, 2 * k + 3});
    }
    const Surface surface(std::move(mesh));
    const Nearest found = surface.nearest({0.25, 0.5, 0.1});
    EXPECT_NEAR(found.distance, 0.1, 1e-15);
    std::vector<std::uint32_t> near;
    surface.list_near({0.25, 0.5, 0.01}, 0.0101, near);
    const SurfaceContacts contacts = surface.contacts({0.25, 0.5, 0.01}, 0.0101, near);
    ASSERT_EQ(contacts.count, 1U);
    EXPECT_NEAR(contacts.of[0].near.distance, 0.01, 1e-15);
}

}  // namespace
}  // namespace talus::geometry
