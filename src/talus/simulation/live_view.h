// The run's side of a live view: between steps it does what viewers command, and paints pictures for those who ask,
// within a share of the time that a run does not feel. Whoever looks changes no bit; a viewer who vanishes stops
// nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "talus/server/exchange.h"
#include "talus/server/painter.h"
#include "talus/server/stored_frames.h"
#include "talus/simulation/changes.h"
#include "talus/simulation/simulation.h"

namespace talus::simulation {

class LiveView {
public:
    /// `patience`: how long a viewer who held the run up, or looks at its end, may be away.
    explicit LiveView(server::Exchange& exchange, std::chrono::duration<double> patience = std::chrono::seconds(10))
        : exchange_(exchange), patience_(patience) {}

    /// The run in `folder` begins, or goes on with what series and frames it has.
    void begin(const Simulation& simulation, const std::filesystem::path& folder,
               const std::vector<std::string>& columns);
    /// To be called between steps: hears commands and paints. Returns the changes to carry out now.
    std::vector<Json> attend(const Simulation& simulation);
    /// How many of `steps` may be taken before attending again; 0: none now, so `rest`.
    std::int64_t allowed_steps(const Simulation& simulation, std::int64_t steps);
    /// Waits a moment for something to happen while no step may be taken.
    void rest();
    void stepped(std::int64_t steps, double seconds);

    void add_row(const std::vector<double>& row) { exchange_.add_row(row); }
    void say(double time, const std::string& line);
    void frame_written() { ++frames_; }
    /// The run is over: "finished", "interrupted" or "failed".
    void end(const Simulation& simulation, const std::string& status);
    /// Stays for those who look at the end of the run until they are gone, or `stop` says so.
    void stay(const Simulation& simulation, const std::atomic<bool>* stop);

    /// s of processor time that looking has taken so far: painting, serving, and steps where the engine was stopped for
    /// it.
    double seconds() const { return painting_seconds_ + cut_seconds_ + exchange_.serving_seconds(); }
    /// s of wall time in which the run waited because a viewer wanted it to.
    double rested_seconds() const { return rested_seconds_; }

private:
    using Clock = std::chrono::steady_clock;

    void obey(const Simulation& simulation, const server::Command& command, std::vector<Json>& changes);
    void paint(const Simulation& simulation);
    void paint_now(const Simulation& simulation, const std::vector<server::Request>& requests);
    /// Until a picture is due, and all that the last one cost and `extra` seconds are within the share.
    double seconds_to_next_picture(double extra) const;
    void go_on_if_alone(const Simulation& simulation);
    void post_state(const Simulation& simulation);
    void hold_pace(const Simulation& simulation);
    bool is_held() const { return paused_ || over_; }

    server::Exchange& exchange_;
    std::chrono::duration<double> patience_;
    server::Painter painter_;
    std::optional<server::StoredFrames> stored_;
    std::string status_ = "running";
    std::string last_state_;  // as posted
    Clock::time_point posted_at_;
    Json events_ = Json::array();
    std::int64_t frames_ = 0;
    bool paused_ = false;
    bool over_ = false;
    std::int64_t single_steps_ = 0;  // still to be taken while paused
    double speed_ = 0;               // simulated seconds a second; 0: as fast as it goes
    Clock::time_point pace_begun_;
    double pace_from_ = 0;                          // s, simulated time then
    std::optional<Clock::time_point> alone_since_;  // nobody looks at a run that somebody held up
    double step_seconds_ = 0;                       // of wall time, as of late
    bool cut_short_ = false;                        // the last steps were fewer than could be, so as to attend
    Clock::time_point painted_at_;
    int comers_ = 0;  // Exchange::comers as last seen
    // s so far, and when the last picture was painted: what it has cost is the difference.
    double painting_seconds_ = 0;  // of processor time
    double cut_seconds_ = 0;       // of processor time, a step for each time that steps were cut short
    double chunk_begun_ = 0;       // s of processor time of this thread
    double rested_seconds_ = 0;    // of wall time
    double cost_before_ = 0;       // s, `seconds` before it was painted
    double own_before_ = 0;        // s, of processor time of this thread
    double rested_before_ = 0;
};

}  // namespace talus::simulation
