// Crystals of equal spheres: their unit cells, and their sites inside a box.
#pragma once

#include <cstddef>
#include <vector>

#include "talus/math/mat3.h"
#include "talus/scene/fill.h"
#include "talus/scene/fill_bounds.h"

namespace talus::scene {

/// A cell with right angles that tiles the crystal.
struct UnitCell {
    Vec3d edge;               // m
    std::vector<Vec3d> site;  // m, within [0, edge)

    double volume() const { return edge.x * edge.y * edge.z; }
};

/// The cell of a lattice whose nearest neighbours are `distance` (m) apart. Layers of the close-packed planes of hcp
/// lie across z; fcc and cubic have their cube axes along x, y, z. The plane ones have rows along x and repeat along z,
/// where a plane box sees one layer.
UnitCell unit_cell(Lattice lattice, double distance);

/// All sites inside `box` of the crystal with a cell corner at `origin`, turned by `rotation`; by rows along x, then y,
/// then z of the crystal. Sites on the box's surface count within `slack` (m).
std::vector<Vec3d> sites_in_box(const UnitCell& cell, const Vec3d& origin, const math::Mat3d& rotation,
                                const Bounds& box, double slack);

/// The sites of `cells` cubed unit cells about their centroid.
std::vector<Vec3d> block_sites(const UnitCell& cell, int cells);

}  // namespace talus::scene
