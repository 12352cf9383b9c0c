#include "talus/analysis/discharge.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "talus/analysis/ball_volume.h"
#include "talus/analysis/bulk.h"
#include "talus/analysis/report.h"

namespace talus::analysis {

double beverloo_rate(double hole_diameter, double grain_diameter, double grain_density, double packing,
                     double gravity) {
    const double width = hole_diameter - 2.32 * grain_diameter;
    return width > 0 ? 0.697 * packing * grain_density * std::sqrt(gravity) * width * width * std::sqrt(width) : 0;
}

CrossingCounter::CrossingCounter(const Vec3d& axis, double offset, const model::Region& region)
    : axis_(math::normalized(axis)), offset_(offset), region_(region) {}

void CrossingCounter::look(const model::System& system, double time) {
    const model::Bodies& bodies = system.bodies;
    const double elapsed = time - last_time_;
    std::vector<Grain> now(bodies.size());
    auto before = grains_.begin();
    const auto gone = [&](const Grain& grain) {
        if (grain.place == Place::above) {
            const Vec3d flown = grain.position + grain.velocity * elapsed + system.gravity * (0.5 * elapsed * elapsed);
            if (height(flown) < 0) {
                book(grain, flown);
            }
        }
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Grain& grain = now[i];
        grain = {bodies.id[i],       bodies.mass[i],     bodies.radius[i],
                 bodies.position[i], bodies.velocity[i], height(bodies.position[i]) >= 0 ? Place::above : Place::below};
        for (; before != grains_.end() && before->id < grain.id; ++before) {
            gone(*before);
        }
        if (before != grains_.end() && before->id == grain.id) {
            follow(*before, grain, system.domain);
            ++before;
        }
    }
    for (; before != grains_.end(); ++before) {
        gone(*before);
    }
    grains_ = std::move(now);
    last_time_ = time;
}

void CrossingCounter::follow(const Grain& before, Grain& now, const model::Domain& domain) {
    Vec3d unwrapped = now.position;
    bool came_round = false;
    for (int k = 0; k < 3; ++k) {
        if (!domain.periodic[static_cast<std::size_t>(k)]) {
            continue;
        }
        const double period = domain.size()[k];
        const double turns = std::round((now.position[k] - before.position[k]) / period);
        unwrapped[k] -= turns * period;
        came_round = came_round || (turns != 0 && axis_[k] != 0);
    }
    const bool passes = before.place == Place::above && height(unwrapped) < 0 && book(before, unwrapped);
    if (!came_round && (passes || before.place == Place::passed)) {
        now.place = Place::passed;
    }
}

bool CrossingCounter::book(const Grain& before, const Vec3d& after) {
    const double from = height(before.position);
    const double to = height(after);
    const Vec3d at = before.position + (after - before.position) * (from / (from - to));
    if (!region_.contains(at)) {
        return false;
    }
    ++count_;
    mass_ += before.mass;
    volume_ += ball_volume(before.radius);
    diameters_ += 2 * before.radius;
    return true;
}

void CrossingCounter::save(State& state) const {
    write(state, last_time_);
    write(state, count_);
    write(state, mass_);
    write(state, volume_);
    write(state, diameters_);
    write(state, static_cast<std::int64_t>(grains_.size()));
    for (const Grain& grain : grains_) {
        write(state, grain.id);
        write(state, grain.mass);
        write(state, grain.radius);
        write(state, grain.position);
        write(state, grain.velocity);
        write(state, static_cast<std::int64_t>(grain.place));
    }
}

void CrossingCounter::load(StateReader& reader) {
    last_time_ = reader.number();
    count_ = reader.count();
    mass_ = reader.number();
    volume_ = reader.number();
    diameters_ = reader.number();
    grains_.assign(reader.length(), {});
    for (Grain& grain : grains_) {
        grain.id = reader.count();
        grain.mass = reader.number();
        grain.radius = reader.number();
        grain.position = reader.vector();
        grain.velocity = reader.vector();
        grain.place = static_cast<Place>(reader.count());
    }
}

Discharge::Discharge(const model::MeasureSpec& spec)
    : Measure(spec, 3), counter_(spec.axis, spec.offset, spec.region) {}

std::vector<Column> Discharge::columns() const {
    return {column("mass", "kg"), column("count", ""), column("rate", "kg/s")};
}

std::vector<double> Discharge::take(const Snapshot& snapshot) {
    counter_.look(snapshot.system, snapshot.time);
    if (counter_.count() == 0 && spec().hole_diameter > 0 && spec().bulk_packing == 0) {
        measured_packing_ = packing_at_heart(snapshot.system, math::normalized(spec().axis), spec().offset);
    }
    gravity_ = math::norm(snapshot.system.gravity);
    double rate = std::numeric_limits<double>::quiet_NaN();
    if (!times_.empty() && snapshot.time > times_.back()) {
        rate = (counter_.mass() - masses_.back()) / (snapshot.time - times_.back());
    }
    times_.push_back(snapshot.time);
    masses_.push_back(counter_.mass());
    counts_.push_back(static_cast<double>(counter_.count()));
    return {counter_.mass(), static_cast<double>(counter_.count()), rate};
}

double Discharge::packing() const {
    constexpr double typical = 0.61;  // SSDEM, errata 8
    if (spec().bulk_packing > 0) {
        return spec().bulk_packing;
    }
    return measured_packing_ > 0 ? measured_packing_ : typical;
}

double Discharge::beverloo() const {
    if (spec().hole_diameter <= 0 || counter_.count() == 0) {
        return 0;
    }
    return beverloo_rate(spec().hole_diameter, counter_.mean_diameter(), counter_.grain_density(), packing(), gravity_);
}

std::vector<SummaryValue> Discharge::summary() const {
    const SteadyFlow flow = steady_flow();
    const Estimate number = mean_rate(times_, counts_, flow.begin, flow.end);
    std::vector<SummaryValue> list;
    const auto add = [&](const char* part, const char* unit, double value, std::optional<double> error = {},
                         std::int64_t samples = 0) {
        const Column c = column(part, unit);
        list.push_back({c.name, c.unit, value, error, samples});
    };
    add("mass", "kg", counter_.mass());
    add("count", "", static_cast<double>(counter_.count()));
    add("steady", "", flow.found ? 1 : 0);
    add("rate", "kg/s", flow.rate.value, flow.rate.error, flow.rate.samples);
    add("number_rate", "1/s", number.value, number.error, number.samples);
    add("begin", "s", flow.begin);
    add("end", "s", flow.end);
    add("drift", "", flow.drift, flow.drift_error, flow.rate.samples);
    if (spec().hole_diameter > 0) {
        add("beverloo", "kg/s", beverloo());
        add("bulk_packing", "", packing());
    }
    return list;
}

std::string Discharge::text() const {
    if (counter_.count() == 0) {
        return name() + ": nothing has passed";
    }
    const SteadyFlow flow = steady_flow();
    std::string line = name() + ": " + with_error(flow.rate.value, flow.rate.error, "kg/s");
    if (flow.found) {
        line += fmt::format(" over {:.3g} s from t = {:.4g} s", flow.duration(), flow.begin);
    } else {
        line += fmt::format(" over the middle half of the mass ({:.3g} s); no steady part found", flow.duration());
    }
    if (beverloo() > 0) {
        line += fmt::format("; Beverloo {:.4g} kg/s (packing {:.3f})", beverloo(), packing());
    }
    return line + fmt::format("; {:.4g} kg in {} grains in all", counter_.mass(), counter_.count());
}

void Discharge::save_state(State& state) const {
    counter_.save(state);
    write(state, times_);
    write(state, masses_);
    write(state, counts_);
    write(state, measured_packing_);
    write(state, gravity_);
}

void Discharge::load_state(StateReader& reader) {
    counter_.load(reader);
    times_ = reader.numbers();
    masses_ = reader.numbers();
    counts_ = reader.numbers();
    measured_packing_ = reader.number();
    gravity_ = reader.number();
}

}  // namespace talus::analysis
