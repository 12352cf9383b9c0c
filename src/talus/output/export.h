// Frames for other programs: VTK for ParaView, a LAMMPS dump for OVITO (recipes: docs/files.md).
#pragma once

#include <filesystem>
#include <vector>

#include "talus/output/frame.h"
#include "talus/output/wall_surface.h"

namespace talus::output {

/// The frame files behind a name: all frames of a run folder, or the one frame file. base::InputError if there is none.
std::vector<std::filesystem::path> frames_of(const std::filesystem::path& source);

/// One frame as PolyData: grains as points with `radius` and `diameter`; walls as surfaces, infinite ones cut to
/// `bounds`; contacts as lines from centre to centre (or to the wall) with the force.
PolyData grains_as_vtk(const FrameFile& frame);
PolyData walls_as_vtk(const FrameFile& frame, const Bounds& bounds);
PolyData contacts_as_vtk(const FrameFile& frame);

/// Writes grains_*.vtp, walls_*.vtp and contacts_*.vtp for every frame of `source` (a run folder or a frame file) into
/// `folder`, with a collection over time of each (.pvd) and a script that opens all three in ParaView at true size.
/// Returns what was written, grains.pvd first, then the other collections.
std::vector<std::filesystem::path> export_vtk(const std::filesystem::path& source, const std::filesystem::path& folder);

/// Writes all frames of `source` into one text dump: id type x y z vx vy vz omegax omegay omegaz fx fy fz radius mass;
/// the type is the material's number, from 1.
void export_lammps_dump(const std::filesystem::path& source, const std::filesystem::path& path);

}  // namespace talus::output
