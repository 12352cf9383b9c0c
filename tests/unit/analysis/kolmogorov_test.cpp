// Kolmogorov and Smirnov's test: distances by hand, the tabled limit law, and that its probabilities are uniform.
#include "talus/analysis/kolmogorov.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "talus/base/random.h"

namespace talus::analysis {
namespace {

TEST(Kolmogorov, DistanceByHand) {
    // One sample in the middle: the step from 0 to 1 is half a step off on either side.
    EXPECT_DOUBLE_EQ(kolmogorov_distance(std::array{0.5}), 0.5);
    // Steps of 1/2 at 0.1 and 0.9: before the second, 0.9 against 1/2.
    EXPECT_DOUBLE_EQ(kolmogorov_distance(std::array{0.1, 0.9}), 0.4);
    EXPECT_DOUBLE_EQ(kolmogorov_distance(std::array{0.7, 0.8, 0.9}), 0.7);
    EXPECT_DOUBLE_EQ(kolmogorov_distance(std::array{0.125, 0.375, 0.625, 0.875}), 0.125);
}

TEST(Kolmogorov, TabledQuantilesOfTheLimitLaw) {
    const std::size_t many = 100'000'000;  // corrections for few samples are 1e-5 here
    for (const auto& [x, probability] :
         {std::pair{0.571, 0.9}, {0.82757, 0.5}, {1.22385, 0.1}, {1.35810, 0.05}, {1.62762, 0.01}, {1.94947, 0.001}}) {
        EXPECT_NEAR(kolmogorov_probability(x / 1e4, many), probability, 1e-3 * probability + 1e-4) << x;
    }
    EXPECT_EQ(kolmogorov_probability(0, 10), 1);
    EXPECT_NEAR(kolmogorov_probability(1e-3, 100), 1, 1e-12);
    EXPECT_LT(kolmogorov_probability(0.5, 1000), 1e-12);
    // The two series are one function: no step where they meet.
    EXPECT_NEAR(kolmogorov_probability(0.9999e-4, many), kolmogorov_probability(1.0001e-4, many), 3e-4);
}

TEST(Kolmogorov, ProbabilitiesOfTrueSamplesAreUniform) {
    base::Random random(5, 0);
    const int trials = 2000;
    std::array<int, 10> tenths{};
    std::vector<double> samples(50);
    for (int trial = 0; trial < trials; ++trial) {
        for (double& u : samples) {
            u = random.uniform();
        }
        std::sort(samples.begin(), samples.end());
        const double p = kolmogorov_probability(kolmogorov_distance(samples), samples.size());
        ++tenths[std::min<std::size_t>(9, static_cast<std::size_t>(10 * p))];
    }
    for (const int count : tenths) {
        EXPECT_NEAR(count, trials / 10, 60);  // four deviations of a binomial number, and the law's own few percent
    }
}

}  // namespace
}  // namespace talus::analysis
