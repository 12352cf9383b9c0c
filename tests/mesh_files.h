// Meshes for tests as files beside a scene: boxes and floors, divided as finely as asked for.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "talus/geometry/mesh.h"

namespace talus::tests {

using geometry::Mesh;
using math::Vec3d;

/// Adds `n` times `n` squares of two triangles each: the parallelogram of `u` and `v` at `corner`.
inline void add_parallelogram(Mesh& mesh, const Vec3d& corner, const Vec3d& u, const Vec3d& v, int n) {
    const auto first = static_cast<std::int32_t>(mesh.points.size());
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            mesh.points.push_back(corner + u * (static_cast<double>(i) / n) + v * (static_cast<double>(j) / n));
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const std::int32_t at = first + j * (n + 1) + i;
            mesh.triangles.push_back({at, at + 1, at + n + 2});
            mesh.triangles.push_back({at, at + n + 2, at + n + 1});
        }
    }
}

/// A box with a corner at the origin: 12 n^2 triangles.
inline Mesh box_of_triangles(const Vec3d& size, int n) {
    const Vec3d x{size.x, 0, 0};
    const Vec3d y{0, size.y, 0};
    const Vec3d z{0, 0, size.z};
    Mesh mesh;
    for (const auto& [corner, u, v] :
         {std::array<Vec3d, 3>{Vec3d{}, x, y}, {z, x, y}, {Vec3d{}, y, z}, {x, y, z}, {Vec3d{}, z, x}, {y, z, x}}) {
        add_parallelogram(mesh, corner, u, v, n);
    }
    return mesh;
}

/// As OBJ, with all digits.
inline void write_obj(const std::filesystem::path& path, const Mesh& mesh) {
    std::ofstream out(path);
    std::array<char, 128> line{};
    for (const Vec3d& p : mesh.points) {
        std::snprintf(line.data(), line.size(), "v %.17g %.17g %.17g\n", p.x, p.y, p.z);
        out << line.data();
    }
    for (const auto& t : mesh.triangles) {
        out << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    }
}

}  // namespace talus::tests
