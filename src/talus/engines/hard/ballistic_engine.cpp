#include "talus/engines/hard/ballistic_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "talus/base/diagnostics.h"
#include "talus/base/float_mode.h"
#include "talus/engines/hard/rivals.h"

namespace talus::engines::hard {

namespace {

/// Events between two rebuilds of a queue that is out of tune, a sphere: a rebuild then costs little.
constexpr double events_between_tunings = 0.5;
constexpr std::size_t flights_ahead = 8;  // entries of the open span
constexpr std::size_t cells_ahead = 4;

}  // namespace

BallisticEngine::BallisticEngine(model::System& system, Options options)
    : system_(system), options_(std::move(options)) {
    base::pin_float_mode(1);
    refuse_unknown();
    if (flights().time.size() != system.bodies.size() || flights().empty()) {
        system.ledger.gravity_reference = model::gravity_lift(system);
        start_flights();
    } else {
        load();
    }
}

void BallisticEngine::refuse_unknown() const {
    base::Diagnostics faults;
    const std::size_t materials = system_.materials.size();
    if (options_.impacts.size() != 1 && options_.impacts.size() != materials * materials) {
        faults.error({}, "contacts",
                     fmt::format("{} impact rules for {} materials", options_.impacts.size(), materials),
                     "one for each pair of materials, or one for all");
    }
    if (faults.has_errors()) {
        throw base::InputError(faults);
    }
}

void BallisticEngine::system_changed() {
    refuse_unknown();
    start_flights();
}

void BallisticEngine::advance_steps(std::int64_t steps) {
    if (steps <= 0) {
        return;
    }
    // What a wall feels is the mean over the last step, however many are taken at once.
    advance_clock(steps - 1);
    std::vector<std::pair<Vec3d, Vec3d>> before;
    for (const model::Wall& wall : system_.walls) {
        before.emplace_back(wall.record.impulse, wall.record.angular_impulse);
    }
    advance_clock(1);
    for (std::size_t w = 0; w < before.size(); ++w) {
        model::WallRecord& record = system_.walls[w].record;
        record.force = (record.impulse - before[w].first) / system_.clock.step;
        record.torque = (record.angular_impulse - before[w].second) / system_.clock.step;
    }
    publish();
}

void BallisticEngine::advance_clock(std::int64_t steps) {
    if (!is_ballistic()) {
        drift(steps);
        return;
    }
    system_.clock.steps += steps;
    const double until = system_.clock.time();
    run(until - flights().epoch, std::numeric_limits<std::int64_t>::max());
    now_ = std::max(now_, until - flights().epoch);
}

void BallisticEngine::advance(double until) {
    run(until - flights().epoch, std::numeric_limits<std::int64_t>::max());
    now_ = std::max(now_, until - flights().epoch);
    publish();
    set_clock();
}

std::int64_t BallisticEngine::advance_events(std::int64_t collisions) {
    const std::int64_t before = measures_.impacts();
    run(never, collisions);
    publish();
    set_clock();
    return measures_.impacts() - before;
}

void BallisticEngine::set_clock() {
    system_.clock.origin = time();
    system_.clock.origin_steps = system_.clock.steps;
}

void BallisticEngine::run(double until, std::int64_t collisions) {
    base::pin_float_mode(1);
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t last = collisions < std::numeric_limits<std::int64_t>::max() - measures_.impacts()
                                  ? measures_.impacts() + collisions
                                  : collisions;
    while (measures_.impacts() < last && handle_front(until)) {
        if (is_ballistic() &&
            flights().collisions >= std::max<std::int64_t>(1, options_.epoch_collisions * flying_ / 2)) {
            until -= now_;
            move_epoch();
        }
        if (queue_.is_out_of_tune() &&
            static_cast<double>(since_tuning_) > events_between_tunings * static_cast<double>(record_.size())) {
            queue_.rebuild(event_.data(), event_.size(), now_);
            since_tuning_ = 0;
        }
    }
    measures_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool BallisticEngine::handle_front(double until) {
    const EventQueue::Entry* front = queue_.front();
    if (front == nullptr || front->time > until) {
        return false;
    }
    now_ = std::max(now_, front->time);
    prefetch_upcoming();
    handle(first_of_rivals(
        queue_, event_.data(), [this](const Event& event) { return is_void(event); },
        [this](std::uint32_t i) { return body_at_[i]; }));
    ++since_tuning_;
    if (standstill_.count(flying_) &&
        standstill_.is_one(time(), system_, record_, *std::min_element(radius_.begin(), radius_.end()))) {
        publish();
        standstill_.refuse(time());
    }
    return true;
}

/// Memory is slower than events: flights are called for a span ahead, and again some events ahead for those that came
/// later; then the cells around them, and at last who is in these cells.
void BallisticEngine::prefetch_upcoming() {
    const auto flights_of = [this](std::uint32_t id) {
        __builtin_prefetch(&record_[id]);
        const std::uint32_t partner = event_[id].partner;
        const std::uint32_t other = partner < wall_bit ? partner : id;
        __builtin_prefetch(&record_[other]);
        __builtin_prefetch(&event_[other], 1);
    };
    if (queue_.opened() != prefetched_) {
        prefetched_ = queue_.opened();
        flights_called_ = 0;
        cells_called_ = 0;
        for (const std::uint32_t* id = queue_.following(); id != queue_.following_end(); ++id) {
            flights_of(*id);
        }
    }
    const std::size_t flights_end = std::min(queue_.open_size(), queue_.position() + 1 + flights_ahead);
    for (; flights_called_ < flights_end; ++flights_called_) {
        flights_of(queue_.in_open(flights_called_).id);
    }
    const std::size_t cells_end = std::min(queue_.open_size(), queue_.position() + 1 + cells_ahead);
    for (; cells_called_ < cells_end; ++cells_called_) {
        prefetch_cells(queue_.in_open(cells_called_).id);
    }
    if (queue_.position() + 1 < queue_.open_size()) {
        collect_ahead(queue_.in_open(queue_.position() + 1).id);
    }
}

void BallisticEngine::prefetch_cells(std::uint32_t i) const {
    const auto row = static_cast<std::ptrdiff_t>(2 * grid_.row());
    const auto layer = static_cast<std::ptrdiff_t>(2 * grid_.layer());
    const auto around = [&](std::uint32_t cell) {
        const std::uint32_t* centre = cells_.places() + 2 * grid_.index(cell);
        for (std::ptrdiff_t z = -1; z <= 1; ++z) {
            for (std::ptrdiff_t y = -1; y <= 1; ++y) {
                __builtin_prefetch(centre + z * layer + y * row - 2);
                __builtin_prefetch(centre + z * layer + y * row + 5);  // as far as eight places at once are read
            }
        }
    };
    const Event& event = event_[i];
    if (event.collision < event.crossing) {
        around(record_[i].cell);
        around(record_[event.partner < wall_bit ? event.partner : i].cell);
    } else if (event.face != no_face) {
        around(beyond(record_[i].cell, event.face));
    }
}

void BallisticEngine::count_time(double now) {
    const double passed = now - counted_until_;
    measures_.duration += passed;
    measures_.sphere_time += passed * static_cast<double>(flying_);
    counted_until_ = now;
}

}  // namespace talus::engines::hard
