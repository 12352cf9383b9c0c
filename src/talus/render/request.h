// What of a request cannot be meant: options that fight, that would do nothing, or a file that cannot be written.
#pragma once

#include "talus/render/options.h"

namespace talus::render {

/// base::InputError, saying what would be right. Frames have not been looked at yet.
void check_request(const RenderOptions& options);

}  // namespace talus::render
