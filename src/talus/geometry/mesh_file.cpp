// Meshes from STL files, text or binary, from OBJ files, of which points and faces alone count, and from PLY files.
#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "talus/geometry/mesh_parts.h"

namespace talus::geometry {

namespace {

using detail::refuse_mesh;
using detail::Soup;
using detail::Words;

constexpr std::size_t stl_header = 80;    // bytes, then the number of triangles
constexpr std::size_t stl_triangle = 50;  // bytes: a normal, three corners, two bytes for whatever

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t k = 4; k-- > 0;) {
        out = (out << 8U) | static_cast<unsigned char>(bytes[at + k]);
    }
    return out;
}

ReadMesh binary_stl(const std::string& path, std::string_view bytes) {
    Soup soup(path);
    const std::size_t count = word_at(bytes, stl_header);
    for (std::size_t t = 0; t < count; ++t) {
        for (std::size_t k = 1; k < 4; ++k) {
            const std::size_t at = stl_header + 4 + t * stl_triangle + k * 12;
            const auto value = [&](std::size_t i) {
                return static_cast<double>(std::bit_cast<float>(word_at(bytes, at + 4 * i)));
            };
            soup.corner({value(0), value(1), value(2)});
        }
        soup.close();
    }
    return soup.take();
}

ReadMesh text_stl(const std::string& path, std::string_view text) {
    Soup soup(path);
    Words words(path, text);
    bool ended = false;
    for (auto line = words.line(); !line.empty(); line = words.line()) {
        if (line[0] == "vertex") {
            soup.corner(words.point(line));
        } else if (line[0] == "endloop") {
            if (soup.corners() != 3) {
                words.fault(fmt::format("has a loop of {} points that ends", soup.corners()));
            }
            soup.close();
        } else if (line[0] == "endsolid") {
            ended = true;
        }
    }
    if (soup.corners() != 0) {
        refuse_mesh(path, "ends within a triangle");
    }
    if (!ended) {
        refuse_mesh(path, "ends before its \"endsolid\": it is no STL text, or part of it is missing");
    }
    return soup.take();
}

ReadMesh stl(const std::string& path, std::string_view bytes) {
    const std::size_t start = stl_header + 4;
    // Binary files may begin with "solid" as well: the length decides.
    if (bytes.size() >= start && bytes.size() == start + stl_triangle * word_at(bytes, stl_header)) {
        return binary_stl(path, bytes);
    }
    if (bytes.starts_with("solid")) {
        return text_stl(path, bytes);
    }
    refuse_mesh(path, "is no STL file: it neither begins with \"solid\" nor is as long as its header says");
}

ReadMesh obj(const std::string& path, std::string_view text) {
    std::vector<Vec3d> points;
    Soup soup(path);
    Words words(path, text);
    for (auto line = words.line(); !line.empty(); line = words.line()) {
        if (line[0] == "v") {
            points.push_back(words.point(line));
        } else if (line[0] == "f") {
            if (line.size() < 4) {
                words.fault("has a face with fewer than three points");
            }
            for (std::size_t k = 1; k < line.size(); ++k) {
                const auto index = words.number<long>(line[k].substr(0, line[k].find('/')));
                const auto count = static_cast<long>(points.size());
                if (index == 0 || index > count || index < -count) {
                    words.fault(fmt::format("has no point {}, which is named", index));
                }
                soup.corner(points[static_cast<std::size_t>(index > 0 ? index - 1 : count + index)]);
            }
            soup.close();
        }
    }
    return soup.take();
}

}  // namespace

ReadMesh read_triangles(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    const std::string bytes = std::move(content).str();
    if (!file || bytes.empty()) {
        refuse_mesh(path, "cannot be read, or is empty");
    }
    const auto ends = [&](const char* low, const char* high) { return path.ends_with(low) || path.ends_with(high); };
    ReadMesh read;
    if (ends(".stl", ".STL")) {
        read = stl(path, bytes);
    } else if (ends(".obj", ".OBJ")) {
        read = obj(path, bytes);
    } else if (ends(".ply", ".PLY")) {
        read = detail::read_ply(path, bytes);
    } else {
        refuse_mesh(path, "is neither .stl nor .obj nor .ply");
    }
    if (read.mesh.triangles.empty()) {
        refuse_mesh(
            path, read.collapsed > 0 ? "has no triangles but such with two corners in one place" : "has no triangles");
    }
    return read;
}

Mesh read_mesh(const std::string& path) {
    Mesh mesh = read_triangles(path).mesh;
    if (const auto fault = mesh_fault(mesh)) {
        refuse_mesh(path, *fault);
    }
    return mesh;
}

}  // namespace talus::geometry
