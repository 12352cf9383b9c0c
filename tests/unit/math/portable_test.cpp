// Portable sine and cosine against the C library's in extended precision.
#include "talus/math/portable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "talus/base/random.h"

namespace talus::math {
namespace {

struct Worst {
    double sin = 0, cos = 0;

    void check(double x) {
        const SinCos ours = sincos(x);
        const auto wide = static_cast<long double>(x);
        sin = std::max(sin, std::abs(static_cast<double>(static_cast<long double>(ours.sin) - std::sin(wide))));
        cos = std::max(cos, std::abs(static_cast<double>(static_cast<long double>(ours.cos) - std::cos(wide))));
    }
};

TEST(PortableSinCos, AgreesWithExtendedPrecisionOverAllRanges) {
    base::Random random(7, 1);
    for (const double range : {1e-8, 0.1, 1.0, 10.0, 1e3, 1e6, 1e9}) {
        Worst worst;
        for (int i = 0; i < 50000; ++i) {
            worst.check(random.uniform(-range, range));
        }
        EXPECT_LT(worst.sin, 1.2e-16) << "range " << range;
        EXPECT_LT(worst.cos, 1.2e-16) << "range " << range;
    }
}

TEST(PortableSinCos, AgreesNextToMultiplesOfAQuarterTurn) {
    base::Random random(7, 2);
    Worst worst;
    for (int i = 0; i < 20000; ++i) {
        const double n = std::floor(std::pow(10.0, random.uniform(0, 8.8)));
        double x = n * 1.5707963267948966;
        for (int k = 0; k < 4; ++k) {
            worst.check(x);
            worst.check(-x);
            x = std::nextafter(x, std::numeric_limits<double>::infinity());
        }
    }
    EXPECT_LT(worst.sin, 1.2e-16);
    EXPECT_LT(worst.cos, 1.2e-16);
}

TEST(PortableSinCos, KeepsRelativeAccuracyWhereTheSineVanishes) {
    base::Random random(7, 3);
    for (int i = 0; i < 20000; ++i) {
        const double n = std::floor(random.uniform(0, 3e8));
        const double x = n * 3.141592653589793;
        const long double exact = std::sin(static_cast<long double>(x));
        const auto error = static_cast<double>(static_cast<long double>(sin(x)) - exact);
        // sinl's own reduction limits the comparison, not ours
        ASSERT_LE(std::abs(error), 1e-12 * std::abs(static_cast<double>(exact)) + 1e-27) << "x = " << x;
    }
    for (const double x : {1e-300, 1e-20, 1e-10, 3e-5}) {
        EXPECT_NEAR(sin(x) / x, 1.0, x * x + 3e-16);
    }
}

TEST(PortableSinCos, LiesOnTheUnitCircleAndIsOddAndEven) {
    base::Random random(7, 4);
    for (int i = 0; i < 20000; ++i) {
        const double x = random.uniform(-1e4, 1e4);
        const SinCos plus = sincos(x);
        const SinCos minus = sincos(-x);
        ASSERT_NEAR(plus.sin * plus.sin + plus.cos * plus.cos, 1.0, 6e-16);
        ASSERT_EQ(plus.sin, -minus.sin);
        ASSERT_EQ(plus.cos, minus.cos);
    }
    EXPECT_EQ(sin(0.0), 0.0);
    EXPECT_EQ(cos(0.0), 1.0);
}

TEST(PortableSinCos, DegradesOnlyToTheSpacingOfDoublesBeyondItsRange) {
    base::Random random(7, 5);
    for (int i = 0; i < 2000; ++i) {
        const double x = random.uniform(1e9, 1e13);
        ASSERT_NEAR(sin(x), static_cast<double>(std::sin(static_cast<long double>(x))), 4e-16 * x);
    }
}

TEST(PortableSinCos, AnswersNanToWhatHasNoSine) {
    for (const double x : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN(), 0x1p50, 1e300}) {
        EXPECT_TRUE(std::isnan(sin(x)));
        EXPECT_TRUE(std::isnan(cos(x)));
    }
}

// The bits themselves: a compiler that contracts, reorders or widens would change them.
TEST(PortableSinCos, GivesTheSameBitsEverywhere) {
    std::uint64_t hash = 1469598103934665603U;
    base::Random random(7, 6);
    for (int i = 0; i < 10000; ++i) {
        const SinCos value = sincos(random.uniform(-1e5, 1e5));
        for (const double v : {value.sin, value.cos}) {
            hash = (hash ^ std::bit_cast<std::uint64_t>(v)) * 1099511628211U;
        }
    }
    EXPECT_EQ(hash, 6434039711160117773U);
}

static_assert(sin(0.5) > 0.479425538604 && sin(0.5) < 0.479425538605, "usable at compile time");

}  // namespace
}  // namespace talus::math
