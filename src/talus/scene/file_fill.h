// Grains listed in files: CSV, LAMMPS data, Talus HDF5.
#pragma once

#include <string>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/scene/fill_space.h"

namespace talus::scene {

// All readers give the grains in the file's order. Faults go to `diagnostics` with the place in the file and `key`,
// the scene's key that named it; the result is then of no use.

/// Comma-separated with a header line: x, y, z, radius and, if present, vx, vy, vz, wx, wy, wz, density, in SI units
/// and any order; in the plane without z. Other columns are ignored with a warning; empty lines and lines that begin
/// with # are skipped.
std::vector<Grain> read_csv(const std::string& path, const std::string& key, base::Diagnostics& diagnostics,
                            bool planar = false);

/// LAMMPS data with atom_style sphere (id type diameter density x y z) and an optional Velocities section
/// (id vx vy vz wx wy wz), in SI units. Other sections are skipped.
std::vector<Grain> read_lammps_data(const std::string& path, const std::string& key, base::Diagnostics& diagnostics);

/// A Talus frame or checkpoint: /particles/position and /particles/radius and, if present, velocity, spin and mass.
std::vector<Grain> read_frame(const std::string& path, const std::string& key, base::Diagnostics& diagnostics);

/// Chooses by the ending: .csv; .data or .lmp; .h5 or .hdf5.
std::vector<Grain> read_grains(const std::string& path, const std::string& key, base::Diagnostics& diagnostics,
                               bool planar = false);

}  // namespace talus::scene
