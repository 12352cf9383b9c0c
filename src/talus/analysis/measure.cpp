#include "talus/analysis/measure.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "talus/analysis/averaged_measures.h"
#include "talus/analysis/discharge.h"
#include "talus/analysis/displacement.h"
#include "talus/analysis/profile.h"
#include "talus/analysis/radial_profile.h"

namespace talus::analysis {

std::string Table::csv() const {
    std::string out;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        out += (k > 0 ? "," : "") + columns[k].name;
        if (!columns[k].unit.empty()) {
            out += " [" + columns[k].unit + "]";
        }
    }
    out += "\n";
    for (const std::vector<double>& row : rows) {
        for (std::size_t k = 0; k < row.size(); ++k) {
            out += k > 0 ? "," : "";
            out += std::isnan(row[k]) ? "" : fmt::format("{}", row[k]);
        }
        out += "\n";
    }
    return out;
}

Measure::Measure(const model::MeasureSpec& spec, std::size_t column_count)
    : spec_(spec), values_(column_count, std::numeric_limits<double>::quiet_NaN()) {
    if (spec_.name.empty()) {
        spec_.name = kind_name(spec.kind);
    }
}

bool Measure::offer(const Snapshot& snapshot, std::string_view stage, bool of_series) {
    if ((!spec_.stage.empty() && spec_.stage != stage) || (spec_.interval == 0 && !of_series)) {
        return false;
    }
    const double since = snapshot.time - spec_.start;
    // A sample a hair early by rounding of the clock still belongs to its interval.
    constexpr double hair = 1e-9;
    const double slot = spec_.interval > 0 ? std::floor(since / spec_.interval + hair) : 0;
    if (since < -hair * spec_.interval || (sampled_ && snapshot.time <= last_time_) ||
        (spec_.interval > 0 && sampled_ && slot <= last_slot_)) {
        return false;
    }
    sample(snapshot);
    last_slot_ = slot;
    return true;
}

void Measure::sample(const Snapshot& snapshot) {
    values_ = take(snapshot);
    last_time_ = snapshot.time;
    sampled_ = true;
}

State Measure::save() const {
    State state;
    write(state, sampled_ ? 1.0 : 0.0);
    write(state, last_time_);
    write(state, last_slot_);
    write(state, values_);
    save_state(state);
    return state;
}

void Measure::load(std::span<const double> state) {
    StateReader reader(state);
    sampled_ = reader.number() != 0;
    last_time_ = reader.number();
    last_slot_ = reader.number();
    values_ = reader.numbers();
    load_state(reader);
    reader.expect_end();
}

Column Measure::column(std::string_view part, std::string_view unit) const {
    return {spec_.name + "." + std::string(part), std::string(unit)};
}

std::string_view kind_name(model::MeasureKind kind) {
    switch (kind) {
        case model::MeasureKind::discharge:
            return "discharge";
        case model::MeasureKind::coordination:
            return "coordination";
        case model::MeasureKind::packing:
            return "packing";
        case model::MeasureKind::height:
            return "height";
        case model::MeasureKind::center_of_mass:
            return "center_of_mass";
        case model::MeasureKind::stress:
            return "stress";
        case model::MeasureKind::profile:
            return "profile";
        case model::MeasureKind::energies:
            return "energies";
        case model::MeasureKind::scale_heights:
            return "scale_heights";
        case model::MeasureKind::surface_slope:
            return "surface_slope";
        case model::MeasureKind::velocity_distribution:
            return "velocity_distribution";
        case model::MeasureKind::displacement:
            return "displacement";
        case model::MeasureKind::radial:
            return "radial";
    }
    return "";
}

std::unique_ptr<Measure> make_measure(const model::MeasureSpec& spec, const model::System& system) {
    switch (spec.kind) {
        case model::MeasureKind::discharge:
            return std::make_unique<Discharge>(spec);
        case model::MeasureKind::profile:
            return std::make_unique<Profile>(spec, system.domain);
        case model::MeasureKind::displacement:
            return std::make_unique<Displacement>(spec, system.domain.dimensions);
        case model::MeasureKind::radial:
            return std::make_unique<RadialProfile>(spec, system.domain);
        default:
            return make_averaged_measure(spec, system);
    }
}

}  // namespace talus::analysis
