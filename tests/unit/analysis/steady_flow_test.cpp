// Synthetic discharges whose steady rate is known: ramps at both ends, Poisson noise, no steady part at all.
#include "talus/analysis/steady_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "talus/base/random.h"

namespace talus::analysis {
namespace {

struct Series {
    std::vector<double> times, mass;
};

/// The exact integral of a rate that rises over [1, 1 + up], stays at `rate` until `until` and falls over `down`.
Series trapezium(double rate, double up, double until, double down, double end, double interval) {
    Series s;
    for (int k = 0; k * interval <= end + 1e-9; ++k) {
        const double t = k * interval;
        const double rise = std::clamp(t - 1, 0.0, up);
        const double flat = std::clamp(t - 1 - up, 0.0, until - 1 - up);
        const double fall = std::clamp(t - until, 0.0, down);
        s.times.push_back(t);
        s.mass.push_back(rate * (rise * rise / (2 * up) + flat + fall - fall * fall / (2 * down)));
    }
    return s;
}

/// Grains of `grain` kg that pass at independent instants with the rate of `smooth`.
Series poisson(const Series& smooth, double grain, std::uint64_t stream) {
    base::Random random(3, stream);
    Series s{smooth.times, {}};
    std::vector<double> passed;  // in units of smooth mass
    double at = 0;
    while (at < smooth.mass.back()) {
        at += -std::log(1 - random.uniform()) * grain;
        passed.push_back(at);
    }
    for (const double m : smooth.mass) {
        const auto count = std::upper_bound(passed.begin(), passed.end(), m) - passed.begin();
        s.mass.push_back(grain * static_cast<double>(count));
    }
    return s;
}

TEST(SteadyFlow, FindsThePlateauBetweenRamps) {
    const Series s = trapezium(13.57, 0.5, 6, 1.5, 10, 0.01);
    const SteadyFlow flow = find_steady_flow(s.times, s.mass);
    ASSERT_TRUE(flow.found);
    EXPECT_NEAR(flow.rate.value, 13.57, 0.01 * 13.57);
    EXPECT_GT(flow.begin, 1.2);
    EXPECT_LT(flow.begin, 1.9);
    EXPECT_GT(flow.end, 5.7);
    EXPECT_LT(flow.end, 6.4);
    EXPECT_LT(std::abs(flow.drift), 0.02);
}

TEST(SteadyFlow, PureRateIsExact) {
    Series s;
    for (int k = 0; k <= 200; ++k) {
        s.times.push_back(0.05 * k);
        s.mass.push_back(2.5 * s.times.back());
    }
    const SteadyFlow flow = find_steady_flow(s.times, s.mass);
    ASSERT_TRUE(flow.found);
    EXPECT_NEAR(flow.rate.value, 2.5, 1e-12);
    EXPECT_LT(flow.rate.error, 1e-12);
    EXPECT_GT(flow.duration(), 9.8);
}

TEST(SteadyFlow, PoissonErrorsAreRight) {
    // Rate 10 kg/s of grains of 4.19 g over five seconds: the error of a Poisson count is known.
    const Series smooth = trapezium(10, 0.4, 6, 1, 9, 0.01);
    constexpr int runs = 100;
    double pull = 0;
    double ratio = 0;
    int found = 0;
    for (int k = 0; k < runs; ++k) {
        const Series s = poisson(smooth, 4.19e-3, static_cast<std::uint64_t>(k));
        const SteadyFlow flow = find_steady_flow(s.times, s.mass);
        if (!flow.found) {
            continue;
        }
        ++found;
        const double expected = std::sqrt(4.19e-3 * 10 / flow.duration());
        ratio += flow.rate.error / expected / runs;
        pull += std::pow((flow.rate.value - 10) / expected, 2) / runs;
        EXPECT_GT(flow.duration(), 2.0);
    }
    EXPECT_EQ(found, runs);
    EXPECT_NEAR(ratio, 1, 0.1);
    EXPECT_LT(pull, 1.8);
}

TEST(SteadyFlow, RegularArrivalsHaveASmallerError) {
    // Grains that pass in turn, one every 0.4 ms: far less noise than Poisson's, and the blocking sees it.
    Series s;
    for (int k = 0; k <= 500; ++k) {
        s.times.push_back(0.01 * k);
        s.mass.push_back(4e-3 * std::floor(s.times.back() / 0.43e-3));
    }
    const SteadyFlow flow = find_steady_flow(s.times, s.mass);
    ASSERT_TRUE(flow.found);
    EXPECT_NEAR(flow.rate.value, 4e-3 / 0.43e-3, 0.01);
    EXPECT_LT(flow.rate.error, 0.2 * std::sqrt(4e-3 * flow.rate.value / flow.duration()));
}

TEST(SteadyFlow, IgnoresALongTrickleAndALongWait) {
    // 2 s of waiting, 3 s of flow, then 60 s of a trickle a thousand times slower.
    Series s;
    for (int k = 0; k <= 6500; ++k) {
        const double t = 0.01 * k;
        s.times.push_back(t);
        s.mass.push_back(8 * std::clamp(t - 2, 0.0, 3.0) + 0.008 * std::max(0.0, t - 5));
    }
    const SteadyFlow flow = find_steady_flow(s.times, s.mass);
    ASSERT_TRUE(flow.found);
    EXPECT_NEAR(flow.rate.value, 8, 0.1);
    EXPECT_NEAR(flow.begin, 2, 0.1);
}

TEST(SteadyFlow, StopsAtAJam) {
    // Flow, a jam of one second, flow again: the steady part must not bridge the jam.
    Series s;
    for (int k = 0; k <= 1000; ++k) {
        const double t = 0.01 * k;
        s.times.push_back(t);
        s.mass.push_back(5 * (std::min(t, 6.0) + std::max(0.0, t - 7)));
    }
    const SteadyFlow flow = find_steady_flow(s.times, s.mass);
    ASSERT_TRUE(flow.found);
    EXPECT_NEAR(flow.rate.value, 5, 0.05);
    EXPECT_LT(flow.end, 6.3);
    EXPECT_GT(flow.end, 5.7);
}

TEST(SteadyFlow, SaysWhenThereIsNone) {
    // A rate that falls all the time (as the frictionless Sim. 18 of SSDEM): exponential decay.
    Series s;
    for (int k = 0; k <= 500; ++k) {
        s.times.push_back(0.01 * k);
        s.mass.push_back(20 * (1 - std::exp(-s.times.back())));
    }
    const SteadyFlow flow = find_steady_flow(s.times, s.mass);
    EXPECT_FALSE(flow.found);
    // Between a quarter and three quarters of the mass: half of it over the time that takes.
    const double total = s.mass.back();
    const double t1 = -std::log(1 - 0.25 * total / 20);
    const double t3 = -std::log(1 - 0.75 * total / 20);
    EXPECT_NEAR(flow.rate.value, 0.5 * total / (t3 - t1), 0.3);
}

TEST(SteadyFlow, WithTooLittleData) {
    EXPECT_FALSE(find_steady_flow({}, {}).found);
    const std::vector<double> t = {0, 1, 2};
    const std::vector<double> none = {0, 0, 0};
    EXPECT_FALSE(find_steady_flow(t, none).found);
    EXPECT_EQ(find_steady_flow(t, none).rate.value, 0);
    const std::vector<double> some = {0, 1, 2};
    EXPECT_FALSE(find_steady_flow(t, some).found);
    EXPECT_NEAR(find_steady_flow(t, some).rate.value, 1, 1e-12);
}

}  // namespace
}  // namespace talus::analysis
