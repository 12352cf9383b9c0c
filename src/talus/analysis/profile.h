// Speed, packing and stress in bins along an axis, averaged over time.
#pragma once

#include <vector>

#include "talus/analysis/measure.h"
#include "talus/analysis/region_volume.h"

namespace talus::analysis {

/// Bins divide [low, high] along the axis into equal slices of the region. Motion and stress belong to the bin of a
/// grain's centre; packing takes the part of each ball in each bin. A bin without grains leaves the motion's averages
/// alone, and counts with zero packing and stress.
class Profile final : public Measure {
public:
    Profile(const model::MeasureSpec& spec, const model::Domain& domain);

    std::vector<Column> columns() const override { return {}; }
    std::vector<SummaryValue> summary() const override;
    std::vector<Table> tables() const override;
    std::string text() const override;

private:
    std::vector<double> take(const Snapshot& snapshot) override;
    void save_state(State& state) const override;
    void load_state(StateReader& reader) override;

    int bin_of(double along) const;

    Vec3d axis_;
    double width_;                         // m, of a bin
    std::vector<RegionVolume> slices_;     // the region within each bin
    std::vector<BlockedSeries> averages_;  // quantities of bin 0, of bin 1, ...
};

}  // namespace talus::analysis
