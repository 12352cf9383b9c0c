#include "talus/analysis/radial_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "talus/analysis/ball_volume.h"
#include "talus/analysis/disc_area.h"
#include "talus/analysis/report.h"
#include "talus/base/diagnostics.h"
#include "talus/model/solid.h"

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
    : Measure(spec, 2), planar_(domain.planar()), center_(spec.grid.origin), axis_(math::normalized(spec.grid.axis)) {
    const model::GridAxis& across = spec.grid.along.at(0);
    if (across.bins < 1 || across.low < 0 || !(across.high > across.low)) {
        throw base::InputError("measure \"" + name() + "\": rings need an inner radius below the outer one");
    }
    const Vec3d any = std::abs(axis_.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    side_ = planar_ ? Vec3d{1, 0, 0} : math::normalized(any - axis_ * dot(any, axis_));
    ahead_ = cross(axis_, side_);
    averages_.resize(static_cast<std::size_t>(across.bins) * quantity_count);
}

double RadialProfile::edge(int ring) const {
    const model::GridAxis& across = spec().grid.along[0];
    return ring == across.bins ? across.high : across.low + ring * ((across.high - across.low) / across.bins);
}

double RadialProfile::volume(int ring) const {
    const double area = std::numbers::pi * (edge(ring + 1) - edge(ring)) * (edge(ring + 1) + edge(ring));
    return planar_ ? area : area * (spec().grid.along[1].high - spec().grid.along[1].low);
}

double RadialProfile::within(double grain_radius, double distance, double along, double radius) const {
    if (planar_) {
        return disc_in_disc(grain_radius, radius, distance);
    }
    const model::GridAxis& length = spec().grid.along[1];
    return ball_in_cylinder(grain_radius, radius, distance, {length.low - along, length.high - along});
}

std::vector<double> RadialProfile::take(const Snapshot& snapshot) {
    const model::Bodies& bodies = snapshot.system.bodies;
    const model::GridAxis& across = spec().grid.along[0];
    const auto virial = window_.take(snapshot);
    const double span = snapshot.time - last_time_;
    std::vector<Ring> rings(static_cast<std::size_t>(across.bins));
    std::vector<Place> places;
    places.reserve(bodies.size());
    const double width = (across.high - across.low) / across.bins;
    double proxy_sum = 0;
    std::size_t known = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.is_held(i)) {
            continue;
        }
        const Vec3d arm = bodies.position[i] - center_;
        const double along = dot(arm, axis_);
        const double x = dot(arm, side_);
        const double y = dot(arm, ahead_);
        const double distance = std::sqrt(x * x + y * y);
        const double r = bodies.radius[i];
        const auto bin = [&](double at) {
            return static_cast<int>(std::clamp(std::floor((at - across.low) / width), -1.0, double(across.bins)));
        };
        for (int k = std::max(0, bin(distance - r)); k <= std::min(across.bins - 1, bin(distance + r)); ++k) {
            rings[static_cast<std::size_t>(k)].solid +=
                within(r, distance, along, edge(k + 1)) - within(r, distance, along, edge(k));
        }
        const double angle = std::atan2(y, x);
        places.push_back({bodies.id[i], angle});
        const int own = bin(distance);
        const bool beside = !planar_ && (along < spec().grid.along[1].low || along >= spec().grid.along[1].high);
        double proxy = nan;
        if (virial) {
            const Tensor6& v = (*virial)[i];
            proxy = v[0] + v[1] + v[2];
            proxy_sum += proxy;
            ++known;
        }
        if (own < 0 || own >= across.bins || beside || distance == 0) {
            continue;
        }
        Ring& ring = rings[static_cast<std::size_t>(own)];
        ++ring.grains;
        const Vec3d outward = (side_ * x + ahead_ * y) / distance;
        const Vec3d onward = cross(axis_, outward);
        ring.turning += dot(bodies.velocity[i], onward) / distance;
        ring.spin += dot(bodies.spin[i], axis_);
        if (virial) {
            ring.virial = ring.virial + analysis::along({{outward, onward, axis_}}, (*virial)[i]);
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
    for (int k = 0; k < across.bins && counts; ++k) {
        const Ring& ring = rings[static_cast<std::size_t>(k)];
        const double v = volume(k);
        const std::array<double, quantity_count> values = {
            static_cast<double>(ring.grains),  ring.solid / v,
            ring.turning / ring.grains,        ring.moved_rate / ring.moved,
            ring.spin / ring.grains,           virial ? ring.virial[0] / v : nan,
            virial ? ring.virial[1] / v : nan, virial ? ring.virial[5] / v : nan,
            ring.proxy / ring.stressed};
        for (std::size_t q = 0; q < values.size(); ++q) {
            if (!std::isnan(values[q])) {
                averages_[static_cast<std::size_t>(k) * quantity_count + q].add(values[q]);
            }
        }
    }
    const double proxy = known > 0 ? proxy_sum / static_cast<double>(known) : nan;
    double whole = 0;
    for (int k = 0; k < across.bins; ++k) {
        whole += volume(k);
    }
    const double pressure = known > 0 ? proxy_sum / ((planar_ ? 2 : 3) * whole) : nan;
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
        std::vector<double> row = {0.5 * (edge(k) + edge(k + 1)), edge(k), edge(k + 1),
                                   static_cast<double>(ring[0].samples())};
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
