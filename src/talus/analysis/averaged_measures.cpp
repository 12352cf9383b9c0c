#include "talus/analysis/averaged_measures.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "talus/analysis/bulk.h"
#include "talus/analysis/coordination.h"
#include "talus/analysis/region_volume.h"
#include "talus/analysis/report.h"
#include "talus/analysis/scale_heights.h"
#include "talus/analysis/stress.h"
#include "talus/analysis/surface_slope.h"
#include "talus/analysis/velocity_distribution.h"
#include "talus/analysis/virial_window.h"
#include "talus/base/diagnostics.h"

namespace talus::analysis {

AveragedMeasure::AveragedMeasure(const model::MeasureSpec& spec, const std::vector<Column>& parts, std::size_t hidden)
    : Measure(spec, parts.size()) {
    set_parts(parts);
    averages_.resize(parts.size() + hidden);
}

void AveragedMeasure::set_parts(const std::vector<Column>& parts) {
    columns_.clear();
    for (const Column& part : parts) {
        columns_.push_back(column(part.name, part.unit));
    }
    averages_.assign(parts.size(), {});
}

std::vector<double> AveragedMeasure::take(const Snapshot& snapshot) {
    std::vector<double> now = row(snapshot);
    constexpr double hair = 1e-9;  // the clock may round
    const bool counts = snapshot.time >= spec().after * (1 - hair);
    for (std::size_t k = 0; k < now.size() && counts; ++k) {
        if (!std::isnan(now[k])) {
            averages_[k].add(now[k]);
        }
    }
    now.resize(columns_.size());
    return now;
}

std::vector<SummaryValue> AveragedMeasure::summary() const {
    std::vector<SummaryValue> list;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const Estimate e = averages_[k].estimate();
        const double value = e.samples > 0 ? e.value : std::numeric_limits<double>::quiet_NaN();
        list.push_back({columns_[k].name, columns_[k].unit, value, e.error, e.samples});
    }
    return list;
}

std::string AveragedMeasure::text() const {
    const std::vector<SummaryValue> list = summary();
    std::string line = name() + ": ";
    if (list.empty() || list.front().samples == 0) {
        return line + "nothing to measure";
    }
    for (std::size_t k = 0; k < headline_columns() && k < list.size(); ++k) {
        const std::string part = list[k].name.substr(name().size() + 1);
        line += (k > 0 ? ", " : "") + part + " " + with_error(list[k].value, list[k].error, list[k].unit);
    }
    return line + fmt::format(" ({} samples)", list.front().samples);
}

void AveragedMeasure::save_state(State& state) const {
    for (const BlockedSeries& average : averages_) {
        average.save(state);
    }
}

void AveragedMeasure::load_state(StateReader& reader) {
    for (BlockedSeries& average : averages_) {
        average.load(reader);
    }
}

namespace {

class CoordinationMeasure final : public AveragedMeasure {
public:
    explicit CoordinationMeasure(const model::MeasureSpec& spec)
        : AveragedMeasure(spec, {{"mean", ""},
                                 {"without_rattlers", ""},
                                 {"with_grains", ""},
                                 {"with_walls", ""},
                                 {"rattlers", ""},
                                 {"grains", ""}}) {}

private:
    std::vector<double> row(const Snapshot& s) override {
        const Coordination c = coordination(s.system, s.contacts, spec().region);
        return {c.mean, c.without_rattlers, c.with_grains, c.with_walls, c.rattlers, static_cast<double>(c.grains)};
    }
    std::size_t headline_columns() const override { return 2; }
};

class PackingMeasure final : public AveragedMeasure {
public:
    PackingMeasure(const model::MeasureSpec& spec, const model::Domain& domain)
        : AveragedMeasure(spec, {{"fraction", ""}}), region_(spec.region, domain) {
        if (!region_.bounded() || !(region_.volume() > 0)) {
            throw base::InputError("measure \"" + name() +
                                   "\": a packing needs a region of finite size, or a domain with bounds");
        }
    }

private:
    std::vector<double> row(const Snapshot& s) override { return {packing(s.system, region_)}; }

    RegionVolume region_;
};

class HeightMeasure final : public AveragedMeasure {
public:
    explicit HeightMeasure(const model::MeasureSpec& spec)
        : AveragedMeasure(spec, {{"p99", "m"}, {"max", "m"}}), axis_(math::normalized(spec.axis)) {}

private:
    std::vector<double> row(const Snapshot& s) override {
        const Height h = height(s.system, axis_, spec().region);
        return {h.most, h.highest};
    }

    Vec3d axis_;
};

class CenterOfMassMeasure final : public AveragedMeasure {
public:
    explicit CenterOfMassMeasure(const model::MeasureSpec& spec)
        : AveragedMeasure(spec, {{"x", "m"}, {"y", "m"}, {"z", "m"}}) {}

private:
    std::vector<double> row(const Snapshot& s) override {
        const Vec3d c = center_of_mass(s.system, spec().region);
        return {c.x, c.y, c.z};
    }
};

std::vector<Column> stress_columns() {
    std::vector<Column> columns = {{"pressure", "Pa"}, {"kinetic_pressure", "Pa"}};
    for (const char* prefix : {"", "kinetic_"}) {
        for (const char* component : tensor_names) {
            columns.push_back({std::string(prefix) + component, "Pa"});
        }
    }
    return columns;
}

class StressMeasure final : public AveragedMeasure {
public:
    StressMeasure(const model::MeasureSpec& spec, const model::Domain& domain)
        : AveragedMeasure(spec, stress_columns()), volume_(RegionVolume(spec.region, domain).volume()) {}

private:
    std::vector<double> row(const Snapshot& s) override {
        const std::optional<std::vector<Tensor6>> virial = window_.take(s);
        if (!virial) {
            return std::vector<double>(columns().size(), std::numeric_limits<double>::quiet_NaN());
        }
        const int dimensions = s.system.domain.dimensions;
        StressSum sum(dimensions);
        for (std::size_t i = 0; i < virial->size(); ++i) {
            if (spec().region.contains(s.system.bodies.position[i])) {
                sum.add(s.system.bodies, i, (*virial)[i]);
            }
        }
        const bool finite = volume_ < std::numeric_limits<double>::infinity();
        if (sum.empty() && !finite) {
            return std::vector<double>(columns().size(), std::numeric_limits<double>::quiet_NaN());
        }
        const double volume = finite ? volume_ : sum.solid_volume();
        const Tensor6 contact = sum.contact(volume);
        const Tensor6 kinetic = sum.kinetic(volume);
        std::vector<double> values = {pressure(contact, dimensions), pressure(kinetic, dimensions)};
        values.insert(values.end(), contact.begin(), contact.end());
        values.insert(values.end(), kinetic.begin(), kinetic.end());
        return values;
    }
    std::size_t headline_columns() const override { return 2; }
    void save_state(State& state) const override {
        AveragedMeasure::save_state(state);
        window_.save(state);
    }
    void load_state(StateReader& reader) override {
        AveragedMeasure::load_state(reader);
        window_.load(reader);
    }

    double volume_;  // m3; infinite: the grains' own volume is taken
    VirialWindow window_;
};

std::vector<Column> energy_columns() {
    std::vector<Column> columns = {{"kinetic", "J"},       {"translational", "J"},     {"rotational", "J"},
                                   {"stored_normal", "J"}, {"stored_tangential", "J"}, {"potential", "J"}};
    for (const char* mechanism : model::mechanism_names) {
        columns.push_back({std::string("dissipated_") + mechanism, "J"});
    }
    for (const char* rest : {"gravity_work", "wall_work", "held_work", "removed", "injected"}) {
        columns.push_back({rest, "J"});
    }
    return columns;
}

class EnergiesMeasure final : public AveragedMeasure {
public:
    explicit EnergiesMeasure(const model::MeasureSpec& spec) : AveragedMeasure(spec, energy_columns()) {}

private:
    std::vector<double> row(const Snapshot& s) override {
        const Energies e = measure_energies(s.system);
        std::vector<double> values = {e.kinetic(),     e.translational,     e.rotational,
                                      e.stored.normal, e.stored.tangential, e.potential};
        values.insert(values.end(), e.dissipated.begin(), e.dissipated.end());
        values.insert(values.end(), {e.gravity_work, e.wall_work, e.held_work, e.removed, e.injected});
        return values;
    }
    std::size_t headline_columns() const override { return 3; }
};

}  // namespace

std::unique_ptr<Measure> make_averaged_measure(const model::MeasureSpec& spec, const model::System& system) {
    switch (spec.kind) {
        case model::MeasureKind::coordination:
            return std::make_unique<CoordinationMeasure>(spec);
        case model::MeasureKind::packing:
            return std::make_unique<PackingMeasure>(spec, system.domain);
        case model::MeasureKind::height:
            return std::make_unique<HeightMeasure>(spec);
        case model::MeasureKind::center_of_mass:
            return std::make_unique<CenterOfMassMeasure>(spec);
        case model::MeasureKind::stress:
            return std::make_unique<StressMeasure>(spec, system.domain);
        case model::MeasureKind::energies:
            return std::make_unique<EnergiesMeasure>(spec);
        case model::MeasureKind::scale_heights:
            return std::make_unique<ScaleHeights>(spec, system);
        case model::MeasureKind::surface_slope:
            return std::make_unique<SurfaceSlope>(spec);
        case model::MeasureKind::velocity_distribution:
            return std::make_unique<VelocityDistribution>(spec);
        case model::MeasureKind::discharge:
        case model::MeasureKind::profile:
        case model::MeasureKind::displacement:
        case model::MeasureKind::radial:
            break;
    }
    throw base::InputError("measure \"" + spec.name + "\" is not an average of a row of numbers");
}

}  // namespace talus::analysis
