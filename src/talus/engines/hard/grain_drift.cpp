// The steps of hard grains of many spheres: kick, drift with collisions, kick. Times count from the start of a drift.
#include <chrono>

#include "talus/base/exact_sum.h"
#include "talus/base/float_mode.h"
#include "talus/engines/hard/crossing.h"
#include "talus/engines/hard/grain_engine.h"
#include "talus/engines/hard/rivals.h"

namespace talus::engines::hard {

void GrainEngine::advance_steps(std::int64_t steps) {
    base::pin_float_mode(1);
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t n = 0; n < steps; ++n) {
        std::vector<std::pair<Vec3d, Vec3d>> before;
        for (const model::Wall& wall : system_.walls) {
            before.emplace_back(wall.record.impulse, wall.record.angular_impulse);
        }
        drift();
        // What a wall feels is the mean over the last step.
        for (std::size_t w = 0; w < before.size(); ++w) {
            model::WallRecord& record = system_.walls[w].record;
            record.force = (record.impulse - before[w].first) / options_.step;
            record.torque = (record.angular_impulse - before[w].second) / options_.step;
        }
        if (!keep_.empty()) {
            give_back();
            compact(keep_);
            load();
        }
    }
    if (steps > 0) {
        give_back();
    }
    measures_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void GrainEngine::drift() {
    double& step_loss = system_.ledger.dissipated[static_cast<std::size_t>(model::Mechanism::time_step)];
    const double reference = system_.ledger.gravity_reference;
    const double before = lift();
    kick();
    start_ = system_.clock.time();
    now_ = counted_until_ = 0;
    for (std::uint32_t i = 0; i < size(); ++i) {
        begin_flight(i);
    }
    for (std::uint32_t i = 0; i < size(); ++i) {
        if (is_kept(i)) {
            predict(i);
        }
    }
    queue_.rebuild(event_.data(), event_.size(), now_, options_.step);
    run();
    now_ = options_.step;
    count_time();
    for (std::uint32_t i = 0; i < size(); ++i) {
        if (is_kept(i)) {
            fly(i);
        }
    }
    kick();
    step_loss += (lift() - before) - (system_.ledger.gravity_reference - reference);
    ++system_.clock.steps;
}

/// Half a kick for all that gravity moves. What the kicks give and what the fall through the field gives differ by what
/// happened within the drift; the ledger has it as the work of the finite step.
void GrainEngine::kick() {
    const Vec3d change = system_.gravity * (0.5 * options_.step);
    base::ExactSum given;  // J
    for (std::uint32_t i = 0; i < size(); ++i) {
        if (!is_fixed(i) && is_kept(i)) {
            given += system_.bodies.mass[i] * dot(change, record_[i].velocity + change * 0.5);
            record_[i].velocity += change;
        }
    }
    system_.ledger.dissipated[static_cast<std::size_t>(model::Mechanism::time_step)] -= given.value();
}

/// m g.x of all that gravity can move.
double GrainEngine::lift() const {
    base::ExactSum out;
    for (std::uint32_t i = 0; i < size(); ++i) {
        if (nature_[i].inverse_mass > 0 && is_kept(i)) {
            out += system_.bodies.mass[i] * dot(system_.gravity, record_[i].position);
        }
    }
    return out.value();
}

double GrainEngine::smallest_part() const {
    double out = std::numeric_limits<double>::infinity();
    for (const Nature& nature : nature_) {
        out = std::min(out, nature.smallest);
    }
    return out;
}

void GrainEngine::run() {
    std::uint32_t since_tuning = 0;
    for (const EventQueue::Entry* front = queue_.front(); front != nullptr && front->time <= options_.step;
         front = queue_.front()) {
        now_ = front->time > now_ ? front->time : now_;
        handle(first_of_rivals(
            queue_, event_.data(), [this](const Event& event) { return is_void(event); },
            [](std::uint32_t i) { return i; }));
        if (standstill_.count(flying_) && standstill_.is_one(time(), system_, record_, smallest_part())) {
            standstill_.refuse(time());
        }
        if (queue_.is_out_of_tune() && 2 * ++since_tuning > size()) {  // seldom enough to cost little
            queue_.rebuild(event_.data(), event_.size(), now_, options_.step);
            since_tuning = 0;
        }
    }
}

void GrainEngine::handle(std::uint32_t i) {
    const Event event = event_[i];
    if (event.crossing <= event.collision) {
        if (event.face != no_face) {
            cross(i);
        } else {  // the arc of its turning has come to its end
            fly(i);
            begin_flight(i);
            predict_anew(i);
        }
    } else if (is_wall(event.partner)) {
        hit_wall(i);
    } else if (is_void(event)) {
        ++measures_.repredictions;
        predict_anew(i);
    } else {
        const auto [a, b] = std::minmax(i, event.partner);
        collide(a, b, meeting_[i].part_a, meeting_[i].part_b);
    }
}

void GrainEngine::cross(std::uint32_t i) {
    Record& record = record_[i];
    const std::uint32_t face = event_[i].face;
    if (grid_.is_outermost(record.cell, face)) {
        grid_.axis(face / 2).periodic ? cross_border(i, face / 2, face % 2 != 0) : leave(i);
        return;
    }
    ++measures_.crossings;
    cells_.remove(grid_.index(record.cell), i);
    record.cell = beyond(record.cell, face);
    cells_.insert(grid_.index(record.cell), i);
    predict_anew(i);
}

/// The flight goes on from the opposite border, as a new one: the position is exact there, and predictions with other
/// periods between are void.
void GrainEngine::cross_border(std::uint32_t i, std::uint32_t axis, bool upper) {
    ++measures_.borders;
    Record& record = record_[i];
    const GridAxis& along = grid_.axis(axis);
    const auto k = static_cast<int>(axis);
    fly(i);
    record.position[k] = upper ? along.face.front() : along.face.back();
    if (nature_[i].inverse_mass > 0) {  // what a field gains by the jump is no work
        const double jump = upper ? -along.length : along.length;
        system_.ledger.gravity_reference += system_.bodies.mass[i] * system_.gravity[k] * jump;
    }
    cells_.remove(grid_.index(record.cell), i);
    const std::uint32_t round = static_cast<std::uint32_t>(along.cells - 1) << (10U * axis);
    record.cell = upper ? record.cell - round : record.cell + round;
    cells_.insert(grid_.index(record.cell), i);
    begin_flight(i);
    predict_anew(i);
}

void GrainEngine::leave(std::uint32_t i) {
    ++measures_.departures;
    ++system_.counters.left_domain;
    system_.counters.left_domain_mass += system_.bodies.mass[i];
    fly(i);
    take_away(i);
}

/// With what it carries.
void GrainEngine::take_away(std::uint32_t i) {
    count_time();
    system_.ledger.removed += kinetic_energy(i);
    if (nature_[i].inverse_mass > 0) {
        system_.ledger.gravity_reference -= system_.bodies.mass[i] * dot(system_.gravity, record_[i].position);
        --flying_;
    }
    cells_.remove(grid_.index(record_[i].cell), i);
    ++record_[i].count;
    event_[i] = {};
    keep_.resize(size(), 1);
    keep_[i] = 0;
}

void GrainEngine::count_time() {
    const double passed = now_ - counted_until_;
    measures_.duration += passed;
    measures_.sphere_time += passed * static_cast<double>(flying_);
    counted_until_ = now_;
}

}  // namespace talus::engines::hard
