// Ctrl-C and SIGTERM as a wish that is asked for between two pieces of work.
#pragma once

#include <atomic>

namespace talus::apps {

/// From now on a first signal sets the flag that is handed back; a second one ends the program the usual way.
std::atomic<bool>& heed_stop_signals();

}  // namespace talus::apps
