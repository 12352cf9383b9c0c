// The one facade behind the command line, Python and C++: a scene that can be stepped, with its stages and measures.
// It writes nothing; Run adds the files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "talus/analysis/energy.h"
#include "talus/analysis/measure.h"
#include "talus/model/plan.h"
#include "talus/model/system.h"
#include "talus/output/manifest.h"
#include "talus/scene/scene.h"
#include "talus/simulation/engine.h"

namespace talus::simulation {

struct Options {
    int threads = 0;       // 0: all cores
    double skin = 0;       // m; 0: automatic
    bool general = false;  // soft scenes: the general engine even where a faster one would do
};

using model::planned_end;

class Simulation {
public:
    explicit Simulation(scene::Scene scene, const Options& options = {});
    /// Goes on from a saved state; `plan_state` is what plan_state() gave.
    Simulation(scene::Scene scene, model::System saved, const std::string& plan_state, const Options& options = {});
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Takes `count` steps, entering and ending stages on the way; ends early once finished.
    void step(std::int64_t count = 1);
    /// Does at this instant what a stage could do on entry; to be called between steps.
    void change(const model::Action& action);
    /// Whether the last stage has ended.
    bool finished() const { return finished_; }

    double time() const { return system_.clock.time(); }
    /// The whole state; the contacts are brought up to date first.
    const model::System& system() const {
        engine_->publish();
        return system_;
    }
    std::size_t grains() const { return system_.bodies.size(); }
    const model::Clock& clock() const { return system_.clock; }
    const model::Plan& plan() const { return scene_.plan; }
    const scene::Scene& scene() const { return scene_; }
    std::uint64_t state_hash() const { return model::state_hash(system()); }
    Engine& engine() { return *engine_; }
    const Engine& engine() const { return *engine_; }

    /// Pa, of each grain, for a frame: of the contacts at this instant, or of the impacts since the last frame.
    std::vector<math::Tensor6> take_frame_stress(const std::vector<model::ContactSample>& contacts);

    analysis::Energies energies() const;
    analysis::EnergyBalance balance() const { return balance(energies()); }
    /// Of the present energies, where they are known already.
    analysis::EnergyBalance balance(const analysis::Energies& now) const {
        return analysis::energy_balance(now, initial_energy_);
    }
    const std::vector<std::unique_ptr<analysis::Measure>>& measures() const { return measures_; }
    /// Offers the present state to the measures that are due; `of_series`: it is an instant of the time series.
    void sample_measures(bool of_series = true);

    const std::vector<output::StageRecord>& stage_records() const { return stage_records_; }
    const std::string& stage_name() const;
    /// The same as planned_end from here on.
    std::optional<double> latest_end() const;
    /// Things worth saying that happened since the last call.
    std::vector<std::string> take_messages();

    /// JSON text: all that a resumed run needs beside the System.
    std::string plan_state() const;

private:
    void start_engine(bool resumed);
    void load_plan_state(const std::string& text);
    void process_stages();
    void enter_stage();
    /// The rule that ends the present stage now, by its name in the manifest and in words.
    struct Ending {
        std::string rule, text;
    };
    std::optional<Ending> stage_over();
    bool is_settled();
    void check_overlaps();
    void advance(std::int64_t steps);
    /// How many steps can be taken before a rule must look at the grains again.
    std::int64_t steps_without_a_look() const;
    std::int64_t settled_every(const model::StopRule& rule) const;

    /// Counting costs a pass over the grains: every hundredth step is often enough.
    static constexpr std::int64_t count_every = 100;

    scene::Scene scene_;
    model::System& system_;  // scene_.system
    Options options_;
    std::unique_ptr<Engine> engine_;
    std::vector<std::unique_ptr<analysis::Measure>> measures_;
    std::vector<output::StageRecord> stage_records_;
    std::vector<std::string> messages_;
    double initial_energy_ = 0;                      // J, mechanical
    std::optional<double> residual_before_actions_;  // J, to be restored by the step after a stage's actions
    bool warned_overlap_ = false;
    bool finished_ = false;
};

}  // namespace talus::simulation
