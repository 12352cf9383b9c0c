// The portable angle of a vector against the C library's.
#include "talus/math/portable_angle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/base/random.h"

namespace talus::math {
namespace {

TEST(PortableAngle, IsThatOfTheLibraryToTheLastBits) {
    base::Random random(1, 1);
    double worst = 0;
    for (int k = 0; k < 1'000'000; ++k) {
        const double scale = std::ldexp(1.0, k % 200 - 100);
        const double x = random.uniform(-1, 1) * (k % 7 == 0 ? 1e-6 : 1);
        const double y = random.uniform(-1, 1) * (k % 11 == 0 ? 1e-9 : 1);
        const double expected = std::atan2(y, x);
        worst =
            std::max(worst, std::abs(angle_of(x * scale, y * scale) - expected) / std::max(std::abs(expected), 1e-3));
    }
    EXPECT_LT(worst, 6e-16);
}

TEST(PortableAngle, AtTheAxes) {
    EXPECT_EQ(angle_of(0, 0), 0);
    EXPECT_EQ(angle_of(2, 0), 0);
    EXPECT_DOUBLE_EQ(angle_of(0, 3), std::numbers::pi / 2);
    EXPECT_DOUBLE_EQ(angle_of(0, -3), -std::numbers::pi / 2);
    EXPECT_DOUBLE_EQ(angle_of(-1, 0), std::numbers::pi);
    EXPECT_DOUBLE_EQ(angle_of(1, 1), std::numbers::pi / 4);
}

}  // namespace
}  // namespace talus::math
