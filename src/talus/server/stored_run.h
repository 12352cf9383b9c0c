// The frames and the series of a run folder, shown to viewers: nothing is written, and what another program adds to
// the folder meanwhile appears.
#pragma once

#include <atomic>
#include <filesystem>
#include <span>

#include "talus/server/exchange.h"
#include "talus/server/painter.h"

namespace talus::server {

/// Answers requests for stored frames that the viewers have not got yet. A frame that cannot be read is said to be so.
void show_frames(Exchange& exchange, Painter& painter, const std::filesystem::path& folder,
                 std::span<const Request> requests);

/// Shows the run in `folder` until `stop` is set. base::InputError if there is none.
void show_run(Exchange& exchange, const std::filesystem::path& folder, const std::atomic<bool>& stop);

}  // namespace talus::server
