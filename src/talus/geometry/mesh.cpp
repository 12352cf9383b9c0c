#include "talus/geometry/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace talus::geometry {

namespace {

const Vec3d& corner(const Mesh& mesh, std::size_t triangle, std::size_t k) {
    return mesh.points[static_cast<std::size_t>(mesh.triangles[triangle][k])];
}

double signed_volume(const Mesh& mesh) {
    const Vec3d from = mesh.points.front();  // near, so that little cancels
    double sum = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        sum += dot(corner(mesh, t, 0) - from, cross(corner(mesh, t, 1) - from, corner(mesh, t, 2) - from));
    }
    return sum / 6;
}

double distance2_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d way = b - a;
    const double length2 = norm2(way);
    const double t = length2 > 0 ? std::clamp(dot(p - a, way) / length2, 0.0, 1.0) : 0.0;
    return norm2(p - a - way * t);
}

/// To the plane where the point lies above the triangle, to the nearest side elsewhere.
double distance2_to_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d normal = cross(b - a, c - a);
    const bool above = dot(cross(b - a, normal), p - a) <= 0 && dot(cross(c - b, normal), p - b) <= 0 &&
                       dot(cross(a - c, normal), p - c) <= 0;
    if (above && norm2(normal) > 0) {
        const double height = dot(p - a, normal);
        return height * height / norm2(normal);
    }
    return std::min({distance2_to_segment(p, a, b), distance2_to_segment(p, b, c), distance2_to_segment(p, c, a)});
}

std::string place(const Vec3d& p) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x, p.y, p.z);
}

}  // namespace

std::optional<std::string> mesh_fault(const Mesh& mesh) {
    if (mesh.triangles.empty()) {
        return "has no triangles";
    }
    struct Uses {
        int there = 0, back = 0;
    };
    std::map<std::pair<std::int32_t, std::int32_t>, Uses> edges;
    for (const auto& triangle : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t from = triangle[k];
            const std::int32_t to = triangle[(k + 1) % 3];
            Uses& uses = edges[std::minmax(from, to)];
            ++(from < to ? uses.there : uses.back);
        }
    }
    const auto told = [&](const std::pair<std::int32_t, std::int32_t>& edge) {
        return fmt::format("the edge from {} to {}", place(mesh.points[static_cast<std::size_t>(edge.first)]),
                           place(mesh.points[static_cast<std::size_t>(edge.second)]));
    };
    for (const auto& [edge, uses] : edges) {
        const int all = uses.there + uses.back;
        if (all == 1) {
            return fmt::format("is not closed: {} belongs to one triangle only", told(edge));
        }
        if (all > 2) {
            return fmt::format("is no surface: {} belongs to {} triangles", told(edge), all);
        }
        if (uses.there != uses.back) {
            return fmt::format("has triangles that face different ways, at {}", told(edge));
        }
    }
    if (!(mesh_volume(mesh) > 1e-12 * mesh_area(mesh) * std::sqrt(mesh_area(mesh)))) {
        return "encloses no volume";
    }
    return std::nullopt;
}

double mesh_volume(const Mesh& mesh) {
    return std::abs(signed_volume(mesh));
}

double mesh_area(const Mesh& mesh) {
    double sum = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d& a = corner(mesh, t, 0);
        sum += 0.5 * norm(cross(corner(mesh, t, 1) - a, corner(mesh, t, 2) - a));
    }
    return sum;
}

MeshTree::MeshTree(const Mesh& mesh) {
    std::vector<Box> boxes;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        triangles_.push_back({corner(mesh, t, 0), corner(mesh, t, 1), corner(mesh, t, 2)});
        boxes.push_back({corner(mesh, t, 0), corner(mesh, t, 0)});
        boxes.back().take_in(corner(mesh, t, 1));
        boxes.back().take_in(corner(mesh, t, 2));
    }
    tree_ = BoxTree(boxes);
}

double MeshTree::distance(const Vec3d& point) const {
    double least2 = std::numeric_limits<double>::infinity();
    tree_.seek(point, least2, [&](std::uint32_t t) {
        const auto& [a, b, c] = triangles_[t];
        least2 = std::min(least2, distance2_to_triangle(point, a, b, c));
    });
    return std::sqrt(least2);
}

}  // namespace talus::geometry
