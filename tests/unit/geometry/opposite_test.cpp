// The second point of a round wall against a minimiser in extended precision, and how the two go over into each other
// where a grain crosses the axis.
#include "talus/geometry/opposite.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "minimiser.h"
#include "talus/base/random.h"

namespace talus::geometry {
namespace {

struct Named {
    ShapeKind kind;
    const char* name;
};

class RoundShape : public testing::TestWithParam<Named> {};

Shape random_shape(ShapeKind kind, base::Random& random) {
    const double a = random.uniform(0.2, 2);
    const double b = random.uniform(0.2, 2);
    const double c = random.uniform(0.2, 2);
    const double choice = random.uniform();
    switch (kind) {
        case ShapeKind::disk:
            return {kind, b * random.uniform(0.01, 0.99), b};
        case ShapeKind::tube:
            if (choice < 0.4) {
                return {kind, choice < 0.1 ? 0 : a, choice < 0.1 ? b : (choice < 0.2 ? 0 : a), c};
            }
            return {kind, a, b, choice < 0.5 ? 0.05 * c : c};
        default:
            return {kind, a, b, c};
    }
}

/// Anywhere, or next to the axis, down to well below what counts as on it.
Vec3d random_point(base::Random& random) {
    if (random.uniform() < 0.6) {
        return {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    }
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const double rho = std::pow(10.0, random.uniform(-14, 0));
    const double z = random.uniform() < 0.5 ? random.uniform(-3, 3) : random.uniform(-1, 1) * rho;
    return {rho * std::cos(angle), rho * std::sin(angle), z};
}

double off_axis(const Shape& shape, const Vec3d& p) {
    return shape.kind == ShapeKind::sphere ? norm(p) : std::sqrt(p.x * p.x + p.y * p.y);
}

TEST_P(RoundShape, HasAnOppositePointAtTheRightDistance) {
    base::Random random(31, static_cast<std::uint64_t>(GetParam().kind));
    for (int i = 0; i < 500; ++i) {
        const Shape shape = random_shape(GetParam().kind, random);
        ASSERT_TRUE(has_opposite(shape));
        for (int j = 0; j < 200; ++j) {
            const Vec3d p = random_point(random);
            const Nearest far = opposite_side(shape, p, {});
            const auto exact = static_cast<double>(oracle::opposite_distance(shape, p));
            // Where the half-plane is kept, the distance is off by no more than the distance from the axis.
            const double tolerance = 1e-12 + (off_axis(shape, p) <= 2e-9 ? 4e-9 : 0);
            ASSERT_NEAR(far.distance, exact, tolerance)
                << shape.a << ' ' << shape.b << ' ' << shape.c << " at " << p.x << ' ' << p.y << ' ' << p.z;
            ASSERT_GE(far.distance, nearest_side(shape, p, {}).distance - 4e-15);
        }
    }
}

TEST_P(RoundShape, BothPointsLieOnItInOppositeHalfPlanes) {
    base::Random random(32, static_cast<std::uint64_t>(GetParam().kind));
    for (int i = 0; i < 20000; ++i) {
        const Shape shape = random_shape(GetParam().kind, random);
        const Vec3d p = random_point(random);
        const Vec3d last{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const Nearest near = nearest_side(shape, p, last);
        const Nearest far = opposite_side(shape, p, last);
        for (const Nearest& n : {near, far}) {
            ASSERT_NEAR(norm(n.direction), 1, 1e-14);
            ASSERT_LT(nearest(shape, n.point).distance, 3e-14);
            ASSERT_LT(norm(p + n.distance * n.direction - n.point), 5e-9);
        }
        // Seen from the axis the two lie in opposite directions; a closed cone's tip has none.
        const auto across = [&](const Nearest& n) {
            return shape.kind == ShapeKind::sphere ? n.point : Vec3d{n.point.x, n.point.y, 0};
        };
        if (norm(across(near)) > 0 && norm(across(far)) > 0) {
            ASSERT_NEAR(dot(across(near), across(far)) / norm(across(near)) / norm(across(far)), -1, 1e-12);
        }
    }
}

TEST_P(RoundShape, ExchangesItsPointsAcrossTheAxis) {
    base::Random random(33, static_cast<std::uint64_t>(GetParam().kind));
    const bool sphere = GetParam().kind == ShapeKind::sphere;
    for (int i = 0; i < 2000; ++i) {
        const Shape shape = random_shape(GetParam().kind, random);
        const double angle = random.uniform(0, 2 * std::numbers::pi);
        const double step = 1e-7;
        const Vec3d e{std::cos(angle), std::sin(angle), 0};
        const double z = sphere ? 0 : random.uniform(-3, 3);
        const Vec3d before = step * e + Vec3d{0, 0, z};
        const Vec3d after = -step * e + Vec3d{0, 0, z};
        const Nearest near = nearest_side(shape, before, {});
        const Nearest far = opposite_side(shape, before, {});
        const Nearest new_near = nearest_side(shape, after, {});
        const Nearest new_far = opposite_side(shape, after, {});
        // What a spring of unit stiffness stores and pushes with: the sums stay, since nearest and opposite change
        // places.
        ASSERT_NEAR(near.distance + far.distance, new_near.distance + new_far.distance, 1e-12);
        ASSERT_LT(norm(near.direction - new_far.direction), 2e-5);
        ASSERT_LT(norm(far.direction - new_near.direction), 2e-5);
    }
}

TEST_P(RoundShape, KeepsTheHalfPlaneOfTheLastContactOnTheAxis) {
    base::Random random(34, static_cast<std::uint64_t>(GetParam().kind));
    for (int i = 0; i < 200; ++i) {
        const Shape shape = random_shape(GetParam().kind, random);
        const double angle = random.uniform(0, 2 * std::numbers::pi);
        const Vec3d e{std::cos(angle), std::sin(angle), 0};
        const Vec3d axis{0, 0, GetParam().kind == ShapeKind::sphere ? 0 : random.uniform(-3, 3)};
        const Vec3d last = e * 0.6 + Vec3d{0, 0, GetParam().kind == ShapeKind::sphere ? 0 : 0.8};
        const Nearest near = nearest_side(shape, axis, last);
        const Nearest far = opposite_side(shape, axis, last);
        ASSERT_TRUE(near.acts);
        ASSERT_NEAR(near.distance, far.distance, 1e-15);
        ASSERT_NEAR(near.distance, nearest(shape, axis).distance, 1e-14);
        ASSERT_LT(norm(near.direction - far.direction - 2.0 * e * dot(near.direction, e)), 1e-14);
        ASSERT_GE(dot(near.direction, e), 0);
        // A hair to the other side: the far side has become the near one.
        const Nearest crossed = nearest_side(shape, axis - 1e-13 * e, last);
        ASSERT_LT(norm(crossed.direction - far.direction), 1e-11);
    }
}

INSTANTIATE_TEST_SUITE_P(Walls, RoundShape,
                         testing::Values(Named{ShapeKind::disk, "disk"}, Named{ShapeKind::cylinder, "cylinder"},
                                         Named{ShapeKind::tube, "tube"}, Named{ShapeKind::sphere, "sphere"},
                                         Named{ShapeKind::ring, "ring"}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Opposite, ExistsForShapesThatCloseRoundAnAxisOnly) {
    for (const ShapeKind kind : {ShapeKind::plane, ShapeKind::rectangle, ShapeKind::triangle, ShapeKind::line,
                                 ShapeKind::segment, ShapeKind::point}) {
        EXPECT_FALSE(has_opposite({kind, 1, 1, 1}));
    }
    EXPECT_FALSE(has_opposite({ShapeKind::disk, 0, 1}));
    EXPECT_TRUE(has_opposite({ShapeKind::disk, 0.5, 1}));
}

TEST(Opposite, IsOutOfSightFromOutside) {
    const auto acts = [](const Shape& shape, const Vec3d& p) { return opposite_side(shape, p, {}).acts; };
    for (const ShapeKind kind : {ShapeKind::cylinder, ShapeKind::sphere}) {
        EXPECT_TRUE(acts({kind, 2}, {1.9, 0, 0}));
        EXPECT_FALSE(acts({kind, 2}, {0, 2.1, 0}));
    }
    const Shape cone{ShapeKind::tube, 0, 2, 4};  // tip at z = -2
    EXPECT_TRUE(acts(cone, {0.3, 0, 0}));
    EXPECT_TRUE(acts(cone, {0.3, 0, 5}));   // before its mouth
    EXPECT_TRUE(acts(cone, {2.5, 0, 5}));   // round its rim
    EXPECT_FALSE(acts(cone, {1.5, 0, 0}));  // beside it
    EXPECT_FALSE(acts(cone, {0, 0, -3}));   // below its tip
    const Shape tube{ShapeKind::tube, 1, 2, 4};
    EXPECT_TRUE(acts(tube, {0.3, 0, 0}));
    EXPECT_TRUE(acts(tube, {2.5, 0, 0}));  // one could slip over a rim
    EXPECT_TRUE(acts({ShapeKind::ring, 1}, {3, 0, 0}));
    EXPECT_TRUE(acts({ShapeKind::disk, 1, 4}, {3, 0, 1}));
}

}  // namespace
}  // namespace talus::geometry
