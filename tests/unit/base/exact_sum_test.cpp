// The exact sum against quadruple precision, against itself in other orders, and on sums that plain addition ruins.
#include "talus/base/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "talus/base/random.h"

namespace talus::base {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double exact(const std::vector<double>& terms) {
    ExactSum sum;
    for (const double t : terms) {
        sum += t;
    }
    return sum.value();
}

std::uint64_t bits_of(double x) {
    return std::bit_cast<std::uint64_t>(x);
}

/// Random signs and mantissas, exponents spread over 2^-spread ... 2^spread.
std::vector<double> random_terms(std::size_t count, int spread, std::uint64_t stream) {
    Random random(7, stream);
    std::vector<double> terms;
    for (std::size_t i = 0; i < count; ++i) {
        const auto exponent = static_cast<int>(random.uniform(-spread, spread + 1));
        terms.push_back(std::ldexp(random.uniform(-1, 1), exponent));
    }
    return terms;
}

void shuffle(std::vector<double>& terms, Random& random) {
    for (std::size_t i = terms.size(); i > 1; --i) {
        std::swap(terms[i - 1], terms[random.bits() % i]);
    }
}

TEST(ExactSum, IsZeroWithoutTerms) {
    EXPECT_EQ(bits_of(ExactSum().value()), bits_of(0.0));
}

TEST(ExactSum, GivesBackEverySingleTerm) {
    Random random(1, 0);
    int finite = 0;
    for (int i = 0; i < 100000; ++i) {
        const auto x = std::bit_cast<double>(random.bits());
        if (!std::isfinite(x) || x == 0) {
            continue;
        }
        ++finite;
        ASSERT_EQ(bits_of(exact({x})), bits_of(x)) << x;
    }
    EXPECT_GT(finite, 90000);
    for (const double x : {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min(),
                           std::numeric_limits<double>::max(), -std::numeric_limits<double>::denorm_min(),
                           -std::numeric_limits<double>::max(), 1.0, -1.0}) {
        EXPECT_EQ(bits_of(exact({x})), bits_of(x)) << x;
    }
}

TEST(ExactSum, PairsRoundLikeTheProcessor) {
    // The sum of two doubles is correctly rounded by hardware: ties, carries over digits and subnormals included.
    Random random(2, 0);
    for (int i = 0; i < 200000; ++i) {
        const int wide = i % 2 == 0 ? 60 : 1000;
        const double a = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.uniform(-wide, wide)));
        const double b = std::ldexp(std::round(random.uniform(-8, 8)), std::ilogb(a) - 50 - i % 10);
        ASSERT_EQ(exact({a, b}), a + b) << a << " + " << b;
    }
    const double tiny = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(exact({std::numeric_limits<double>::min(), -tiny}), std::numeric_limits<double>::min() - tiny);
    EXPECT_EQ(exact({tiny, tiny, tiny}), 3 * tiny);
}

TEST(ExactSum, TiesGoToEvenUnlessSomethingLiesBelow) {
    const double half_ulp = 0x1p-53;
    EXPECT_EQ(exact({1.0, half_ulp}), 1.0);
    EXPECT_EQ(exact({1.0 + 0x1p-52, half_ulp}), 1.0 + 0x1p-51);
    EXPECT_EQ(exact({1.0, half_ulp, 1e-300}), 1.0 + 0x1p-52);
    EXPECT_EQ(exact({1.0, half_ulp, -1e-300}), 1.0);
    EXPECT_EQ(exact({-1.0, -half_ulp, -1e-300}), -1.0 - 0x1p-52);
}

TEST(ExactSum, MatchesQuadruplePrecision) {
    for (std::uint64_t stream = 0; stream < 200; ++stream) {
        const std::vector<double> terms = random_terms(100, 20, stream);
        __extension__ __float128 sum = 0;  // 113 bits hold these sums without rounding
        for (const double t : terms) {
            sum += t;
        }
        ASSERT_EQ(exact(terms), static_cast<double>(sum));
    }
}

TEST(ExactSum, OrderDoesNotMatter) {
    std::vector<double> terms = random_terms(2000, 300, 3);
    const std::uint64_t expected = bits_of(exact(terms));
    Random random(3, 1);
    for (int i = 0; i < 50; ++i) {
        shuffle(terms, random);
        ASSERT_EQ(bits_of(exact(terms)), expected);
    }
    std::sort(terms.begin(), terms.end());
    EXPECT_EQ(bits_of(exact(terms)), expected);
}

TEST(ExactSum, IllConditionedSumsAreRight) {
    EXPECT_EQ(exact({1e300, 1.0, -1e300}), 1.0);
    EXPECT_EQ(exact({1e300, 1e-300, -1e300}), 1e-300);
    EXPECT_EQ(exact({0.1, 0.2, -0.3}), 0x1p-55);  // the doubles nearest to these miss each other by that much
    // Every term and its opposite, in a random order, and one tiny term.
    std::vector<double> terms = random_terms(1000, 900, 5);
    const std::size_t half = terms.size();
    for (std::size_t i = 0; i < half; ++i) {
        terms.push_back(-terms[i]);
    }
    terms.push_back(0x1p-1070);
    Random random(5, 1);
    shuffle(terms, random);
    EXPECT_EQ(exact(terms), 0x1p-1070);
}

TEST(ExactSum, MergingPartsEqualsOneSum) {
    const std::vector<double> terms = random_terms(3000, 500, 9);
    const std::uint64_t expected = bits_of(exact(terms));
    for (const std::size_t parts : {1U, 2U, 3U, 7U, 64U}) {
        std::vector<ExactSum> part(parts);
        for (std::size_t i = 0; i < terms.size(); ++i) {
            part[i % parts] += terms[i];
        }
        ExactSum forward;
        ExactSum backward;
        for (std::size_t k = 0; k < parts; ++k) {
            forward += part[k];
            backward += part[parts - 1 - k];
        }
        EXPECT_EQ(bits_of(forward.value()), expected);
        EXPECT_EQ(bits_of(backward.value()), expected);
    }
}

TEST(ExactSum, FiniteTermsDoNotOverflowOnTheWay) {
    const double largest = std::numeric_limits<double>::max();
    EXPECT_EQ(exact({largest, largest, largest, -largest, -largest}), largest);
    EXPECT_EQ(exact({largest, largest}), infinity);
    EXPECT_EQ(exact({-largest, -largest}), -infinity);
}

TEST(ExactSum, DoublingByMergeCarriesFar) {
    // 2^60 times the largest double, then taken away again but for one: carries run through the head room.
    const double largest = std::numeric_limits<double>::max();
    ExactSum up;
    up += largest;
    ExactSum down;
    down += -largest;
    for (int i = 0; i < 60; ++i) {
        up += ExactSum(up);
        down += ExactSum(down);
    }
    EXPECT_EQ(up.value(), infinity);
    up += down;
    EXPECT_EQ(up.value(), 0.0);
    up += 1.5;
    EXPECT_EQ(up.value(), 1.5);
}

TEST(ExactSum, InfinitiesAndNanPropagate) {
    EXPECT_EQ(exact({1.0, infinity, -1e300}), infinity);
    EXPECT_EQ(exact({-infinity, 1.0}), -infinity);
    EXPECT_TRUE(std::isnan(exact({infinity, -infinity})));
    EXPECT_TRUE(std::isnan(exact({1.0, std::numeric_limits<double>::quiet_NaN()})));
    ExactSum with;
    with += infinity;
    ExactSum sum;
    sum += 1.0;
    sum += with;
    EXPECT_EQ(sum.value(), infinity);
}

}  // namespace
}  // namespace talus::base
