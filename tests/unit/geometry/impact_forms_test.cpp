// Touches that can be worked out by hand: falls, bounces, holes, axes, rest and sliding; and HSDEM's quartic for rings.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "impact_cases.h"
#include "talus/geometry/impact.h"

namespace talus::geometry {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

FirstTouch touch(const Shape& shape, const Flight& flight, double radius) {
    return first_touch(shape, flight, radius, 0, forever);
}

TEST(Impact, OfAFallingGrainComesAfterTheTimeOfTheFall) {
    const Flight falls{{0.3, 0.2, 2.1}, {0.1, 0, 0}, {0, 0, -9.81}};
    for (const Shape& floor : {Shape{ShapeKind::plane}, Shape{ShapeKind::disk, 0, 3}, Shape{ShapeKind::rectangle, 4, 4},
                               Shape{ShapeKind::triangle, 4, 1, 4}}) {
        const FirstTouch found = touch(floor, falls, 0.1);
        ASSERT_TRUE(found.touches);
        EXPECT_NEAR(found.time, std::sqrt(2 * 2.0 / 9.81), 1e-15);
    }
}

TEST(Impact, ComesAgainAfterTheBounce) {
    // From a touch, upwards at u: back after 2 u / g, for bounces from metres per second to picometres per second.
    for (double u = 1; u > 1e-12; u *= 0.1) {
        const FirstTouch found = touch({ShapeKind::plane}, {{0, 0, 0.1}, {0, 0, u}, {0, 0, -10}}, 0.1);
        ASSERT_TRUE(found.touches);
        EXPECT_NEAR(found.time / (0.2 * u), 1, u > 1e-6 ? 1e-9 : 0.5);  // below, the height of the bounce is rounding
    }
}

TEST(Impact, WithACylinderRepeatsAtEqualChords) {
    const double radius = 0.1;
    const Shape drum{ShapeKind::cylinder, 1};
    Flight f{{0.9, 0, 0}, {-0.6, 0.8, 0.3}, {}};  // from a touch, inwards: the chord is 2 * 0.9 * 0.6
    for (int k = 0; k < 1000; ++k) {
        const FirstTouch found = touch(drum, f, radius);
        ASSERT_TRUE(found.touches);
        ASSERT_NEAR(found.time, 1.08, 1e-12);
        f = f.from(found.time);
        const Vec3d n = nearest(drum, f.position).direction;
        f.velocity -= 2 * dot(f.velocity, n) * n;
    }
}

TEST(Impact, AlongTheAxisMeetsAWholeCircle) {
    const double s = 0.5;
    for (const double r : {0.1, 0.3, 0.4999}) {
        const double z = std::sqrt(s * s - r * r);  // where a circle of radius r is s away from the axis
        const Flight down{{0, 0, 3}, {0, 0, -1}, {}};
        const Flight up_and_down{{0, 0, 3}, {0, 0, 1}, {0, 0, -2}};  // at 3 + t - t^2
        const double late = 0.5 + std::sqrt(0.25 + 3 - z);
        for (const Shape& shape : {Shape{ShapeKind::ring, r}, Shape{ShapeKind::disk, r, 2}}) {
            EXPECT_NEAR(touch(shape, down, s).time, 3 - z, 1e-12 / z);
            EXPECT_NEAR(touch(shape, up_and_down, s).time, late, 1e-12 / z);
        }
        const Shape pipe{ShapeKind::tube, 1, r, 2};  // narrow end up
        EXPECT_NEAR(touch(pipe, down, s).time, 3 - (1 + z), 1e-12 / z);
    }
    EXPECT_FALSE(touch({ShapeKind::ring, 0.6}, {{0, 0, 3}, {0, 0, -1}, {}}, s).touches);  // falls through
    // Into a cone whose half angle has the sine 0.6: the centre stops s / 0.6 before the tip.
    EXPECT_NEAR(touch({ShapeKind::tube, 0, 1.5, 2}, {{0, 0, 3}, {0, 0, -1}, {}}, 0.3).time, 3 + 1 - 0.5, 1e-14);
}

TEST(Impact, OfAGrainAtRestUnderAForceComesAtOnce) {
    const Vec3d g{0, 0, -9.81};
    EXPECT_EQ(touch({ShapeKind::plane}, {{0, 0, 0.5}, {}, g}, 0.5).time, 0);
    EXPECT_EQ(touch({ShapeKind::cylinder, 1}, {{0.5, 0, 0}, {}, {9.81, 0, 0}}, 0.5).time, 0);
    EXPECT_FALSE(touch({ShapeKind::plane}, {{0, 0, 0.5}, {}, {}}, 0.5).touches);
    EXPECT_FALSE(touch({ShapeKind::plane}, {{0, 0, 0.5}, {}, -g}, 0.5).touches);
    // Balanced on the inner edge of a ring that stands upright: gravity along the ring's x.
    const FirstTouch balanced = touch({ShapeKind::ring, 1}, {{-0.75, 0, 0}, {}, {-9.81, 0, 0}}, 0.25);
    ASSERT_TRUE(balanced.touches);
    EXPECT_NEAR(balanced.time, 0, 1e-8);
}

TEST(Impact, DoesNotComeFromSlidingOverAFaceAndItsRim) {
    const double s = 0.5;
    for (const double height : {s, s * (1 - 1e-16), s * (1 - 1e-12), s * (1 + 1e-16)}) {
        for (const double spot : {-0.9, 0.0, 0.999999, 1 - 1e-9, 1.0}) {
            const Flight slides{{spot, 0.1, height}, {0.7, 0, 0}, {}};
            EXPECT_FALSE(touch({ShapeKind::plane}, slides, s).touches);
            EXPECT_FALSE(touch({ShapeKind::disk, 0, 1.2}, slides, s).touches);
            EXPECT_FALSE(touch({ShapeKind::rectangle, 1.2, 1}, {{spot + 1, 0.1, height}, {0.7, 0, 0}, {}}, s).touches);
        }
    }
    // Along a generator of a cylinder, inside and outside.
    EXPECT_FALSE(touch({ShapeKind::tube, 1, 1, 2}, {{0.5, 0, 0.2}, {0, 0, 1}, {}}, s).touches);
    EXPECT_FALSE(touch({ShapeKind::tube, 1, 1, 2}, {{1.5, 0, 0.2}, {0, 0, 1}, {}}, s).touches);
}

TEST(Impact, WithARingIsTheFirstRootOfTheQuartic) {
    base::Random random(44, 0);
    int compared = 0;
    for (int i = 0; i < 20000; ++i) {
        const double big = random.uniform(0.2, 2);
        const double s = random.uniform(0.02, 1) * big;  // less than the ring: the torus has no inner part
        const Vec3d p = cases::random_point(random);
        const Vec3d v = cases::random_direction(random);
        if (nearest({ShapeKind::ring, big}, p).distance < 1.01 * s) {
            continue;
        }
        const double alpha = norm2(v);  // HSDEM Eqs. 14-21
        const double beta = 2 * dot(p, v);
        const double gamma = norm2(p) - s * s - big * big;
        const double r2 = big * big;
        const math::Polynomial<4> quartic{
            {gamma * gamma + 4 * r2 * (p.z * p.z - s * s), 2 * beta * gamma + 8 * r2 * p.z * v.z,
             beta * beta + 2 * alpha * gamma + 4 * r2 * v.z * v.z, 2 * alpha * beta, alpha * alpha}};
        const auto roots = roots_between(quartic, 0, 20);
        const FirstTouch found = first_touch({ShapeKind::ring, big}, {p, v, {}}, s, 0, 20);
        const bool grazing = roots.count > 1 && roots.root[1] - roots.root[0] < 1e-3;
        if (grazing) {
            continue;
        }
        ASSERT_EQ(found.touches, roots.count > 0);
        if (found.touches) {
            ++compared;
            ASSERT_NEAR(found.time, roots.root[0], 1e-9);
        }
    }
    EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace talus::geometry
