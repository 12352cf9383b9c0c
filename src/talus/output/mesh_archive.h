// Meshes in checkpoints and frames: stored whole, so that neither needs the files that they came from.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "talus/geometry/surface.h"
#include "talus/model/system.h"
#include "talus/output/hdf5_file.h"

namespace talus::output {

/// Meshes, and which of them each wall is made of (-1: none).
struct Meshes {
    std::vector<model::MeshSource> list;
    std::vector<std::int32_t> of_wall;

    /// Takes in a wall's, unless it is there already.
    void add_wall(const geometry::Shape& shape);
};

/// Nothing where there are none.
void write_meshes(Hdf5File& file, const Meshes& meshes);
/// None where none were written; fails if they are damaged.
Meshes read_meshes(const Hdf5File& file);

/// Gives walls back their meshes: rows with a `shape` whose kind is known.
template <class Walls>
void take_meshes(const Hdf5File& file, const Meshes& meshes, Walls& walls) {
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (walls[w].shape.kind != geometry::ShapeKind::mesh) {
            continue;
        }
        const std::int32_t index = w < meshes.of_wall.size() ? meshes.of_wall[w] : -1;
        if (index < 0 || static_cast<std::size_t>(index) >= meshes.list.size()) {
            file.fail("the mesh of a wall is missing");
        }
        walls[w].shape.surface = meshes.list[static_cast<std::size_t>(index)].surface;
    }
}

}  // namespace talus::output
