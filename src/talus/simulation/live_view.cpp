#include "talus/simulation/live_view.h"

#include <algorithm>
#include <cmath>

#include "talus/base/clocks.h"
#include "talus/base/diagnostics.h"
#include "talus/output/run_folder.h"
#include "talus/output/series.h"

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

/// Hard grains touch for no time: there are no contacts to tell of.
server::Known known_of(const Simulation& simulation) {
    const bool soft = !simulation.engine().impacts().has_value();
    return {soft, soft, soft};
}

}  // namespace

void LiveView::begin(const Simulation& simulation, const std::filesystem::path& folder,
                     const std::vector<std::string>& columns) {
    stored_.emplace(folder);
    frames_ = stored_->count();
    exchange_.set_columns(columns);
    for (const std::vector<double>& row : output::read_series(output::series_path(folder)).rows) {
        exchange_.add_row(row);
    }
    const model::System& system = simulation.scene().system;
    exchange_.post(Topic::greeting, plain_message({{"type", "greeting"},
                                                   {"live", true},
                                                   {"title", simulation.plan().title},
                                                   {"dimensions", system.domain.dimensions},
                                                   {"fields", server::describe_fields(known_of(simulation))},
                                                   {"materials", server::describe_materials(system.materials.list)}}));
    post_state(simulation);
}

std::vector<Json> LiveView::attend(const Simulation& simulation) {
    std::vector<Json> changes;
    if (exchange_.comers() != comers_) {  // who comes is shown the run at once, whatever the files of the page took
        comers_ = exchange_.comers();
        cost_before_ = seconds();
    }
    if (exchange_.is_asked() || (is_held() && exchange_.is_asked_for_frames())) {
        for (const server::Command& command : exchange_.take_commands()) {
            obey(simulation, command, changes);
            posted_at_ = {};
        }
        if (is_held() || seconds_to_next_picture(0) <= 0) {
            paint(simulation);
        }
    }
    go_on_if_alone(simulation);
    if (exchange_.is_watched() && base::seconds_since(posted_at_) > state_interval) {
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
    // While a run waits for its viewers nothing is taken from it.
    const double free = rested_seconds_ - rested_before_;
    const double cost = std::max(0.0, seconds() - cost_before_ + extra - free);
    return std::max(shortest_interval - base::seconds_since(painted_at_),
                    cost / share - (base::thread_seconds() - own_before_));
}

void LiveView::paint(const Simulation& simulation) {
    std::vector<server::Request> now, stored;
    for (const server::Request& request : exchange_.requests()) {
        if (request.frame >= 0) {
            stored.push_back(request);
        } else if (request.seen != simulation.clock().steps) {
            now.push_back(request);
        }
    }
    if (!now.empty()) {
        paint_now(simulation, now);
    }
    if (is_held() && !stored.empty()) {  // reading a frame takes long: only a run that waits anyway does it
        if (stored_->count() != frames_) {
            stored_->look();
        }
        stored_->show(exchange_, stored);
    }
}

void LiveView::paint_now(const Simulation& simulation, const std::vector<server::Request>& requests) {
    cost_before_ = seconds();
    rested_before_ = rested_seconds_;
    const double begun = base::thread_seconds();
    const bool deep = server::Painter::needs_contacts(requests);
    const auto contacts = deep ? simulation.engine().contacts() : std::vector<model::ContactSample>();
    // Without contacts the system is good as it is, and bringing its pairs up to date would take time.
    const auto picture = painter_.paint(deep ? simulation.system() : simulation.scene().system, contacts,
                                        known_of(simulation), requests);
    picture->stage = simulation.stage_name();
    own_before_ = base::thread_seconds();
    painting_seconds_ += own_before_ - begun;
    painted_at_ = Clock::now();
    for (const server::Request& request : requests) {
        exchange_.answer(request, picture);
    }
}

std::int64_t LiveView::allowed_steps(const Simulation& simulation, std::int64_t steps) {
    cut_short_ = false;
    if (paused_) {
        return std::min(steps, single_steps_);
    }
    if (exchange_.is_watched() && step_seconds_ > 0) {  // attend again when the next picture is due
        // A run that is cut short for it begins another advance of its engine, which takes about as long as a step.
        const double pause = exchange_.is_asked() ? 0.0 : shortest_interval + step_seconds_ / share;
        const double few = std::max(seconds_to_next_picture(step_seconds_), pause) / step_seconds_;
        cut_short_ = few < static_cast<double>(steps);
        steps = std::min(steps, static_cast<std::int64_t>(std::clamp(few, 1.0, 1e6)));
    }
    if (speed_ > 0) {
        const double ahead = speed_ * base::seconds_since(pace_begun_) - (simulation.time() - pace_from_);
        if (ahead > speed_) {  // the run cannot keep the pace: it need not make up for that
            hold_pace(simulation);
        }
        const double due = std::floor(ahead / simulation.clock().step);
        cut_short_ = cut_short_ && due >= static_cast<double>(steps);
        steps = std::min(steps, static_cast<std::int64_t>(std::clamp(due, 0.0, 1e6)));
    }
    chunk_begun_ = cut_short_ ? base::thread_seconds() : 0.0;
    return steps;
}

void LiveView::rest() {
    const Clock::time_point begun = Clock::now();
    exchange_.wait(paused_ || speed_ <= 0 ? moment : moment / 10);
    rested_seconds_ += base::seconds_since(begun);
}

void LiveView::stepped(std::int64_t steps, double seconds) {
    if (paused_) {
        single_steps_ -= std::min(single_steps_, steps);
    }
    if (steps > 0) {
        step_seconds_ = seconds / static_cast<double>(steps);
        if (cut_short_) {
            cut_seconds_ += (base::thread_seconds() - chunk_begun_) / static_cast<double>(steps);
        }
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
    std::string text = state.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text != last_state_) {
        last_state_ = std::move(text);
        exchange_.post(Topic::state, plain_message(std::move(state)));
    }
}

void LiveView::end(const Simulation& simulation, const std::string& status) {
    over_ = true;
    status_ = status;
    post_state(simulation);
}

void LiveView::stay(const Simulation& simulation, const std::atomic<bool>* stop) {
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
