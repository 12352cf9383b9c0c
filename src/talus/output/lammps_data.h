// A state as a LAMMPS data file (atom_style sphere), for codes that are to start from the very same grains.
#pragma once

#include <filesystem>

#include "talus/model/system.h"

namespace talus::output {

/// Positions, velocities and spins to the last bit; the type is the material's number, from 1, and ids count from 1.
/// Grains stand in the order of a sweep through space (x fastest), so that no reader begins with scattered memory.
/// Along axes that are not periodic the box ends a radius below the lowest centre and twenty above the highest.
void write_lammps_data(const std::filesystem::path& path, const model::System& system);

}  // namespace talus::output
