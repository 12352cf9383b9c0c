#include "talus/simulation/live_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "talus/base/diagnostics.h"
#include "talus/output/run_folder.h"
#include "talus/output/series.h"
#include "talus/server/stored_run.h"

namespace talus::simulation {

namespace {

using server::plain_message;
using server::Topic;

/// Of the time of a run: what looks at it may take.
constexpr double share = 0.012;
constexpr double shortest_interval = 1.0 / 30;  // s between pictures
constexpr double state_interval = 0.25;         // s between looks at what else has changed
constexpr std::chrono::duration<double> moment{0.05};
constexpr std::size_t most_events = 200;

double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// Processor time of this thread: on a machine that others use too, less of it passes than of the day.
double own_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

void LiveView::begin(const Simulation& simulation, const std::filesystem::path& folder,
                     const std::vector<std::string>& columns) {
    folder_ = folder;
    frames_ = static_cast<std::int64_t>(output::list_frames(folder).size());
    exchange_.set_columns(columns);
    for (const std::vector<double>& row : output::read_series(output::series_path(folder)).rows) {
        exchange_.add_row(row);
    }
    const model::System& system = simulation.scene().system;
    exchange_.post(Topic::greeting, plain_message({{"type", "greeting"},
                                                   {"live", true},
                                                   {"title", simulation.plan().title},
                                                   {"dimensions", system.domain.dimensions},
                                                   {"step", simulation.clock().step},
                                                   {"fields", server::describe_fields()},
                                                   {"materials", server::describe_materials(system.materials.list)}}));
    post_state(simulation);
}

std::vector<Json> LiveView::attend(const Simulation& simulation) {
    std::vector<Json> changes;
    if (exchange_.is_asked()) {
        for (const server::Command& command : exchange_.take_commands()) {
            obey(simulation, command, changes);
            posted_at_ = {};
        }
        if (is_held() || seconds_to_next_picture(cut_short_ ? step_seconds_ : 0.0) <= 0) {
            paint(simulation);
        }
    }
    go_on_if_alone(simulation);
    if (exchange_.is_watched() && seconds_since(posted_at_) > state_interval) {
        post_state(simulation);
    }
    return changes;
}

void LiveView::obey(const Simulation& simulation, const server::Command& command, std::vector<Json>& changes) {
    const Json& content = command.content;
    const std::string type = content.at("type");
    const auto amount = [&](const char* key) {
        const auto found = content.find(key);
        return found != content.end() && found->is_number() ? found->get<double>() : 0.0;
    };
    if (type == "pause") {
        paused_ = true;
        single_steps_ = 0;
    } else if (type == "resume") {
        paused_ = false;
        hold_pace(simulation);
    } else if (type == "step") {
        paused_ = true;
        single_steps_ += static_cast<std::int64_t>(std::clamp(amount("count"), 1.0, 1e6));
    } else if (type == "speed") {
        speed_ = std::max(0.0, amount("factor"));
        hold_pace(simulation);
    } else if (type == "change" && !over_) {
        const auto what = content.find("what");
        try {
            change_action(what == content.end() ? Json() : *what, simulation.scene().system);
            changes.push_back(*what);
        } catch (const base::InputError& fault) {
            say(simulation.time(), fault.what());
        }
    }
}

double LiveView::seconds_to_next_picture(double extra) const {
    const double cost = painting_seconds_ + exchange_.serving_seconds() - served_before_ + extra;
    return std::max(shortest_interval - seconds_since(painted_at_), cost / share - (own_seconds() - own_before_));
}

void LiveView::paint(const Simulation& simulation) {
    std::vector<server::Request> live, stored;
    for (const server::Request& request : exchange_.requests()) {
        if (request.frame >= 0) {
            stored.push_back(request);
        } else if (request.seen != simulation.clock().steps) {
            live.push_back(request);
        }
    }
    if (!live.empty()) {
        const double begun = own_seconds();
        const bool deep = server::Painter::needs_contacts(live);
        const auto contacts = deep ? simulation.engine().contacts() : std::vector<model::ContactSample>();
        // Without contacts the system is good as it is, and bringing its pairs up to date would take time.
        const auto picture = painter_.paint(deep ? simulation.system() : simulation.scene().system, contacts, live);
        picture->stage = simulation.stage_name();
        own_before_ = own_seconds();
        painting_seconds_ = own_before_ - begun;
        painted_at_ = Clock::now();
        served_before_ = exchange_.serving_seconds();
        for (const server::Request& request : live) {
            exchange_.answer(request.viewer, picture);
        }
    }
    if (is_held()) {  // reading a frame takes long: only a run that waits anyway does it
        server::show_frames(exchange_, stored_painter_, folder_, stored);
    }
}

std::int64_t LiveView::allowed_steps(const Simulation& simulation, std::int64_t steps) {
    if (paused_) {
        return std::min(steps, single_steps_);
    }
    if (!exchange_.is_watched()) {
        return steps;
    }
    if (step_seconds_ > 0) {  // attend again when the next picture is due
        // A run that is cut short for it begins another advance of its engine, which takes about as long as a step.
        const double pause = exchange_.is_asked() ? 0.0 : shortest_interval + step_seconds_ / share;
        const double few = std::max(seconds_to_next_picture(step_seconds_), pause) / step_seconds_;
        cut_short_ = few < static_cast<double>(steps);
        steps = std::min(steps, static_cast<std::int64_t>(std::clamp(few, 1.0, 1e6)));
    }
    if (speed_ > 0) {
        const double ahead = speed_ * seconds_since(pace_begun_) - (simulation.time() - pace_from_);
        if (ahead > speed_) {  // the run cannot keep the pace: it need not make up for that
            hold_pace(simulation);
        }
        const double due = std::floor(ahead / simulation.clock().step);
        steps = std::min(steps, static_cast<std::int64_t>(std::clamp(due, 0.0, 1e6)));
    }
    return steps;
}

void LiveView::rest() {
    exchange_.wait(paused_ || speed_ <= 0 ? moment : moment / 10);
}

void LiveView::stepped(std::int64_t steps, double seconds) {
    if (paused_) {
        single_steps_ -= std::min(single_steps_, steps);
    }
    if (steps > 0) {
        step_seconds_ = seconds / static_cast<double>(steps);
    }
}

void LiveView::hold_pace(const Simulation& simulation) {
    pace_begun_ = Clock::now();
    pace_from_ = simulation.time();
}

void LiveView::go_on_if_alone(const Simulation& simulation) {
    if (exchange_.is_watched() || !(paused_ || speed_ > 0)) {
        alone_since_.reset();
        return;
    }
    if (!alone_since_) {
        alone_since_ = Clock::now();
    }
    if (Clock::now() - *alone_since_ > patience_) {
        paused_ = false;
        speed_ = 0;
        say(simulation.time(), "nobody looks any more: the run goes on");
    }
}

void LiveView::say(double time, const std::string& line) {
    events_.push_back({{"time", time}, {"text", line}});
    if (events_.size() > most_events) {
        events_.erase(events_.begin());
    }
    exchange_.post(Topic::events, plain_message({{"type", "events"}, {"events", events_}}));
}

void LiveView::post_state(const Simulation& simulation) {
    posted_at_ = Clock::now();
    Json state = {{"type", "state"}, {"status", status_}, {"paused", is_held()},
                  {"speed", speed_}, {"frames", frames_}, {"changeable", changeable(simulation.scene().system)}};
    const std::optional<double> end = simulation.latest_end();
    state["end"] = end ? Json(*end) : Json();
    std::string text = state.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text != last_state_) {
        last_state_ = std::move(text);
        exchange_.post(Topic::state, plain_message(std::move(state)));
    }
}

void LiveView::stay(const Simulation& simulation, const std::string& status, const std::atomic<bool>* stop) {
    over_ = true;
    status_ = status;
    post_state(simulation);
    auto last_seen = exchange_.is_watched() ? Clock::now() : Clock::time_point();
    while (Clock::now() - last_seen < patience_ && (stop == nullptr || !stop->load())) {
        if (exchange_.is_watched()) {
            last_seen = Clock::now();
        }
        attend(simulation);
        rest();
    }
}

}  // namespace talus::simulation
