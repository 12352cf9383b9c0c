// The rest of the facade: what a door offers beside running, namely pages about scenes and laws, descriptions and
// exports of what a run wrote, and scenes from files of other codes. Doors include rooms below the facade through it
// only.
#pragma once

#include "talus/laws/reference.h"
#include "talus/output/atomic_file.h"
#include "talus/output/describe.h"
#include "talus/output/export.h"
#include "talus/scene/import_walls.h"
#include "talus/scene/reference.h"

namespace talus::simulation {

using output::describe;
using output::export_lammps_dump;
using output::export_vtk;
using output::write_text_file;
using scene::import_walls;
using scene::ImportedScene;
using scene::ImportOptions;
using scene::scene_json_schema;
using scene::scene_reference_markdown;

/// The page on contact laws, docs/laws.md.
inline std::string laws_reference_markdown() {
    return laws::reference_markdown();
}

}  // namespace talus::simulation
