// One step, phase by phase: half a kick, impacts with what is ahead, the move, half a kick, and moving apart what
// overlaps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/base/diagnostics.h"
#include "talus/base/hash.h"
#include "talus/base/parallel.h"
#include "talus/engines/stepped/engine.h"

namespace talus::engines::stepped {

namespace {

/// A grain that goes farther than this in one step may pass through others; radii.
constexpr double longest_way = 1;

/// A number of its own for each sweep of each step, whatever happened before: a resumed run goes on with the same.
std::uint64_t round_of(std::int64_t steps, int sweep) {
    return (static_cast<std::uint64_t>(steps) << 24U) + static_cast<std::uint64_t>(sweep);
}

}  // namespace

void Engine::advance(std::int64_t steps) {
    for (; steps > 0; --steps) {
        if (stale_) {
            start_anew();
        }
        step();
    }
    if (!stale_) {
        give_back();
    }
}

void Engine::step() {
    const model::StepRules& rules = system_.step_rules;
    for (std::size_t q = 0; q < scales_.size(); ++q) {
        scales_[q] = backends::cpu::LedgerScale::for_peak(system_.ledger.peak[q]);
    }
    if (options_.rebuild_every_step || walls_have_moved()) {
        rebuild_ = true;
    }
    refresh_lists();
    if (norm2(system_.gravity) > 0) {
        timer_.time("kick", [&] { base::in_team(team(), [&](std::size_t rank) { kick(rank); }); });
        refresh_lists();
    }
    timer_.time("impacts and move", [&] { collide_and_move(rules.after_overlap ? 0 : rules.sweeps); });
    timer_.time("walls and borders", [&] { after_move(); });
    refresh_lists();
    timer_.time("overlaps", [&] {
        if (rules.after_overlap) {
            base::in_team(team(), [&](std::size_t rank) {
                find_overlaps(rank);
#pragma omp barrier
                turns_.carry_out(rank, [&](const Event& event) { collide_overlapping(event, of_thread_[rank]); });
#pragma omp barrier
                turns_.clear(rank);
            });
        } else {
            move_apart(rules.sweeps);
        }
    });
    timer_.time("books", [&] { close_step(); });
}

/// A sweep may leave grains faster than the lists allow for: they are looked at before the next one.
void Engine::collide_and_move(int sweeps) {
    bool moved = false;
    for (int sweep = 0; sweep < sweeps && !moved; ++sweep) {
        refresh_lists();
        round_ = round_of(system_.clock.steps, sweep + 1);
        const bool last = sweep + 1 == sweeps;
        bool found = true;
        base::in_team(team(), [&](std::size_t rank) {
            OfThread& mine = of_thread_[rank];
            find_impacts(rank);
#pragma omp barrier
            const bool any = !turns_.empty();
            if (any) {
                turns_.carry_out(rank, [&](const Event& event) { collide(event, mine); });
#pragma omp barrier
                turns_.clear(rank);
            }
            if (last) {
                move(rank);
            } else if (any) {
                note_spent(rank);
            } else if (rank == 0) {
                found = false;
            }
        });
        moved = last;
        if (!found) {
            break;
        }
    }
    if (!moved) {
        base::in_team(team(), [&](std::size_t rank) { move(rank); });
    }
}

void Engine::move_apart(int sweeps) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        refresh_lists();
        round_ = round_of(system_.clock.steps, -sweep);
        bool found = true;
        base::in_team(team(), [&](std::size_t rank) {
            OfThread& mine = of_thread_[rank];
            find_overlaps(rank);
#pragma omp barrier
            if (!turns_.empty()) {
                turns_.carry_out(rank, [&](const Event& event) { part(event, mine); });
#pragma omp barrier
                turns_.clear(rank);
            } else if (rank == 0) {
                found = false;
            }
            part_from_walls(rank);
        });
        if (!found) {
            break;
        }
    }
}

void Engine::note_spent(std::size_t rank) {
    const Range range = share(rank);
    for (std::size_t s = range.begin; s < range.end; ++s) {
        of_thread_[rank].spent = of_thread_[rank].spent || is_spent(s, system_.clock.step);
    }
}

void Engine::refresh_lists() {
    for (OfThread& mine : of_thread_) {
        rebuild_ = rebuild_ || mine.spent;
        mine.spent = false;
    }
    if (rebuild_) {
        timer_.time("rebuild", [&] { rebuild(); });
    }
}

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
    const bool bounded = domain.any_periodic() || domain.low.x > -model::Domain::unbounded ||
                         domain.low.y > -model::Domain::unbounded || domain.low.z > -model::Domain::unbounded ||
                         domain.high.x < model::Domain::unbounded || domain.high.y < model::Domain::unbounded ||
                         domain.high.z < model::Domain::unbounded;
    const Range range = share(rank);
    for (std::size_t s = range.begin; s < range.end; ++s) {
        Record& record = record_[s];
        before_[s] = record.position;
        record.position += record.velocity * h;
        const double way2 = norm2(record.velocity) * (h * h);
        const double radius2 = record.radius * record.radius;
        if (!(way2 <= mine.fastest2 * radius2)) {  // also if it is no number
            mine.fastest2 = way2 / radius2;
            mine.fastest_id = id_[s];
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
                mine.wrapped.push_back(static_cast<std::uint32_t>(s));
                mine.jumps.push_back(jump);
            }
            if (out) {
                mine.outside.push_back(body_at_[s]);
            }
        }
        mine.spent = mine.spent || is_spent(s, h);
    }
}

void Engine::refuse_fast(std::int64_t id, double ways) const {
    throw base::RunError(fmt::format(
        "grain {} would go {:.3g} radii in the step to t = {:.6g} s (step {}): grains may pass through one another; a "
        "shorter time.step is needed",
        id, ways, system_.clock.time(), system_.clock.steps));
}

void Engine::after_move() {
    ++system_.clock.steps;
    double fastest2 = 0;
    std::int64_t fastest_id = -1;
    for (OfThread& mine : of_thread_) {
        if (mine.fastest_id >= 0 && (!(mine.fastest2 <= fastest2) || fastest_id < 0)) {
            fastest2 = mine.fastest2;
            fastest_id = mine.fastest_id;
        }
        mine.fastest2 = 0;
        mine.fastest_id = -1;
    }
    const double ways = std::sqrt(fastest2);
    if (!(ways <= longest_way)) {
        refuse_fast(fastest_id, ways);
    }
    if (ways > measures_.fastest) {
        measures_.fastest = ways;
        measures_.fastest_id = fastest_id;
    }
    model::place_walls(system_);
    follow_walls();
    // What gravity gains by a grain's jump across a border is no work; added up by grain, so that threads do not show.
    std::vector<std::pair<std::uint32_t, Vec3d>> jumps;
    for (OfThread& mine : of_thread_) {
        for (std::size_t k = 0; k < mine.wrapped.size(); ++k) {
            jumps.emplace_back(body_at_[mine.wrapped[k]], mine.jumps[k]);
        }
        mine.wrapped.clear();
        mine.jumps.clear();
    }
    std::sort(jumps.begin(), jumps.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [body, jump] : jumps) {
        if (!system_.bodies.is_held(body)) {
            system_.ledger.gravity_reference += system_.bodies.mass[body] * dot(system_.gravity, jump);
        }
    }
    rebuild_ = rebuild_ || walls_have_moved();
    round_ = round_of(system_.clock.steps, 0);
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
        for (int axis = 0; axis < 3; ++axis) {
            if (period_[axis] > 0) {
                x[axis] -= period_[axis] * std::floor((x[axis] - system_.domain.low[axis]) * inverse_period_[axis]);
            }
        }
        const Vec3d rest = x - record_[s].position;
        for (int axis = 0; axis < 3; ++axis) {
            reference_[s][axis] += period_[axis] * std::rint(rest[axis] * inverse_period_[axis]);
        }
        record_[s].position = x;
        system_.ledger.held_work += energy() - before;
        of_thread_[0].spent = of_thread_[0].spent || is_spent(s, system_.clock.step);
    }
}

/// Mixed anew in every sweep, so that no grain and no direction comes first for long; still one of its own for each
/// word.
std::uint64_t Engine::key_of(std::uint64_t word) const {
    return base::mix_bits(word + base::mix_bits(round_));
}

std::uint64_t Engine::pair_word(std::uint32_t a, std::uint32_t b) const {
    return (static_cast<std::uint64_t>(id_[a]) << 32U) | static_cast<std::uint64_t>(id_[b]);
}

std::uint64_t Engine::wall_word(std::uint32_t pair) const {
    constexpr std::uint64_t wall_bit = std::uint64_t{1} << 31U;  // beyond all ids
    return (static_cast<std::uint64_t>(id_[wall_pairs_.body[pair]]) << 32U) | wall_bit |
           (2 * wall_pairs_.wall[pair] + wall_pairs_.side[pair]);
}

void Engine::close_step() {
    backends::cpu::LedgerSums sums;
    model::Counters& counters = system_.counters;
    double overlap = counters.largest_overlap;
    for (OfThread& mine : of_thread_) {
        sums.merge(mine.sums);
        mine.sums.clear();
        measures_.collisions += mine.collisions;
        measures_.wall_collisions += mine.wall_collisions;
        measures_.corrections += mine.corrections;
        counters.large_overlaps += mine.large_overlaps;
        if (mine.overlap > overlap || (mine.overlap == overlap && mine.overlap > counters.largest_overlap &&
                                       mine.overlap_id < counters.largest_overlap_id)) {
            overlap = mine.overlap;
            counters.largest_overlap_id = mine.overlap_id;
        }
        mine.collisions = mine.wall_collisions = mine.corrections = mine.large_overlaps = 0;
        mine.overlap = 0;
    }
    counters.largest_overlap = overlap;
    for (std::size_t q = 0; q < scales_.size(); ++q) {
        system_.ledger.dissipated[q] += sums.value(q, scales_[q]);
        // The grain of the sums follows the largest loss, and forgets it slowly: most steps have few impacts.
        system_.ledger.peak[q] = std::max(sums.peak[q], 0.99 * system_.ledger.peak[q]);
    }
    if (system_.step_rules.after_overlap) {
        take_met();
    }
    book_receipts();
    stick_and_remove();
}

}  // namespace talus::engines::stepped
