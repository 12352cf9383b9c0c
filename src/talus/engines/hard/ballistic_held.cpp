// Grains that are held or stuck: where they are, which spheres must ask them, and in which cell they are filed while
// they move. Spheres in flight never wait for them: who comes near asks (ballistic_obstacles.cpp).
#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/geometry/impact.h"

namespace talus::engines::hard {

namespace {

/// Held grains that move are searched in pieces of the time in which they come this many radii far.
constexpr double window_radii = 0.5;
/// The place of a moving grain is looked up again when it may have moved by this part of its radius.
constexpr double seen_part = 0.25;

}  // namespace

model::Target BallisticEngine::target_of(const Held& held) const {
    static const geometry::Shape point{geometry::ShapeKind::point};
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
const Vec3d& BallisticEngine::seen_place(Held& held, double radius) const {
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

/// From now on the record only says in which cell the grain is.
void BallisticEngine::hold(std::uint32_t i) {
    Record& record = record_[i];
    Held held = held_body(body_at_[i]);
    held.count_before = record.count;
    record.time = std::numeric_limits<double>::quiet_NaN();
    if (free_held_.empty()) {
        free_held_.push_back(static_cast<std::uint32_t>(held_.size()));
        held_.emplace_back();
    }
    const std::uint32_t place = free_held_.back();
    free_held_.pop_back();
    record.count = held_bit | place;
    held_[place] = held;
    if (near_held_.empty()) {
        near_held_.assign(grid_.size(), 0);
    }
    if (obstacle_.empty()) {
        obstacle_.assign(record_.size(), ObstacleEvent{});
    }
    mark_near_held(record.cell, 1);
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
    const Vec3d inside = wrapped(system_.domain, at);
    double room = slack_;
    double nearest = never;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const double* face = grid_.axis(k).face.data() + cell_coordinate(record_[i].cell, k);
        const double x = inside[static_cast<int>(k)];
        nearest = std::min({nearest, x - face[0], face[1] - x});
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
    const std::uint32_t cell = grid_.cell_of(wrapped(system_.domain, place_of(held_at(record), time())));
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
