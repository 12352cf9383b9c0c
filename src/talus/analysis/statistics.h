// Means with honest errors: blocking for correlated series, and straight lines by least squares.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "talus/analysis/state.h"

namespace talus::analysis {

/// A mean with its statistical error (one standard deviation of the mean).
struct Estimate {
    double value = 0;
    double error = 0;
    std::int64_t samples = 0;
    std::int64_t block = 1;  // samples a block at which the error was read
    bool plateau = false;    // false: the series is too short for its correlation, and the error is a lower bound
};

/// A running mean by the blocking method (Flyvbjerg and Petersen 1989). Level k sees the means of blocks of 2^k
/// samples; the error of the mean grows with k until the blocks outlast the correlation. Memory grows with the
/// logarithm of the number of samples only.
///
/// The block length B is the smallest power of two with B^3 > 2 N s^2, where N is the number of samples and
/// s = (error at B / error at 1)^2 the statistical inefficiency: there the bias from blocks that are too short and the
/// noise from blocks that are too few balance. At least four blocks are asked for.
class BlockedSeries {
public:
    void add(double sample);
    Estimate estimate() const;
    /// Standard deviation of a single sample; 0 with fewer than two.
    double deviation() const;
    std::int64_t samples() const { return levels_.empty() ? 0 : levels_.front().count; }

    void save(State& state) const;
    void load(StateReader& reader);

private:
    struct Level {
        std::int64_t count = 0;  // of complete blocks
        double mean = 0;
        double squares = 0;  // sum of squared deviations from the mean (Welford)
        double pending = 0;  // a block that waits for its partner
        bool has_pending = false;

        double error() const;
    };
    std::vector<Level> levels_;
};

/// The mean of a whole series at once.
Estimate blocked_mean(std::span<const double> series);

/// y = intercept + slope x.
struct LineFit {
    double intercept = 0, slope = 0;
    double intercept_error = 0, slope_error = 0;
    double covariance = 0;  // of intercept and slope
    double chi_square = 0;  // weighted sum of squared residuals; without given errors, their plain sum
    std::int64_t points = 0;
};

/// Least squares. With `errors` (standard deviations of y, as many as points) the errors of the fit follow from them;
/// without, every point counts the same and the scatter about the line gives the errors (three points or more).
/// Fewer than two distinct x give a horizontal line through the mean.
LineFit fit_line(std::span<const double> x, std::span<const double> y, std::span<const double> errors = {});

}  // namespace talus::analysis
