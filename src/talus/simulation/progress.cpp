#include "talus/simulation/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace talus::simulation {

namespace {

constexpr double bar_interval = 0.25;  // s
constexpr double line_interval = 10;   // s
constexpr int wide_bar = 24;
constexpr int narrow_bar = 10;

/// Columns of the terminal that a line may fill without wrapping.
std::size_t terminal_columns() {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col - 1U : 79U;
}

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
    if (seconds < 9.95) {
        return fmt::format("{:.1f} s", std::max(0.0, seconds));
    }
    const auto s = static_cast<long>(std::round(seconds));
    if (s >= 3600) {
        return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
    }
    if (s >= 60) {
        return fmt::format("{} min {:02} s", s / 60, s % 60);
    }
    return fmt::format("{} s", s);
}

std::vector<std::string> progress_parts(const ProgressState& state, double seconds) {
    const auto per_second = [seconds](double amount) { return seconds > 0 ? amount / seconds : 0.0; };
    std::vector<std::string> parts;
    if (state.end && *state.end > 0) {
        // As many decimals as tell thousandths of the run apart.
        const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(*state.end))), 0, 9);
        parts.push_back(fmt::format("{}: t = {:.{}f} of {:.4g} s", state.stage, state.time, decimals, *state.end));
    } else {
        parts.push_back(fmt::format("{}: t = {:.4g} s", state.stage, state.time));
    }
    const double done = state.time - state.start;
    if (state.end && done > 0) {
        parts.push_back(fmt::format("{} left", duration_text((*state.end - state.time) * seconds / done)));
    }
    parts.push_back(fmt::format("{} grains", state.grains));
    parts.push_back(state.impacts ? fmt::format("{} impacts", *state.impacts)
                                  : fmt::format("{} contacts", state.contacts));
    parts.push_back(fmt::format("E_kin {:.2e} J", state.kinetic_energy));
    if (state.has_steps) {
        parts.push_back(with_prefix(per_second(static_cast<double>(state.steps))) + "steps/s");
    }
    if (state.impacts) {
        const auto in_session = static_cast<double>(*state.impacts - state.impacts_before);
        parts.push_back(with_prefix(per_second(in_session)) + "impacts/s");
    } else {
        parts.push_back(with_prefix(per_second(state.particle_steps)) + "grain-steps/s");
    }
    return parts;
}

std::string progress_line(const ProgressState& state, double seconds) {
    return fmt::format("{}", fmt::join(progress_parts(state, seconds), ", "));
}

std::string progress_bar(const ProgressState& state, double seconds, std::size_t columns) {
    std::string line;
    if (state.end && *state.end > 0) {
        const double fraction = std::clamp(state.time / *state.end, 0.0, 1.0);
        const int width = columns < 100 ? narrow_bar : wide_bar;
        const int filled = static_cast<int>(fraction * width);
        line = fmt::format("[{:#<{}}{:.<{}}] {:3.0f} % ", "", filled, "", width - filled, 100 * fraction);
    }
    bool first = true;
    for (const std::string& part : progress_parts(state, seconds)) {
        const std::string text = first ? part : ", " + part;
        if (line.size() + text.size() > columns) {
            break;
        }
        line += text;
        first = false;
    }
    return line.substr(0, columns);
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
    if (style_ == ProgressStyle::lines) {
        fmt::print(stderr, "{}\n", progress_line(state, seconds()));
    } else if (style_ == ProgressStyle::bar) {
        fmt::print(stderr, "\r\033[K{}", progress_bar(state, seconds(), terminal_columns()));
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
        std::fflush(stderr);
        bar_shown_ = false;
    }
}

}  // namespace talus::simulation
