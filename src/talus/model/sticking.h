// A grain that a sticky wall holds from now on.
#pragma once

#include <cstddef>

#include "talus/model/system.h"

namespace talus::model {

/// Holds body `i` where it is on the wall; it then moves with it. The wall receives the momentum that this takes, and
/// the ledger the energy. The wall's pose must be that of the present.
void stick(System& system, std::size_t i, std::size_t wall_index);

}  // namespace talus::model
