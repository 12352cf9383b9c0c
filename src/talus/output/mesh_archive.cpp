#include "talus/output/mesh_archive.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace talus::output {

void Meshes::add_wall(const geometry::Shape& shape) {
    if (!shape.surface) {
        of_wall.push_back(-1);
        return;
    }
    const auto known =
        std::find_if(list.begin(), list.end(), [&](const auto& m) { return m.surface == shape.surface; });
    of_wall.push_back(static_cast<std::int32_t>(known - list.begin()));
    if (known == list.end()) {
        list.push_back({"", 1, shape.surface});
    }
}

void write_meshes(Hdf5File& file, const Meshes& meshes) {
    if (meshes.list.empty()) {
        return;
    }
    std::vector<std::string> names;
    std::vector<double> units;
    std::vector<std::int64_t> point_counts, triangle_counts;
    std::vector<Vec3d> points;
    std::vector<std::int32_t> corners;
    for (const model::MeshSource& source : meshes.list) {
        const geometry::Mesh& mesh = source.surface->mesh();
        names.push_back(source.file);
        units.push_back(source.unit);
        point_counts.push_back(static_cast<std::int64_t>(mesh.points.size()));
        triangle_counts.push_back(static_cast<std::int64_t>(mesh.triangles.size()));
        points.insert(points.end(), mesh.points.begin(), mesh.points.end());
        for (const auto& triangle : mesh.triangles) {
            corners.insert(corners.end(), triangle.begin(), triangle.end());
        }
    }
    file.write("meshes/file", names);
    file.write("meshes/unit", units);
    file.write("meshes/point_count", point_counts);
    file.write("meshes/triangle_count", triangle_counts);
    file.write("meshes/points", points);
    file.write("meshes/corners", corners);
    file.write("meshes/of_wall", meshes.of_wall);
}

Meshes read_meshes(const Hdf5File& file) {
    Meshes out;
    if (!file.has("meshes/of_wall")) {
        return out;
    }
    std::vector<std::string> names;
    std::vector<double> units;
    std::vector<std::int64_t> point_counts, triangle_counts;
    std::vector<Vec3d> points;
    std::vector<std::int32_t> corners;
    file.read("meshes/file", names);
    file.read("meshes/unit", units);
    file.read("meshes/point_count", point_counts);
    file.read("meshes/triangle_count", triangle_counts);
    file.read("meshes/points", points);
    file.read("meshes/corners", corners);
    file.read("meshes/of_wall", out.of_wall);
    const auto require = [&](bool sound) {
        if (!sound) {
            file.fail("a mesh is damaged");
        }
    };
    require(units.size() == names.size() && point_counts.size() == names.size() &&
            triangle_counts.size() == names.size());
    std::size_t next_point = 0;
    std::size_t next_corner = 0;
    for (std::size_t m = 0; m < names.size(); ++m) {
        const auto point_count = static_cast<std::size_t>(point_counts[m]);
        const auto triangle_count = static_cast<std::size_t>(triangle_counts[m]);
        require(point_count <= points.size() - next_point && triangle_count > 0 &&
                triangle_count <= (corners.size() - next_corner) / 3);
        geometry::Mesh mesh;
        mesh.points.assign(points.begin() + static_cast<std::ptrdiff_t>(next_point),
                           points.begin() + static_cast<std::ptrdiff_t>(next_point + point_count));
        for (const Vec3d& p : mesh.points) {
            require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
        }
        for (std::size_t t = 0; t < triangle_count; ++t) {
            const std::size_t at = next_corner + 3 * t;
            const std::array<std::int32_t, 3> triangle = {corners[at], corners[at + 1], corners[at + 2]};
            for (const std::int32_t point : triangle) {
                require(point >= 0 && static_cast<std::size_t>(point) < point_count);
            }
            require(triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0]);
            mesh.triangles.push_back(triangle);
        }
        next_point += point_count;
        next_corner += 3 * triangle_count;
        out.list.push_back({names[m], units[m], std::make_shared<const geometry::Surface>(std::move(mesh))});
    }
    return out;
}

}  // namespace talus::output
