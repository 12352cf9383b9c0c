// Filling a closed mesh with overlapping spheres, so that their union comes near to it.
#pragma once

#include <vector>

#include "talus/geometry/mesh.h"
#include "talus/geometry/sphere_union.h"

namespace talus::geometry {

struct MeshFillRules {
    double error = 0.05;  // wanted: volume that only one of mesh and spheres has, as a part of the mesh's
    int spheres = 100;    // at most
    int cells = 49;       // of the grid on which volumes are compared, along the longest side of the mesh
};

struct MeshFill {
    std::vector<Ball> balls;
    double error = 0;         // reached, as MeshFillRules::error
    double volume_error = 0;  // of the union's volume, relative; negative: too small
    double distance = 0;      // m, the largest found between the two surfaces, either way, at sampled points
};

/// One sphere after another, each the one that takes most of the volume that is still missing without putting too much
/// outside, until the error is as small as wanted, the spheres are used up or nothing helps any more. They hang
/// together and none lies inside another. The mesh must have no fault.
MeshFill fill_mesh(const Mesh& mesh, const MeshFillRules& rules = {});

}  // namespace talus::geometry
