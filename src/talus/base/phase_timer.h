// Seconds spent in each named phase of a step.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace talus::base {

class PhaseTimer {
public:
    /// Runs `work` and books its time under `phase`.
    template <class Work>
    void time(const char* phase, const Work& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        seconds_[phase] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    const std::map<std::string, double>& seconds() const { return seconds_; }
    void reset() { seconds_.clear(); }

private:
    std::map<std::string, double> seconds_;
};

}  // namespace talus::base
