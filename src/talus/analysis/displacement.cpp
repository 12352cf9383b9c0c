#include "talus/analysis/displacement.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "talus/analysis/report.h"
#include "talus/analysis/vector_sum.h"

namespace talus::analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The way from `from` to the nearest copy of `to`.
Vec3d shortest_way(const Vec3d& from, const Vec3d& to, const model::Domain& domain) {
    Vec3d way = to - from;
    for (int k = 0; k < 3; ++k) {
        if (domain.periodic[static_cast<std::size_t>(k)]) {
            const double period = domain.size()[k];
            way[k] -= period * std::round(way[k] / period);
        }
    }
    return way;
}

}  // namespace

std::vector<Column> Displacement::columns() const {
    return {column("msd", "m2"), column("msd_x", "m2"), column("msd_y", "m2"), column("msd_z", "m2"),
            column("drift", "m")};
}

void Displacement::begin(const model::Bodies& bodies, const model::Region& region) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.is_held(i) && region.contains(bodies.position[i])) {
            grains_.push_back({bodies.id[i], bodies.position[i], {}});
        }
    }
    grains_at_start_ = static_cast<std::int64_t>(grains_.size());
}

void Displacement::follow(const model::System& system) {
    const model::Bodies& bodies = system.bodies;
    std::vector<Grain> still;
    still.reserve(grains_.size());
    std::size_t i = 0;
    for (const Grain& grain : grains_) {
        while (i < bodies.size() && bodies.id[i] < grain.id) {
            ++i;
        }
        if (i < bodies.size() && bodies.id[i] == grain.id) {
            const Vec3d& now = bodies.position[i];
            still.push_back({grain.id, now, grain.moved + shortest_way(grain.last, now, system.domain)});
        }
    }
    grains_ = std::move(still);
}

std::vector<double> Displacement::take(const Snapshot& snapshot) {
    if (points_.empty()) {
        begin(snapshot.system.bodies, spec().region);
    } else {
        follow(snapshot.system);
    }
    ExactVectorSum moved;
    ExactVectorSum squares;
    std::array<base::ExactSum, groups> group_squares;
    std::array<double, groups> group_sizes{};
    for (const Grain& grain : grains_) {
        const Vec3d& m = grain.moved;
        const std::size_t group = static_cast<std::size_t>(grain.id) % groups;
        moved += m;
        squares += {m.x * m.x, m.y * m.y, m.z * m.z};
        group_squares[group] += math::norm2(m);
        group_sizes[group] += 1;
    }
    const auto n = static_cast<double>(grains_.size());
    const Vec3d mean = n > 0 ? squares.value() / n : Vec3d{nan, nan, nan};
    Point point{snapshot.time, mean.x + mean.y + mean.z, {}};
    for (std::size_t g = 0; g < groups; ++g) {
        point.of_group[g] = group_sizes[g] > 0 ? group_squares[g].value() / group_sizes[g] : nan;
    }
    points_.push_back(point);
    return {point.square, mean.x, mean.y, mean.z, n > 0 ? math::norm(moved.value() / n) : nan};
}

Estimate Displacement::diffusion() const {
    Estimate estimate{nan, nan, 0, 1, false};
    if (points_.empty()) {
        return estimate;
    }
    const double half = 0.5 * (points_.front().time + points_.back().time);
    std::vector<double> times;
    std::vector<double> squares;
    std::array<std::vector<double>, groups> of_group;
    for (const Point& point : points_) {
        if (point.time >= half && !std::isnan(point.square)) {
            times.push_back(point.time);
            squares.push_back(point.square);
            for (std::size_t g = 0; g < groups; ++g) {
                of_group[g].push_back(point.of_group[g]);
            }
        }
    }
    estimate.samples = static_cast<std::int64_t>(times.size());
    if (times.size() < 3) {
        return estimate;
    }
    estimate.value = fit_line(times, squares).slope / (2 * dimensions_);
    BlockedSeries slopes;
    for (const std::vector<double>& curve : of_group) {
        slopes.add(fit_line(times, curve).slope /
                   (2 * dimensions_));  // NaN, and so the error, where a group has no grains left
    }
    estimate.error = slopes.deviation() / std::sqrt(static_cast<double>(groups));
    return estimate;
}

std::vector<SummaryValue> Displacement::summary() const {
    std::vector<SummaryValue> list;
    const auto add = [&](const char* part, const char* unit, double value, std::optional<double> error = {},
                         std::int64_t samples = 0) {
        const Column c = column(part, unit);
        list.push_back({c.name, c.unit, value, error, samples});
    };
    const Estimate d = diffusion();
    add("msd", "m2", points_.empty() ? nan : points_.back().square);
    add("time", "s", points_.empty() ? nan : points_.back().time - points_.front().time);
    add("diffusion", "m2/s", d.value, d.error, d.samples);
    add("grains", "", static_cast<double>(grains_.size()));
    add("lost", "", static_cast<double>(grains_at_start_) - static_cast<double>(grains_.size()));
    return list;
}

std::string Displacement::text() const {
    if (points_.empty() || grains_.empty()) {
        return name() + ": nothing to measure";
    }
    std::string line = fmt::format("{}: mean square {:.4g} m2 after {:.4g} s", name(), points_.back().square,
                                   points_.back().time - points_.front().time);
    if (const Estimate d = diffusion(); d.samples >= 3) {
        line += ", diffusion " + with_error(d.value, d.error, "m2/s");
    }
    const std::int64_t lost = grains_at_start_ - static_cast<std::int64_t>(grains_.size());
    return line + fmt::format(" ({} grains{})", grains_.size(), lost > 0 ? fmt::format(", {} lost", lost) : "");
}

void Displacement::save_state(State& state) const {
    write(state, grains_at_start_);
    write(state, static_cast<std::int64_t>(grains_.size()));
    for (const Grain& grain : grains_) {
        write(state, grain.id);
        write(state, grain.last);
        write(state, grain.moved);
    }
    write(state, static_cast<std::int64_t>(points_.size()));
    for (const Point& point : points_) {
        write(state, point.time);
        write(state, point.square);
        for (const double square : point.of_group) {
            write(state, square);
        }
    }
}

void Displacement::load_state(StateReader& reader) {
    grains_at_start_ = reader.count();
    grains_.assign(reader.length(), {});
    for (Grain& grain : grains_) {
        grain.id = reader.count();
        grain.last = reader.vector();
        grain.moved = reader.vector();
    }
    points_.assign(reader.length(), {});
    for (Point& point : points_) {
        point.time = reader.number();
        point.square = reader.number();
        for (double& square : point.of_group) {
            square = reader.number();
        }
    }
}

}  // namespace talus::analysis
