// The flag that signals set, and who sets it.
#include "stop_signal.h"

#include <csignal>

namespace talus::apps {
namespace {

std::atomic<bool> requested{false};

extern "C" void request_stop(int /*signal*/) {
    requested.store(true);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

std::atomic<bool>& heed_stop_signals() {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
    return requested;
}

}  // namespace talus::apps
