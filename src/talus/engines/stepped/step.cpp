// One step, phase by phase: half a kick, impacts with what is ahead, the move, half a kick, and moving apart what
// overlaps.
#include <algorithm>

#include "talus/base/parallel.h"
#include "talus/engines/stepped/engine.h"
#include "talus/engines/stepped/scan.h"
#include "talus/search/mesh_contacts.h"

namespace talus::engines::stepped {

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
    scales_ = scales_for(system_.ledger);
    rebuild_ = rebuild_ || options_.rebuild_every_step;
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
            round_ = round_of(system_.clock.steps, 0);
            base::in_team(team(), [&](std::size_t rank) {
                find_overlaps(rank);
#pragma omp barrier
                carry_out(rank, [&](const Event& event) { collide_overlapping(event, of_thread_[rank]); });
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
                carry_out(rank, [&](const Event& event) { collide(event, mine); });
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
                carry_out(rank, [&](const Event& event) { part(event, mine); });
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

std::uint64_t Engine::wall_word(std::uint32_t pair) const {
    constexpr std::uint64_t wall_bit = std::uint64_t{1} << 31U;  // beyond all ids
    return (static_cast<std::uint64_t>(id_[wall_pairs_.body[pair]]) << 32U) | wall_bit |
           search::side_word(wall_pairs_.wall[pair], wall_pairs_.side[pair]);
}

Books& Engine::all_books() {
    for (std::size_t rank = 1; rank < of_thread_.size(); ++rank) {
        of_thread_[0].take(of_thread_[rank]);
    }
    return of_thread_[0];
}

void Engine::close_step() {
    Books& books = all_books();
    settle(books, system_, scales_, measures_);
    if (system_.step_rules.after_overlap) {
        take_met();
    }
    stick_and_remove(books);
    books.clear();
}

}  // namespace talus::engines::stepped
