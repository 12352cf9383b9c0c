// Round to nearest and keep subnormal numbers: set at every entry, since foreign libraries change these modes.
#pragma once

namespace talus::base {

/// Sets the mode of the calling thread and of all OpenMP threads.
void pin_float_mode(int threads);

}  // namespace talus::base
