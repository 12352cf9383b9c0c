// One step of grains of many spheres, phase by phase as in step.cpp: half a kick, impacts with what is ahead, the move,
// half a kick, and moving apart what overlaps.
#include <fmt/format.h>

#include <algorithm>

#include "talus/base/diagnostics.h"
#include "talus/base/parallel.h"
#include "talus/engines/stepped/grain_engine.h"
#include "talus/model/leaving.h"

namespace talus::engines::stepped {

namespace {

/// A grain whose spheres go farther than this in one step may pass through others; radii of its smallest.
constexpr double longest_way = 1;

}  // namespace

void GrainEngine::advance(std::int64_t steps) {
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

void GrainEngine::step() {
    scales_ = scales_for(system_.ledger);
    rebuild_ = rebuild_ || options_.rebuild_every_step;
    refresh_lists();
    if (norm2(system_.gravity) > 0) {
        timer_.time("kick", [&] { base::in_team(team(), [&](std::size_t rank) { kick(rank); }); });
    }
    timer_.time("impacts and move", [&] { collide_and_move(system_.step_rules.sweeps); });
    timer_.time("walls and borders", [&] { after_move(); });
    timer_.time("overlaps", [&] { move_apart(system_.step_rules.sweeps); });
    timer_.time("books", [&] { close_step(); });
}

void GrainEngine::kick(std::size_t rank) {
    const Range range = share(rank);
    const Vec3d by = system_.gravity * (0.5 * system_.clock.step);
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (body_[i].inverse_mass > 0) {
            body_[i].velocity += by;
        }
    }
    note_spent(rank);
}

/// A sweep may leave grains faster than the lists allow for: they are looked at before the next one.
void GrainEngine::collide_and_move(int sweeps) {
    bool found = true;
    for (int sweep = 0; sweep < sweeps && found; ++sweep) {
        refresh_lists();
        round_ = round_of(system_.clock.steps, sweep + 1);
        base::in_team(team(), [&](std::size_t rank) {
            find_impacts(rank);
#pragma omp barrier
            const bool any = !turns_.empty();
            turns_.carry_out(
                rank, [&](const Event& event) { collide(event, of_thread_[rank]); }, [](const Event&) {});
#pragma omp barrier
            turns_.clear(rank);
            note_spent(rank);
            if (rank == 0) {
                found = any;
            }
        });
    }
    base::in_team(team(), [&](std::size_t rank) { move(rank); });
}

void GrainEngine::move(std::size_t rank) {
    OfThread& mine = of_thread_[rank];
    const double h = system_.clock.step;
    const Vec3d by = system_.gravity * (0.5 * h);
    const Range range = share(rank);
    for (std::size_t i = range.begin; i < range.end; ++i) {
        Body& body = body_[i];
        for (std::uint32_t p = first_[i]; p < first_[i + 1]; ++p) {
            parts_[p].before = center(parts_[p]);
        }
        const double way = (norm(body.velocity) + nature_[i].arm * norm(body.spin)) * h;
        mine.note_way(system_.bodies.id[i], way / nature_[i].smallest, longest_way);
        body.position += body.velocity * h;
        turn(i, mine);
        if (body.inverse_mass > 0) {
            body.velocity += by;
        }
        if (system_.domain.is_bounded()) {
            wrap(i, mine);
        }
        mine.spent = mine.spent || is_spent(i);
    }
}

void GrainEngine::wrap(std::size_t i, OfThread& mine) {
    const model::Domain& domain = system_.domain;
    Vec3d jump;
    bool out = false;
    for (int axis = 0; axis < 3; ++axis) {
        double& x = body_[i].position[axis];
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
        reference_[i].position += jump;
        for (std::uint32_t p = first_[i]; p < first_[i + 1]; ++p) {
            parts_[p].before += jump;
        }
        mine.jumps.push_back({static_cast<std::uint32_t>(i), jump});
    }
    if (out) {
        mine.outside.push_back(static_cast<std::uint32_t>(i));
    }
}

void GrainEngine::after_move() {
    ++system_.clock.steps;
    Books& books = all_books();
    if (books.lost_id >= 0) {
        throw base::RunError(fmt::format(
            "grain {} would go more than a radius of its smallest sphere in the step to t = {:.6g} s (step {}): grains "
            "may pass through one another; a shorter time.step is needed",
            books.lost_id, system_.clock.time(), system_.clock.steps));
    }
    settle_jumps(books, system_);
    model::move_walls(system_);
    rebuild_ = rebuild_ || wall_watch_.farthest(system_.walls) >= wall_allowance_;
}

void GrainEngine::move_apart(int sweeps) {
    bool found = true;
    for (int sweep = 0; sweep < sweeps && found; ++sweep) {
        refresh_lists();
        round_ = round_of(system_.clock.steps, -sweep);
        base::in_team(team(), [&](std::size_t rank) {
            find_overlaps(rank);
#pragma omp barrier
            const bool any = !turns_.empty();
            turns_.carry_out(
                rank, [&](const Event& event) { part(event, of_thread_[rank]); }, [](const Event&) {});
#pragma omp barrier
            turns_.clear(rank);
            part_from_walls(rank);
            if (rank == 0) {
                found = any;
            }
        });
    }
}

Books& GrainEngine::all_books() {
    for (std::size_t rank = 1; rank < of_thread_.size(); ++rank) {
        of_thread_[0].take(of_thread_[rank]);
    }
    return of_thread_[0];
}

void GrainEngine::close_step() {
    Books& books = all_books();
    settle(books, system_, scales_, measures_);
    if (!books.caught.empty() || !books.outside.empty()) {
        give_back();
        model::Leaving leaving(system_);
        for (const std::uint32_t i : books.outside) {
            leaving.leave_domain(i);
        }
        for (const Books::Caught& c : books.caught) {
            leaving.absorb(c.body, system_.walls[c.wall]);
        }
        remove(leaving.keep());
    }
    books.clear();
}

}  // namespace talus::engines::stepped
