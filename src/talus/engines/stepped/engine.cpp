#include "talus/engines/stepped/engine.h"

#include <algorithm>

#include "talus/base/float_mode.h"
#include "talus/base/parallel.h"
#include "talus/model/leaving.h"

namespace talus::engines::stepped {

Engine::Engine(model::System& system, const Options& options, bool resumed) : system_(system), options_(options) {
    options_.threads = std::clamp(options_.threads, 1, base::most_threads());
    base::pin_float_mode(options_.threads);
    if (!resumed) {
        system_.ledger.gravity_reference = model::gravity_lift(system_);
    }
    system_changed();
}

void Engine::system_changed() {
    model::place_walls(system_);
    stale_ = true;
}

int Engine::team() const {
    return record_.size() < base::serial_limit ? 1 : options_.threads;
}

void Engine::start_anew() {
    const model::Bodies& bodies = system_.bodies;
    const model::Domain& domain = system_.domain;
    const std::size_t n = bodies.size();
    body_at_.resize(n);
    record_.resize(n);
    turning_.resize(n);
    before_ = bodies.position;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        body_at_[i] = static_cast<std::uint32_t>(i);
        record_[i] = {bodies.position[i], bodies.radius[i], bodies.velocity[i],
                      bodies.is_held(i) ? 0.0 : 1 / bodies.mass[i]};
        turning_[i] = {bodies.spin[i], bodies.is_turning_held(i) ? 0.0 : 1 / bodies.inertia[i]};
        sum += bodies.radius[i];
    }
    mean_radius_ = sum / static_cast<double>(std::max<std::size_t>(1, n));
    for (int axis = 0; axis < 3; ++axis) {
        const bool periodic = domain.periodic[static_cast<std::size_t>(axis)];
        period_[axis] = periodic ? domain.high[axis] - domain.low[axis] : 0.0;
        inverse_period_[axis] = periodic ? 1 / period_[axis] : 0.0;
    }
    system_.impulses.resize(n);
    virial_ = system_.impulses.virial;
    of_thread_.resize(static_cast<std::size_t>(std::max(1, options_.threads)));
    stale_ = false;
    sort_places();
    rebuild();
}

void Engine::give_back() {
    model::Bodies& bodies = system_.bodies;
    base::parallel_for(record_.size(), options_.threads, [&](std::size_t s) {
        const std::size_t i = body_at_[s];
        bodies.position[i] = record_[s].position;
        bodies.velocity[i] = record_[s].velocity;
        bodies.spin[i] = turning_[s].spin;
        system_.impulses.virial[i] = virial_[s];
    });
}

void Engine::remove(const std::vector<char>& keep) {
    model::Bodies& bodies = system_.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!keep[i]) {
            model::book_removal(system_, i);
        }
    }
    system_.impulses.compact(keep);
    bodies.compact(keep);
    stale_ = true;
}

}  // namespace talus::engines::stepped
