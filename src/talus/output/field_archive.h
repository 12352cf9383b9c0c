// Fields, and what grains carry to feel them, in checkpoints; nothing where there are none.
#pragma once

#include "talus/model/system.h"
#include "talus/output/hdf5_file.h"

namespace talus::output {

void save_fields(Hdf5File& file, const model::System& system);
void load_fields(const Hdf5File& file, model::System& system);

}  // namespace talus::output
