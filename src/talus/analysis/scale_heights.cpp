#include "talus/analysis/scale_heights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "talus/analysis/kolmogorov.h"
#include "talus/analysis/report.h"
#include "talus/base/diagnostics.h"
#include "talus/base/exact_sum.h"

namespace talus::analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_classes = 20;
// Columns: kT, then these for each class.
constexpr std::size_t class_columns = 4;
constexpr std::size_t height_at = 0;
constexpr std::size_t expected_at = 1;
constexpr std::size_t ks_at = 2;

std::size_t column_of(std::size_t mass_class, std::size_t part) {
    return 1 + mass_class * class_columns + part;
}

/// Against 1 - exp(-z/h), made one at the largest height seen (HSDEM Sect. 3.1). `heights` ascend.
double exponential_probability(const std::vector<double>& heights, double h) {
    if (heights.size() < 2 || !(h > 0) || !(heights.back() > 0)) {
        return nan;
    }
    const double whole = -std::expm1(-heights.back() / h);
    std::vector<double> expected;
    expected.reserve(heights.size());
    for (const double z : heights) {
        expected.push_back(z > 0 ? -std::expm1(-z / h) / whole : 0);
    }
    return kolmogorov_probability(kolmogorov_distance(expected), expected.size());
}

MassClasses few_classes(const model::MeasureSpec& spec, const model::System& system) {
    MassClasses classes = mass_classes(system);
    if (classes.list.size() > most_classes) {
        throw base::InputError(
            fmt::format("measure \"{}\": scale heights are told by mass, and the grains have {} "
                        "masses; {} at most",
                        spec.name.empty() ? kind_name(spec.kind) : spec.name, classes.list.size(), most_classes));
    }
    return classes;
}

std::vector<Column> parts(const MassClasses& classes) {
    std::vector<Column> columns = {{"kT", "J"}};
    for (std::size_t k = 0; k < classes.list.size(); ++k) {
        const std::string prefix = classes.label(k) + ".";
        columns.push_back({prefix + "height", "m"});
        columns.push_back({prefix + "expected", "m"});
        columns.push_back({prefix + "ks", ""});
        columns.push_back({prefix + "ks_expected", ""});
    }
    return columns;
}

}  // namespace

bool MassClass::holds(std::int32_t other_material, double other_mass) const {
    constexpr double rounding = 1e-9;
    return material == other_material && std::abs(other_mass - mass) <= rounding * mass;
}

std::string MassClasses::label(std::size_t k) const {
    const std::int32_t material = list[k].material;
    const auto at = static_cast<std::size_t>(material);
    const std::string base = at < materials.size() ? materials[at] : "grains";
    int number = 1;
    int masses = 0;
    for (std::size_t other = 0; other < list.size(); ++other) {
        masses += list[other].material == material ? 1 : 0;
        number += other < k && list[other].material == material ? 1 : 0;
    }
    return masses > 1 ? fmt::format("{}_{}", base, number) : base;
}

MassClasses mass_classes(const model::System& system) {
    const model::Bodies& bodies = system.bodies;
    std::vector<std::pair<std::int32_t, double>> grains;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.is_held(i)) {
            grains.emplace_back(bodies.material[i], bodies.mass[i]);
        }
    }
    std::sort(grains.begin(), grains.end());
    MassClasses classes;
    for (const auto& [material, mass] : grains) {
        if (classes.list.empty() || !classes.list.back().holds(material, mass)) {
            classes.list.push_back({material, mass});
        }
    }
    for (const model::Material& material : system.materials.list) {
        classes.materials.push_back(material.name);
    }
    return classes;
}

ScaleHeights::ScaleHeights(const model::MeasureSpec& spec, const model::System& system)
    : ScaleHeights(spec, few_classes(spec, system)) {}

ScaleHeights::ScaleHeights(const model::MeasureSpec& spec, MassClasses classes)
    : AveragedMeasure(spec, parts(classes)), classes_(std::move(classes)) {}

std::vector<double> ScaleHeights::row(const Snapshot& snapshot) {
    const model::Bodies& bodies = snapshot.system.bodies;
    const double g = -math::dot(snapshot.system.gravity, spec().axis);
    std::vector<std::vector<double>> heights(classes_.list.size());
    base::ExactSum energy;
    std::size_t grains = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.is_held(i)) {
            continue;
        }
        const double z = math::dot(spec().axis, bodies.position[i]) - bodies.radius[i] - spec().offset;
        energy += bodies.mass[i] * (0.5 * math::norm2(bodies.velocity[i]) + g * z);
        ++grains;
        for (std::size_t k = 0; k < classes_.list.size(); ++k) {
            if (classes_.list[k].holds(bodies.material[i], bodies.mass[i])) {
                heights[k].push_back(z);
                break;
            }
        }
    }
    std::vector<double> values(columns().size(), nan);
    // kT/2 for each direction of motion and kT for the height: 5/2 kT in all, 2 kT in the plane.
    const double share = snapshot.system.domain.planar() ? 0.5 : 0.4;
    const double kt = grains > 0 && g > 0 ? share * energy.value() / static_cast<double>(grains) : nan;
    values[0] = kt;
    for (std::size_t k = 0; k < classes_.list.size(); ++k) {
        if (heights[k].empty()) {
            continue;
        }
        base::ExactSum sum;
        for (const double z : heights[k]) {
            sum += z;
        }
        std::sort(heights[k].begin(), heights[k].end());
        const double mean = sum.value() / static_cast<double>(heights[k].size());
        const double expected = kt / (classes_.list[k].mass * g);
        double* out = &values[column_of(k, 0)];
        out[0] = mean;
        out[1] = expected;
        out[2] = exponential_probability(heights[k], mean);
        out[3] = exponential_probability(heights[k], expected);
    }
    return values;
}

std::vector<SummaryValue> ScaleHeights::summary() const {
    std::vector<SummaryValue> list = AveragedMeasure::summary();
    for (std::size_t k = 0; k < classes_.list.size(); ++k) {
        const std::string prefix = classes_.label(k) + ".";
        const Estimate height = average(column_of(k, height_at)).estimate();
        const BlockedSeries& ks = average(column_of(k, ks_at));
        const double expected = average(column_of(k, expected_at)).estimate().value;
        const bool known = height.samples > 0 && expected > 0;
        const auto add = [&](const char* part, const char* unit, double value, std::optional<double> error,
                             std::int64_t samples) {
            const Column c = column(prefix + part, unit);
            list.push_back({c.name, c.unit, value, error, samples});
        };
        add("mass", "kg", classes_.list[k].mass, {}, 0);
        add("ratio", "", known ? height.value / expected : nan, known ? height.error / expected : nan, height.samples);
        add("ks_deviation", "", ks.samples() > 1 ? ks.deviation() : nan, {}, ks.samples());
    }
    return list;
}

std::string ScaleHeights::text() const {
    std::string line = name() + ":";
    std::int64_t samples = 0;
    for (std::size_t k = 0; k < classes_.list.size(); ++k) {
        const Estimate height = average(column_of(k, height_at)).estimate();
        const double expected = average(column_of(k, expected_at)).estimate().value;
        const BlockedSeries& ks = average(column_of(k, ks_at));
        if (height.samples == 0 || !(expected > 0)) {
            continue;
        }
        line += fmt::format("{} {} ({:.4g} kg) {}, expected {:.4g} (ratio {:.3f}), K-S {:.2f} ± {:.2f}",
                            samples > 0 ? ";" : "", classes_.label(k), classes_.list[k].mass,
                            with_error(height.value, height.error, "m"), expected, height.value / expected,
                            ks.estimate().value, ks.deviation());
        samples = std::max(samples, height.samples);
    }
    return samples > 0 ? line + fmt::format(" ({} samples)", samples) : line + " nothing to measure";
}

void ScaleHeights::save_state(State& state) const {
    write(state, static_cast<std::int64_t>(classes_.list.size()));
    for (const MassClass& c : classes_.list) {
        write(state, static_cast<std::int64_t>(c.material));
        write(state, c.mass);
    }
    AveragedMeasure::save_state(state);
}

void ScaleHeights::load_state(StateReader& reader) {
    // Those of the start: by now all grains of a class may have left.
    classes_.list.assign(reader.length(), {});
    for (MassClass& c : classes_.list) {
        c.material = static_cast<std::int32_t>(reader.count());
        c.mass = reader.number();
    }
    set_parts(parts(classes_));
    AveragedMeasure::load_state(reader);
}

}  // namespace talus::analysis
