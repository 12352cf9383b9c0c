// Powers and roots against the C library.
#include "talus/math/portable_power.h"

#include <gtest/gtest.h>

#include <cmath>

namespace talus::math {
namespace {

TEST(PortablePower, AgreesWithTheCLibrary) {
    for (const double p : {-0.5, 0.0, 0.3, 0.5, 2.0 / 3.0, 1.0, 1.5, 2.5, 3.0}) {
        for (double x = 1e-12; x < 1e12; x *= 3.7) {
            EXPECT_NEAR(power(x, p) / std::pow(x, p), 1, 2e-14) << x << " to the " << p;
        }
    }
    EXPECT_EQ(power(0, 0.7), 0);
    EXPECT_EQ(power(0, 0), 1);
    EXPECT_EQ(power(2.25, 1.5), 3.375);
}

TEST(PortablePower, CubeRootsAreExactToTheLastPlaces) {
    for (double x = 1e-200; x < 1e200; x *= 7.3e3) {
        EXPECT_NEAR(cube_root(x) / std::cbrt(x), 1, 5e-16) << x;
    }
    EXPECT_EQ(cube_root(27), 3);
    EXPECT_EQ(cube_root(0), 0);
}

}  // namespace
}  // namespace talus::math
