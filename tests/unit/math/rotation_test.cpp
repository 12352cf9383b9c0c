// Rotation matrices and quaternions: orthogonal, right-handed, and consistent with one another.
#include "talus/math/rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "random_vector.h"
#include "talus/base/random.h"

namespace talus::math {
namespace {

using tests::random_vector;

constexpr double pi = std::numbers::pi;

Vec3d random_unit(base::Random& random) {
    for (;;) {
        const Vec3d v = random_vector(random, 1);
        if (norm2(v) > 0.01 && norm2(v) < 1) {
            return normalized(v);
        }
    }
}

double largest_difference(const Mat3d& a, const Mat3d& b) {
    double worst = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            worst = std::max(worst, std::abs(a.row[i][j] - b.row[i][j]));
        }
    }
    return worst;
}

double distance_from_orthogonal(const Mat3d& m) {
    return largest_difference(transposed(m) * m, Mat3d::identity());
}

double determinant(const Mat3d& m) {
    return dot(m.row[0], cross(m.row[1], m.row[2]));
}

TEST(Rotation, MatricesAreOrthogonalAndRightHanded) {
    base::Random random(11, 1);
    for (int i = 0; i < 20000; ++i) {
        const Mat3d m = rotation_matrix(random_vector(random, 10));
        ASSERT_LT(distance_from_orthogonal(m), 1e-15);
        ASSERT_NEAR(determinant(m), 1.0, 2e-15);
        const Mat3d turned = rotation_matrix(random_unit(random), random.uniform(-1e6, 1e6));
        ASSERT_LT(distance_from_orthogonal(turned), 1e-15);
        ASSERT_NEAR(determinant(turned), 1.0, 2e-15);
    }
}

TEST(Rotation, TurnsCounterClockwiseAboutItsAxis) {
    const Mat3d quarter = rotation_matrix({0, 0, 1}, pi / 2);
    EXPECT_LT(norm(quarter * Vec3d{1, 0, 0} - Vec3d{0, 1, 0}), 1e-15);
    EXPECT_LT(norm(rotation_matrix({pi / 2, 0, 0}) * Vec3d{0, 1, 0} - Vec3d{0, 0, 1}), 1e-15);
    EXPECT_LT(norm(rotation_matrix({0, pi / 2, 0}) * Vec3d{0, 0, 1} - Vec3d{1, 0, 0}), 1e-15);
}

TEST(Rotation, AgreesWithRodrigues) {
    base::Random random(11, 2);
    for (int i = 0; i < 5000; ++i) {
        const Vec3d axis = random_unit(random);
        const double angle = random.uniform(-7, 7);
        const Vec3d v = random_vector(random, 1);
        const Vec3d expected =
            std::cos(angle) * v + std::sin(angle) * cross(axis, v) + ((1 - std::cos(angle)) * dot(axis, v)) * axis;
        ASSERT_LT(norm(rotation_matrix(axis, angle) * v - expected), 2e-15);
        ASSERT_LT(norm(rotation_matrix(angle * axis) * v - expected), 5e-15);
    }
}

TEST(Rotation, NoAngleIsExactlyTheIdentity) {
    EXPECT_EQ(rotation_matrix({0, 0, 1}, 0), Mat3d::identity());
    EXPECT_EQ(rotation_matrix({0, 0, 0}), Mat3d::identity());
    EXPECT_EQ(rotation_matrix({1e-200, 0, 0}), Mat3d::identity());
}

TEST(Rotation, SmallAnglesKeepTheirRelativeAccuracy) {
    const Mat3d m = rotation_matrix({0, 0, 1e-12});
    EXPECT_NEAR(m.row[1].x / 1e-12, 1.0, 1e-15);
}

TEST(Rotation, QuaternionProductIsTheMatrixProduct) {
    base::Random random(11, 3);
    for (int i = 0; i < 5000; ++i) {
        const Quaterniond a = quaternion_from_rotation_vector(random_vector(random, 3));
        const Quaterniond b = quaternion_from_rotation_vector(random_vector(random, 3));
        ASSERT_LT(largest_difference(to_matrix(a * b), to_matrix(a) * to_matrix(b)), 2e-15);
        ASSERT_LT(largest_difference(to_matrix(conjugate(a)), transposed(to_matrix(a))), 1e-15);
        ASSERT_NEAR(norm2(a), 1.0, 1e-15);
    }
}

TEST(Rotation, QuaternionsOfAnyLengthGiveARotation) {
    const Quaterniond q{3, {1, -2, 5}};
    EXPECT_LT(distance_from_orthogonal(to_matrix(q)), 1e-15);
    EXPECT_LT(largest_difference(to_matrix(q), to_matrix(normalized(q))), 1e-15);
}

TEST(Rotation, SpinIsTheDerivativeOfTheRotation) {
    base::Random random(11, 4);
    for (int i = 0; i < 2000; ++i) {
        const double size = std::pow(10.0, random.uniform(-9, 0.5));
        const Vec3d r = random_vector(random, size);
        const Vec3d rate = random_vector(random, 1);
        const Vec3d spin = spin_from_rotation_rate(r, rate);
        const double h = 1e-5;
        const Vec3d v = random_unit(random);
        const Vec3d moved = (rotation_matrix(r + h * rate) * v - rotation_matrix(r - h * rate) * v) / (2 * h);
        ASSERT_LT(norm(moved - cross(spin, rotation_matrix(r) * v)), 2e-9);
    }
}

TEST(Rotation, SpinHasNoStepWhereItsSeriesEnds) {
    const Vec3d rate{0.3, -0.7, 0.2};
    const Vec3d axis = normalized(Vec3d{1, 2, -1});
    const Vec3d below = spin_from_rotation_rate(0.49999999999 * axis, rate);
    const Vec3d above = spin_from_rotation_rate(0.50000000001 * axis, rate);
    EXPECT_LT(norm(above - below), 1e-10);
    EXPECT_EQ(spin_from_rotation_rate({0, 0, 0}, rate), rate);
}

TEST(Frame, HasTheNormalAsItsZAxis) {
    base::Random random(11, 5);
    for (int i = 0; i < 20000; ++i) {
        const Vec3d n = random_unit(random);
        const Mat3d frame = frame_from_normal(n);
        ASSERT_EQ(frame.column(2), n);
        ASSERT_LT(distance_from_orthogonal(frame), 1e-15);
        ASSERT_NEAR(determinant(frame), 1.0, 2e-15);
    }
}

TEST(Frame, StaysPutForTheAxes) {
    EXPECT_EQ(frame_from_normal({0, 0, 1}), Mat3d::identity());
    EXPECT_EQ(frame_from_normal({0, 0, -1}).column(0), (Vec3d{1, 0, 0}));
    EXPECT_EQ(frame_from_normal({0, 1, 0}).column(0), (Vec3d{1, 0, 0}));
    EXPECT_EQ(frame_from_normal({1, 0, 0}).column(0), (Vec3d{0, 1, 0}));
    EXPECT_EQ(frame_from_normal({-1, 0, 0}).column(0), (Vec3d{0, 1, 0}));
}

}  // namespace
}  // namespace talus::math
