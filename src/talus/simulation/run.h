// A run with its out folder: frames, series, checkpoints, manifest; stopped and resumed without a trace.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "talus/output/manifest.h"
#include "talus/output/series.h"
#include "talus/simulation/progress.h"
#include "talus/simulation/simulation.h"

namespace talus::simulation {

class LiveView;

struct RunOptions {
    Options simulation;
    ProgressStyle progress = ProgressStyle::quiet;
    const std::atomic<bool>* stop = nullptr;  // set from a signal handler: finish the step, save, return
    bool overwrite = false;                   // replace what an earlier run left in the folder
    std::optional<std::int64_t> stop_after;   // steps of this session; then as if stopped
    LiveView* view = nullptr;                 // told of everything, and heard between steps
    std::vector<output::Change> replay;       // to be carried out at their steps, as another run had them; a run that
                                              // is resumed has kept its own
};

struct RunResult {
    bool finished = false;  // false: stopped, to be resumed
    std::filesystem::path folder;
    output::Manifest manifest;
    double seconds = 0;  // of wall time in this session
    double ns_per_particle_step = 0;
    std::optional<std::int64_t> impacts;  // of all sessions, where contacts are instants
    double impacts_per_second = 0;        // of wall time in this session
    bool has_steps = true;                // see Engine::takes_steps
    std::vector<std::string> report;      // lines for people
};

class Run {
public:
    /// A new run in `folder`, which must not hold one already. Writes the manifest and the first frame.
    Run(scene::Scene scene, const std::filesystem::path& folder, const RunOptions& options);
    /// Goes on with the run in `folder` from its last checkpoint.
    static std::unique_ptr<Run> resume(const std::filesystem::path& folder, const RunOptions& options);

    /// Runs to the end, or until stopped. Throws base::RunError if it goes wrong; the last checkpoint stays usable.
    RunResult go();
    Simulation& simulation() { return *simulation_; }
    /// Whether the run that was resumed had come to its end: nothing is left to be done.
    bool had_finished() const { return manifest_.status == "finished"; }

private:
    /// Where the writers stand; saved with every checkpoint.
    struct Writers {
        std::int64_t samples = 0;  // sampling instants passed
        std::int64_t series = 0;   // series instants passed
        std::int64_t frames = 0;   // frames written
        std::int64_t frame_instants = 0;
        std::int64_t rows = 0;  // rows in the series
    };
    Run() = default;
    void choose_intervals();
    void process_instant();
    /// How many steps can be taken before something is to be written.
    std::int64_t steps_to_next_instant() const;
    void write_frame();
    /// Changes from the page and of the replay that are due now.
    void carry_out_changes();
    void carry_out_replayed();
    void carry_out(const std::string& what);
    void save();
    void write_manifest();
    void say(const std::string& line);
    void finish(RunResult& result, const std::string& status);
    /// Notes what went wrong where a person will look for it.
    void fail(const std::string& why);
    /// s of this session in which the run did not wait for a viewer.
    double working_seconds() const;
    void restore(const nlohmann::json& state);
    bool passed(std::int64_t& instants, double interval) const;
    ProgressState progress_state() const;
    void say_start();
    std::string writer_state() const;

    RunOptions options_;
    std::filesystem::path folder_;
    std::unique_ptr<Simulation> simulation_;
    std::unique_ptr<output::SeriesWriter> series_;
    std::unique_ptr<Progress> progress_;
    output::Manifest manifest_;
    Writers writers_;
    std::size_t replayed_ = 0;         // changes of the replay that have been carried out
    std::int64_t impacts_before_ = 0;  // when this session began
    double sample_interval_ = 0;       // s
    double series_interval_ = 0;       // s
    double frame_interval_ = 0;        // s; 0: first and last only
    double checkpoint_interval_ = 0;   // s of wall time
};

}  // namespace talus::simulation
