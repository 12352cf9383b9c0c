// Surfaces of triangles: the files they come from, what closed ones enclose, and how far a point is from them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "talus/geometry/box_tree.h"
#include "talus/math/vec3.h"

namespace talus::geometry {

struct Mesh {
    std::vector<Vec3d> points;  // m
    std::vector<std::array<std::int32_t, 3>> triangles;
};

/// Why the mesh encloses nothing: no triangles, an open edge, one that more than two triangles share, triangles that
/// face different ways, no volume. Nothing if it does enclose something.
std::optional<std::string> mesh_fault(const Mesh& mesh);

double mesh_volume(const Mesh& mesh);  // m3, of a closed mesh, whichever way it faces
double mesh_area(const Mesh& mesh);    // m2

/// A mesh as it stands in a file.
struct ReadMesh {
    Mesh mesh;                  // points in one place are one point
    std::size_t collapsed = 0;  // triangles that were left out, since two of their corners are in one place
};
/// From a file, by its ending: .stl or .ply (text or binary) or .obj. Throws std::invalid_argument with one sentence
/// that names the file; a mesh that comes back has triangles and finite points, and may be open.
ReadMesh read_triangles(const std::string& path);
/// The same of a mesh that must enclose something: what comes back has no fault.
Mesh read_mesh(const std::string& path);

/// A triangle whose area is less than half this part of its longest side squared has no plane that could be told from
/// rounding.
inline constexpr double flattest_triangle = 1e-9;

/// What is odd about a mesh that shall be a wall.
struct MeshOddities {
    std::size_t duplicates = 0;     // triangles that have been there before, left out
    std::size_t without_area = 0;   // triangles as thin as a line: they join their neighbours, and have sides only
    std::size_t open_edges = 0;     // that belong to one triangle only
    std::size_t crowded_edges = 0;  // that belong to more than two
    std::array<Vec3d, 2> open{}, crowded{};  // m, the ends of one of them
};
/// Leaves duplicates out and tells the rest.
MeshOddities tidy(Mesh& mesh);

/// The triangles in a tree of boxes.
class MeshTree {
public:
    explicit MeshTree(const Mesh& mesh);
    /// m, from a point to the surface.
    double distance(const Vec3d& point) const;

private:
    std::vector<std::array<Vec3d, 3>> triangles_;
    BoxTree tree_;
};

}  // namespace talus::geometry
