// One soft step, phase by phase (docs/architecture.md draws it).
#include <fmt/format.h>

#include <algorithm>

#include "talus/base/diagnostics.h"
#include "talus/engines/soft/engine.h"
#include "talus/model/driving.h"

namespace talus::engines::soft {

namespace phases = backends::cpu;

void Engine::advance(std::int64_t steps) {
    const int threads = options_.threads;
    while (steps > 0) {
        if (stale_) {
            start_anew();
        }
        published_ = false;
        phases::Drift drift;
        timer_.time("drift", [&] { drift = phases::take_and_drift(system_, work_, threads); });
        bool trapped = false;
        for (;;) {
            ++system_.clock.steps;
            --steps;
            timer_.time("walls", [&] {
                model::drift_drives(system_.walls, system_.clock.step, system_.clock.time());
                model::move_walls(system_);
                phases::follow_walls(system_, work_, drift);
            });
            refuse_lost(drift);
            cross_borders(drift);
            refresh_lists(drift);
            start_contacts();
            trapped = is_trapped();
            if (steps == 0 || trapped || !drift.outside.empty()) {
                break;
            }
            timer_.time("sweep", [&] { drift = phases::contacts_and_drift(system_, work_, threads); });
            timer_.time("books", [&] { close_step(); });
        }
        timer_.time("stop", [&] {
            phases::contacts_and_stop(system_, work_, true, threads);
            close_step();
            phases::book_stored(system_, work_);
        });
        if (trapped || !drift.outside.empty()) {
            timer_.time("leaving", [&] { stick_and_remove(drift.outside); });
        }
    }
}

void Engine::start_contacts() {
    work_.notes = {};
    work_.known_overlap = system_.counters.largest_overlap;
    work_.sums.clear();
    for (std::size_t q = 0; q < work_.scales.size(); ++q) {
        work_.scales[q] = phases::LedgerScale::for_peak(system_.ledger.peak[q]);
    }
    const auto meet = [&](phases::WallKind which) { phases::wall_contacts(system_, work_, which, options_.threads); };
    timer_.time("wall contacts", [&] { meet(phases::WallKind::plain); });
    if (has_meshes_) {
        timer_.time("mesh contacts", [&] { meet(phases::WallKind::mesh); });
    }
}

void Engine::close_contacts() {
    phases::book_contacts(system_, work_);
    phases::book_walls(system_, work_);
    phases::book_held(system_, work_);
    take_notes();
}

void Engine::close_step() {
    close_contacts();
    model::kick_drives(system_.walls, system_.gravity, system_.clock.step, system_.clock.time());
}

void Engine::refuse_lost(const backends::cpu::Drift& drift) const {
    if (drift.lost_body < 0) {
        return;
    }
    const auto i = static_cast<std::size_t>(drift.lost_body);
    const Vec3d& v = work_.motion[work_.place_of[i]].velocity;
    throw base::RunError(
        fmt::format("grain {} was thrown out at t = {:.6g} s (step {}): its velocity is ({:.4g}, {:.4g}, {:.4g}) "
                    "m/s, more than "
                    "ten radii in one step; a shorter time step or stiffer contacts will help",
                    system_.bodies.id[i], system_.clock.time(), system_.clock.steps, v.x, v.y, v.z));
}

void Engine::cross_borders(const backends::cpu::Drift& drift) {
    if (drift.wrapped.empty()) {
        return;
    }
    std::vector<std::size_t> order(drift.wrapped.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[k] = k;
        phases::shift_images(work_, drift.wrapped[k], drift.periods[k]);
    }
    // What a field gains by a body's jump is no work; added up by id, so that threads do not show.
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return work_.body_at[drift.wrapped[a]] < work_.body_at[drift.wrapped[b]];
    });
    for (const std::size_t k : order) {
        const std::size_t i = work_.body_at[drift.wrapped[k]];
        if (!system_.bodies.is_held(i)) {
            const Vec3d jump = search::image_shift(system_.domain, search::image_code(drift.periods[k]));
            system_.ledger.gravity_reference += system_.bodies.mass[i] * dot(system_.gravity, jump);
        }
    }
}

void Engine::take_notes() {
    model::Counters& counters = system_.counters;
    counters.large_overlaps += work_.notes.large_overlaps;
    if (work_.notes.largest_overlap > counters.largest_overlap) {
        counters.largest_overlap = work_.notes.largest_overlap;
        counters.largest_overlap_id = system_.bodies.id[static_cast<std::size_t>(work_.notes.largest_overlap_body)];
    }
}

}  // namespace talus::engines::soft
