#include "talus/analysis/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace talus::analysis {

namespace {
constexpr std::int64_t least_blocks = 4;
}

double BlockedSeries::Level::error() const {
    const auto n = static_cast<double>(count);
    return count < 2 ? 0 : std::sqrt(squares / (n * (n - 1)));
}

void BlockedSeries::add(double sample) {
    for (std::size_t k = 0;; ++k) {
        if (k == levels_.size()) {
            levels_.emplace_back();
        }
        Level& level = levels_[k];
        ++level.count;
        const double step = sample - level.mean;
        level.mean += step / static_cast<double>(level.count);
        level.squares += step * (sample - level.mean);
        if (!level.has_pending) {
            level.pending = sample;
            level.has_pending = true;
            return;
        }
        level.has_pending = false;
        sample = 0.5 * (level.pending + sample);
    }
}

Estimate BlockedSeries::estimate() const {
    Estimate result;
    if (levels_.empty()) {
        return result;
    }
    result.value = levels_.front().mean;
    result.samples = levels_.front().count;
    const double plain = levels_.front().error();
    result.error = plain;
    if (plain == 0) {  // one sample, or a constant series
        result.plateau = result.samples >= least_blocks;
        return result;
    }
    const auto samples = static_cast<double>(result.samples);
    for (std::size_t k = 0; k < levels_.size() && levels_[k].count >= least_blocks; ++k) {
        const double error = levels_[k].error();
        const double inefficiency = (error / plain) * (error / plain);
        const double block = std::ldexp(1.0, static_cast<int>(k));
        if (block * block * block > 2 * samples * inefficiency * inefficiency) {
            result.error = error;
            result.block = std::int64_t{1} << k;
            result.plateau = true;
            return result;
        }
        if (error > result.error) {  // no plateau so far: the largest error seen is the least wrong
            result.error = error;
            result.block = std::int64_t{1} << k;
        }
    }
    return result;
}

double BlockedSeries::deviation() const {
    return samples() < 2 ? 0 : std::sqrt(levels_.front().squares / static_cast<double>(samples() - 1));
}

void BlockedSeries::save(State& state) const {
    write(state, static_cast<std::int64_t>(levels_.size()));
    for (const Level& level : levels_) {
        write(state, level.count);
        write(state, level.mean);
        write(state, level.squares);
        write(state, level.pending);
        write(state, level.has_pending ? 1.0 : 0.0);
    }
}

void BlockedSeries::load(StateReader& reader) {
    levels_.assign(reader.length(), {});
    for (Level& level : levels_) {
        level.count = reader.count();
        level.mean = reader.number();
        level.squares = reader.number();
        level.pending = reader.number();
        level.has_pending = reader.number() != 0;
    }
}

Estimate blocked_mean(std::span<const double> series) {
    BlockedSeries blocked;
    for (const double sample : series) {
        blocked.add(sample);
    }
    return blocked.estimate();
}

LineFit fit_line(std::span<const double> x, std::span<const double> y, std::span<const double> errors) {
    assert(x.size() == y.size() && (errors.empty() || errors.size() == x.size()));
    const auto weight = [&errors](std::size_t i) { return errors.empty() ? 1.0 : 1.0 / (errors[i] * errors[i]); };
    double weights = 0;
    double x_mean = 0;
    double y_mean = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        weights += weight(i);
        x_mean += weight(i) * x[i];
        y_mean += weight(i) * y[i];
    }
    LineFit fit;
    fit.points = static_cast<std::int64_t>(x.size());
    if (weights == 0) {
        return fit;
    }
    x_mean /= weights;
    y_mean /= weights;
    // Sums about the means do not cancel.
    double xx = 0;
    double xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += weight(i) * (x[i] - x_mean) * (x[i] - x_mean);
        xy += weight(i) * (x[i] - x_mean) * (y[i] - y_mean);
    }
    fit.slope = xx > 0 ? xy / xx : 0;
    fit.intercept = y_mean - fit.slope * x_mean;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double residual = y[i] - y_mean - fit.slope * (x[i] - x_mean);
        fit.chi_square += weight(i) * residual * residual;
    }
    const auto n = static_cast<double>(x.size());
    double variance = 1;  // of a point of weight one
    if (errors.empty()) {
        variance = n > 2 ? fit.chi_square / (n - 2) : 0;
    }
    const double slope_variance = xx > 0 ? variance / xx : 0;
    fit.slope_error = std::sqrt(slope_variance);
    fit.intercept_error = std::sqrt(variance / weights + slope_variance * x_mean * x_mean);
    fit.covariance = -slope_variance * x_mean;
    return fit;
}

}  // namespace talus::analysis
