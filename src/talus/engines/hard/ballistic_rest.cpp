// Grains that come to rest. A grain that has stayed within a hair of one place for longer than a fall takes must be
// carried: it is put to rest there and takes part in no more events until something hits it hard enough
// or what it lies on moves away. Piles then keep their height and cost nothing.
#include <algorithm>
#include <cmath>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/rest_rule.h"

namespace talus::engines::hard {

bool BallisticEngine::may_rest() const {
    return grains_may_rest(system_, options_.resting, options_.slow) &&
           std::none_of(held_.begin(), held_.end(), [](const Held& held) { return held.moves; });
}

/// Called after every impact of a flying grain; `fixed`: on what does not give way.
void BallisticEngine::note_motion(std::uint32_t i, bool fixed) {
    if (!rests_ || !is_flying(record_[i]) || !is_kept(i)) {
        return;
    }
    const std::size_t b = body_at_[i];
    Vec3d& anchor = flights().anchor[b];
    double& calm = flights().calm[b];
    std::int32_t& knocks = flights().knocks[b];
    const double radius = body_[i].radius;
    const Vec3d& at = record_[i].position;
    if (norm2(at - anchor) > RestRule::reach * RestRule::reach * radius * radius) {
        const Vec3d left = anchor;
        anchor = at;
        calm = time();
        knocks = 0;
        wake_around(i, left);
        return;
    }
    knocks += fixed ? 1 : 0;
    if (RestRule{}.is_over(knocks, time() - calm, radius, system_.gravity)) {
        fall_asleep(i);
    }
}

void BallisticEngine::fall_asleep(std::uint32_t i) {
    const std::size_t b = body_at_[i];
    model::Bodies& bodies = system_.bodies;
    Record& record = record_[i];
    count_time(now_);
    system_.ledger.dissipated[static_cast<std::size_t>(model::Mechanism::normal_damping)] +=
        kinetic_energy(bodies, b, record.velocity, spin_[i]);
    bodies.flags[b] |= model::at_rest;
    record.velocity = {};
    spin_[i] = {};
    flights().position[b] = record.position;
    flights().velocity[b] = {};
    flights().time[b] = time();
    --flying_;
    ++measures_.asleep;
    hold(i);
    event_[i] = {};
    tell_neighbours(i);
}

/// A grain at rest flies again from where it lay.
void BallisticEngine::wake(std::uint32_t i) {
    const std::size_t b = body_at_[i];
    Record& record = record_[i];
    const std::uint32_t place = record.count & ~held_bit;
    count_time(now_);
    system_.bodies.flags[b] &= static_cast<std::uint8_t>(~model::at_rest);
    mark_near_held(record.cell, -1);
    record.position = held_[place].base.position;
    record.velocity = {};
    record.time = now_;
    record.count = held_[place].count_before + 1;
    free_held_.push_back(place);
    flights().anchor[b] = record.position;
    flights().calm[b] = time();
    flights().knocks[b] = 0;
    ++flying_;
    --measures_.asleep;
}

/// Grain i has moved on from `left`: those at rest that it may have carried are on their own.
void BallisticEngine::wake_around(std::uint32_t i, const Vec3d& left) {
    if (!near_held(record_[i].cell)) {
        return;
    }
    std::vector<std::uint32_t> woken;
    collect(box_around(grid_, record_[i].cell, record_[i].cell), i);
    for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
        const std::uint32_t j = candidates_.id(k);
        if (!is_asleep(j)) {
            continue;
        }
        Vec3d d = held_at(record_[j]).base.position - left;
        d -= period_along(d);
        const double sum = (body_[i].radius + body_[j].radius) * (1 + RestRule::carrying_gap);
        if (norm2(d) < sum * sum) {
            woken.push_back(j);
        }
    }
    for (const std::uint32_t j : woken) {
        wake(j);
    }
    for (const std::uint32_t j : woken) {
        predict_anew(j);
    }
}

}  // namespace talus::engines::hard
