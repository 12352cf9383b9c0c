#include "talus/analysis/kolmogorov.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace talus::analysis {

namespace {

/// Kolmogorov's limit law: the probability of a scaled distance beyond x. Each of its two series converges fast on one
/// side of x = 1.
double beyond(double x) {
    constexpr int terms = 8;
    double sum = 0;
    if (x < 1) {
        for (int j = 1; j <= terms; ++j) {
            const double odd = (2 * j - 1) * std::numbers::pi / x;
            sum += std::exp(-odd * odd / 8);
        }
        return x > 0 ? 1 - std::sqrt(2 * std::numbers::pi) / x * sum : 1;
    }
    for (int j = 1; j <= terms; ++j) {
        sum += (j % 2 == 1 ? 2 : -2) * std::exp(-2.0 * j * j * x * x);
    }
    return sum;
}

}  // namespace

double kolmogorov_distance(std::span<const double> expected) {
    assert(!expected.empty());
    const auto n = static_cast<double>(expected.size());
    double distance = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto below = static_cast<double>(i);
        distance = std::max({distance, (below + 1) / n - expected[i], expected[i] - below / n});
    }
    return distance;
}

double kolmogorov_probability(double distance, std::size_t samples) {
    const double root = std::sqrt(static_cast<double>(samples));
    return std::clamp(beyond((root + 0.12 + 0.11 / root) * distance), 0.0, 1.0);
}

}  // namespace talus::analysis
