// The angle of a free surface over time: the dynamic angle of repose in a drum, the flank of a heap (HSDEM Sect. 3.2).
#pragma once

#include <string>
#include <vector>

#include "talus/analysis/averaged_measures.h"

namespace talus::analysis {

class SurfaceSlope final : public AveragedMeasure {
public:
    explicit SurfaceSlope(const model::MeasureSpec& spec);

    /// The averages, and the standard deviation of the angle between samples.
    std::vector<SummaryValue> summary() const override;
    std::string text() const override;

private:
    std::vector<double> row(const Snapshot& snapshot) override;
};

}  // namespace talus::analysis
