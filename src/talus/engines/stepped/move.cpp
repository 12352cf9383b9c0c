// The move of a step, between its two kicks: grains, walls and what sticks to them, borders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/base/diagnostics.h"
#include "talus/engines/stepped/engine.h"

namespace talus::engines::stepped {

namespace {

/// A grain that goes farther than this in one step may pass through others; radii.
constexpr double longest_way = 1;

}  // namespace

void Engine::kick(std::size_t rank) {
    const Range range = share(rank);
    const Vec3d by = system_.gravity * (0.5 * system_.clock.step);
    for (std::size_t s = range.begin; s < range.end; ++s) {
        if (record_[s].inverse_mass > 0) {
            record_[s].velocity += by;
        }
    }
    note_spent(rank);
}

void Engine::move(std::size_t rank) {
    OfThread& mine = of_thread_[rank];
    const double h = system_.clock.step;
    const Vec3d by = system_.gravity * (0.5 * h);
    const model::Domain& domain = system_.domain;
    const bool bounded = domain.is_bounded();
    const Range range = share(rank);
    for (std::size_t s = range.begin; s < range.end; ++s) {
        Record& record = record_[s];
        before_[s] = record.position;
        record.position += record.velocity * h;
        const double way2 = norm2(record.velocity) * (h * h);
        const double radius2 = record.radius * record.radius;
        if (!(way2 <= longest_way * longest_way * radius2)) {  // also if it is no number
            mine.lost_id = mine.lost_id < 0 ? id_[s] : std::min(mine.lost_id, id_[s]);
        } else if (way2 >= mine.fastest2 * radius2 * (1 - 1e-15)) {  // rounding must not hide it
            const double ratio = way2 / radius2;
            if (ratio > mine.fastest2 || (ratio == mine.fastest2 && id_[s] < mine.fastest_id)) {
                mine.fastest2 = ratio;
                mine.fastest_id = id_[s];
            }
        }
        if (record.inverse_mass > 0) {
            record.velocity += by;
        }
        if (bounded) {
            Vec3d jump;
            bool out = false;
            for (int axis = 0; axis < 3; ++axis) {
                double& x = record.position[axis];
                if (x >= domain.low[axis] && x < domain.high[axis]) {
                    continue;
                }
                if (domain.periodic[static_cast<std::size_t>(axis)]) {
                    jump[axis] = x < domain.low[axis] ? period_[axis] : -period_[axis];
                    x += jump[axis];
                    x = x < domain.high[axis] ? x : domain.low[axis];  // rounding may carry it onto the far border
                } else {
                    out = true;
                }
            }
            if (norm2(jump) > 0) {
                reference_[s] += jump;
                before_[s] += jump;
                mine.jumps.push_back({body_at_[s], jump});
            }
            if (out) {
                mine.outside.push_back(body_at_[s]);
            }
        }
        mine.spent = mine.spent || is_spent(s, h);
    }
}

void Engine::refuse_lost(std::int64_t lost) const {
    if (lost < 0) {
        return;
    }
    const auto place = static_cast<std::size_t>(std::find(id_.begin(), id_.end(), lost) - id_.begin());
    const double way = norm(record_[place].position - before_[place]) / record_[place].radius;
    throw base::RunError(fmt::format(
        "grain {} would go {:.3g} radii in the step to t = {:.6g} s (step {}): grains may pass through one another; a "
        "shorter time.step is needed",
        lost, way, system_.clock.time(), system_.clock.steps));
}

void Engine::after_move() {
    ++system_.clock.steps;
    for (OfThread& mine : of_thread_) {
        mine.fastest = std::sqrt(mine.fastest2);
        mine.fastest2 = 0;
    }
    Books& books = all_books();
    refuse_lost(books.lost_id);
    model::move_walls(system_);
    follow_walls();
    settle_jumps(books, system_);
    rebuild_ = rebuild_ || walls_have_moved();
}

/// Stuck grains go with their walls; the work on them is the change of their energy.
void Engine::follow_walls() {
    const model::Bodies& bodies = system_.bodies;
    for (const std::uint32_t s : held_) {
        const std::size_t i = body_at_[s];
        if (bodies.stuck_to[i] < 0) {
            continue;
        }
        const model::Pose& pose = system_.walls[static_cast<std::size_t>(bodies.stuck_to[i])].pose;
        const auto energy = [&] { return kinetic_energy(bodies, i, record_[s].velocity, turning_[s].spin); };
        const double before = energy();
        Vec3d x = pose.to_world(bodies.stuck_at[i]);
        record_[s].velocity = pose.velocity_at(x);
        turning_[s].spin = pose.spin;
        x = wrapped(system_.domain, x);
        const Vec3d rest = x - record_[s].position;
        for (int axis = 0; axis < 3; ++axis) {
            reference_[s][axis] += period_[axis] * std::rint(rest[axis] * inverse_period_[axis]);
        }
        record_[s].position = x;
        system_.ledger.held_work += energy() - before;
        of_thread_[0].spent = of_thread_[0].spent || is_spent(s, system_.clock.step);
    }
}

}  // namespace talus::engines::stepped
