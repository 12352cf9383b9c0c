// The one interface of all measures: sampled during a run, summed up at its end, saved and loaded exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "talus/analysis/snapshot.h"
#include "talus/analysis/state.h"
#include "talus/analysis/statistics.h"
#include "talus/model/plan.h"

namespace talus::analysis {

struct Column {
    std::string name;  // "discharge.mass"
    std::string unit;  // "kg"; empty for pure numbers
};

/// One result at the end of a run.
struct SummaryValue {
    std::string name;  // "discharge.rate"
    std::string unit;
    double value = 0;
    std::optional<double> error;  // statistical, one standard deviation; absent for plain counts and settings
    std::int64_t samples = 0;     // behind an average
};

/// A table for a file of its own.
struct Table {
    std::string name;  // "profile"
    std::vector<Column> columns;
    std::vector<std::vector<double>> rows;

    /// Header `name [unit],...`, then rows with all digits; cells without a value are empty.
    std::string csv() const;
};

class Measure {
public:
    virtual ~Measure() = default;
    Measure(const Measure&) = delete;
    Measure& operator=(const Measure&) = delete;

    const model::MeasureSpec& spec() const { return spec_; }
    const std::string& name() const { return spec_.name; }

    /// Samples if this instant is due: after `start`, in the wanted stage, once an interval, never twice at one time. A
    /// measure without an interval takes the instants of the time series.
    bool offer(const Snapshot& snapshot, std::string_view stage, bool of_series = true);
    /// Samples now.
    void sample(const Snapshot& snapshot);

    /// Columns of the time series, and their values at the last sample (NaN before the first and where there are none).
    virtual std::vector<Column> columns() const = 0;
    const std::vector<double>& values() const { return values_; }

    virtual std::vector<SummaryValue> summary() const = 0;
    virtual std::vector<Table> tables() const { return {}; }
    /// One line for people.
    virtual std::string text() const = 0;

    /// Everything needed to go on, for a checkpoint; `load` takes what `save` gave of a measure of the same spec.
    State save() const;
    void load(std::span<const double> state);

protected:
    Measure(const model::MeasureSpec& spec, std::size_t column_count);

    /// Takes one sample and returns the values of the columns.
    virtual std::vector<double> take(const Snapshot& snapshot) = 0;
    virtual void save_state(State& state) const = 0;
    virtual void load_state(StateReader& reader) = 0;

    Column column(std::string_view part, std::string_view unit) const;

private:
    model::MeasureSpec spec_;
    std::vector<double> values_;
    double last_time_ = 0;   // s, of the last sample
    double last_slot_ = -1;  // number of the interval in which it was taken
    bool sampled_ = false;
};

/// "discharge", "coordination", ...
std::string_view kind_name(model::MeasureKind kind);

/// Throws base::InputError if the measure cannot be made (a packing without a finite region, say).
std::unique_ptr<Measure> make_measure(const model::MeasureSpec& spec, const model::System& system);

}  // namespace talus::analysis
