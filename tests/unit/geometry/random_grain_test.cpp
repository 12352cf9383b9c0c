// The grain factory: POLY's two conditions, the wanted statistics, and the same grain for the same seed and index.
#include "talus/geometry/random_grain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace talus::geometry {
namespace {

using ::testing::HasSubstr;

bool same(const std::vector<Ball>& a, const std::vector<Ball>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Ball& p, const Ball& q) { return p.center == q.center && p.radius == q.radius; });
}

/// Overlap as GrainStatistics counts it.
double overlap(const Ball& a, const Ball& b) {
    return (a.radius + b.radius - norm(b.center - a.center)) / (2 * std::min(a.radius, b.radius));
}

TEST(RandomGrain, MeetsBothConditionsAndTheStatisticsInAThousandDraws) {
    const GrainStatistics compact;
    GrainStatistics rough;
    rough.reach = 0.004;
    rough.fewest = 8;
    rough.most = 12;
    rough.size = {0.2, 1};
    rough.overlap = {0.1, 0.9};
    for (const GrainStatistics& wanted : {compact, rough}) {
        std::array<int, 20> counts{};
        for (std::uint64_t k = 0; k < 1000; ++k) {
            const std::vector<Ball> grain = random_grain(wanted, 5, k);
            ASSERT_FALSE(grain_fault(grain)) << k << ": " << *grain_fault(grain);
            ASSERT_GE(static_cast<int>(grain.size()), wanted.fewest);
            ASSERT_LE(static_cast<int>(grain.size()), wanted.most);
            ++counts.at(grain.size());
            double smallest = 1e300;
            double largest = 0;
            for (std::size_t i = 0; i < grain.size(); ++i) {
                smallest = std::min(smallest, grain[i].radius);
                largest = std::max(largest, grain[i].radius);
                const auto hosts = [&](const Ball& host) {
                    const double o = overlap(grain[i], host);
                    return o > wanted.overlap.low - 1e-9 && o < wanted.overlap.high + 1e-9;
                };
                const auto here = grain.begin() + static_cast<std::ptrdiff_t>(i);
                EXPECT_TRUE(i == 0 || std::any_of(grain.begin(), here, hosts)) << k;
            }
            EXPECT_GE(smallest / largest, wanted.size.low / wanted.size.high * (1 - 1e-9));
        }
        const double expected = 1000.0 / (wanted.most - wanted.fewest + 1);
        for (int n = wanted.fewest; n <= wanted.most; ++n) {
            EXPECT_NEAR(counts.at(static_cast<std::size_t>(n)), expected, 5 * std::sqrt(expected)) << n;
        }
    }
}

TEST(RandomGrain, HasTheReachAskedFor) {
    GrainStatistics wanted;
    wanted.reach = 0.003;
    for (std::uint64_t k = 0; k < 50; ++k) {
        EXPECT_NEAR(mass_properties(random_grain(wanted, 1, k)).reach, 0.003, 1e-3 * 0.003);
    }
}

TEST(RandomGrain, IsTheSameForTheSameSeedAndIndexOnly) {
    const GrainStatistics wanted;
    const std::vector<Ball> fifth = random_grain(wanted, 3, 5);
    random_grain(wanted, 3, 6);
    EXPECT_TRUE(same(random_grain(wanted, 3, 5), fifth));
    EXPECT_FALSE(same(random_grain(wanted, 3, 6), fifth));
    EXPECT_FALSE(same(random_grain(wanted, 4, 5), fifth));
}

TEST(RandomGrain, ComesNearToTheElongationAskedFor) {
    for (const double elongation : {1.2, 1.6, 2.2}) {
        GrainStatistics wanted;
        wanted.fewest = 4;
        wanted.most = 6;
        wanted.elongation = {elongation, elongation};
        for (std::uint64_t k = 0; k < 30; ++k) {
            const std::vector<Ball> grain = random_grain(wanted, 2, k);
            ASSERT_FALSE(grain_fault(grain));
            EXPECT_NEAR(elongation_of(mass_properties(grain, 1e-4)), elongation, 0.12 * elongation) << k;
        }
    }
}

TEST(RandomGrain, ElongationIsThatOfTheEllipsoid) {
    // Moments of an ellipsoid with axes 3, 2 and 1.
    MassProperties p;
    p.moment = {4.0 + 1, 9.0 + 1, 9.0 + 4};
    EXPECT_NEAR(elongation_of(p), 1.5, 1e-15);
}

TEST(RandomGrain, RefusesWhatCannotBe) {
    EXPECT_EQ(statistics_fault({}), "");
    EXPECT_THAT(statistics_fault({.fewest = 4, .most = 3}), HasSubstr("cannot have 4 to 3 spheres"));
    EXPECT_THAT(statistics_fault({.size = {1, 0.5}}), HasSubstr("needs sizes above 0"));
    EXPECT_THAT(statistics_fault({.overlap = {0, 0.5}}), HasSubstr("needs overlaps above 0"));
    EXPECT_THAT(statistics_fault({.overlap = {0.5, 0.99}}), HasSubstr("up to 0.95"));
    EXPECT_THAT(statistics_fault({.elongation = {0.5, 2}}), HasSubstr("elongations of 1 or more"));
}

}  // namespace
}  // namespace talus::geometry
