// Walls from mesh files: read once for all walls that use them, with what is odd about them told.
#include <fmt/format.h>

#include <stdexcept>

#include "talus/geometry/surface.h"
#include "talus/math/rotation.h"
#include "talus/scene/build.h"

namespace talus::scene {

namespace {

std::string told(const Vec3d& p) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x, p.y, p.z);
}

std::string counted(std::size_t count, const char* one, const char* many) {
    return count == 1 ? fmt::format("one {}", one) : fmt::format("{} {}", count, many);
}

void tell_oddities(const Build& build, const Value& keys, std::size_t collapsed, const geometry::MeshOddities& odd) {
    const auto warn = [&](const std::string& what) { build.diagnostics.warning(keys.where, keys.key, what); };
    if (collapsed > 0) {
        warn(fmt::format("{} of the mesh with two corners in one place left out",
                         counted(collapsed, "triangle", "triangles")));
    }
    if (odd.duplicates > 0) {
        warn(fmt::format("{} of the mesh left out, since the same corners have been there before",
                         counted(odd.duplicates, "triangle", "triangles")));
    }
    if (odd.without_area > 0) {
        warn(fmt::format("{} of the mesh without area: only the sides of such count",
                         counted(odd.without_area, "triangle", "triangles")));
    }
    if (odd.crowded_edges > 0) {
        warn(fmt::format("{} of the mesh where more than two triangles meet, such as that from {} to {} (m)",
                         counted(odd.crowded_edges, "edge", "edges"), told(odd.crowded[0]), told(odd.crowded[1])));
    }
    if (odd.open_edges > 0) {
        build.diagnostics.note(
            keys.where, keys.key,
            fmt::format("the mesh is open: {} with a triangle on one side only, such as that from "
                        "{} to {} (m); it is a thin sheet with two sides",
                        counted(odd.open_edges, "edge", "edges"), told(odd.open[0]), told(odd.open[1])));
    }
}

/// From its file, or one that is known already.
std::shared_ptr<const geometry::Surface> mesh_surface(Build& build, const Value& keys) {
    const std::string file = keys.text_or("file", "");
    const double unit = keys.number_or("unit", 1);
    std::vector<model::MeshSource>& known = build.scene.system.meshes;
    for (const model::MeshSource& mesh : known) {
        if (mesh.file == file && mesh.unit == unit) {
            return mesh.surface;
        }
    }
    if (!build.with_grains) {
        throw std::invalid_argument(fmt::format("the mesh \"{}\" is not part of the saved state", file));
    }
    geometry::ReadMesh read = geometry::read_triangles((build.folder / file).string());
    for (Vec3d& point : read.mesh.points) {
        point *= unit;
    }
    const geometry::MeshOddities odd = geometry::tidy(read.mesh);
    tell_oddities(build, keys, read.collapsed, odd);
    if (odd.without_area == read.mesh.triangles.size()) {
        throw std::invalid_argument(fmt::format("the mesh \"{}\" has no triangle with an area", file));
    }
    auto surface = std::make_shared<const geometry::Surface>(std::move(read.mesh));
    build.diagnostics.note(keys.where, keys.key,
                           fmt::format("a mesh of {} triangles and {} points, up to {:.4g} m from its origin",
                                       surface->faces(), surface->mesh().points.size(), surface->reach()));
    known.push_back({file, unit, surface});
    return surface;
}

}  // namespace

geometry::Placed place_mesh(Build& build, const Value& keys) {
    geometry::Placed out;
    out.shape.kind = geometry::ShapeKind::mesh;
    out.shape.surface = mesh_surface(build, keys);
    out.shape.a = out.shape.surface->reach();
    out.position = keys.vector_or("position", {});
    if (const Vec3d turn = keys.vector_or("rotation", {}); turn != Vec3d{}) {
        out.rotation = math::rotation_matrix(turn);
    }
    return out;
}

}  // namespace talus::scene
