#include "talus/simulation/simulation.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "talus/analysis/stress.h"
#include "talus/base/diagnostics.h"
#include "talus/base/exact_sum.h"
#include "talus/laws/registry.h"
#include "talus/simulation/actions.h"
#include "talus/simulation/state_text.h"

namespace talus::simulation {

namespace {

/// The laws that stages bring in, in order. Those that helpers worked out rest on the grains as they were filled in,
/// which a resumed run no longer has: they are saved.
template <class Plan>
auto stage_laws(Plan& plan) {
    std::vector<std::conditional_t<std::is_const_v<Plan>, const model::PairLaw*, model::PairLaw*>> laws;
    for (auto& stage : plan.stages) {
        for (auto& action : stage.actions) {
            if (auto* change = std::get_if<model::SetContact>(&action)) {
                laws.push_back(&change->law);
            }
        }
    }
    return laws;
}

nlohmann::json saved_laws(const model::Plan& plan) {
    nlohmann::json saved = nlohmann::json::array();
    for (const model::PairLaw* law : stage_laws(plan)) {
        const std::array<double, 3> impact = {law->impact.restitution, law->impact.tangential, law->impact.friction};
        const std::string name = law->law < 0 ? "" : laws::registry().at(static_cast<std::size_t>(law->law)).name;
        saved.push_back({name, to_text(law->parameters.value), to_text(impact)});
    }
    return saved;
}

void load_laws(const nlohmann::json& saved, model::Plan& plan) {
    const auto laws = stage_laws(plan);
    if (saved.size() != laws.size()) {
        throw base::InputError("the checkpoint belongs to a scene with other contacts");
    }
    for (std::size_t k = 0; k < laws.size(); ++k) {
        const auto name = saved[k].at(0).get<std::string>();
        const std::vector<double> parameters = from_text(saved[k].at(1).get<std::string>());
        const std::vector<double> impact = from_text(saved[k].at(2).get<std::string>());
        laws[k]->law = name.empty() ? -1 : laws::find_law(name);
        if ((laws[k]->law < 0 && !name.empty()) || parameters.size() != laws[k]->parameters.value.size() ||
            impact.size() != 3) {
            throw base::InputError("the checkpoint holds the contact law \"" + name + "\", unknown to this Talus");
        }
        std::copy(parameters.begin(), parameters.end(), laws[k]->parameters.value.begin());
        laws[k]->impact = {impact[0], impact[1], impact[2]};
    }
}

}  // namespace

Simulation::Simulation(scene::Scene scene, const Options& options)
    : scene_(std::move(scene)), system_(scene_.system), options_(options) {
    start_engine(false);
    initial_energy_ = energies().mechanical();
    process_stages();
}

Simulation::Simulation(scene::Scene scene, model::System saved, const std::string& plan_state, const Options& options)
    : scene_(std::move(scene)), system_(scene_.system), options_(options) {
    system_ = std::move(saved);
    start_engine(true);
    load_plan_state(plan_state);
}

Simulation::~Simulation() = default;

void Simulation::start_engine(bool resumed) {
    const int threads = options_.threads > 0 ? options_.threads : omp_get_max_threads();
    engine_ = make_engine(scene_, {threads, options_.skin, options_.general}, resumed);
    for (const model::MeasureSpec& spec : scene_.plan.measures) {
        measures_.push_back(analysis::make_measure(spec, system_));
    }
}

void Simulation::step(std::int64_t count) {
    while (count > 0 && !finished_) {
        const std::int64_t steps = std::min(count, steps_without_a_look());
        advance(steps);
        count -= steps;
    }
}

std::int64_t Simulation::steps_without_a_look() const {
    if (residual_before_actions_) {
        return 1;
    }
    const model::StopRule& rule = scene_.plan.stages[static_cast<std::size_t>(system_.stage.index)].until;
    std::int64_t steps = 1000000;
    const auto until_multiple = [&](std::int64_t every) {
        steps = std::min(steps, every - system_.clock.steps % every);
    };
    const auto until_time = [&](const std::optional<double>& limit, double from) {
        if (limit) {  // one less than it takes: the rule itself decides on the last step
            const double whole = std::floor((*limit + from - time()) / system_.clock.step) - 1;
            steps = std::min(steps, static_cast<std::int64_t>(std::clamp(whole, 1.0, 1e9)));
        }
    };
    until_time(rule.at_time, 0);
    until_time(rule.duration, system_.stage.entered_at);
    until_time(rule.timeout, system_.stage.entered_at);
    if (rule.count_at_most || rule.count_at_least) {
        until_multiple(count_every);
    }
    if (rule.settled) {
        until_multiple(settled_every(rule));
    }
    if (system_.bodies.size() == 0) {
        return 1;
    }
    return steps;
}

std::int64_t Simulation::settled_every(const model::StopRule& rule) const {
    return static_cast<std::int64_t>(std::max(1.0, std::floor(rule.settled_for / 20 / system_.clock.step)));
}

void Simulation::advance(std::int64_t steps) {
    engine_->advance(steps);
    if (residual_before_actions_) {
        // What a stage's actions and the contacts they changed did to the energy is theirs, not the integrator's.
        system_.ledger.injected += balance().residual - *residual_before_actions_;
        residual_before_actions_.reset();
    }
    check_overlaps();
    process_stages();
}

void Simulation::check_overlaps() {
    const model::Counters& counters = system_.counters;
    if (!warned_overlap_ && counters.large_overlaps > 0) {
        warned_overlap_ = true;
        messages_.push_back(
            fmt::format("overlap of {:.3g} radii at grain {} by t = {:.6g} s, more than the wanted "
                        "{:.3g}: {} would keep grains apart (said once; counted in the series)",
                        counters.largest_overlap, counters.largest_overlap_id, time(), scene_.plan.overlap_limit,
                        engine_->overlap_remedy()));
    }
}

std::vector<math::Tensor6> Simulation::take_frame_stress(const std::vector<model::ContactSample>& contacts) {
    if (!system_.impulses.are_counted()) {
        return analysis::grain_stress(system(), contacts);
    }
    std::vector<math::Tensor6> out = analysis::grain_stress_since_frame(system_);
    system_.impulses.mark_frame(time());
    return out;
}

analysis::Energies Simulation::energies() const {
    return analysis::measure_energies(system_);
}

void Simulation::sample_measures(bool of_series) {
    if (measures_.empty()) {
        return;
    }
    const auto contacts = engine_->contacts();
    const analysis::Snapshot snapshot{system(), contacts, time()};
    for (const auto& measure : measures_) {
        measure->offer(snapshot, stage_name(), of_series);
    }
}

// --- stages ---------------------------------------------------------------------------------------------------------

const std::string& Simulation::stage_name() const {
    static const std::string none;
    const auto index = static_cast<std::size_t>(system_.stage.index);
    return index < scene_.plan.stages.size() ? scene_.plan.stages[index].name : none;
}

std::optional<double> Simulation::latest_end() const {
    return model::latest_end(scene_.plan, static_cast<std::size_t>(system_.stage.index), system_.stage.entered_at,
                             time());
}

void Simulation::process_stages() {
    while (!finished_) {
        if (system_.stage.index >= static_cast<std::int32_t>(scene_.plan.stages.size())) {
            finished_ = true;
            return;
        }
        if (!system_.stage.entered) {
            enter_stage();
        }
        const std::optional<Ending> ending = stage_over();
        if (!ending) {
            return;
        }
        stage_records_.back().end = time();
        stage_records_.back().ended_by = ending->rule;
        messages_.push_back(fmt::format("stage \"{}\" ended at t = {:.6g} s: {}", stage_name(), time(), ending->text));
        system_.stage = {system_.stage.index + 1, false, 0, -1};
    }
}

void Simulation::enter_stage() {
    const model::Stage& stage = scene_.plan.stages[static_cast<std::size_t>(system_.stage.index)];
    system_.stage.entered = true;
    system_.stage.entered_at = time();
    system_.stage.quiet_since = -1;
    stage_records_.push_back({stage.name, time(), std::nullopt, ""});
    for (const model::Action& action : stage.actions) {
        const std::size_t before = system_.bodies.size();
        change(action);
        const std::size_t after = system_.bodies.size();
        if (after < before) {
            messages_.push_back(
                fmt::format("stage \"{}\" removed {} grains, {} are left", stage.name, before - after, after));
        } else if (after > before) {
            messages_.push_back(fmt::format("stage \"{}\" added {} grains to {}", stage.name, after - before, before));
        }
    }
}

void Simulation::change(const model::Action& action) {
    if (!residual_before_actions_) {
        residual_before_actions_ = balance().residual;
    }
    apply(action, scene_, *engine_);
}

std::optional<Simulation::Ending> Simulation::stage_over() {
    const model::StopRule& rule = scene_.plan.stages[static_cast<std::size_t>(system_.stage.index)].until;
    // A time counts as reached at the nearest step.
    const double now = time() + 0.5 * system_.clock.step;
    const double in_stage = now - system_.stage.entered_at;
    if (rule.at_time && now >= *rule.at_time) {
        return Ending{"time", fmt::format("reached {:.6g} s", *rule.at_time)};
    }
    if (rule.duration && in_stage >= *rule.duration) {
        return Ending{"duration", fmt::format("lasted {:.6g} s", *rule.duration)};
    }
    if (rule.count_at_most || rule.count_at_least) {
        if (system_.clock.steps % count_every == 0) {
            std::int64_t count = 0;
            for (const math::Vec3d& x : system_.bodies.position) {
                count += rule.count_region.contains(x) ? 1 : 0;
            }
            if ((rule.count_at_most && count <= *rule.count_at_most) ||
                (rule.count_at_least && count >= *rule.count_at_least)) {
                return Ending{"count", fmt::format("{} grains counted", count)};
            }
        }
    }
    if (rule.settled && is_settled()) {
        return Ending{"settled", "settled"};
    }
    if (rule.timeout && in_stage >= *rule.timeout) {
        return Ending{"timeout", fmt::format("timed out after {:.6g} s", *rule.timeout)};
    }
    if (system_.bodies.size() == 0 && (rule.settled || rule.count_at_least)) {
        return Ending{"empty", "no grain is left"};
    }
    return std::nullopt;
}

bool Simulation::is_settled() {
    const model::StopRule& rule = scene_.plan.stages[static_cast<std::size_t>(system_.stage.index)].until;
    if (system_.clock.steps % settled_every(rule) != 0 || system_.bodies.size() == 0) {
        return false;
    }
    // Exact sums: the rule decides the path of the run.
    base::ExactSum kinetic;
    base::ExactSum weight;
    base::ExactSum mass;
    const double g = norm(system_.gravity);
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
        const model::Bodies& b = system_.bodies;
        kinetic += kinetic_energy(b, system_.grains, i);
        weight += b.mass[i] * g * b.radius[i];
        mass += b.mass[i];
    }
    const auto balance = engine_->force_balance();
    const double slow = engine_->trembling_speed();
    const double trembling = 0.5 * mass.value() * slow * slow;
    const bool quiet = kinetic.value() < rule.settled_energy * weight.value() + trembling &&
                       balance.mean_net <= rule.settled_balance * balance.mean_contact;
    if (!quiet) {
        system_.stage.quiet_since = -1;
        return false;
    }
    if (system_.stage.quiet_since < 0) {
        system_.stage.quiet_since = time();
    }
    return time() - system_.stage.quiet_since >= rule.settled_for;
}

std::vector<std::string> Simulation::take_messages() {
    return std::exchange(messages_, {});
}

// --- saving ---------------------------------------------------------------------------------------------------------

std::string Simulation::plan_state() const {
    nlohmann::json state;
    state["initial_energy"] = initial_energy_;
    state["warned_overlap"] = warned_overlap_;
    state["finished"] = finished_;
    state["contacts"] = saved_laws(scene_.plan);
    state["engine"] = to_text(engine_->save());
    if (residual_before_actions_) {
        state["residual_before_actions"] = *residual_before_actions_;
    }
    for (const output::StageRecord& record : stage_records_) {
        state["stages"].push_back({record.name, record.start, record.end.value_or(-1), record.ended_by});
    }
    for (const auto& measure : measures_) {
        state["measures"].push_back(to_text(measure->save()));
    }
    return state.dump();
}

void Simulation::load_plan_state(const std::string& text) {
    try {
        const nlohmann::json state = nlohmann::json::parse(text);
        initial_energy_ = state.at("initial_energy");
        warned_overlap_ = state.at("warned_overlap");
        finished_ = state.at("finished");
        load_laws(state.value("contacts", nlohmann::json::array()), scene_.plan);
        engine_->load(from_text(state.at("engine").get<std::string>()));
        if (state.contains("residual_before_actions")) {
            residual_before_actions_ = state.at("residual_before_actions").get<double>();
        }
        for (const auto& record : state.value("stages", nlohmann::json::array())) {
            const double end = record.at(2);
            stage_records_.push_back(
                {record.at(0), record.at(1), end >= 0 ? std::optional<double>(end) : std::nullopt, record.at(3)});
        }
        const auto saved = state.value("measures", nlohmann::json::array());
        if (saved.size() != measures_.size()) {
            throw base::InputError("the checkpoint belongs to a scene with other measures");
        }
        for (std::size_t k = 0; k < measures_.size(); ++k) {
            measures_[k]->load(from_text(saved[k].get<std::string>()));
        }
    } catch (const nlohmann::json::exception& e) {
        throw base::InputError(std::string("the checkpoint's plan state is damaged: ") + e.what());
    }
}

}  // namespace talus::simulation
