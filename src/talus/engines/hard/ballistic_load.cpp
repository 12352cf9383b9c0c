// Between the model, which keeps bodies by id, and the engine's memory, which keeps them by cell. Loading again changes
// no bit: predictions depend on the flights alone.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "talus/base/exact_sum.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/flight.h"

namespace talus::engines::hard {

namespace {

/// Cells are wider by this part of the largest radius where held grains move: they are filed anew as seldom as that
/// allows.
constexpr double slack_of_cells = 0.2;

}  // namespace

void BallisticEngine::start_flights() {
    model::Bodies& bodies = system_.bodies;
    model::Flights& out = flights();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies.flags[b] &= static_cast<std::uint8_t>(~model::at_rest);  // all may have changed
        const Vec3d inside = wrapped(system_.domain, bodies.position[b]);
        if (!bodies.is_held(b)) {
            system_.ledger.gravity_reference += bodies.mass[b] * dot(system_.gravity, inside - bodies.position[b]);
            bodies.position[b] = inside;
        }
    }
    if (options_.stress) {
        system_.impulses.resize(bodies.size());
    }
    out.position = bodies.position;
    out.velocity = bodies.velocity;
    out.time.assign(bodies.size(), 0.0);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        out.time[b] = bodies.is_held(b) ? system_.clock.time() : 0.0;
    }
    if (options_.resting) {
        out.anchor = bodies.position;
        out.calm.assign(bodies.size(), system_.clock.time());
        out.knocks.assign(bodies.size(), 0);
    }
    out.epoch = system_.clock.time();
    out.now = 0;
    out.collisions = 0;
    out.held_work = system_.ledger.held_work;
    out.held_energy = held_energy();
    load();
    note_overlaps();
    for (std::uint32_t i = 0; i < record_.size(); ++i) {
        if (is_flying(record_[i]) && is_outside(system_.domain, record_[i].position)) {
            leave(i);
        }
    }
}

void BallisticEngine::load() {
    now_ = flights().now;
    counted_until_ = now_;
    gravity_ = is_ballistic() ? system_.gravity : Vec3d{};
    has_gravity_ = !(gravity_ == Vec3d{});
    keep_.clear();
    sort_into_cells();
    load_bodies();
    load_obstacles();
    rests_ = may_rest();
    event_.assign(record_.size(), Event{});
    if (is_ballistic()) {
        predict_all();
        queue_.rebuild(event_.data(), event_.size(), now_);
    }
    since_tuning_ = 0;
}

void BallisticEngine::predict_all() {
    for (std::uint32_t i = 0; i < record_.size() && !held_.empty(); ++i) {
        if (!is_flying(record_[i])) {
            follow(i);
            set_refiling(i);
        }
    }
    for (std::uint32_t i = 0; i < record_.size(); ++i) {
        if (is_flying(record_[i]) && is_kept(i)) {
            predict(i);
        }
    }
}

void BallisticEngine::sort_into_cells() {
    const model::Flights& from = flights();
    const std::size_t count = from.time.size();
    std::vector<Vec3d> at(count);
    Vec3d low{never, never, never};
    Vec3d high{-never, -never, -never};
    for (std::size_t b = 0; b < count; ++b) {
        const bool held = is_fixed(b);
        at[b] = held ? wrapped(system_.domain, place_of(held_body(b), time())) : position_now(b);
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], at[b][k]);
            high[k] = std::max(high[k], at[b][k]);
        }
    }
    double largest = 0;
    for (const double r : system_.bodies.radius) {
        largest = std::max(largest, r);
    }
    slack_ = has_moving_held() ? slack_of_cells * largest : 0;
    grid_ = count > 0 ? Grid(system_.domain, low, high, 2 * largest + slack_, count) : Grid();
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
    held_.clear();
    free_held_.clear();
    measures_.asleep = 0;
    near_held_.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        if (is_fixed(body_at_[i])) {
            measures_.asleep += is_asleep(i) ? 1 : 0;
            hold(i);
            --flying_;
        }
    }
}

/// Whether grains may have to be filed anew because what holds them moves. Sticky walls that move may come to hold
/// some.
bool BallisticEngine::has_moving_held() const {
    const model::Bodies& bodies = system_.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (bodies.is_held(b) && held_body(b).moves) {
            return true;
        }
    }
    return std::any_of(system_.walls.begin(), system_.walls.end(), [](const model::Wall& wall) {
        return wall.present && wall.behaviour == model::WallBehaviour::sticky && !wall.motion.at_rest();
    });
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

void BallisticEngine::note_overlaps() {
    for (std::uint32_t i = 0; i < record_.size(); ++i) {
        collect(box_around(grid_, record_[i].cell, record_[i].cell), i);
        for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
            const std::uint32_t j = candidates_.id(k);
            if (j > i && is_flying(record_[i]) && is_flying(record_[j])) {
                const Vec3d d = record_[i].position - record_[j].position + candidates_.shift(k);
                note_overlap(i, j, norm2(d));
            }
        }
    }
}

}  // namespace talus::engines::hard
