// Between the model, which keeps bodies by id, and the engine's memory, which keeps them by cell. Loading again changes
// no bit: predictions depend on the flights alone.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/flight.h"

namespace talus::engines::hard {

namespace {

Vec3d position_at(const model::Flights& flights, std::size_t b, const Vec3d& gravity) {
    return flown<true>(flights.position[b], flights.velocity[b], flights.now - flights.time[b], gravity);
}

/// Into the domain along periodic axes.
Vec3d wrapped(const model::Domain& domain, Vec3d x) {
    for (int k = 0; k < 3; ++k) {
        if (domain.periodic[static_cast<std::size_t>(k)] && !(x[k] >= domain.low[k] && x[k] <= domain.high[k])) {
            const double length = domain.high[k] - domain.low[k];
            x[k] -= length * std::floor((x[k] - domain.low[k]) / length);
        }
    }
    return x;
}

bool is_outside(const model::Domain& domain, const Vec3d& x) {
    for (int k = 0; k < 3; ++k) {
        if (!domain.periodic[static_cast<std::size_t>(k)] && !(x[k] >= domain.low[k] && x[k] <= domain.high[k])) {
            return true;
        }
    }
    return false;
}

}  // namespace

void BallisticEngine::start_flights() {
    model::Bodies& bodies = system_.bodies;
    model::Flights& out = flights();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Vec3d inside = wrapped(system_.domain, bodies.position[b]);
        system_.ledger.gravity_reference += bodies.mass[b] * dot(system_.gravity, inside - bodies.position[b]);
        bodies.position[b] = inside;
    }
    out.position = bodies.position;
    out.velocity = bodies.velocity;
    out.time.assign(bodies.size(), 0.0);
    out.epoch = system_.clock.time();
    out.now = 0;
    out.collisions = 0;
    load();
    note_overlaps();
    for (std::uint32_t i = 0; i < record_.size(); ++i) {
        if (is_outside(system_.domain, record_[i].position)) {
            leave(i);
        }
    }
}

void BallisticEngine::load() {
    now_ = flights().now;
    counted_until_ = now_;
    gravity_ = system_.gravity;
    has_gravity_ = !(gravity_ == Vec3d{});
    keep_.clear();
    standstill_ = 0;
    sort_into_cells();
    load_bodies();
    event_.assign(record_.size(), Event{});
    queue_.rebuild(event_.data(), event_.size(), now_);
    for (std::uint32_t i = 0; i < record_.size(); ++i) {
        predict_anew(i);
    }
    queue_.rebuild(event_.data(), event_.size(), now_);
    since_tuning_ = 0;
}

void BallisticEngine::sort_into_cells() {
    const model::Flights& from = flights();
    const std::size_t count = from.time.size();
    std::vector<Vec3d> at(count);
    Vec3d low{never, never, never};
    Vec3d high{-never, -never, -never};
    for (std::size_t b = 0; b < count; ++b) {
        at[b] = position_at(from, b, gravity_);
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], at[b][k]);
            high[k] = std::max(high[k], at[b][k]);
        }
    }
    double largest = 0;
    for (const double r : system_.bodies.radius) {
        largest = std::max(largest, r);
    }
    grid_ = count > 0 ? Grid(system_.domain, low, high, 2 * largest, count) : Grid();
    cells_.reset(grid_.size());
    std::vector<std::size_t> cell(count);
    for (std::size_t b = 0; b < count; ++b) {
        cell[b] = grid_.index(grid_.cell_of(at[b]));
    }
    body_at_.resize(count);
    std::iota(body_at_.begin(), body_at_.end(), 0U);
    std::stable_sort(body_at_.begin(), body_at_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return cell[a] < cell[b]; });
    record_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t b = body_at_[i];
        record_[i] = {from.position[b], from.velocity[b], from.time[b], 0, grid_.cell_of(at[b])};
        cells_.insert(cell[b], static_cast<std::uint32_t>(i));
    }
    flying_ = static_cast<std::int64_t>(count);
}

void BallisticEngine::load_bodies() {
    const model::Bodies& bodies = system_.bodies;
    const std::size_t count = bodies.size();
    body_.resize(count);
    radius_.resize(count);
    spin_.resize(count);
    equal_ = options_.impacts.size() == 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t b = body_at_[i];
        const double inverse_inertia = bodies.is_turning_held(b) ? 0 : 1 / bodies.inertia[b];
        body_[i] = {1 / bodies.mass[b], inverse_inertia, bodies.radius[b], bodies.material[b]};
        radius_[i] = bodies.radius[b];
        spin_[i] = bodies.spin[b];
        equal_ = equal_ && bodies.radius[b] == bodies.radius[0] && bodies.mass[b] == bodies.mass[0];
    }
    task_.record = record_.data();
    task_.radius = radius_.data();
    if (count > 0) {
        const double sum = body_[0].radius + body_[0].radius;
        task_.distance2 = sum * sum;
    }
    for (int k = 0; k < 3; ++k) {
        task_.gravity[k] = gravity_[k];
    }
}

void BallisticEngine::save_flights() {
    model::Flights& out = flights();
    for (std::size_t i = 0; i < record_.size(); ++i) {
        const std::size_t b = body_at_[i];
        out.position[b] = record_[i].position;
        out.velocity[b] = record_[i].velocity;
        out.time[b] = record_[i].time;
        system_.bodies.spin[b] = spin_[i];
    }
    out.now = now_;
}

void BallisticEngine::publish() {
    count_time(now_);
    save_flights();
    model::Flights& from = flights();
    model::Bodies& bodies = system_.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies.position[b] = position_at(from, b, gravity_);
        bodies.velocity[b] = speeded<true>(from.velocity[b], now_ - from.time[b], gravity_);
        bodies.acceleration[b] = gravity_;
    }
    system_.clock.origin = time();
    system_.clock.origin_steps = system_.clock.steps;
    if (keep_.empty()) {
        return;
    }
    std::size_t kept = 0;
    for (std::size_t b = 0; b < keep_.size(); ++b) {
        if (keep_[b]) {
            from.position[kept] = from.position[b];
            from.velocity[kept] = from.velocity[b];
            from.time[kept++] = from.time[b];
        }
    }
    from.position.resize(kept);
    from.velocity.resize(kept);
    from.time.resize(kept);
    bodies.compact(keep_);
    load();
}

void BallisticEngine::move_epoch() {
    for (Record& record : record_) {
        fly(record);
        record.time = 0;
    }
    count_time(now_);
    flights().epoch += now_;
    flights().collisions = 0;
    now_ = 0;
    ++measures_.epochs;
    const std::vector<char> left = keep_;
    save_flights();
    load();
    for (std::uint32_t i = 0; i < record_.size() && !left.empty(); ++i) {
        if (!left[body_at_[i]]) {
            withdraw(i);
        }
    }
}

void BallisticEngine::note_overlaps() {
    for (std::uint32_t i = 0; i < record_.size(); ++i) {
        candidates_.collect(grid_, cells_, box_around(grid_, record_[i].cell, record_[i].cell), *options_.kernels, i);
        for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
            const std::uint32_t j = candidates_.id(k);
            if (j > i) {
                const Vec3d d = record_[i].position - record_[j].position + candidates_.shift(k);
                note_overlap(i, j, norm2(d));
            }
        }
    }
}

}  // namespace talus::engines::hard
