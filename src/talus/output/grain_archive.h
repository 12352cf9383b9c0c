// Grains of many spheres in a checkpoint: the library of shapes, how bodies are turned, and their contacts.
#pragma once

#include "talus/model/system.h"
#include "talus/output/hdf5_file.h"

namespace talus::output {

void save_grains(Hdf5File& file, const model::System& system);
/// Into a system whose bodies are there already. Throws std::runtime_error on columns that do not fit them.
void load_grains(const Hdf5File& file, model::System& system);

}  // namespace talus::output
