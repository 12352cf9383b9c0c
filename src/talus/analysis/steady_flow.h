// The steady part of a discharge: found between start-up and run-out, and fitted.
#pragma once

#include <span>

#include "talus/analysis/statistics.h"

namespace talus::analysis {

struct SteadyOptions {
    int blocks = 40;              // the flow is cut into at most so many blocks of equal duration
    double tolerance = 0.02;      // of the rate; a departure smaller than this is steady however well it is resolved
    double significance = 3;      // standard deviations beyond which the rate at an end departs from the rest
    double least_fraction = 0.2;  // of the mass; a part through which less passed is not called steady
};

struct SteadyFlow {
    bool found = false;
    double begin = 0, end = 0;  // s
    /// kg/s; if no steady part was found, over the middle half of the mass.
    Estimate rate;
    double drift = 0;  // of the rate from begin to end, by a straight line through the block rates, relative
    double drift_error = 0;
    double duration() const { return end - begin; }
};

/// `mass` (kg) has passed by each of the ascending `times` (s).
///
/// The flow (the shortest stretch with nine tenths of the mass and a quarter of its length on either side) is cut into
/// blocks with one rate each. An interval of blocks is steady when
/// (1) no block departs from the interval's mean by more than 1.5 times `significance` deviations,
/// (2) at either end the mean of the first 1, 2, 4, ... blocks agrees with the mean of the rest, and
/// (3) the slope of a straight line through the rates is zero within two of its errors,
/// each with `tolerance` as the least allowance. The noise of a block comes from second differences, which a trend does
/// not inflate. Among the steady intervals the one through which most mass passed is taken. Its rate is mass over time,
/// and the rate's error is found by blocking, since counts of successive samples are correlated.
SteadyFlow find_steady_flow(std::span<const double> times, std::span<const double> mass,
                            const SteadyOptions& options = {});

/// The mean rate of any cumulative series between two instants, its error found by blocking.
Estimate mean_rate(std::span<const double> times, std::span<const double> total, double begin, double end);

}  // namespace talus::analysis
