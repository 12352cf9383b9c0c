#include "talus/simulation/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "talus/analysis/report.h"
#include "talus/base/diagnostics.h"
#include "talus/base/version.h"
#include "talus/output/atomic_file.h"
#include "talus/output/checkpoint.h"
#include "talus/output/frame.h"
#include "talus/output/run_folder.h"
#include "talus/simulation/changes.h"
#include "talus/simulation/live_view.h"
#include "talus/simulation/series_row.h"

namespace talus::simulation {

namespace fs = std::filesystem;

namespace {

constexpr double default_checkpoint_interval = 300;  // s of wall time
constexpr int default_series_rows = 1000;

void clear_run(const fs::path& folder) {
    output::discard_frames_from(folder, 0);
    std::vector<fs::path> files = {output::manifest_path(folder), output::checkpoint_path(folder),
                                   output::previous_checkpoint_path(output::checkpoint_path(folder))};
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".csv") {  // the series and the tables of measures
            files.push_back(entry.path());
        }
    }
    for (const fs::path& file : files) {
        fs::remove(file);
    }
}

void refuse_used_folder(const fs::path& folder) {
    if (fs::exists(output::manifest_path(folder))) {
        throw base::InputError(fmt::format(
            "{} already holds a run; go on with it by `talus run --resume {}`, name another folder with --out, or "
            "replace it with --overwrite",
            folder.string(), folder.string()));
    }
}

nlohmann::json summary_json(const Simulation& simulation) {
    nlohmann::json result = nlohmann::json::object();
    for (const auto& measure : simulation.measures()) {
        for (const analysis::SummaryValue& value : measure->summary()) {
            nlohmann::json entry = {{"value", value.value}, {"unit", value.unit}};
            if (value.error) {
                entry["error"] = *value.error;
            }
            if (value.samples > 0) {
                entry["samples"] = value.samples;
            }
            result[value.name] = entry;
        }
    }
    for (const auto& [name, count] : simulation.engine().counts()) {
        result[name] = {{"value", count}, {"unit", ""}};
    }
    const model::Counters& counters = simulation.system().counters;
    result["grains"] = {{"value", simulation.system().bodies.size()}, {"unit", ""}};
    result["left_domain"] = {{"value", counters.left_domain}, {"unit", ""}};
    result["overlap.largest"] = {{"value", counters.largest_overlap}, {"unit", "radii"}};
    result["energy.balance_error"] = {{"value", simulation.balance().relative()}, {"unit", ""}};
    return result;
}

}  // namespace

Run::Run(scene::Scene scene, const fs::path& folder, const RunOptions& options) : options_(options), folder_(folder) {
    if (!options_.overwrite) {
        refuse_used_folder(folder_);
    }
    progress_ = std::make_unique<Progress>(options_.progress);
    manifest_.scene_file = scene.source.string();
    for (const base::Diagnostic& warning : scene.warnings.list()) {
        manifest_.warnings.push_back(warning.text());
        progress_->say(warning.text());
    }
    // What cannot be built must leave no trace, nor take an earlier run away: the folder comes after.
    simulation_ = std::make_unique<Simulation>(std::move(scene), options_.simulation);
    choose_intervals();
    if (options_.overwrite && fs::exists(folder_)) {
        clear_run(folder_);
    }
    output::make_folder(folder_ / "frames");
    manifest_.title = simulation_->plan().title;
    manifest_.scene_text = simulation_->scene().text;
    manifest_.version = base::version();
    manifest_.revision = base::revision();
    manifest_.seed = simulation_->system().seed;
    manifest_.engine = simulation_->scene().engine;
    manifest_.dimensions = simulation_->system().domain.dimensions;
    manifest_.threads = simulation_->engine().threads();
    manifest_.hardware = output::this_machine();
    manifest_.started = output::wall_time();
    write_manifest();
    series_ = std::make_unique<output::SeriesWriter>(output::series_path(folder_), series_columns(*simulation_));
    process_instant();
    save();
}

std::unique_ptr<Run> Run::resume(const fs::path& folder, const RunOptions& options) {
    output::Checkpoint checkpoint = output::load_latest(folder);
    auto run = std::unique_ptr<Run>(new Run());
    run->options_ = options;
    run->folder_ = folder;
    run->progress_ = std::make_unique<Progress>(options.progress);
    run->manifest_ = output::read_manifest(output::manifest_path(folder));
    if (!checkpoint.warning.empty()) {
        run->say(checkpoint.warning);
    }
    nlohmann::json state;
    try {
        state = nlohmann::json::parse(checkpoint.extras.plan_state);
        run->restore(state);
    } catch (const nlohmann::json::exception& e) {
        throw base::InputError(fmt::format("{}: the saved plan is damaged: {}", checkpoint.path.string(), e.what()));
    }
    scene::Scene scene = scene::load_without_grains(checkpoint.extras.scene_text, (folder / "scene as run").string(),
                                                    checkpoint.system.meshes);
    run->simulation_ = std::make_unique<Simulation>(std::move(scene), std::move(checkpoint.system),
                                                    state.at("plan").get<std::string>(), options.simulation);
    run->choose_intervals();
    output::discard_frames_from(folder, run->writers_.frames);
    run->series_ = std::make_unique<output::SeriesWriter>(output::SeriesWriter::resume(
        output::series_path(folder), series_columns(*run->simulation_), run->writers_.rows));
    if (!run->simulation_->finished() || run->manifest_.status != "finished") {
        run->manifest_.resumed.push_back(output::wall_time());
        run->manifest_.status = "running";
        run->manifest_.ended.clear();
        run->manifest_.state_hash.clear();
        run->write_manifest();
    }
    return run;
}

void Run::restore(const nlohmann::json& state) {
    const nlohmann::json& writers = state.at("writers");
    writers_ = {writers.at(0), writers.at(1), writers.at(2), writers.at(3), writers.at(4)};
    // What was changed and said after the checkpoint is not part of it; earlier checkpoints know nothing of these.
    const auto cut = [&](const char* key, auto& list, std::size_t otherwise) {
        list.resize(std::min(state.value(key, otherwise), list.size()));
    };
    cut("changes", manifest_.changes, 0);
    cut("events", manifest_.events, manifest_.events.size());
    replayed_ = state.value("replayed", manifest_.changes.size());
    if (options_.replay.empty() && state.contains("replay")) {
        for (const nlohmann::json& change : state.at("replay")) {
            options_.replay.push_back({change.at("step"), change.at("time"), change.at("what").dump()});
        }
    }
}

void Run::choose_intervals() {
    const model::OutputSpec& spec = simulation_->plan().output;
    const double step = simulation_->clock().step;
    const std::optional<double> end = planned_end(simulation_->plan());
    series_interval_ = spec.series_interval > 0 ? spec.series_interval : end ? *end / default_series_rows : 1000 * step;
    series_interval_ = std::max(series_interval_, step);
    frame_interval_ = spec.frame_interval > 0 ? std::max(spec.frame_interval, step) : 0;
    sample_interval_ = series_interval_;
    for (const auto& measure : simulation_->measures()) {
        if (measure->spec().interval > 0) {
            sample_interval_ = std::min(sample_interval_, std::max(measure->spec().interval, step));
        }
    }
    checkpoint_interval_ = spec.checkpoint_interval > 0 ? spec.checkpoint_interval : default_checkpoint_interval;
}

bool Run::passed(std::int64_t& instants, double interval) const {
    const double now = simulation_->time() + 0.5 * simulation_->clock().step;
    if (now < static_cast<double>(instants) * interval) {
        return false;
    }
    // A long step may pass several instants; they count as one.
    instants = static_cast<std::int64_t>(now / interval) + 1;
    return true;
}

std::int64_t Run::steps_to_next_instant() const {
    // Few enough that a signal or the progress bar need not wait.
    constexpr double particle_steps = 2e6;
    double steps = std::clamp(particle_steps / std::max(1.0, static_cast<double>(simulation_->grains())), 1.0, 500.0);
    const auto consider = [&](std::int64_t instants, double interval) {
        const double left = static_cast<double>(instants) * interval - simulation_->time();
        steps = std::min(steps, std::floor(left / simulation_->clock().step) - 1);
    };
    if (replayed_ < options_.replay.size()) {
        steps = std::min(steps, static_cast<double>(options_.replay[replayed_].step - simulation_->clock().steps));
    }
    consider(writers_.samples, sample_interval_);
    consider(writers_.series, series_interval_);
    if (frame_interval_ > 0) {
        consider(writers_.frame_instants, frame_interval_);
    }
    return static_cast<std::int64_t>(std::max(1.0, steps));
}

void Run::say(const std::string& line) {
    progress_->say(line);
    manifest_.events.push_back({simulation_ ? simulation_->time() : 0.0, line});
    if (options_.view != nullptr && simulation_) {
        options_.view->say(simulation_->time(), line);
    }
}

void Run::carry_out_changes() {
    carry_out_replayed();
    if (options_.view != nullptr) {
        for (const Json& what : options_.view->attend(*simulation_)) {
            carry_out(what.dump());
        }
    }
}

void Run::carry_out_replayed() {
    for (; replayed_ < options_.replay.size() && options_.replay[replayed_].step <= simulation_->clock().steps;
         ++replayed_) {
        const output::Change& change = options_.replay[replayed_];
        try {
            carry_out(change.what);
        } catch (const base::InputError& fault) {
            throw base::RunError(fmt::format("--replay: the change at step {}: {}", change.step, fault.what()));
        } catch (const Json::exception& fault) {
            throw base::RunError(fmt::format("--replay: the change at step {}: {}", change.step, fault.what()));
        }
    }
}

void Run::carry_out(const std::string& what) {
    const Json change = Json::parse(what);
    simulation_->change(change_action(change, simulation_->system()));
    manifest_.changes.push_back({simulation_->clock().steps, simulation_->time(), what});
    say(change_text(change));
    write_manifest();
}

void Run::process_instant() {
    for (const std::string& message : simulation_->take_messages()) {
        say(message);
    }
    const bool last = simulation_->finished();
    const bool of_series = passed(writers_.series, series_interval_) || last;
    if (passed(writers_.samples, sample_interval_) || of_series) {
        simulation_->sample_measures(of_series);
    }
    if (of_series) {
        const std::vector<double> row = series_row(*simulation_);
        series_->add(row);
        writers_.rows = series_->rows();
        if (options_.view != nullptr) {
            options_.view->add_row(row);
        }
    }
    if ((frame_interval_ > 0 && passed(writers_.frame_instants, frame_interval_)) || writers_.frames == 0 || last) {
        write_frame();
    }
}

void Run::write_frame() {
    const auto contacts = simulation_->engine().contacts();
    output::Frame frame{simulation_->system(), simulation_->plan().title, {}, {}};
    frame.stress = simulation_->take_frame_stress(contacts);
    if (simulation_->plan().output.contacts) {
        frame.contacts = contacts;
    }
    output::write_frame(output::frame_path(folder_, writers_.frames), frame);
    ++writers_.frames;
    if (options_.view != nullptr) {
        options_.view->frame_written();
    }
}

std::string Run::writer_state() const {
    Json replay = Json::array();
    for (const output::Change& change : options_.replay) {
        replay.push_back({{"step", change.step}, {"time", change.time}, {"what", Json::parse(change.what)}});
    }
    return Json{
        {"plan", simulation_->plan_state()},
        {"writers", {writers_.samples, writers_.series, writers_.frames, writers_.frame_instants, writers_.rows}},
        {"changes", manifest_.changes.size()},
        {"events", manifest_.events.size()},
        {"replay", replay},
        {"replayed", replayed_}}
        .dump();
}

void Run::save() {
    series_->sync();
    output::save_checkpoint(output::checkpoint_path(folder_), simulation_->system(),
                            {writer_state(), simulation_->scene().text});
    write_manifest();
}

void Run::write_manifest() {
    manifest_.steps = simulation_->clock().steps;
    manifest_.time = simulation_->time();
    manifest_.grains = static_cast<std::int64_t>(simulation_->grains());
    manifest_.stages = simulation_->stage_records();
    output::write_manifest(output::manifest_path(folder_), manifest_);
}

ProgressState Run::progress_state() const {
    ProgressState state;
    state.time = simulation_->time();
    state.end = simulation_->latest_end();
    state.grains = simulation_->grains();
    state.contacts = simulation_->engine().touching_pairs();
    state.impacts = simulation_->engine().impacts();
    state.impacts_before = impacts_before_;
    state.has_steps = simulation_->engine().takes_steps();
    const auto energies = simulation_->energies();
    state.kinetic_energy = energies.kinetic();
    state.stage = simulation_->stage_name();
    return state;
}

void Run::say_start() {
    const Engine& engine = simulation_->engine();
    const std::string how = engine.takes_steps() ? fmt::format("in steps of {:.4g} s", simulation_->clock().step)
                                                 : std::string("from impact to impact");
    progress_->say(fmt::format("{} grains from t = {:.6g} s {}, {} thread{}; results go to {}", simulation_->grains(),
                               simulation_->time(), how, engine.threads(), engine.threads() == 1 ? "" : "s",
                               folder_.string()));
}

RunResult Run::go() {
    // Clocks are asked only now and then: a step of a small system is shorter than the question.
    constexpr std::int64_t ask_every = 16;
    const double start_time = simulation_->time();
    std::int64_t steps = 0;
    std::int64_t chunks = 0;
    double particle_steps = 0;
    double last_save = progress_->seconds();
    RunResult result;
    result.folder = folder_;
    result.has_steps = simulation_->engine().takes_steps();
    result.impacts = simulation_->engine().impacts();
    impacts_before_ = result.impacts.value_or(0);
    if (manifest_.status == "finished") {  // resumed after its end: nothing is to be done, and nothing is touched
        result.finished = true;
        result.manifest = manifest_;
        result.report = analysis::report(simulation_->measures());
        result.report.emplace_back("this run had finished before; nothing was changed");
        return result;
    }
    say_start();
    if (options_.view != nullptr) {
        options_.view->begin(*simulation_, folder_, series_->columns());
    }
    try {
        while (!simulation_->finished()) {
            if ((options_.stop != nullptr && options_.stop->load()) ||
                (options_.stop_after && steps >= *options_.stop_after)) {
                save();
                finish(result, "interrupted");
                break;
            }
            carry_out_changes();
            std::int64_t chunk = steps_to_next_instant();
            if (options_.stop_after) {
                chunk = std::min(chunk, *options_.stop_after - steps);
            }
            if (options_.view != nullptr) {
                chunk = options_.view->allowed_steps(*simulation_, chunk);
                if (chunk == 0) {
                    options_.view->rest();
                    continue;
                }
            }
            const double begun = progress_->seconds();
            const std::int64_t before = simulation_->clock().steps;
            particle_steps += static_cast<double>(chunk) * static_cast<double>(simulation_->grains());
            simulation_->step(chunk);
            steps += simulation_->clock().steps - before;
            if (options_.view != nullptr) {
                options_.view->stepped(simulation_->clock().steps - before, progress_->seconds() - begun);
            }
            process_instant();
            if (++chunks % ask_every == 0 || chunk > ask_every) {
                if (progress_->due()) {
                    ProgressState state = progress_state();
                    state.start = start_time;
                    state.steps = steps;
                    state.particle_steps = particle_steps;
                    progress_->show(state);
                }
                if (progress_->seconds() - last_save > checkpoint_interval_) {
                    save();
                    last_save = progress_->seconds();
                }
            }
        }
        result.finished = simulation_->finished();
        if (result.finished) {
            save();
            finish(result, "finished");
        }
    } catch (const std::exception& e) {  // whatever it is, the manifest must not go on saying that the run does
        fail(e.what());
        throw base::RunError(fmt::format("{}\nThe last checkpoint is in {}; `talus run --resume {}` goes on from it.",
                                         e.what(), folder_.string(), folder_.string()));
    }
    result.seconds = working_seconds();
    if (options_.view != nullptr) {
        options_.view->end(*simulation_, manifest_.status);
        options_.view->stay(*simulation_, options_.stop);
    }
    result.ns_per_particle_step = particle_steps > 0 ? result.seconds * 1e9 / particle_steps : 0;
    if (result.impacts && result.seconds > 0) {
        result.impacts_per_second = static_cast<double>(*result.impacts - impacts_before_) / result.seconds;
    }
    return result;
}

void Run::fail(const std::string& why) {
    progress_->close();
    manifest_.events.push_back({simulation_->time(), why});
    manifest_.status = "failed";
    manifest_.ended = output::wall_time();
    try {
        write_manifest();
    } catch (const base::RunError&) {
        // The disk is what failed: the first message says so.
    }
    if (options_.view != nullptr) {
        options_.view->say(simulation_->time(), why);
        options_.view->end(*simulation_, manifest_.status);
    }
}

double Run::working_seconds() const {
    return progress_->seconds() - (options_.view != nullptr ? options_.view->rested_seconds() : 0.0);
}

void Run::finish(RunResult& result, const std::string& status) {
    progress_->close();
    manifest_.status = status;
    manifest_.ended = output::wall_time();
    manifest_.state_hash = output::hash_text(simulation_->state_hash());
    for (const auto& [phase, seconds] : simulation_->engine().seconds()) {
        manifest_.timings[phase] += seconds;
    }
    manifest_.timings["total"] += working_seconds();
    if (options_.view != nullptr) {
        manifest_.timings["view"] += options_.view->seconds();
    }
    manifest_.result = summary_json(*simulation_).dump();
    write_manifest();
    result.impacts = simulation_->engine().impacts();
    result.report = analysis::report(simulation_->measures());
    for (const std::string& line : simulation_->engine().report()) {
        result.report.push_back(line);
    }
    result.report.push_back(analysis::report(simulation_->balance()));
    for (const auto& measure : simulation_->measures()) {
        for (const analysis::Table& table : measure->tables()) {
            output::write_text_file(folder_ / (table.name + ".csv"), table.csv());
        }
    }
    result.manifest = manifest_;
}

}  // namespace talus::simulation
