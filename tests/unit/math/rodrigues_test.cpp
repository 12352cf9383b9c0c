// POLY's rotation vectors against quaternions: they are the same rotations.
#include "talus/math/rodrigues.h"

#include <gtest/gtest.h>

#include "talus/base/random.h"

namespace talus::tests {
namespace {

using namespace math;

class Rodrigues : public testing::Test {
protected:
    Vec3d vector(double size) {
        return {random_.uniform(-size, size), random_.uniform(-size, size), random_.uniform(-size, size)};
    }
    base::Random random_{17, 3};
};

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    EXPECT_LT(norm(a - b), tolerance);
}

TEST_F(Rodrigues, TurnVectorsAsQuaternionsDo) {
    for (int n = 0; n < 10'000; ++n) {
        const Vec3d a = vector(1.8);  // less than a half turn
        const Vec3d x = vector(2);
        const Vec3d r = rodrigues_from_rotation_vector(a);
        const Mat3d by_quaternion = to_matrix(quaternion_from_rotation_vector(a));
        // Near a half turn r is long, and what is lost of it is made good by nothing.
        const double tolerance = 4e-15 * (1 + norm(r));
        expect_near(turned_by(r, x), by_quaternion * x, tolerance);
        expect_near(rodrigues_matrix(r) * x, by_quaternion * x, tolerance);
    }
}

TEST_F(Rodrigues, ComposeAsQuaternionsDo) {
    for (int n = 0; n < 10'000; ++n) {
        const Vec3d a = vector(0.8);
        const Vec3d b = vector(0.8);
        const Vec3d x = vector(1);
        const Vec3d r = composed(rodrigues_from_rotation_vector(a), rodrigues_from_rotation_vector(b));
        const Quaterniond q = quaternion_from_rotation_vector(a) * quaternion_from_rotation_vector(b);
        expect_near(turned_by(r, x), to_matrix(q) * x, 4e-15 * (1 + norm(r)));
    }
}

TEST_F(Rodrigues, UndoThemselves) {
    for (int n = 0; n < 100; ++n) {
        const Vec3d r = vector(3);
        expect_near(composed(r, -r), {}, 1e-15);
        expect_near(turned_by(-r, turned_by(r, {1, 2, 3})), {1, 2, 3}, 1e-14);
    }
}

TEST_F(Rodrigues, GoOnAcrossAHalfTurn) {
    const Vec3d r = rodrigues_from_rotation_vector({0, 0, 1.5707963267948966});  // quarter
    const Vec3d half = composed(r, r);
    expect_near(turned_by(half, {1, 0, 0}), {-1, 0, 0}, 1e-11);
    expect_near(turned_by(composed(half, r), {1, 0, 0}), {0, -1, 0}, 1e-11);
}

}  // namespace
}  // namespace talus::tests
