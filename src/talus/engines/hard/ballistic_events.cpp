// What happens at an event: an impact, a change of cell, a border.
#include <algorithm>

#include "talus/engines/hard/ballistic_engine.h"

namespace talus::engines::hard {

void BallisticEngine::handle(std::uint32_t i) {
    Event& event = event_[i];
    if (event.crossing <= event.collision) {
        if (event.face != no_face) {
            cross(i);
        } else if (is_flying(record_[i])) {
            predict_anew(i);
        } else {
            refile(i);
        }
    } else if (is_wall(event.partner)) {
        hit_wall(i, event.partner & ~wall_bit);
    } else if (is_void(event)) {
        ++measures_.repredictions;
        collect(box_around(grid_, record_[i].cell, record_[i].cell), i);
        set_collision(i, predict_one(i));
        if (has_obstacles()) {
            ask_obstacles(i);
        }
        queue_.push(i, event.key());
    } else if (!is_flying(record_[event.partner])) {
        hit_held(i, event.partner);
    } else {
        collide(i, event.partner);
    }
}

void BallisticEngine::collide(std::uint32_t i, std::uint32_t j) {
    ++measures_.collisions;
    ++flights().collisions;
    Record& a = record_[i];
    Record& b = record_[j];
    const Vec3d period = period_between(grid_, a.cell, b.cell);
    const bool same_side = period == Vec3d{};
    if (same_side) {  // both see the same candidates: collected now, so that they come near while the impact is done
        collect(box_around(grid_, a.cell, b.cell), i);
    }
    fly(a);
    fly(b);
    ++a.count;
    ++b.count;
    const Vec3d d = a.position - b.position + period;
    const laws::ImpactParams& params = params_between(i, body_[j].material);
    if (params.is_smooth()) {
        impact_smoothly(i, j, d, params);
    } else if (body_at_[i] < body_at_[j]) {
        impact_with_spin(i, j, d, params);
    } else {
        impact_with_spin(j, i, -d, params);
    }
    note_pair(i, j);
    if (same_side) {
        predict_both(i, j);
    } else {
        predict_anew(i);
        predict_anew(j);
    }
    if (rests_) {
        const bool in_order = body_at_[i] < body_at_[j];
        note_motion(in_order ? i : j, false);
        note_motion(in_order ? j : i, false);
    }
}

void BallisticEngine::cross(std::uint32_t i) {
    Record& record = record_[i];
    Event& event = event_[i];
    if (grid_.is_outermost(record.cell, event.face)) {
        const std::uint32_t axis = event.face / 2;
        grid_.axis(axis).periodic ? cross_border(i, axis, event.face % 2 != 0) : leave(i);
        return;
    }
    ++measures_.crossings;
    const std::uint32_t next = beyond(record.cell, event.face);
    const std::uint32_t entered = opposite(event.face);
    collect(box_ahead(grid_, next, entered), i);  // before the move, which voids what was collected ahead
    cells_.remove(grid_.index(record.cell), i);
    record.cell = next;
    cells_.insert(grid_.index(next), i);

    const Best best = predict_one(i);
    const auto comes_first = [&] {
        return is_wall(event.partner) || body_at_[candidates_.id(best.place)] < body_at_[event.partner];
    };
    if (best.time < event.collision || (best.time == event.collision && best.time < never && comes_first())) {
        set_collision(i, best);
    }
    set_crossing(i, entered);
    if (has_obstacles()) {
        ask_obstacles(i);
    }
    queue_.push(i, event.key());
}

/// The flight goes on from the opposite border, as a new one: the position is exact there, and predictions with other
/// periods between are void.
void BallisticEngine::cross_border(std::uint32_t i, std::uint32_t axis, bool upper) {
    ++measures_.borders;
    Record& record = record_[i];
    const GridAxis& along = grid_.axis(axis);
    const auto k = static_cast<int>(axis);
    fly(record);
    ++record.count;
    record.position[k] = upper ? along.face.front() : along.face.back();
    // What a field gains by the jump is no work.
    const double jump = upper ? -along.length : along.length;
    system_.ledger.gravity_reference += system_.bodies.mass[body_at_[i]] * system_.gravity[k] * jump;
    cells_.remove(grid_.index(record.cell), i);
    const std::uint32_t round = static_cast<std::uint32_t>(along.cells - 1) << (10U * axis);
    record.cell = upper ? record.cell - round : record.cell + round;
    cells_.insert(grid_.index(record.cell), i);
    predict_anew(i);
}

void BallisticEngine::withdraw(std::uint32_t i) {
    cells_.remove(grid_.index(record_[i].cell), i);
    ++record_[i].count;
    event_[i] = {};
    --flying_;
    if (keep_.empty()) {
        keep_.assign(system_.bodies.size(), 1);
    }
    keep_[body_at_[i]] = 0;
}

void BallisticEngine::leave(std::uint32_t i) {
    ++measures_.departures;
    ++system_.counters.left_domain;
    system_.counters.left_domain_mass += system_.bodies.mass[body_at_[i]];
    fly(record_[i]);
    take_away(i);
}

/// With what it carries.
void BallisticEngine::take_away(std::uint32_t i) {
    count_time(now_);
    const std::size_t b = body_at_[i];
    const double mass = system_.bodies.mass[b];
    model::Ledger& ledger = system_.ledger;
    ledger.removed += kinetic_energy(system_.bodies, b, record_[i].velocity, spin_[i]);
    ledger.gravity_reference -= mass * dot(system_.gravity, record_[i].position);
    withdraw(i);
}

}  // namespace talus::engines::hard
