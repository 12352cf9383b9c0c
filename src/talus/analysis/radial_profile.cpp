#include "talus/analysis/radial_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "talus/analysis/report.h"

namespace talus::analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Quantities of a ring, in the order in which they are averaged.
constexpr std::size_t quantity_count = 9;
const std::array<Column, quantity_count>& quantities() {
    static const std::array<Column, quantity_count> list = {{{"grains", ""},
                                                             {"packing", ""},
                                                             {"angular_velocity", "rad/s"},
                                                             {"angular_velocity_moved", "rad/s"},
                                                             {"spin", "rad/s"},
                                                             {"stress_rr", "Pa"},
                                                             {"stress_tt", "Pa"},
                                                             {"stress_rt", "Pa"},
                                                             {"proxy_stress", "N m"}}};
    return list;
}

/// rad, brought between minus and plus half a round.
double turned(double angle) {
    return angle - 2 * std::numbers::pi * std::rint(angle / (2 * std::numbers::pi));
}

}  // namespace

/// One ring at one instant.
struct RadialProfile::Ring {
    int grains = 0, moved = 0, stressed = 0;
    double solid = 0;       // m3
    double turning = 0;     // rad/s, summed
    double moved_rate = 0;  // rad/s, summed
    double spin = 0;        // rad/s, summed
    double proxy = 0;       // N m, summed
    Tensor6 virial{};       // N m, along outwards, ahead and the axis
};

RadialProfile::RadialProfile(const model::MeasureSpec& spec, const model::Domain& domain)
    : Measure(spec, 2),
      grid_(make_grid(spec.grid, {}, domain)),
      dimensions_(domain.dimensions),
      center_(spec.grid.origin),
      axis_(math::normalized(spec.grid.axis)) {
    side_ = grid_->basis(center_).row[0];
    ahead_ = grid_->basis(center_).row[1];
    averages_.resize(grid_->cells() * quantity_count);
}

std::vector<double> RadialProfile::take(const Snapshot& snapshot) {
    const model::Bodies& bodies = snapshot.system.bodies;
    const auto virial = window_.take(snapshot);
    const double span = snapshot.time - last_time_;
    std::vector<Ring> rings(grid_->cells());
    std::vector<Grid::Share> shares;
    std::vector<Place> places;
    places.reserve(bodies.size());
    double proxy_sum = 0;
    std::size_t known = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.is_held(i)) {
            continue;
        }
        const Vec3d arm = bodies.position[i] - center_;
        grid_->share_out(bodies.position[i], bodies.radius[i], shares);
        for (const Grid::Share& share : shares) {
            rings[share.cell].solid += share.volume;
        }
        const double angle = std::atan2(dot(arm, ahead_), dot(arm, side_));
        places.push_back({bodies.id[i], angle});
        double proxy = nan;
        if (virial) {
            const Tensor6& v = (*virial)[i];
            proxy = v[0] + v[1] + v[2];
            proxy_sum += proxy;
            ++known;
        }
        const std::optional<std::size_t> own = grid_->cell_of(bodies.position[i]);
        const math::Mat3d basis = grid_->basis(bodies.position[i]);
        const double distance = dot(arm, basis.row[0]);
        if (!own || distance == 0) {
            continue;
        }
        Ring& ring = rings[*own];
        ++ring.grains;
        ring.turning += dot(bodies.velocity[i], basis.row[1]) / distance;
        ring.spin += dot(bodies.spin[i], axis_);
        if (virial) {
            ring.virial = ring.virial + along(basis, (*virial)[i]);
            ring.proxy += proxy;
            ++ring.stressed;
        }
        const auto before = std::lower_bound(places_.begin(), places_.end(), bodies.id[i],
                                             [](const Place& p, std::int64_t id) { return p.id < id; });
        if (span > 0 && before != places_.end() && before->id == bodies.id[i]) {
            ring.moved_rate += turned(angle - before->angle) / span;
            ++ring.moved;
        }
    }
    places_ = std::move(places);
    last_time_ = snapshot.time;
    constexpr double hair = 1e-9;  // the clock may round
    const bool counts = snapshot.time >= spec().after * (1 - hair) && snapshot.time <= spec().until * (1 + hair);
    for (std::size_t k = 0; k < rings.size() && counts; ++k) {
        const Ring& ring = rings[k];
        const double v = grid_->volume(k);
        const std::array<double, quantity_count> values = {
            static_cast<double>(ring.grains),  ring.solid / v,
            ring.turning / ring.grains,        ring.moved_rate / ring.moved,
            ring.spin / ring.grains,           virial ? ring.virial[0] / v : nan,
            virial ? ring.virial[1] / v : nan, virial ? ring.virial[5] / v : nan,
            ring.proxy / ring.stressed};
        for (std::size_t q = 0; q < values.size(); ++q) {
            if (!std::isnan(values[q])) {
                averages_[k * quantity_count + q].add(values[q]);
            }
        }
    }
    const double proxy = known > 0 ? proxy_sum / static_cast<double>(known) : nan;
    double whole = 0;
    for (std::size_t k = 0; k < rings.size(); ++k) {
        whole += grid_->volume(k);
    }
    const double pressure = known > 0 ? proxy_sum / (dimensions_ * whole) : nan;
    if (counts && known > 0) {
        proxy_.add(proxy);
        pressure_.add(pressure);
    }
    return {proxy, pressure};
}

std::vector<Column> RadialProfile::columns() const {
    return {column("proxy_stress", "N m"), column("pressure", "Pa")};
}

std::vector<SummaryValue> RadialProfile::summary() const {
    const std::vector<Column> names = columns();
    const Estimate s = proxy_.estimate();
    const Estimate p = pressure_.estimate();
    return {{names[0].name, names[0].unit, s.samples > 0 ? s.value : nan, s.error, s.samples},
            {names[1].name, names[1].unit, p.samples > 0 ? p.value : nan, p.error, p.samples}};
}

std::vector<Table> RadialProfile::tables() const {
    Table table;
    table.name = name();
    table.columns = {{"r", "m"}, {"low", "m"}, {"high", "m"}, {"samples", ""}};
    for (const Column& q : quantities()) {
        table.columns.push_back(q);
        table.columns.push_back({q.name + "_error", q.unit});
    }
    for (int k = 0; k < spec().grid.along[0].bins; ++k) {
        const BlockedSeries* ring = &averages_[static_cast<std::size_t>(k) * quantity_count];
        const double low = grid_->edge(0, k);
        const double high = grid_->edge(0, k + 1);
        std::vector<double> row = {0.5 * (low + high), low, high, static_cast<double>(ring[0].samples())};
        for (std::size_t q = 0; q < quantity_count; ++q) {
            const Estimate e = ring[q].estimate();
            row.push_back(e.samples > 0 ? e.value : nan);
            row.push_back(e.samples > 1 ? e.error : nan);
        }
        table.rows.push_back(std::move(row));
    }
    return {table};
}

std::string RadialProfile::text() const {
    const std::vector<SummaryValue> list = summary();
    if (list[0].samples == 0) {
        return name() + ": nothing to measure";
    }
    return fmt::format("{}: {} rings, proxy stress {} a grain, pressure {} ({} samples)", name(),
                       spec().grid.along[0].bins, with_error(list[0].value, list[0].error, list[0].unit),
                       with_error(list[1].value, list[1].error, list[1].unit), list[0].samples);
}

void RadialProfile::save_state(State& state) const {
    for (const BlockedSeries& average : averages_) {
        average.save(state);
    }
    proxy_.save(state);
    pressure_.save(state);
    window_.save(state);
    write(state, last_time_);
    write(state, static_cast<std::int64_t>(places_.size()));
    for (const Place& place : places_) {
        write(state, place.id);
        write(state, place.angle);
    }
}

void RadialProfile::load_state(StateReader& reader) {
    for (BlockedSeries& average : averages_) {
        average.load(reader);
    }
    proxy_.load(reader);
    pressure_.load(reader);
    window_.load(reader);
    last_time_ = reader.number();
    places_.assign(reader.length(), {});
    for (Place& place : places_) {
        place.id = reader.count();
        place.angle = reader.number();
    }
}

}  // namespace talus::analysis
