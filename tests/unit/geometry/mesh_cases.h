// Meshes for tests: a cube and a ball.
#pragma once

#include <numbers>

#include "talus/geometry/mesh.h"
#include "talus/math/portable.h"

namespace talus::geometry {

/// From `low` to `low` + `edge` along all axes.
inline Mesh cube_mesh(double edge = 1, const Vec3d& low = {}) {
    Mesh out;
    for (unsigned k = 0; k < 8; ++k) {
        out.points.push_back(low + Vec3d{static_cast<double>(k & 1U), static_cast<double>((k >> 1U) & 1U),
                                         static_cast<double>(k >> 2U)} *
                                       edge);
    }
    out.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return out;
}

/// Of radius 1 about the origin, with points on `rings` circles of latitude.
inline Mesh ball_mesh(int rings) {
    const int around = 2 * rings;
    Mesh out;
    out.points.push_back({0, 0, 1});
    for (int i = 1; i <= rings; ++i) {
        const math::SinCos t = math::sincos(std::numbers::pi * i / (rings + 1));
        for (int j = 0; j < around; ++j) {
            const math::SinCos p = math::sincos(2 * std::numbers::pi * j / around);
            out.points.push_back({t.sin * p.cos, t.sin * p.sin, t.cos});
        }
    }
    out.points.push_back({0, 0, -1});
    const auto at = [around](int ring, int j) { return 1 + (ring - 1) * around + j % around; };
    const int last = at(rings, around - 1) + 1;
    for (int j = 0; j < around; ++j) {
        out.triangles.push_back({0, at(1, j), at(1, j + 1)});
        out.triangles.push_back({last, at(rings, j + 1), at(rings, j)});
        for (int i = 1; i < rings; ++i) {
            out.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            out.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return out;
}

}  // namespace talus::geometry
