#include "talus/simulation/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "talus/analysis/energy.h"
#include "talus/analysis/vessel.h"
#include "talus/base/diagnostics.h"
#include "talus/engines/grains/engine.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/grain_engine.h"
#include "talus/engines/stepped/engine.h"
#include "talus/engines/stepped/grain_engine.h"

namespace talus::simulation {

namespace {

/// What both engines for soft contacts are asked in the same words.
template <class Contacts>
class ForceEngine : public Engine {
public:
    ForceEngine(model::System& system, const engines::soft::Options& options, bool resumed)
        : engine_(system, options, resumed) {}

    void advance(std::int64_t steps) override { engine_.advance(steps); }
    void publish() override { engine_.publish(); }
    void system_changed() override { engine_.system_changed(); }
    void remove(const std::vector<char>& keep) override { engine_.remove(keep); }
    std::vector<model::ContactSample> contacts() const override { return engine_.contacts(); }
    std::size_t touching_pairs() const override { return engine_.touching_pairs(); }
    ForceBalance force_balance() const override { return engine_.force_balance(); }
    int threads() const override { return engine_.threads(); }
    std::map<std::string, double> seconds() const override {
        const auto phases = engine_.timer().seconds();
        return {phases.begin(), phases.end()};
    }

protected:
    Contacts engine_;
};

class SoftEngine : public ForceEngine<engines::soft::Engine> {
public:
    using ForceEngine::ForceEngine;
    const char* overlap_remedy() const override { return "a larger kn"; }
};

/// Grains of many spheres, laws that are not packed, integrators other than the leapfrog.
class GrainEngine : public ForceEngine<engines::grains::Engine> {
public:
    GrainEngine(model::System& system, const engines::grains::Options& options, bool resumed)
        : ForceEngine(system, options, resumed), system_(system) {}

    const char* overlap_remedy() const override { return "stiffer contacts"; }
    std::vector<std::pair<std::string, std::int64_t>> counts() const override {
        if (!system_.integration.adaptive()) {
            return {};
        }
        const model::IntegrationState& state = system_.integration_state;
        return {{"steps.accepted", state.accepted}, {"steps.rejected", state.rejected}};
    }
    std::vector<std::string> report() const override {
        const model::IntegrationState& state = system_.integration_state;
        if (!system_.integration.adaptive() || state.accepted == 0) {
            return {};
        }
        return {
            fmt::format("{} steps accepted, {} rejected; {:.6f} s the longest, {:.6f} s the shortest, {:.6f} s in "
                        "the mean",
                        state.accepted, state.rejected, state.longest, state.shortest,
                        (system_.clock.time() - system_.clock.origin) / static_cast<double>(state.accepted))};
    }
    engines::grains::Engine* general() override { return &engine_; }

private:
    model::System& system_;
};

engines::hard::Options hard_options(const model::System& system) {
    engines::hard::Options out;
    out.impacts.clear();
    for (const model::PairLaw& pair : system.materials.pair_law) {
        out.impacts.push_back(pair.impact);
    }
    const auto same = [&](const laws::ImpactParams& p) {
        return p.restitution == out.impacts[0].restitution && p.tangential == out.impacts[0].tangential &&
               p.friction == out.impacts[0].friction;
    };
    if (std::all_of(out.impacts.begin(), out.impacts.end(), same)) {
        out.impacts.resize(1);
    }
    const model::FlightRules& rules = system.flight_rules;
    out.slow = {rules.elastic_below, rules.least_rebound};
    out.step = rules.ballistic ? 0 : system.clock.step;
    out.stuck_motion = rules.stuck_motion;
    out.resting = rules.resting;
    out.stress = true;
    return out;
}

/// Of spheres or of grains of many.
template <class Core>
class HardEngine : public Engine {
public:
    template <class... Resumed>
    explicit HardEngine(model::System& system, Resumed... resumed)
        : system_(system), engine_(system, hard_options(system), resumed...) {}

    void advance(std::int64_t steps) override { engine_.advance_steps(steps); }
    void system_changed() override {
        engine_.set_options(hard_options(system_));
        engine_.system_changed();
    }
    void remove(const std::vector<char>& keep) override { engine_.remove(keep); }
    std::map<std::string, double> seconds() const override { return {{"events", engine_.measures().seconds}}; }
    std::vector<double> save() const override { return engines::hard::saved(engine_.measures()); }
    void load(const std::vector<double>& numbers) override {
        const auto measures = engines::hard::loaded(numbers, system_.walls.size());
        if (!measures) {
            throw base::InputError("the checkpoint's counts of impacts are damaged");
        }
        engine_.set_measures(*measures);
    }
    /// Slow impacts lose nothing.
    double trembling_speed() const override { return system_.flight_rules.elastic_below; }
    const char* overlap_remedy() const override { return "a fill without overlaps"; }
    bool takes_steps() const override { return !system_.flight_rules.ballistic; }
    std::optional<std::int64_t> impacts() const override { return engine_.measures().impacts(); }
    std::vector<std::pair<std::string, std::int64_t>> counts() const override {
        const engines::hard::Measures& m = engine_.measures();
        return {{"impacts.grains", m.collisions},
                {"impacts.walls", m.wall_collisions},
                {"impacts.held", m.held_collisions},
                {"at_rest", m.asleep}};
    }
    std::vector<std::string> report() const override {
        const engines::hard::Measures& m = engine_.measures();
        std::string line = fmt::format("{} impacts: {} between grains, {} on walls, {} on held grains", m.impacts(),
                                       m.collisions, m.wall_collisions, m.held_collisions);
        if (m.collisions > 0) {
            line += fmt::format("; mean free time {:.4g} s", m.mean_free_time());
        }
        std::vector<std::string> out = {
            line, fmt::format("largest overlap ever seen {:.2g} radii", system_.counters.largest_overlap)};
        if (m.asleep > 0) {
            out.push_back(fmt::format("{} grains at rest", m.asleep));
        }
        const std::optional<math::Vec3d> edges = analysis::box_edges(system_);
        if (edges && m.duration > 0) {
            const double energy = analysis::measure_energies(system_).translational;
            out.push_back(fmt::format("pressure {:.4g} Pa from the virial",
                                      m.pressure(edges->x * edges->y * edges->z, energy, system_.domain.dimensions)));
        }
        for (std::size_t w = 0; w < system_.walls.size(); ++w) {
            if (m.wall_force(w) > 0) {
                const std::optional<double> area = analysis::wall_area(system_, system_.walls[w]);
                out.push_back(
                    fmt::format("wall {}: mean normal force {:.4g} N", system_.walls[w].name, m.wall_force(w)) +
                    (area ? fmt::format(", pressure {:.4g} Pa", m.wall_force(w) / *area) : ""));
            }
        }
        return out;
    }

private:
    model::System& system_;
    Core engine_;
};

/// Of spheres or of grains of many.
template <class Core>
class SteppedEngine : public Engine {
public:
    SteppedEngine(model::System& system, const engines::stepped::Options& options, bool resumed)
        : system_(system), engine_(system, options, resumed) {}

    void advance(std::int64_t steps) override { engine_.advance(steps); }
    void system_changed() override { engine_.system_changed(); }
    void remove(const std::vector<char>& keep) override { engine_.remove(keep); }
    /// Gravity goes on pulling between two impacts.
    double trembling_speed() const override { return norm(system_.gravity) * system_.clock.step; }
    const char* overlap_remedy() const override { return "a shorter time.step or more stepping.sweeps"; }
    int threads() const override { return engine_.threads(); }
    std::map<std::string, double> seconds() const override {
        const auto phases = engine_.timer().seconds();
        return {phases.begin(), phases.end()};
    }
    std::optional<std::int64_t> impacts() const override {
        return engine_.measures().collisions + engine_.measures().wall_collisions;
    }
    std::vector<std::pair<std::string, std::int64_t>> counts() const override {
        const engines::stepped::Measures& m = engine_.measures();
        return {{"impacts.grains", m.collisions}, {"impacts.walls", m.wall_collisions}, {"corrections", m.corrections}};
    }
    std::vector<std::string> report() const override {
        const engines::stepped::Measures& m = engine_.measures();
        return {fmt::format("{} impacts: {} between grains, {} on walls; {} overlaps moved apart",
                            m.collisions + m.wall_collisions, m.collisions, m.wall_collisions, m.corrections),
                fmt::format("largest overlap ever seen {:.2g} radii; fastest grain {:.2g} radii a step (grain {})",
                            system_.counters.largest_overlap, m.fastest, m.fastest_id)};
    }
    std::vector<double> save() const override { return engines::stepped::saved(engine_.measures()); }
    void load(const std::vector<double>& numbers) override {
        const auto measures = engines::stepped::loaded(numbers);
        if (!measures) {
            throw base::InputError("the checkpoint's counts of impacts are damaged");
        }
        engine_.set_measures(*measures);
    }

private:
    model::System& system_;
    Core engine_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(scene::Scene& scene, const EngineOptions& options, bool resumed) {
    if (scene.engine == "hard") {
        if (scene.system.general) {
            return std::make_unique<HardEngine<engines::hard::GrainEngine>>(scene.system, resumed);
        }
        return std::make_unique<HardEngine<engines::hard::BallisticEngine>>(scene.system);
    }
    if (scene.engine == "stepped") {
        engines::stepped::Options stepped;
        stepped.threads = options.threads;
        stepped.skin = options.skin;
        stepped.overlap_limit = scene.plan.overlap_limit;
        if (scene.system.general) {
            return std::make_unique<SteppedEngine<engines::stepped::GrainEngine>>(scene.system, stepped, resumed);
        }
        return std::make_unique<SteppedEngine<engines::stepped::Engine>>(scene.system, stepped, resumed);
    }
    engines::soft::Options soft;
    soft.threads = options.threads;
    soft.skin = options.skin;
    soft.overlap_limit = scene.plan.overlap_limit;
    if (options.general || scene.system.general) {
        return std::make_unique<GrainEngine>(scene.system, soft, resumed);
    }
    return std::make_unique<SoftEngine>(scene.system, soft, resumed);
}

}  // namespace talus::simulation
