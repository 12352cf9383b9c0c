// When a sphere in flight next touches a wall or a held grain. Whoever is clearly too far away is put off by a bound on
// speeds; a time that is found depends on the flight alone, so that asking early, late or twice changes no bit.
#include <algorithm>
#include <cmath>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/geometry/impact.h"

namespace talus::engines::hard {

namespace {

/// How much further than needed a bound is tried: a wall that is put off for longer is asked less often.
constexpr double look_ahead = 16;
/// A search in pieces of time that finds nothing for so many of them puts the rest off.
constexpr int most_windows = 64;

geometry::Flight flight_of(const Record& record, const Vec3d& gravity, const Vec3d& shift) {
    return {record.position + shift, record.velocity, gravity};
}

}  // namespace

void BallisticEngine::load_obstacles() {
    walls_ = wall_views(system_);
    measures_.wall_impulse.resize(system_.walls.size());
    obstacle_.assign(has_obstacles() ? record_.size() : 0, ObstacleEvent{});
}

/// The first touch of one obstacle at or after the present, if it may come before `horizon`.
BallisticEngine::Answer BallisticEngine::ask(const model::Target& target, double window, const Record& record,
                                             const Vec3d& shift, double radius, double since, double horizon) const {
    const geometry::Flight flight = flight_of(record, gravity_, shift);
    const double clock = flights().epoch + record.time;
    const double now = std::max(now_, record.time) - record.time;  // on the flight's clock
    const double wanted = horizon - record.time;
    const double begin = std::max(0.0, since - clock);
    if (wanted < never) {
        const double clear = model::clear_until(target, flight, clock, radius, now, now + look_ahead * (wanted - now));
        if (clear >= wanted && clear > now) {
            return {never, record.time + clear};
        }
    }
    if (window == never) {
        for (double from = begin;;) {
            const geometry::FirstTouch found = model::first_touch(target, flight, clock, radius, from, never);
            if (found.touches || !(found.time < never)) {
                return {found.touches ? record.time + found.time : never, never};
            }
            from = found.time;
        }
    }
    double k = std::floor((record.time + now) / window);
    for (int n = 0; n < most_windows; ++n, k += 1) {
        const double end = (k + 1) * window;
        for (double from = std::max(begin, k * window - record.time);;) {
            const geometry::FirstTouch found =
                model::first_touch(target, flight, clock, radius, from, end - record.time);
            if (found.touches) {
                return {record.time + found.time, never};
            }
            if (!(found.time < end - record.time)) {
                break;
            }
            from = found.time;
        }
        if (end >= horizon) {
            return {never, end};
        }
    }
    return {never, k * window};
}

/// What to take from a difference of positions so that it is the shortest.
Vec3d BallisticEngine::period_along(const Vec3d& d) const {
    Vec3d out;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const GridAxis& axis = grid_.axis(k);
        if (axis.periodic) {
            const auto c = static_cast<int>(k);
            out[c] = axis.length * std::rint(d[c] / axis.length);
        }
    }
    return out;
}

void BallisticEngine::ask_obstacles(std::uint32_t i) {
    ObstacleEvent& known = obstacle_[i];
    const Record& record = record_[i];
    if (known.count != record.count) {
        known = {};
        known.count = record.count;
    }
    Event& event = event_[i];
    double horizon = std::min(event.key(), known.time);
    if (known.until < horizon || near_held(record.cell)) {
        double until = never;
        const auto consider = [&](const Answer& answer, std::uint32_t partner) {
            const bool tie = answer.time == known.time && known.time < never && !is_wall(partner) &&
                             !is_wall(known.partner) && body_at_[partner] < body_at_[known.partner];
            if (answer.time < known.time || tie) {
                known.time = answer.time;
                known.partner = partner;
                horizon = std::min(horizon, known.time);
            }
            until = std::min(until, answer.until);
        };
        for (std::size_t n = 0; n < walls_.size(); ++n) {
            const std::uint64_t bit = n < 64 ? std::uint64_t{1} << n : 0;
            if ((known.solved & bit) != 0) {
                continue;
            }
            const WallView& view = walls_[n];
            const model::Target target = model::Target::of(system_.walls[view.index]);
            bool solved = true;
            for (const Vec3d& image : view.images) {
                const Answer answer = ask(target, view.window, record, image, body_[i].radius, 0, horizon);
                consider(answer, wall_bit | view.index);
                solved = solved && answer.until == never;
            }
            known.solved |= solved ? bit : 0;
        }
        if (near_held(record.cell)) {
            collect(box_around(grid_, record.cell, record.cell), i);
            Record here = record;
            fly(here);
            for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
                const std::uint32_t j = candidates_.id(k);
                if (is_flying(record_[j])) {
                    continue;
                }
                Held& held = held_at(record_[j]);
                const double sum = body_[i].radius + body_[j].radius;
                const Vec3d shift = nearest_period(record, seen_place(held, body_[j].radius));
                if (is_beyond(held, here.position + shift, norm(here.velocity), sum, horizon - now_)) {
                    until = std::min(until, horizon);
                    continue;
                }
                const bool frozen = options_.step > 0 && held.moves && options_.stuck_motion != StuckMotion::exact;
                consider(frozen ? ask_frozen(held, record, shift, sum)
                                : ask(target_of(held), held.window, record, shift, sum, held.since, horizon),
                         j);
            }
        }
        known.until = until;
    }
    if (known.time < event.collision) {
        event.collision = known.time;
        event.partner = known.partner;
        event.partner_count = is_wall(known.partner) ? 0 : record_[known.partner].count;
    }
    if (known.until < event.key()) {  // the search was put off: ask again then
        event.crossing = known.until;
        event.face = no_face;
    }
}

}  // namespace talus::engines::hard
