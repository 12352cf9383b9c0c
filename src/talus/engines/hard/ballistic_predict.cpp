// Predictions of the next event of one sphere or of both partners of an impact.
#include <utility>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/crossing.h"
#include "talus/engines/hard/flight.h"

namespace talus::engines::hard {

/// Among candidates that meet sphere i at the very same time the one of lowest index in the model counts, so that the
/// order in memory never shows.
Best BallisticEngine::in_order(std::uint32_t i, const Best& found) const {
    Best best = found;
    const Record& own = record_[i];
    for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
        const std::uint32_t j = candidates_.id(k);
        const Record& other = record_[j];
        const double sum = radius_[i] + radius_[j];
        const double time = meeting_time<true>(own.position, own.velocity, own.time, other.position, other.velocity,
                                               other.time, candidates_.shift(k), gravity_, sum * sum);
        if (time == best.time && body_at_[j] < body_at_[candidates_.id(best.place)]) {
            best.place = k;
        }
    }
    return best;
}

void BallisticEngine::prefetch(const Candidates& candidates) const {
    for (std::uint32_t k = 0; k < candidates.size(); ++k) {
        __builtin_prefetch(&record_[candidates.id(k)]);
    }
}

/// The candidates of sphere i, and their flights called for. Those that were collected ahead are good if nobody has
/// changed his cell since.
void BallisticEngine::collect(const CellBox& box, std::uint32_t i) {
    if (ahead_.holds(cells_, box, i)) {
        std::swap(candidates_, ahead_);
    } else {
        candidates_.collect(grid_, cells_, box, *options_.kernels, i);
        prefetch(candidates_);
    }
}

/// What the event of sphere i will ask for, an event early, so that memory has time to answer.
void BallisticEngine::collect_ahead(std::uint32_t i) {
    const Event& event = event_[i];
    const std::uint32_t cell = record_[i].cell;
    CellBox box;
    if (event.collision < event.crossing) {
        const bool alone = is_wall(event.partner) || is_void(event);
        const std::uint32_t other = alone ? cell : record_[event.partner].cell;
        box = box_around(grid_, cell, period_between(grid_, cell, other) == Vec3d{} ? other : cell);
    } else if (event.face != no_face && !grid_.is_outermost(cell, event.face)) {
        box = box_ahead(grid_, beyond(cell, event.face), opposite(event.face));
    } else {
        return;
    }
    ahead_.collect(grid_, cells_, box, *options_.kernels, i);
    prefetch(ahead_);
}

Best BallisticEngine::predict_one(std::uint32_t i) {
    candidates_.describe(task_);
    task_.target[0] = i;
    Best best;
    options_.kernels->one[has_gravity_][equal_][candidates_.is_shifted()](task_, &best);
    return best.tied ? in_order(i, best) : best;
}

void BallisticEngine::predict_both(std::uint32_t i, std::uint32_t j) {
    candidates_.describe(task_);
    task_.target[0] = i;
    task_.target[1] = j;
    std::array<Best, 2> best;
    options_.kernels->two[has_gravity_][equal_][candidates_.is_shifted()](task_, best.data());
    for (std::size_t k = 0; k < 2; ++k) {
        const std::uint32_t target = task_.target[k];
        set_collision(target, best[k].tied ? in_order(target, best[k]) : best[k]);
        set_crossing(target, no_face);
    }
    for (const std::uint32_t target : {i, j}) {  // candidates are not needed any more
        if (has_obstacles()) {
            ask_obstacles(target);
        }
        queue_.push(target, event_[target].key());
    }
}

void BallisticEngine::predict_anew(std::uint32_t i) {
    predict(i);
    queue_.push(i, event_[i].key());
}

void BallisticEngine::predict(std::uint32_t i) {
    collect(box_around(grid_, record_[i].cell, record_[i].cell), i);
    set_collision(i, predict_one(i));
    set_crossing(i, no_face);
    if (has_obstacles()) {
        ask_obstacles(i);
    }
}

void BallisticEngine::set_collision(std::uint32_t i, const Best& best) {
    Event& event = event_[i];
    event.collision = best.time;
    if (best.time < never) {
        event.partner = candidates_.id(best.place);
        event.partner_count = record_[event.partner].count;
    } else {
        event.partner = nobody;
    }
}

void BallisticEngine::set_crossing(std::uint32_t i, std::uint32_t entered) {
    const Crossing crossing = has_gravity_ ? next_crossing(record_[i], grid_, gravity_, now_, entered)
                                           : next_crossing_straight(record_[i], grid_, now_);
    event_[i].crossing = crossing.time;
    event_[i].face = crossing.face;
}

}  // namespace talus::engines::hard
