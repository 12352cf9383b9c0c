// Closed surfaces of triangles: what they enclose, and how far a point is from them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "talus/math/vec3.h"

namespace talus::geometry {

using math::Vec3d;

struct Mesh {
    std::vector<Vec3d> points;  // m
    std::vector<std::array<std::int32_t, 3>> triangles;
};

/// Why the mesh encloses nothing: no triangles, an open edge, one that more than two triangles share, triangles that
/// face different ways, no volume. Nothing if it does enclose something.
std::optional<std::string> mesh_fault(const Mesh& mesh);

double mesh_volume(const Mesh& mesh);  // m3, of a closed mesh, whichever way it faces
double mesh_area(const Mesh& mesh);    // m2

/// From a file, by its ending: .stl (text or binary) or .obj. Throws std::invalid_argument with one sentence that names
/// the file; a mesh that comes back has no fault.
Mesh read_mesh(const std::string& path);

/// The triangles in a tree of boxes.
class MeshTree {
public:
    explicit MeshTree(const Mesh& mesh);
    /// m, from a point to the surface.
    double distance(const Vec3d& point) const;

private:
    struct Triangle {
        Vec3d a, b, c;
    };
    struct Node {
        Vec3d low, high;
        std::int32_t first = 0,
                     count = 0;  // triangles; none: an inner node, whose halves are the next node and `other`
        std::int32_t other = 0;
    };
    std::int32_t split(std::int32_t first, std::int32_t count);
    void search(std::int32_t node, const Vec3d& point, double& least2) const;

    std::vector<Triangle> triangles_;
    std::vector<Node> nodes_;
};

}  // namespace talus::geometry
