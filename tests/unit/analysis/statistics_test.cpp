// Means and lines against closed forms: white noise, an AR(1) series, exact lines.
#include "talus/analysis/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "talus/base/random.h"

namespace talus::analysis {
namespace {

double normal(base::Random& random) {
    const double u = 1 - random.uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * random.uniform());
}

/// x_k = phi x_{k-1} + noise, of unit variance; the error of its mean is sqrt((1 + phi) / (1 - phi) / N).
std::vector<double> autoregressive(std::size_t count, double phi, std::uint64_t stream) {
    base::Random random(5, stream);
    std::vector<double> series;
    double x = normal(random);
    for (std::size_t i = 0; i < count; ++i) {
        series.push_back(x);
        x = phi * x + std::sqrt(1 - phi * phi) * normal(random);
    }
    return series;
}

TEST(BlockedMean, OfFewSamples) {
    EXPECT_EQ(blocked_mean({}).samples, 0);
    const std::vector<double> one = {3.5};
    EXPECT_EQ(blocked_mean(one).value, 3.5);
    EXPECT_EQ(blocked_mean(one).error, 0);
    EXPECT_FALSE(blocked_mean(one).plateau);
    const std::vector<double> two = {1, 3};
    EXPECT_DOUBLE_EQ(blocked_mean(two).value, 2);
    EXPECT_DOUBLE_EQ(blocked_mean(two).error, 1);
    EXPECT_FALSE(blocked_mean(two).plateau);
}

TEST(BlockedMean, OfAConstant) {
    const Estimate e = blocked_mean(std::vector<double>(100, 0.1));
    EXPECT_DOUBLE_EQ(e.value, 0.1);
    EXPECT_EQ(e.error, 0);
    EXPECT_TRUE(e.plateau);
}

TEST(BlockedMean, ErrorOfCorrelatedSeries) {
    // Averaged over many series the error must be right; and the true mean (zero) must lie within the errors.
    for (const double phi : {-0.5, 0.0, 0.5, 0.9}) {
        constexpr int series = 100;
        constexpr std::size_t length = 10000;
        const double expected = std::sqrt((1 + phi) / (1 - phi) / static_cast<double>(length));
        double error = 0;
        double pull = 0;
        for (int k = 0; k < series; ++k) {
            const Estimate e = blocked_mean(autoregressive(length, phi, static_cast<std::uint64_t>(k)));
            EXPECT_TRUE(e.plateau);
            error += e.error / series;
            pull += e.value / e.error * (e.value / e.error) / series;
        }
        EXPECT_NEAR(error / expected, 1, 0.07) << "phi = " << phi;
        EXPECT_NEAR(pull, 1, 0.5) << "phi = " << phi;
    }
}

TEST(BlockedMean, SaysWhenTheSeriesIsTooShort) {
    // Forty samples of a series correlated over a thousand: no block length is long enough.
    const Estimate e = blocked_mean(autoregressive(40, 0.999, 1));
    EXPECT_FALSE(e.plateau);
    EXPECT_GT(e.block, 1);
}

TEST(BlockedSeries, DeviationOfASample) {
    BlockedSeries series;
    EXPECT_EQ(series.deviation(), 0);
    series.add(1);
    EXPECT_EQ(series.deviation(), 0);
    series.add(4);
    series.add(7);
    EXPECT_DOUBLE_EQ(series.deviation(), 3);
}

TEST(BlockedSeries, GoesOnExactlyAfterSaving) {
    const std::vector<double> series = autoregressive(777, 0.7, 4);
    BlockedSeries whole;
    BlockedSeries first;
    for (std::size_t i = 0; i < series.size(); ++i) {
        whole.add(series[i]);
        if (i < 333) {
            first.add(series[i]);
        }
    }
    State state;
    first.save(state);
    BlockedSeries second;
    StateReader reader(state);
    second.load(reader);
    reader.expect_end();
    for (std::size_t i = 333; i < series.size(); ++i) {
        second.add(series[i]);
    }
    EXPECT_EQ(second.estimate().value, whole.estimate().value);
    EXPECT_EQ(second.estimate().error, whole.estimate().error);
    EXPECT_EQ(second.samples(), 777);
}

TEST(BlockedSeries, RefusesDamagedState) {
    BlockedSeries series;
    for (const State& state : {State{}, State{5, 1}, State{-1}, State{std::nan("")}}) {
        StateReader reader(state);
        EXPECT_THROW(series.load(reader), base::RunError);
    }
}

TEST(FitLine, ThroughExactPoints) {
    const std::vector<double> x = {1, 2, 5, 9};
    std::vector<double> y;
    for (const double v : x) {
        y.push_back(3 - 0.5 * v);
    }
    const LineFit fit = fit_line(x, y);
    EXPECT_DOUBLE_EQ(fit.slope, -0.5);
    EXPECT_DOUBLE_EQ(fit.intercept, 3);
    EXPECT_NEAR(fit.slope_error, 0, 1e-15);
}

TEST(FitLine, ErrorsByHand) {
    // x = -1, 0, 1 and y = 0, 3, 0: slope 0, mean 1, squared residuals 1 + 4 + 1, one degree of freedom.
    const std::vector<double> x = {-1, 0, 1};
    const std::vector<double> y = {0, 3, 0};
    const LineFit fit = fit_line(x, y);
    EXPECT_DOUBLE_EQ(fit.slope, 0);
    EXPECT_DOUBLE_EQ(fit.intercept, 1);
    EXPECT_DOUBLE_EQ(fit.chi_square, 6);
    EXPECT_DOUBLE_EQ(fit.slope_error, std::sqrt(3.0));
    EXPECT_DOUBLE_EQ(fit.intercept_error, std::sqrt(2.0));
}

TEST(FitLine, WeighsByGivenErrors) {
    // A point without error pins the line; known errors give the fit's errors whatever the scatter.
    const std::vector<double> x = {0, 1, 2, 3};
    const std::vector<double> y = {0, 1, 2, 9};
    const std::vector<double> errors = {0.1, 0.1, 0.1, 1e6};
    const LineFit fit = fit_line(x, y, errors);
    EXPECT_NEAR(fit.slope, 1, 1e-9);
    EXPECT_NEAR(fit.slope_error, 0.1 / std::sqrt(2.0), 1e-9);
}

TEST(FitLine, PullsOfNoisyLinesAreNormal) {
    double pull = 0;
    constexpr int lines = 400;
    for (int k = 0; k < lines; ++k) {
        base::Random random(8, static_cast<std::uint64_t>(k));
        std::vector<double> x;
        std::vector<double> y;
        for (int i = 0; i < 50; ++i) {
            x.push_back(100 + i);
            y.push_back(2 + 0.3 * x.back() + 4 * normal(random));
        }
        const LineFit fit = fit_line(x, y);
        pull += (fit.slope - 0.3) / fit.slope_error * ((fit.slope - 0.3) / fit.slope_error) / lines;
    }
    EXPECT_NEAR(pull, 48.0 / 46.0, 0.3);  // variance of Student's t with 48 degrees of freedom
}

TEST(FitLine, WithoutSpreadInX) {
    const std::vector<double> x = {2, 2};
    const std::vector<double> y = {1, 3};
    EXPECT_EQ(fit_line(x, y).slope, 0);
    EXPECT_DOUBLE_EQ(fit_line(x, y).intercept, 2);
    EXPECT_EQ(fit_line({}, {}).points, 0);
}

}  // namespace
}  // namespace talus::analysis
