// Seconds on two clocks: of the day, and of the processor for one thread.
#pragma once

#include <chrono>
#include <ctime>

namespace talus::base {

inline double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// Processor time of the calling thread: on a machine that others use too, less of it passes than of the day.
inline double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace talus::base
