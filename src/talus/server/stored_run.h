// A run folder shown to viewers: nothing is written, and what another program adds to the folder meanwhile appears.
#pragma once

#include <atomic>
#include <filesystem>

#include "talus/server/exchange.h"

namespace talus::server {

/// base::InputError if the folder holds no frames.
void require_frames(const std::filesystem::path& folder);

/// Shows the run in `folder` until `stop` is set.
void show_run(Exchange& exchange, const std::filesystem::path& folder, const std::atomic<bool>& stop);

}  // namespace talus::server
