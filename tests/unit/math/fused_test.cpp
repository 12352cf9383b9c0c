// Products and sums with one rounding: against the standard library's, the same in packs and for plain numbers.
#include "talus/math/fused.h"

#include <gtest/gtest.h>

#include <cmath>

#include "talus/base/random.h"

namespace talus::tests {
namespace {

using math::Pack4;
using math::Vec3d;

class Fused : public testing::Test {
protected:
    /// Numbers of many sizes and both signs.
    double number() { return random.uniform(-1, 1) * std::ldexp(1.0, static_cast<int>(random.uniform(-40, 40))); }
    Vec3d vector() { return {number(), number(), number()}; }

    base::Random random{7, 0};
};

TEST_F(Fused, RoundsOnce) {
    int other = 0;  // how often two roundings give another number
    for (int k = 0; k < 10000; ++k) {
        const double a = number();
        const double b = number();
        const double c = -a * b * (1 + 1e-15 * random.uniform(-1, 1));
        EXPECT_EQ(math::multiply_add(a, b, c), std::fma(a, b, c));
        EXPECT_EQ(math::less_product(c, a, b), std::fma(-a, b, c));
        EXPECT_EQ(math::product_less(a, b, c), std::fma(a, b, -c));
        other += math::multiply_add(a, b, c) != a * b + c ? 1 : 0;
    }
    EXPECT_GT(other, 5000);
}

TEST_F(Fused, PacksGiveTheBitsOfPlainNumbers) {
    for (int k = 0; k < 10000; ++k) {
        double number_of[3][4];
        for (auto& pack : number_of) {
            for (double& x : pack) {
                x = number();
            }
        }
        const Pack4 a = math::load_pack<4>(number_of[0]);
        const Pack4 b = math::load_pack<4>(number_of[1]);
        const Pack4 c = math::load_pack<4>(number_of[2]);
        for (int lane = 0; lane < 4; ++lane) {
            EXPECT_EQ(multiply_add(a, b, c)[lane], math::multiply_add(a[lane], b[lane], c[lane]));
            EXPECT_EQ(less_product(c, a, b)[lane], math::less_product(c[lane], a[lane], b[lane]));
            EXPECT_EQ(product_less(a, b, c)[lane], math::product_less(a[lane], b[lane], c[lane]));
        }
    }
}

TEST_F(Fused, VectorsAreWhatTheirNamesSay) {
    for (int k = 0; k < 1000; ++k) {
        const Vec3d a = vector();
        const Vec3d b = vector();
        const Vec3d c = vector();
        const double s = number();
        const double size = norm(a) * norm(b) + norm(c) + norm(a) * std::abs(s);
        EXPECT_NEAR(math::fused_dot(a, b), dot(a, b), 1e-15 * size);
        EXPECT_LE(norm(math::fused_cross(a, b) - cross(a, b)), 1e-15 * size);
        EXPECT_LE(norm(math::cross_add(a, b, c) - (cross(a, b) + c)), 1e-15 * size);
        EXPECT_LE(norm(math::multiply_add(a, s, c) - (a * s + c)), 1e-15 * size);
        EXPECT_LE(norm(math::less_product(c, a, s) - (c - a * s)), 1e-15 * size);
    }
}

TEST_F(Fused, KeepsPlanesPlane) {
    for (int k = 0; k < 1000; ++k) {
        const Vec3d a{number(), number(), 0};
        const Vec3d b{number(), number(), 0};
        EXPECT_EQ(math::fused_cross(a, b).x, 0);
        EXPECT_EQ(math::fused_cross(a, b).y, 0);
        EXPECT_EQ(math::cross_add(a, {0, 0, number()}, b).z, 0);
        EXPECT_EQ(math::multiply_add(a, number(), b).z, 0);
    }
}

}  // namespace
}  // namespace talus::tests
