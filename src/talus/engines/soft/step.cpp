// One soft step, phase by phase (docs/architecture.md draws it).
#include <fmt/format.h>

#include "talus/backends/cpu/phases.h"
#include "talus/base/diagnostics.h"
#include "talus/engines/soft/engine.h"
#include "talus/search/pair_search.h"

namespace talus::engines::soft {

namespace phases = backends::cpu;

void Engine::step() {
    const int threads = options_.threads;
    ++system_.clock.steps;
    timer_.time("walls", [&] { place_walls(); });

    phases::Drift drift;
    timer_.time("drift", [&] { drift = phases::kick_and_drift(system_, work_, reference_, threads); });
    if (drift.lost_body >= 0) {
        const auto i = static_cast<std::size_t>(drift.lost_body);
        const Vec3d& v = system_.bodies.velocity[i];
        throw base::RunError(
            fmt::format("grain {} was thrown out at t = {:.6g} s (step {}): its velocity is ({:.4g}, {:.4g}, {:.4g}) "
                        "m/s, more than "
                        "ten radii in one step; a shorter time step or stiffer contacts will help",
                        system_.bodies.id[i], system_.clock.time(), system_.clock.steps, v.x, v.y, v.z));
    }
    for (std::size_t k = 0; k < drift.wrapped.size(); ++k) {
        search::shift_images(system_.pairs, drift.wrapped[k], drift.periods[k]);
    }
    if (stale_ || options_.rebuild_every_step || lists_are_stale(drift.farthest2)) {
        timer_.time("rebuild", [&] { rebuild_lists(); });
    }
    evaluate_contacts();
    timer_.time("gather", [&] { phases::gather_and_kick(system_, work_, true, threads); });
    timer_.time("walls", [&] { phases::book_walls(system_, work_); });
    take_notes();
    stick_and_remove(drift.outside);
}

void Engine::evaluate_contacts() {
    work_.notes = {};
    timer_.time("pairs", [&] { phases::pair_contacts(system_, work_, options_.threads); });
    timer_.time("wall contacts", [&] { phases::wall_contacts(system_, work_, options_.threads); });
}

}  // namespace talus::engines::soft
