#include "talus/simulation/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace talus::simulation {

namespace {

constexpr double bar_interval = 0.25;  // s
constexpr double line_interval = 10;   // s
constexpr int bar_width = 24;

std::string with_prefix(double value) {
    for (const auto& [scale, prefix] : {std::pair{1e9, "G"}, std::pair{1e6, "M"}, std::pair{1e3, "k"}}) {
        if (value >= scale) {
            return fmt::format("{:.3g} {}", value / scale, prefix);
        }
    }
    return fmt::format("{:.3g} ", value);
}

}  // namespace

std::string duration_text(double seconds) {
    const auto s = static_cast<long>(std::max(0.0, std::round(seconds)));
    if (s >= 3600) {
        return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
    }
    if (s >= 60) {
        return fmt::format("{} min {:02} s", s / 60, s % 60);
    }
    return fmt::format("{} s", s);
}

std::string progress_text(const ProgressState& state, double seconds) {
    const double per_second = seconds > 0 ? static_cast<double>(state.steps) / seconds : 0;
    std::string text = fmt::format("t = {:.4g} s", state.time);
    if (state.end) {
        text += fmt::format(" of {:.4g} s", *state.end);
    }
    text += fmt::format("  {}: {} grains, {} contacts, E_kin {:.3g} J, {}steps/s, {}grain-steps/s", state.stage,
                        state.grains, state.contacts, state.kinetic_energy, with_prefix(per_second),
                        with_prefix(seconds > 0 ? state.particle_steps / seconds : 0));
    const double done = state.time - state.start;
    if (state.end && done > 0) {
        text += fmt::format(", {} left", duration_text((*state.end - state.time) * seconds / done));
    }
    return text;
}

double Progress::seconds() const {
    return std::chrono::duration<double>(Clock::now() - begun_).count();
}

bool Progress::due() const {
    if (style_ == ProgressStyle::quiet) {
        return false;
    }
    const double interval = style_ == ProgressStyle::bar ? bar_interval : line_interval;
    return std::chrono::duration<double>(Clock::now() - last_).count() >= interval;
}

void Progress::show(const ProgressState& state) {
    last_ = Clock::now();
    const std::string text = progress_text(state, seconds());
    if (style_ == ProgressStyle::lines) {
        fmt::print(stderr, "{}\n", text);
    } else if (style_ == ProgressStyle::bar) {
        std::string bar;
        if (state.end && *state.end > 0) {
            const double fraction = std::clamp(state.time / *state.end, 0.0, 1.0);
            const int filled = static_cast<int>(fraction * bar_width);
            bar = fmt::format("[{:#<{}}{:.<{}}] {:3.0f} % ", "", filled, "", bar_width - filled, 100 * fraction);
        }
        fmt::print(stderr, "\r\033[K{}{}", bar, text);
        bar_shown_ = true;
    }
    std::fflush(stderr);
}

void Progress::say(const std::string& line) {
    if (style_ == ProgressStyle::quiet) {
        return;
    }
    close();
    fmt::print(stderr, "{}\n", line);
}

void Progress::close() {
    if (bar_shown_) {
        fmt::print(stderr, "\r\033[K");
        bar_shown_ = false;
    }
}

}  // namespace talus::simulation
