#include "talus/analysis/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "talus/analysis/stress.h"
#include "talus/base/diagnostics.h"
#include "talus/base/exact_sum.h"

namespace talus::analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Quantity {
    const char* name;
    const char* unit;
};
constexpr std::array<Quantity, 14> quantities = {{{"grains", ""},
                                                  {"packing", ""},
                                                  {"speed", "m/s"},
                                                  {"velocity_x", "m/s"},
                                                  {"velocity_y", "m/s"},
                                                  {"velocity_z", "m/s"},
                                                  {"pressure", "Pa"},
                                                  {"kinetic_pressure", "Pa"},
                                                  {"stress_xx", "Pa"},
                                                  {"stress_yy", "Pa"},
                                                  {"stress_zz", "Pa"},
                                                  {"stress_yz", "Pa"},
                                                  {"stress_xz", "Pa"},
                                                  {"stress_xy", "Pa"}}};

/// One bin at one instant.
struct Bin {
    int grains = 0;
    base::ExactSum solid;  // m3
    double speeds = 0;     // m/s, summed
    StressSum stress;

    std::array<double, quantities.size()> values(double volume) const {
        const bool finite = volume < std::numeric_limits<double>::infinity();
        const double v = finite ? volume : stress.solid_volume();
        const Vec3d velocity = grains > 0 ? stress.mean_velocity() : Vec3d{nan, nan, nan};
        const bool stressed = v > 0;
        const Tensor6 s = stressed ? stress.contact(v) : Tensor6{nan, nan, nan, nan, nan, nan};
        return {static_cast<double>(grains),
                finite && volume > 0 ? solid.value() / volume : nan,
                grains > 0 ? speeds / grains : nan,
                velocity.x,
                velocity.y,
                velocity.z,
                pressure(s),
                stressed ? pressure(stress.kinetic(v)) : nan,
                s[0],
                s[1],
                s[2],
                s[3],
                s[4],
                s[5]};
    }
};

}  // namespace

Profile::Profile(const model::MeasureSpec& spec, const model::Domain& domain)
    : Measure(spec, 0), axis_(math::normalized(spec.axis)), width_((spec.high - spec.low) / spec.bins) {
    if (spec.bins < 1 || !(spec.high > spec.low)) {
        throw base::InputError("measure \"" + name() + "\": a profile needs at least one bin, and low below high");
    }
    for (int k = 0; k < spec.bins; ++k) {
        model::Region slice = spec.region;
        slice.parts.emplace_back(model::HalfSpace{axis_, spec.low + k * width_});
        slice.parts.emplace_back(model::HalfSpace{-axis_, -(spec.low + (k + 1) * width_)});
        slices_.emplace_back(slice, domain);
    }
    averages_.resize(slices_.size() * quantities.size());
}

int Profile::bin_of(double along) const {
    const double at = std::floor((along - spec().low) / width_);
    return static_cast<int>(std::clamp(at, -1.0, static_cast<double>(spec().bins)));
}

std::vector<double> Profile::take(const Snapshot& snapshot) {
    const model::System& system = snapshot.system;
    const model::Bodies& bodies = system.bodies;
    const std::vector<Tensor6> virial = grain_virial(system, snapshot.contacts);
    std::vector<Bin> bins(slices_.size());
    // A ball may reach into bins at the far side of a periodic border: then every bin is asked.
    const bool everywhere = system.domain.any_periodic();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3d& x = bodies.position[i];
        const double r = bodies.radius[i];
        const double along = math::dot(axis_, x);
        const int first = everywhere ? 0 : std::max(0, bin_of(along - r));
        const int last = everywhere ? spec().bins - 1 : std::min(spec().bins - 1, bin_of(along + r));
        for (int k = first; k <= last; ++k) {
            bins[static_cast<std::size_t>(k)].solid += slices_[static_cast<std::size_t>(k)].ball_inside(x, r);
        }
        const int own = bin_of(along);
        if (own >= 0 && own < spec().bins && spec().region.contains(x)) {
            Bin& bin = bins[static_cast<std::size_t>(own)];
            ++bin.grains;
            bin.speeds += math::norm(bodies.velocity[i]);
            bin.stress.add(bodies, i, virial[i]);
        }
    }
    for (std::size_t k = 0; k < bins.size(); ++k) {
        const auto values = bins[k].values(slices_[k].volume());
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            if (!std::isnan(values[q])) {
                averages_[k * quantities.size() + q].add(values[q]);
            }
        }
    }
    return {};
}

std::vector<SummaryValue> Profile::summary() const {
    const Column bins = column("bins", "");
    const Column samples = column("samples", "");
    return {{bins.name, bins.unit, static_cast<double>(spec().bins), {}, 0},
            {samples.name, samples.unit, static_cast<double>(averages_.front().samples()), {}, 0}};
}

std::vector<Table> Profile::tables() const {
    Table table;
    table.name = name();
    table.columns = {{"middle", "m"}, {"low", "m"}, {"high", "m"}, {"samples", ""}};
    for (const Quantity& q : quantities) {
        table.columns.push_back({q.name, q.unit});
        table.columns.push_back({std::string(q.name) + "_error", q.unit});
    }
    // Speeds are known only at instants with grains in the bin; their own number of samples says at how many.
    table.columns.push_back({"speed_samples", ""});
    for (std::size_t k = 0; k < slices_.size(); ++k) {
        const double low = spec().low + static_cast<double>(k) * width_;
        const BlockedSeries* bin = &averages_[k * quantities.size()];
        std::vector<double> row = {low + 0.5 * width_, low, low + width_, static_cast<double>(bin[0].samples())};
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            const Estimate e = bin[q].estimate();
            row.push_back(e.samples > 0 ? e.value : nan);
            row.push_back(e.samples > 1 ? e.error : nan);
        }
        row.push_back(static_cast<double>(bin[2].samples()));
        table.rows.push_back(std::move(row));
    }
    return {table};
}

std::string Profile::text() const {
    return fmt::format("{}: {} bins, averaged over {} samples", name(), spec().bins, averages_.front().samples());
}

void Profile::save_state(State& state) const {
    for (const BlockedSeries& average : averages_) {
        average.save(state);
    }
}

void Profile::load_state(StateReader& reader) {
    for (BlockedSeries& average : averages_) {
        average.load(reader);
    }
}

}  // namespace talus::analysis
