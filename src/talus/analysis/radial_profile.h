// What turns about an axis, ring by ring: angular velocity as grains have it and as they move, packing, stress.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "talus/analysis/grid.h"
#include "talus/analysis/measure.h"
#include "talus/analysis/virial_window.h"

namespace talus::analysis {

/// Motion and stress belong to the ring of a grain's centre, packing takes the part of each grain in each ring. Where
/// grains have moved is told from the last sample to this one: between two samples a grain must turn by less than half
/// a round.
class RadialProfile final : public Measure {
public:
    RadialProfile(const model::MeasureSpec& spec, const model::Domain& domain);

    std::vector<Column> columns() const override;
    std::vector<SummaryValue> summary() const override;
    /// One row a ring.
    std::vector<Table> tables() const override;
    std::string text() const override;

private:
    struct Ring;
    struct Place {
        std::int64_t id = 0;
        double angle = 0;  // rad
    };

    std::vector<double> take(const Snapshot& snapshot) override;
    void save_state(State& state) const override;
    void load_state(StateReader& reader) override;

    std::unique_ptr<Grid> grid_;
    int dimensions_;
    Vec3d center_, axis_, side_, ahead_;   // side and ahead span the plane across the axis
    std::vector<BlockedSeries> averages_;  // quantities of ring 0, of ring 1, ...
    BlockedSeries proxy_, pressure_;
    VirialWindow window_;
    std::vector<Place> places_;  // at the last sample, by id
    double last_time_ = 0;       // s
};

}  // namespace talus::analysis
