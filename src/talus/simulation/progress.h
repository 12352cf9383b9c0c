// What a person sees while a run goes on: a bar on a terminal, plain lines elsewhere, nothing when quiet.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace talus::simulation {

enum class ProgressStyle { bar, lines, quiet };

struct ProgressState {
    double time = 0;                  // s, simulated
    double start = 0;                 // s, simulated time at which this session began
    std::optional<double> end;        // s, latest end if known
    std::int64_t steps = 0;           // in this session
    double particle_steps = 0;        // in this session
    std::size_t grains = 0;
    std::size_t contacts = 0;
    double kinetic_energy = 0;        // J
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

/// The text of one report, without the bar.
std::string progress_text(const ProgressState& state, double seconds);
/// "1 h 02 min", "3 min 20 s", "45 s".
std::string duration_text(double seconds);

}  // namespace talus::simulation
