// Velocities of grains against Maxwell's distribution, averaged over time.
#pragma once

#include <string>
#include <vector>

#include "talus/analysis/averaged_measures.h"

namespace talus::analysis {

/// Velocities are taken against the mean velocity (weighted by mass) and in units of each grain's thermal speed
/// sqrt(T/m), with T = <m v'^2>/3 at that instant: in equilibrium every component of every grain, whatever its mass, is
/// then a standard normal number. All three components enter one histogram. Held grains do not count.
class VelocityDistribution final : public AveragedMeasure {
public:
    explicit VelocityDistribution(const model::MeasureSpec& spec);

    /// One row a bin.
    std::vector<Table> tables() const override;
    std::string text() const override;

private:
    std::vector<double> row(const Snapshot& snapshot) override;
    double bin_width() const { return 2 * spec().histogram.reach / spec().histogram.bins; }
    /// Where bin k begins, in thermal speeds.
    double bin_low(int k) const { return bin_width() * k - spec().histogram.reach; }
};

}  // namespace talus::analysis
