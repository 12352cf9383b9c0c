// When a sphere in flight next touches a wall or a held grain. Whoever is clearly too far away is put off by a bound on
// speeds; a time that is found depends on the flight alone, so that asking early, late or twice changes no bit.
#include <algorithm>
#include <cmath>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/flight.h"
#include "talus/geometry/impact.h"

namespace talus::engines::hard {

namespace {

/// How much further than needed a bound is tried: a wall that is put off for longer is asked less often.
constexpr double look_ahead = 16;
/// Held grains that move are searched in pieces of the time in which they come this many radii far.
constexpr double window_radii = 0.5;
/// The place of a moving grain is looked up again when it may have moved by this part of its radius.
constexpr double seen_part = 0.25;
/// A search in pieces of time that finds nothing for so many of them puts the rest off.
constexpr int most_windows = 64;

geometry::Flight flight_of(const Record& record, const Vec3d& gravity, const Vec3d& shift) {
    return {record.position + shift, record.velocity, gravity};
}

/// Pieces of time in which a moving surface is searched: a radian of its fastest motion, or the shortest of its frames.
double window_of(const model::Target& target) {
    if (model::is_steady(target)) {
        return never;
    }
    double out = never;
    for (const model::Oscillation& m : target.motion.oscillations) {
        out = std::min(out, 1 / std::fabs(m.omega));
    }
    for (const model::Spin& m : target.motion.spins) {
        out = m.rate != 0 ? std::min(out, 1 / std::fabs(m.rate)) : out;
    }
    const auto& frames = target.motion.keyframes;
    for (std::size_t k = 1; k < frames.size(); ++k) {
        out = std::min(out, frames[k].time - frames[k - 1].time);
    }
    return out < never ? out : 1.0;
}

}  // namespace

void BallisticEngine::load_obstacles() {
    walls_.clear();
    measures_.wall_impulse.resize(system_.walls.size());
    for (std::size_t w = 0; w < system_.walls.size(); ++w) {
        const model::Wall& wall = system_.walls[w];
        if (wall.present) {
            walls_.push_back({static_cast<std::uint32_t>(w), window_of(model::Target::of(wall)), wall_images(wall)});
        }
    }
    obstacle_.assign(has_obstacles() ? record_.size() : 0, ObstacleEvent{});
}

/// Copies of an endless wall are the wall itself; of others the nearest ones are felt.
std::vector<Vec3d> BallisticEngine::wall_images(const model::Wall& wall) const {
    using Kind = geometry::ShapeKind;
    const Kind kind = wall.shape.kind;
    const bool endless = kind == Kind::plane || kind == Kind::cylinder || kind == Kind::line;
    std::vector<Vec3d> out{Vec3d{}};
    for (int k = 0; k < 3 && !endless; ++k) {
        if (!system_.domain.periodic[static_cast<std::size_t>(k)]) {
            continue;
        }
        const double period = system_.domain.high[k] - system_.domain.low[k];
        for (std::size_t n = out.size(); n-- > 0;) {
            for (const double sign : {-1.0, 1.0}) {
                Vec3d image = out[n];
                image[k] = sign * period;
                out.push_back(image);
            }
        }
    }
    return out;
}

model::Target BallisticEngine::target_of(const Held& held) const {
    static constexpr geometry::Shape point{geometry::ShapeKind::point};
    if (held.wall >= 0) {
        const model::Wall& wall = system_.walls[static_cast<std::size_t>(held.wall)];
        return {point, wall.base, wall.motion, held.offset};
    }
    return {point, held.base, held.motion};
}

Held BallisticEngine::held_body(std::size_t b) const {
    const model::Bodies& bodies = system_.bodies;
    Held out;
    out.wall = bodies.stuck_to[b];
    out.offset = bodies.stuck_at[b];
    if (out.wall < 0) {
        out.base.position = flights().position[b];
        if (flights().velocity[b] != Vec3d{}) {
            out.motion.translations.push_back({flights().velocity[b], flights().time[b]});
        }
    }
    out.since = flights().time[b];
    const model::Target target = target_of(out);
    out.moves = !target.motion.at_rest();
    out.window = window_of(target);
    if (out.moves) {
        // Short pieces: a grain has met something else long before it has been followed through all of a long one.
        out.speed = model::material_speed(target, target.base.to_world(target.offset), 0, std::min(out.window, 1.0));
        out.window = std::min(out.window, window_radii * bodies.radius[b] / out.speed);
    }
    return out;
}

Vec3d BallisticEngine::place_of(const Held& held, double clock) const {
    const model::Target target = target_of(held);
    return model::pose_at(target.base, target.motion, clock).to_world(target.offset);
}

/// Where a held grain was lately.
const Vec3d& BallisticEngine::seen_place(const Held& held, double radius) const {
    const double passed = time() - held.seen_time;
    if (held.seen_time == -never || (held.moves && held.speed * passed > seen_part * radius)) {
        held.seen_at = place_of(held, time());
        held.seen_time = time();
    }
    return held.seen_at;
}

/// Whether a sphere at `at` with this speed is certainly further than `reach` from a held grain for a span of time.
bool BallisticEngine::is_beyond(const Held& held, const Vec3d& at, double speed, double reach, double span) const {
    const double passed = held.moves ? time() - held.seen_time : 0;
    const double way = (speed + norm(gravity_) * span) * span + held.speed * (span + passed);
    return norm(at - held.seen_at) > (reach + way) * (1 + 1e-9);
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

/// A held grain within a drift, foreseen as the paper does; its motion is frozen at the start of the drift.
BallisticEngine::Answer BallisticEngine::ask_frozen(const Held& held, const Record& record, const Vec3d& shift,
                                                    double radius) const {
    const model::Target target = target_of(held);
    const model::Pose pose = model::pose_at(target.base, target.motion, flights().epoch);
    const Vec3d at = pose.to_world(target.offset);
    const Vec3d arm = at - pose.position;
    const Vec3d bend =
        options_.stuck_motion == StuckMotion::parabola ? math::cross(pose.spin, math::cross(pose.spin, arm)) : Vec3d{};
    const geometry::Flight frozen{at, pose.velocity_at(at), bend};
    const geometry::Flight there = frozen.from(record.time);
    const geometry::Flight relative{record.position + shift - there.position, record.velocity - there.velocity,
                                    gravity_ - bend};
    const geometry::FirstTouch found =
        geometry::first_touch({geometry::ShapeKind::point}, relative, radius,
                              std::max(0.0, held.since - flights().epoch - record.time), options_.step - record.time);
    return {found.touches ? record.time + found.time : never, never};
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
                const Held& held = held_at(record_[j]);
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

/// Marks the cells from which a held grain in `cell` can be reached.
void BallisticEngine::mark_near_held(std::uint32_t cell, int change) {
    const CellBox box = box_around(grid_, cell, cell);
    for (std::int32_t z = box.low[2]; z <= box.high[2]; ++z) {
        for (std::int32_t y = box.low[1]; y <= box.high[1]; ++y) {
            for (std::int32_t x = box.low[0]; x <= box.high[0]; ++x) {
                const auto round = [&](std::int32_t c, std::uint32_t k) {
                    const std::int32_t n = grid_.axis(k).cells;
                    return (c + n) % n;
                };
                near_held_[grid_.index(round(x, 0), round(y, 1), round(z, 2))] += change;
            }
        }
    }
}

/// After a held grain has come into a cell: spheres around must know.
void BallisticEngine::tell_neighbours(std::uint32_t held) {
    collect(box_around(grid_, record_[held].cell, record_[held].cell), held);
    std::vector<std::uint32_t> around;
    for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
        if (is_flying(record_[candidates_.id(k)])) {
            around.push_back(candidates_.id(k));
        }
    }
    for (const std::uint32_t i : around) {
        const double before = event_[i].key();
        ask_obstacles(i);
        if (event_[i].key() != before) {
            queue_.push(i, event_[i].key());
        }
    }
}

/// Held grains that move are filed anew before they can be further beyond a face of their cell than the slack that
/// cells have.
void BallisticEngine::set_refiling(std::uint32_t i) {
    const Held& held = held_at(record_[i]);
    Event& event = event_[i];
    event = {};
    if (!held.moves) {
        return;
    }
    const Vec3d at = place_of(held, time());
    double room = slack_;
    double nearest = never;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const GridAxis& axis = grid_.axis(k);
        const std::uint32_t c = cell_coordinate(record_[i].cell, k);
        const double x = axis.periodic
                             ? at[static_cast<int>(k)] -
                                   axis.length * std::floor((at[static_cast<int>(k)] - axis.face.front()) / axis.length)
                             : at[static_cast<int>(k)];
        nearest = std::min({nearest, x - axis.face[c], axis.face[c + 1] - x});
    }
    room += std::max(nearest, 0.0);
    double span = refiling_span_;
    double speed = model::material_speed(target_of(held), at, time(), span);
    while (speed * span > room) {
        span = std::min(0.5 * span, 0.9 * room / speed);
        speed = model::material_speed(target_of(held), at, time(), span);
    }
    refiling_span_ = std::min(4 * span, 1e3);
    event.crossing = now_ + span;
    event.face = no_face;
}

/// Files a held grain where it is now; says whether that is another cell than before.
bool BallisticEngine::follow(std::uint32_t i) {
    Record& record = record_[i];
    Vec3d at = place_of(held_at(record), time());
    for (std::uint32_t k = 0; k < 3; ++k) {
        const GridAxis& axis = grid_.axis(k);
        const auto c = static_cast<int>(k);
        if (axis.periodic) {
            at[c] -= axis.length * std::floor((at[c] - axis.face.front()) / axis.length);
        }
    }
    const std::uint32_t cell = grid_.cell_of(at);
    if (cell == record.cell) {
        return false;
    }
    cells_.remove(grid_.index(record.cell), i);
    mark_near_held(record.cell, -1);
    record.cell = cell;
    cells_.insert(grid_.index(cell), i);
    mark_near_held(cell, 1);
    return true;
}

void BallisticEngine::refile(std::uint32_t i) {
    if (follow(i)) {
        tell_neighbours(i);
    }
    set_refiling(i);
    queue_.push(i, event_[i].key());
}

}  // namespace talus::engines::hard
