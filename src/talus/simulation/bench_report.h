// What benches of all engines share: how much memory is in use, and the middle of several runs.
#pragma once

#include <vector>

namespace talus::simulation {

/// Resident memory in bytes, without what was freed but not yet handed back.
double resident_bytes();
double median(std::vector<double> values);

}  // namespace talus::simulation
