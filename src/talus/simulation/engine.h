// What the facade asks of an engine, whichever it is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "talus/engines/soft/engine.h"
#include "talus/model/contact_sample.h"
#include "talus/model/system.h"
#include "talus/scene/scene.h"

namespace talus::engines::grains {
class Engine;
}

namespace talus::simulation {

using engines::soft::ForceBalance;

class Engine {
public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Takes `steps` steps of the clock; bodies, walls and ledger of the system are then those of the new instant.
    virtual void advance(std::int64_t steps) = 0;
    /// Brings what `advance` leaves undone, the list of touching pairs, up to date.
    virtual void publish() {}
    /// After the system was changed from outside.
    virtual void system_changed() = 0;
    /// Removes bodies (keep[i] false) with their energies booked as removed.
    virtual void remove(const std::vector<char>& keep) = 0;

    virtual std::vector<model::ContactSample> contacts() const { return {}; }
    virtual std::size_t touching_pairs() const { return 0; }
    /// For the settled rule; an engine without lasting contacts leaves it to the kinetic energy.
    virtual ForceBalance force_balance() const { return {}; }
    /// m/s, below which grains of a settled bed go on trembling.
    virtual double trembling_speed() const { return 0; }
    /// What makes overlaps smaller, for the warning that they are large.
    virtual const char* overlap_remedy() const = 0;
    virtual int threads() const { return 1; }
    virtual std::map<std::string, double> seconds() const { return {}; }  // by phase
    /// Whether time passes in steps; otherwise those of the clock are only instants to look at.
    virtual bool takes_steps() const { return true; }
    /// So far, of an engine whose contacts are instants.
    virtual std::optional<std::int64_t> impacts() const { return std::nullopt; }
    /// What has happened by name, for series and manifest; the same however often the run was looked at or stopped.
    virtual std::vector<std::pair<std::string, std::int64_t>> counts() const { return {}; }
    /// Lines for people at the end of a run.
    virtual std::vector<std::string> report() const { return {}; }
    /// What the engine has counted, for a run that goes on.
    virtual std::vector<double> save() const { return {}; }
    virtual void load(const std::vector<double>& /*saved*/) {}
    /// The general soft engine, if it is that: it tells forces for any motion.
    virtual engines::grains::Engine* general() { return nullptr; }
};

struct EngineOptions {
    int threads = 1;
    double skin = 0;       // m; 0: automatic
    bool general = false;  // the general soft engine even where a faster one would do
};

/// The engine that the scene asks for, on its system.
std::unique_ptr<Engine> make_engine(scene::Scene& scene, const EngineOptions& options, bool resumed);

}  // namespace talus::simulation
