// VTK PolyData files (.vtp, XML with raw appended data) and collections of them over time (.pvd), for ParaView.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "talus/math/vec3.h"

namespace talus::output {

using math::Vec3d;

/// One named quantity at every point or cell.
struct VtkArray {
    std::string name;
    std::variant<std::vector<double>, std::vector<Vec3d>, std::vector<std::int32_t>, std::vector<std::int64_t>> values;
    std::size_t components = 1;  // of a row of doubles; triples have three by themselves
};

/// Cells as lists of point numbers.
struct VtkCells {
    std::vector<std::int64_t> connectivity;
    std::vector<std::int64_t> offsets;  // end of each cell in `connectivity`

    void add(std::initializer_list<std::int64_t> points) {
        connectivity.insert(connectivity.end(), points);
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    std::size_t size() const { return offsets.size(); }
};

struct PolyData {
    std::vector<Vec3d> points;
    VtkCells verts, lines, polys;
    std::vector<VtkArray> point_data;
    std::vector<VtkArray> cell_data;  // verts first, then lines, then polys
};

/// `time` (s) goes along as the field TimeValue. base::RunError if the file cannot be written.
void write_vtp(const std::filesystem::path& path, const PolyData& data, double time);

/// A collection: (time in s, file name relative to the collection).
void write_pvd(const std::filesystem::path& path, const std::vector<std::pair<double, std::string>>& entries);

}  // namespace talus::output
