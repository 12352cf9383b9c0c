#include "talus/analysis/steady_flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace talus::analysis {

namespace {

constexpr std::size_t least_blocks = 5;

double mass_at(std::span<const double> times, std::span<const double> mass, double t) {
    const auto after = std::upper_bound(times.begin(), times.end(), t);
    if (after == times.begin()) {
        return mass.front();
    }
    if (after == times.end()) {
        return mass.back();
    }
    const auto i = static_cast<std::size_t>(after - times.begin());
    return mass[i - 1] + (mass[i] - mass[i - 1]) * ((t - times[i - 1]) / (times[i] - times[i - 1]));
}

/// Rates in `count` equal parts of [begin, end]; mass between samples is interpolated, so no mass is lost.
std::vector<double> block_rates(std::span<const double> times, std::span<const double> mass, double begin, double end,
                                std::size_t count) {
    std::vector<double> rates(count);
    const double width = (end - begin) / static_cast<double>(count);
    double before = mass_at(times, mass, begin);
    for (std::size_t k = 0; k < count; ++k) {
        const double after = mass_at(times, mass, begin + width * static_cast<double>(k + 1));
        rates[k] = (after - before) / width;
        before = after;
    }
    return rates;
}

/// Standard deviation of a block from second differences, which neither a trend nor a ramp inflates, without the
/// largest fifth of them (the corners of the curve).
double block_noise(const std::vector<double>& rates) {
    std::vector<double> sorted = rates;
    std::sort(sorted.begin(), sorted.end());
    const double flowing = 0.5 * sorted[sorted.size() / 2];
    std::vector<double> differences;
    for (std::size_t k = 1; k + 1 < rates.size(); ++k) {
        if (std::min({rates[k - 1], rates[k], rates[k + 1]}) > flowing) {
            differences.push_back(std::abs(rates[k - 1] - 2 * rates[k] + rates[k + 1]));
        }
    }
    if (differences.empty()) {
        return 0;
    }
    std::sort(differences.begin(), differences.end());
    const std::size_t kept = std::max<std::size_t>(1, differences.size() * 4 / 5);
    double sum = 0;
    for (std::size_t k = 0; k < kept; ++k) {
        sum += differences[k];
    }
    // For normal deviates: the mean of the lowest four fifths of |z|, times the deviation sqrt(6) of the difference.
    constexpr double trimmed_mean = 0.5586 * 2.4495;
    return sum / static_cast<double>(kept) / trimmed_mean;
}

/// The shortest stretch of samples in which nine tenths of the mass pass, widened by a quarter on either side: a long
/// wait before the flow or a long trickle after it must not make the blocks coarse.
struct Stretch {
    std::size_t first = 0, last = 0;
};
Stretch main_flow(std::span<const double> times, std::span<const double> mass) {
    const double wanted = 0.9 * (mass.back() - mass.front());
    Stretch best{0, mass.size() - 1};
    std::size_t first = 0;
    for (std::size_t last = 1; last < mass.size(); ++last) {
        while (mass[last] - mass[first + 1] >= wanted) {
            ++first;
        }
        if (mass[last] - mass[first] >= wanted && times[last] - times[first] < times[best.last] - times[best.first]) {
            best = {first, last};
        }
    }
    const double margin = 0.25 * (times[best.last] - times[best.first]);
    const double from = times[best.first] - margin;
    const double to = times[best.last] + margin;
    while (best.first > 0 && times[best.first - 1] >= from && mass[best.first] > mass.front()) {
        --best.first;
    }
    while (best.last + 1 < mass.size() && times[best.last + 1] <= to && mass[best.last] < mass.back()) {
        ++best.last;
    }
    return best;
}

class SteadyTest {
public:
    SteadyTest(const std::vector<double>& rates, const SteadyOptions& options)
        : rates_(rates), options_(options), noise_(block_noise(rates)), sums_(rates.size() + 1, 0.0) {
        for (std::size_t k = 0; k < rates.size(); ++k) {
            sums_[k + 1] = sums_[k] + rates[k];
        }
    }

    double sum(std::size_t from, std::size_t to) const { return sums_[to] - sums_[from]; }

    bool steady(std::size_t from, std::size_t to) const {
        const double mean = average(from, to);
        const double least = options_.tolerance * mean;
        if (!(mean > 0)) {
            return false;
        }
        for (std::size_t k = from; k < to; ++k) {
            if (std::abs(rates_[k] - mean) > std::max(1.5 * options_.significance * noise_, least)) {
                return false;
            }
        }
        for (std::size_t m = 1; 2 * m <= to - from; m *= 2) {
            const auto part = static_cast<double>(m);
            const auto rest = static_cast<double>(to - from - m);
            const double deviation = noise_ * std::sqrt(1 / part + 1 / rest);
            const double allowed = std::max(options_.significance * deviation, least);
            if (std::abs(average(from, from + m) - average(from + m, to)) > allowed ||
                std::abs(average(to - m, to) - average(from, to - m)) > allowed) {
                return false;
            }
        }
        return drift_is_small(from, to, least);
    }

private:
    double average(std::size_t from, std::size_t to) const { return sum(from, to) / static_cast<double>(to - from); }

    bool drift_is_small(std::size_t from, std::size_t to, double least) const {
        // With x = -(n-1)/2 ... (n-1)/2, the sum of x^2 is n (n^2 - 1) / 12.
        const auto n = static_cast<double>(to - from);
        const double xx = n * (n * n - 1) / 12;
        double xy = 0;
        for (std::size_t k = from; k < to; ++k) {
            xy += (static_cast<double>(k - from) - (n - 1) / 2) * rates_[k];
        }
        return std::abs(xy / xx * n) <= std::max(2 * noise_ / std::sqrt(xx) * n, least);
    }

    const std::vector<double>& rates_;
    const SteadyOptions& options_;
    double noise_;
    std::vector<double> sums_;
};

/// The relative change of the rate over the interval, by a straight line through the rates of up to twenty blocks.
void fit_drift(std::span<const double> times, std::span<const double> mass, SteadyFlow& flow) {
    const auto blocks = static_cast<std::size_t>(std::clamp<std::int64_t>(flow.rate.samples, 1, 20));
    const std::vector<double> rates = block_rates(times, mass, flow.begin, flow.end, blocks);
    std::vector<double> middle(blocks);  // of each block, as a fraction of the interval
    for (std::size_t k = 0; k < blocks; ++k) {
        middle[k] = (static_cast<double>(k) + 0.5) / static_cast<double>(blocks);
    }
    const LineFit line = fit_line(middle, rates);
    if (flow.rate.value > 0) {
        flow.drift = line.slope / flow.rate.value;
        flow.drift_error = line.slope_error / flow.rate.value;
    }
}

}  // namespace

SteadyFlow find_steady_flow(std::span<const double> times, std::span<const double> mass, const SteadyOptions& options) {
    assert(times.size() == mass.size());
    SteadyFlow flow;
    if (times.size() < 2 || !(mass.back() > mass.front())) {
        return flow;
    }
    const double total = mass.back() - mass.front();
    const auto [first, last] = main_flow(times, mass);
    const double begin = times[first];
    const double end = times[last];
    const std::size_t blocks = std::min(static_cast<std::size_t>(options.blocks), last - first);
    const double width = (end - begin) / static_cast<double>(blocks);
    if (blocks >= least_blocks) {
        const std::vector<double> rates = block_rates(times, mass, begin, end, blocks);
        const SteadyTest test(rates, options);
        std::size_t best_from = 0;
        std::size_t best_to = 0;
        for (std::size_t from = 0; from + least_blocks <= blocks; ++from) {
            for (std::size_t to = from + least_blocks; to <= blocks; ++to) {
                const double passed = test.sum(from, to);
                if (passed * width >= options.least_fraction * total && passed > test.sum(best_from, best_to) &&
                    test.steady(from, to)) {
                    best_from = from;
                    best_to = to;
                }
            }
        }
        flow.found = best_to > best_from;
        flow.begin = begin + width * static_cast<double>(best_from);
        flow.end = begin + width * static_cast<double>(best_to);
    }
    if (!flow.found) {
        const auto passed = [&](double fraction) {  // first sample by which this fraction has passed
            const auto at = std::lower_bound(mass.begin(), mass.end(), mass.front() + fraction * total);
            return times[std::min(static_cast<std::size_t>(at - mass.begin()), mass.size() - 1)];
        };
        flow.begin = passed(0.25);
        flow.end = passed(0.75);
        if (!(flow.end > flow.begin)) {
            flow.begin = begin;
            flow.end = end;
        }
    }
    flow.rate = mean_rate(times, mass, flow.begin, flow.end);
    fit_drift(times, mass, flow);
    return flow;
}

Estimate mean_rate(std::span<const double> times, std::span<const double> total, double begin, double end) {
    const auto samples = std::count_if(times.begin(), times.end(), [=](double t) { return t > begin && t <= end; });
    if (!(end > begin) || samples == 0) {
        return {};
    }
    return blocked_mean(block_rates(times, total, begin, end, static_cast<std::size_t>(samples)));
}

}  // namespace talus::analysis
