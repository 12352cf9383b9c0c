// What a person sees while a run goes on: a bar on a terminal, plain lines elsewhere, nothing when quiet.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace talus::simulation {

enum class ProgressStyle { bar, lines, quiet };

struct ProgressState {
    double time = 0;            // s, simulated
    double start = 0;           // s, simulated time at which this session began
    std::optional<double> end;  // s, latest end if known
    std::int64_t steps = 0;     // in this session
    double particle_steps = 0;  // in this session
    std::size_t grains = 0;
    std::size_t contacts = 0;
    std::optional<std::int64_t> impacts;  // so far, where contacts are instants
    std::int64_t impacts_before = 0;      // when this session began
    bool has_steps = true;                // false: time passes from impact to impact
    double kinetic_energy = 0;            // J
    std::string stage;
};

class Progress {
public:
    explicit Progress(ProgressStyle style) : style_(style), begun_(Clock::now()), last_(begun_) {}

    /// Whether it is time to show something again; cheap enough to ask often.
    bool due() const;
    void show(const ProgressState& state);
    /// A line that stays: a stage that ended, a warning.
    void say(const std::string& line);
    /// Takes the bar away.
    void close();
    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;
    ProgressStyle style_;
    Clock::time_point begun_, last_;
    bool bar_shown_ = false;
};

/// What one report says, the most wanted first. Widths change little from report to report, so that a bar stays calm.
std::vector<std::string> progress_parts(const ProgressState& state, double seconds);
/// All of it, for a log.
std::string progress_line(const ProgressState& state, double seconds);
/// A bar and as many parts as fit into `columns`: a line that wraps could not be replaced by the next.
std::string progress_bar(const ProgressState& state, double seconds, std::size_t columns);
/// "1 h 02 min", "3 min 20 s", "45 s", "4.5 s".
std::string duration_text(double seconds);

}  // namespace talus::simulation
