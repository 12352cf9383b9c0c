// Events at the very same time: which comes first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "talus/engines/hard/event_queue.h"
#include "talus/engines/hard/obstacle.h"

namespace talus::engines::hard {

/// The body whose event is next; the queue must have a front. Of events at the very same time, what only keeps the
/// books comes first: it may bring to light another collision at this time. Then collisions in order of the model's
/// indices, whichever partner has predicted them.
template <class IsVoid, class ModelIndex>
std::uint32_t first_of_rivals(const EventQueue& queue, const Event* events, const IsVoid& is_void,
                              const ModelIndex& model_index) {
    const EventQueue::Entry front = *(queue.upcoming() - 1);
    const std::uint32_t partner = events[front.id].partner;
    bool rivals = false;
    for (const auto* other = queue.upcoming(); other < queue.upcoming_end() && other->time == front.time; ++other) {
        rivals = rivals || (other->id != front.id && other->id != partner);
    }
    if (!rivals) {
        return front.id;
    }
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    Pair first{nobody, nobody};
    std::uint32_t chosen = nobody;
    for (const auto* entry = queue.upcoming() - 1; entry < queue.upcoming_end() && entry->time == front.time; ++entry) {
        const Event& event = events[entry->id];
        if (event.key() != front.time) {
            continue;
        }
        if (event.crossing <= event.collision || is_void(event)) {
            return entry->id;
        }
        const Pair pair = is_wall(event.partner)
                              ? Pair{model_index(entry->id), event.partner}
                              : Pair{std::minmax(model_index(entry->id), model_index(event.partner))};
        if (pair < first) {
            first = pair;
            chosen = entry->id;
        }
    }
    return chosen;
}

}  // namespace talus::engines::hard
