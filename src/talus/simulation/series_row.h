// The columns of series.csv: clock, counts, energies by kind, momenta, walls, measures.
#pragma once

#include <string>
#include <vector>

#include "talus/simulation/simulation.h"

namespace talus::simulation {

/// Fixed for the whole run: walls that a stage adds later have their columns from the start.
std::vector<std::string> series_columns(const Simulation& simulation);
/// The values at the present instant; NaN for walls that are not there yet.
std::vector<double> series_row(const Simulation& simulation);

}  // namespace talus::simulation
