#include "talus/analysis/velocity_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "talus/analysis/kolmogorov.h"
#include "talus/analysis/report.h"
#include "talus/analysis/vector_sum.h"

namespace talus::analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Columns; the bins of the histogram follow them in a row, unseen.
constexpr std::size_t temperature_at = 1;
constexpr std::size_t a2_at = 2;
constexpr std::size_t ks_at = 4;
constexpr std::size_t column_count = 5;

std::vector<Column> parts() {
    return {{"speed", "m/s"}, {"temperature", "J"}, {"a2", ""}, {"kurtosis", ""}, {"ks", ""}};
}

double normal_below(double c) {
    return 0.5 * std::erfc(-c / std::numbers::sqrt2);
}

/// The grains that count at one instant.
struct Moving {
    std::vector<std::size_t> grains;
    Vec3d mean_velocity;     // m/s, weighted by mass
    double temperature = 0;  // J, <m v'^2>/d in d dimensions
    double speed = 0;        // m/s, mean
};

Moving moving_grains(const model::System& system, const model::Region& region) {
    const model::Bodies& bodies = system.bodies;
    Moving moving;
    ExactVectorSum momentum;
    base::ExactSum mass;
    base::ExactSum speeds;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.is_held(i) && region.contains(bodies.position[i])) {
            moving.grains.push_back(i);
            momentum += bodies.velocity[i] * bodies.mass[i];
            mass += bodies.mass[i];
            speeds += math::norm(bodies.velocity[i]);
        }
    }
    if (moving.grains.empty()) {
        return moving;
    }
    const auto n = static_cast<double>(moving.grains.size());
    moving.mean_velocity = momentum.value() / mass.value();
    moving.speed = speeds.value() / n;
    base::ExactSum energy;
    for (const std::size_t i : moving.grains) {
        energy += bodies.mass[i] * math::norm2(bodies.velocity[i] - moving.mean_velocity);
    }
    moving.temperature = energy.value() / (system.domain.dimensions * n);
    return moving;
}

}  // namespace

VelocityDistribution::VelocityDistribution(const model::MeasureSpec& spec)
    : AveragedMeasure(spec, parts(), static_cast<std::size_t>(spec.histogram.bins)) {}

std::vector<double> VelocityDistribution::row(const Snapshot& snapshot) {
    const model::Bodies& bodies = snapshot.system.bodies;
    const Moving moving = moving_grains(snapshot.system, spec().region);
    const auto bins = static_cast<std::size_t>(spec().histogram.bins);
    std::vector<double> values(column_count + bins, nan);
    const auto n = static_cast<double>(moving.grains.size());
    if (n > 0) {
        values[0] = moving.speed;
    }
    if (n < 2) {
        return values;
    }
    // The mean was taken from the same grains.
    values[1] = moving.temperature * n / (n - 1);
    if (!(moving.temperature > 0)) {
        return values;
    }
    std::fill(values.begin() + column_count, values.end(), 0.0);
    const int dimensions = snapshot.system.domain.dimensions;
    std::vector<double> components;
    components.reserve(3 * moving.grains.size());
    base::ExactSum fourth_of_speed;
    base::ExactSum fourth_of_component;
    for (const std::size_t i : moving.grains) {
        const Vec3d c = (bodies.velocity[i] - moving.mean_velocity) * std::sqrt(bodies.mass[i] / moving.temperature);
        fourth_of_speed += math::norm2(c) * math::norm2(c);
        for (int k = 0; k < dimensions; ++k) {
            components.push_back(c[k]);
            fourth_of_component += c[k] * c[k] * c[k] * c[k];
            const double bin = std::floor((c[k] + spec().histogram.reach) / bin_width());
            if (bin >= 0 && bin < static_cast<double>(bins)) {
                values[column_count + static_cast<std::size_t>(bin)] += 1 / (dimensions * n * bin_width());
            }
        }
    }
    values[2] = fourth_of_speed.value() / (dimensions * (dimensions + 2) * n) - 1;
    values[3] = fourth_of_component.value() / (dimensions * n) - 3;
    std::sort(components.begin(), components.end());
    for (double& c : components) {
        c = normal_below(c);
    }
    values[4] = kolmogorov_probability(kolmogorov_distance(components), components.size());
    return values;
}

std::vector<Table> VelocityDistribution::tables() const {
    Table table;
    table.name = name();
    table.columns = {{"middle", ""},  {"low", ""},           {"high", ""},   {"samples", ""},
                     {"density", ""}, {"density_error", ""}, {"maxwell", ""}};
    for (int k = 0; k < spec().histogram.bins; ++k) {
        const double low = bin_low(k);
        const double high = bin_low(k + 1);
        const Estimate e = average(column_count + static_cast<std::size_t>(k)).estimate();
        table.rows.push_back({0.5 * (low + high), low, high, static_cast<double>(e.samples),
                              e.samples > 0 ? e.value : nan, e.samples > 1 ? e.error : nan,
                              (normal_below(high) - normal_below(low)) / bin_width()});
    }
    return {table};
}

std::string VelocityDistribution::text() const {
    const Estimate temperature = average(temperature_at).estimate();
    const Estimate a2 = average(a2_at).estimate();
    if (temperature.samples == 0) {
        return name() + ": nothing to measure";
    }
    std::string line = fmt::format("{}: temperature {}", name(), with_error(temperature.value, temperature.error, "J"));
    if (a2.samples > 0) {
        line += fmt::format(", a2 {}, K-S against Maxwell {:.2f} ± {:.2f}", with_error(a2.value, a2.error, ""),
                            average(ks_at).estimate().value, average(ks_at).deviation());
    }
    return line + fmt::format(" ({} samples)", temperature.samples);
}

}  // namespace talus::analysis
