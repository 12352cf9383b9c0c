// Philox against the published known-answer vectors, and the streams built on it.
#include "talus/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace talus::base {
namespace {

using Block = std::array<std::uint32_t, 4>;

TEST(Philox, MatchesKnownAnswers) {
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
    EXPECT_EQ(philox({0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU}, {0xffffffffU, 0xffffffffU}),
              (Block{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
    // Counter and key from the hexadecimal digits of pi.
    EXPECT_EQ(philox({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
              (Block{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

TEST(Random, IsAFunctionOfSeedStreamAndCount) {
    Random a(42, 3);
    Random b(42, 3);
    Random other_stream(42, 4);
    Random other_seed(43, 3);
    int same_stream = 0;
    int same_seed = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t x = a.bits();
        ASSERT_EQ(x, b.bits());
        same_stream += x == other_stream.bits() ? 1 : 0;
        same_seed += x == other_seed.bits() ? 1 : 0;
    }
    EXPECT_EQ(same_stream, 0);
    EXPECT_EQ(same_seed, 0);
}

TEST(Random, TheFirstBitsAreTheFirstPhiloxBlock) {
    Random random(0, 0);
    EXPECT_EQ(random.bits(), 0x6627e8d5e169c58dULL);
    Random high(0xa40938220123ULL, 0x500000007ULL);  // seed and stream beyond 32 bits reach key and counter whole
    const Block block = philox({0, 0, 7, 5}, {0x38220123U, 0xa409U});
    EXPECT_EQ(high.bits(), (std::uint64_t{block[0]} << 32U) | block[1]);
}

TEST(Random, UniformHasItsMomentsAndRange) {
    Random random(11, 0);
    constexpr int count = 200000;
    double sum = 0;
    double squares = 0;
    double product = 0;
    double previous = 0.5;
    for (int i = 0; i < count; ++i) {
        const double u = random.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        squares += u * u;
        product += (u - 0.5) * (previous - 0.5);
        previous = u;
    }
    // Five standard errors of each moment.
    EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
    EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
    EXPECT_NEAR(product / count, 0, 5 / 12.0 / std::sqrt(1.0 * count));
}

TEST(Random, RangeIsMappedLinearly) {
    Random a(1, 1);
    Random b(1, 1);
    for (int i = 0; i < 100; ++i) {
        const double u = a.uniform();
        EXPECT_DOUBLE_EQ(b.uniform(-2, 6), -2 + 8 * u);
    }
}

}  // namespace
}  // namespace talus::base
