// Measures that are a row of numbers at each instant and the averages of those over time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "talus/analysis/measure.h"

namespace talus::analysis {

/// Each column is averaged over time with its error by blocking; an instant at which it has no value (NaN: no grain in
/// the region) is left out of its average, and so are all before the time `after` of the spec.
class AveragedMeasure : public Measure {
public:
    std::vector<Column> columns() const override { return columns_; }
    std::vector<SummaryValue> summary() const override;
    std::string text() const override;

protected:
    /// `hidden` numbers of a row are averaged like columns without being any.
    AveragedMeasure(const model::MeasureSpec& spec, const std::vector<Column>& parts, std::size_t hidden = 0);

    /// The columns at this instant, then the hidden numbers.
    virtual std::vector<double> row(const Snapshot& snapshot) = 0;
    /// How many of the first columns the line for people shows.
    virtual std::size_t headline_columns() const { return columns_.size(); }

    /// Other columns, without any sample: for measures whose columns are part of their state.
    void set_parts(const std::vector<Column>& parts);
    const BlockedSeries& average(std::size_t k) const { return averages_[k]; }

    std::vector<double> take(const Snapshot& snapshot) final;
    void save_state(State& state) const override;
    void load_state(StateReader& reader) override;

private:
    std::vector<Column> columns_;
    std::vector<BlockedSeries> averages_;
};

/// Coordination, packing, height, centre of mass, stress or energies.
std::unique_ptr<Measure> make_averaged_measure(const model::MeasureSpec& spec, const model::System& system);

}  // namespace talus::analysis
