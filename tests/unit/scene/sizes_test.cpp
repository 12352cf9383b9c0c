// Drawn radii against the exact distributions: mean values and the Kolmogorov-Smirnov distance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "talus/base/random.h"
#include "talus/scene/fill.h"
#include "talus/scene/fill_deviates.h"

namespace talus::scene {
namespace {

constexpr int draws = 40000;

std::vector<double> sample(const SizeDistribution& sizes, std::uint64_t seed = 7) {
    base::Random random(seed, 0);
    std::vector<double> radii;
    for (int i = 0; i < draws; ++i) {
        radii.push_back(draw_radius(sizes, random));
    }
    return radii;
}

double mean_of(const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) {
        sum += v;
    }
    return sum / static_cast<double>(x.size());
}

/// Largest distance between the sample's cumulative distribution and `cdf`, times sqrt(n): 1.95 is passed by chance
/// once in a thousand samples, and the seeds are fixed.
double kolmogorov(std::vector<double> x, const std::function<double(double)>& cdf) {
    std::sort(x.begin(), x.end());
    double worst = 0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double c = cdf(x[i]);
        worst =
            std::max({worst, std::abs(c - static_cast<double>(i) / n), std::abs(static_cast<double>(i + 1) / n - c)});
    }
    return worst * std::sqrt(n);
}

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

TEST(Sizes, FixedIsFixed) {
    base::Random random(1, 0);
    EXPECT_EQ(draw_radius(FixedSize{0.01}, random), 0.01);
    EXPECT_EQ(largest_radius(FixedSize{0.01}), 0.01);
    EXPECT_EQ(smallest_radius(FixedSize{0.01}), 0.01);
}

TEST(Sizes, Uniform) {
    const auto x = sample(UniformSize{0.5, 2});
    EXPECT_NEAR(mean_of(x), 1.25, 4 * 1.5 / std::sqrt(12.0 * draws));
    EXPECT_LT(kolmogorov(x, [](double r) { return (r - 0.5) / 1.5; }), 1.95);
}

TEST(Sizes, NormalCutByRedrawing) {
    const NormalSize s{1, 0.3, 0.6, 1.9};
    const auto x = sample(s);
    const double a = normal_cdf((0.6 - 1) / 0.3);
    const double b = normal_cdf((1.9 - 1) / 0.3);
    EXPECT_LT(kolmogorov(x, [&](double r) { return (normal_cdf((r - 1) / 0.3) - a) / (b - a); }), 1.95);
    // Mean of the cut normal: mu + sigma (phi(alpha) - phi(beta)) / (Phi(beta) - Phi(alpha)).
    const auto density = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); };
    const double mean = 1 + 0.3 * (density(-0.4 / 0.3) - density(3)) / (b - a);
    EXPECT_NEAR(mean_of(x), mean, 4 * 0.3 / std::sqrt(draws));
    EXPECT_GE(*std::min_element(x.begin(), x.end()), 0.6);
    EXPECT_LE(*std::max_element(x.begin(), x.end()), 1.9);
}

TEST(Sizes, CutsNotGivenAreThreeDeviations) {
    EXPECT_DOUBLE_EQ(largest_radius(NormalSize{1, 0.1, 0, 0}), 1.3);
    EXPECT_DOUBLE_EQ(smallest_radius(NormalSize{1, 0.1, 0, 0}), 0.7);
    EXPECT_DOUBLE_EQ(smallest_radius(NormalSize{1, 0.5, 0, 0}), 0.1);
    EXPECT_NEAR(largest_radius(LogNormalSize{2, 0.5, 0, 0}), 2 * std::exp(1.5), 1e-14);
    EXPECT_NEAR(smallest_radius(LogNormalSize{2, 0.5, 0, 0}), 2 * std::exp(-1.5), 1e-14);
    const auto x = sample(NormalSize{1, 0.1, 0, 0});
    EXPECT_LE(*std::max_element(x.begin(), x.end()), 1.3);
}

TEST(Sizes, LogNormal) {
    const LogNormalSize s{2, 0.4, 0.1, 40};
    const auto x = sample(s);
    EXPECT_LT(kolmogorov(x, [](double r) { return normal_cdf(std::log(r / 2) / 0.4); }), 1.95);
    const double mean = 2 * std::exp(0.08);
    EXPECT_NEAR(mean_of(x), mean, 4 * mean * std::sqrt(std::expm1(0.16) / draws));
}

TEST(Sizes, PowerLawOfEveryKindOfExponent) {
    for (const double exponent : {-60.0, -2.0, 0.0, 0.999999, 1.0, 1.000001, 2.5, 3.5, 90.0}) {
        const auto x = sample(PowerLawSize{0.2, 3, exponent});
        const double q = 1 - exponent;
        const auto cdf = [&](double r) {
            return q == 0 ? std::log(r / 0.2) / std::log(15.0)
                          : std::expm1(q * std::log(r / 0.2)) / std::expm1(q * std::log(15.0));
        };
        EXPECT_LT(kolmogorov(x, cdf), 1.95) << exponent;
        EXPECT_GE(*std::min_element(x.begin(), x.end()), 0.2);
        EXPECT_LE(*std::max_element(x.begin(), x.end()), 3);
    }
    // Mean of an r^-3.5 law.
    const auto x = sample(PowerLawSize{1, 10, 3.5});
    const double mean = (2.5 / 1.5) * (1 - std::pow(10, -1.5)) / (1 - std::pow(10, -2.5));
    EXPECT_NEAR(mean_of(x), mean, 0.03);
}

TEST(Sizes, TableByWeight) {
    const TableSize s{{3, 1, 2, 9}, {1, 2, 5, 0}};
    std::vector<int> seen(10);
    for (const double r : sample(s)) {
        ++seen[static_cast<std::size_t>(r)];
    }
    for (const auto& [r, share] : std::vector<std::pair<std::size_t, double>>{{1, 0.25}, {2, 0.625}, {3, 0.125}}) {
        EXPECT_NEAR(seen[r], draws * share, 4 * std::sqrt(draws * share * (1 - share)));
    }
    EXPECT_EQ(seen[9], 0);
    EXPECT_EQ(largest_radius(s), 3);  // a row of weight zero does not count
    EXPECT_EQ(smallest_radius(s), 1);
}

TEST(Sizes, SeedsGiveTheSameBitsOrOthers) {
    const PowerLawSize s{0.2, 3, 3.5};
    EXPECT_EQ(sample(s, 1), sample(s, 1));
    EXPECT_NE(sample(s, 1), sample(s, 2));
}

TEST(Sizes, KnownBitsOnEveryMachine) {
    base::Random random(42, 3);
    EXPECT_EQ(draw_radius(LogNormalSize{1, 0.5, 0, 0}, random), 0x1.80096c9c976c6p-1);
    EXPECT_EQ(draw_radius(PowerLawSize{1, 10, 3.5}, random), 0x1.2ab078963c4e6p+0);
    EXPECT_EQ(normal_deviate(random), -0x1.f70843a6d6a03p-1);
}

TEST(Sizes, HopelessCutsAreAnError) {
    base::Random random(1, 0);
    EXPECT_THROW(draw_radius(NormalSize{1, 0.01, 2, 3}, random), base::InputError);
}

TEST(Sizes, FaultsInWords) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<SizeDistribution> bad = {FixedSize{0},
                                               FixedSize{-1},
                                               FixedSize{nan},
                                               FixedSize{inf},
                                               UniformSize{2, 1},
                                               UniformSize{0, 1},
                                               UniformSize{1, inf},
                                               NormalSize{0, 1, 0, 0},
                                               NormalSize{1, -1, 0, 0},
                                               NormalSize{1, 1, 3, 2},
                                               NormalSize{1, 0.1, 2, 0},
                                               LogNormalSize{-1, 1, 0, 0},
                                               LogNormalSize{1, nan, 0, 0},
                                               LogNormalSize{1, 1, 5, 4},
                                               PowerLawSize{1, 2, nan},
                                               PowerLawSize{2, 1, 3},
                                               PowerLawSize{0, 1, 3},
                                               TableSize{},
                                               TableSize{{1, 2}, {1}},
                                               TableSize{{1, -2}, {1, 1}},
                                               TableSize{{1, 2}, {0, 0}},
                                               TableSize{{1, 2}, {1, -1}}};
    for (std::size_t i = 0; i < bad.size(); ++i) {
        EXPECT_NE(size_fault(bad[i]), "") << i;
    }
    const std::vector<SizeDistribution> good = {FixedSize{1},           UniformSize{1, 1},
                                                NormalSize{1, 0, 0, 0}, LogNormalSize{1, 0.5, 0, 0},
                                                PowerLawSize{1, 2, -3}, TableSize{{1, 2}, {0, 1}}};
    for (std::size_t i = 0; i < good.size(); ++i) {
        EXPECT_EQ(size_fault(good[i]), "") << i;
    }
}

TEST(Deviates, NormalMomentsAndShape) {
    base::Random random(11, 0);
    std::vector<double> z;
    double fourth = 0;
    for (int i = 0; i < draws; ++i) {
        z.push_back(normal_deviate(random));
        fourth += std::pow(z.back(), 4) / draws;
    }
    EXPECT_LT(kolmogorov(z, normal_cdf), 1.95);
    EXPECT_NEAR(fourth, 3, 4 * std::sqrt(96.0 / draws));
}

TEST(Deviates, RotationsAreUniformAndProper) {
    base::Random random(5, 0);
    std::vector<double> cosine;
    std::vector<double> trace_angle;
    for (int i = 0; i < draws; ++i) {
        const math::Mat3d m = random_rotation(random);
        const math::Mat3d one = m * math::transposed(m);
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                ASSERT_NEAR(one.row[r][c], r == c ? 1 : 0, 1e-14);
            }
        }
        ASSERT_NEAR(dot(m.row[0], cross(m.row[1], m.row[2])), 1, 1e-14);
        cosine.push_back(m.row[0].z);  // any entry of a uniform rotation is uniform in [-1, 1]
        trace_angle.push_back(std::acos(std::clamp((m.row[0].x + m.row[1].y + m.row[2].z - 1) / 2, -1.0, 1.0)));
    }
    EXPECT_LT(kolmogorov(cosine, [](double c) { return (c + 1) / 2; }), 1.95);
    // The angle of a uniform rotation has density (1 - cos) / pi.
    EXPECT_LT(kolmogorov(trace_angle, [](double a) { return (a - std::sin(a)) / std::numbers::pi; }), 1.95);
}

}  // namespace
}  // namespace talus::scene
