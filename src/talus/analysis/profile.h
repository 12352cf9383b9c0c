// Motion, packing and stress in the cells of a grid, averaged over time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "talus/analysis/grid.h"
#include "talus/analysis/measure.h"
#include "talus/analysis/virial_window.h"

namespace talus::analysis {

/// Motion and stress belong to the cell of a grain's centre; packing takes the part of each ball in each cell. An
/// instant without grains in a cell leaves the averages of its motion alone, and counts with zero packing and stress;
/// the temperature waits for instants with two grains.
class Profile final : public Measure {
public:
    Profile(const model::MeasureSpec& spec, const model::Domain& domain);

    std::vector<Column> columns() const override { return {}; }
    std::vector<SummaryValue> summary() const override;
    /// One row a cell.
    std::vector<Table> tables() const override;
    std::string text() const override;

private:
    std::vector<double> take(const Snapshot& snapshot) override;
    void save_state(State& state) const override;
    void load_state(StateReader& reader) override;

    std::unique_ptr<Grid> grid_;
    VirialWindow window_;
    std::vector<BlockedSeries> averages_;  // quantities of cell 0, of cell 1, ...
};

}  // namespace talus::analysis
