// What is odd about a mesh that shall be a wall: triangles that are there twice, as thin as a line, or leave edges
// open.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "talus/geometry/mesh.h"

namespace talus::geometry {

namespace {

using Corners = std::array<std::int32_t, 3>;

Corners sorted(Corners corners) {
    std::sort(corners.begin(), corners.end());
    return corners;
}

/// Of triangles with the same three corners, whichever way they face, the first stays.
std::size_t drop_duplicates(Mesh& mesh) {
    std::vector<std::pair<Corners, std::uint32_t>> known;
    known.reserve(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        known.emplace_back(sorted(mesh.triangles[t]), t);
    }
    std::sort(known.begin(), known.end());
    std::vector<char> keep(mesh.triangles.size(), 1);
    for (std::size_t n = 1; n < known.size(); ++n) {
        keep[known[n].second] = known[n].first != known[n - 1].first ? 1 : 0;
    }
    std::vector<Corners> kept;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (keep[t]) {
            kept.push_back(mesh.triangles[t]);
        }
    }
    const std::size_t dropped = mesh.triangles.size() - kept.size();
    mesh.triangles = std::move(kept);
    return dropped;
}

bool is_thin(const Mesh& mesh, const Corners& corners) {
    const auto at = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(corners[k % 3])]; };
    double longest2 = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        longest2 = std::max(longest2, norm2(at(k + 1) - at(k)));
    }
    return !(norm(cross(at(1) - at(0), at(2) - at(0))) > flattest_triangle * longest2);
}

}  // namespace

MeshOddities tidy(Mesh& mesh) {
    MeshOddities odd;
    odd.duplicates = drop_duplicates(mesh);
    std::vector<std::pair<std::int32_t, std::int32_t>> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (const Corners& corners : mesh.triangles) {
        odd.without_area += is_thin(mesh, corners) ? 1U : 0U;
        for (std::size_t k = 0; k < 3; ++k) {
            sides.emplace_back(std::min(corners[k], corners[(k + 1) % 3]), std::max(corners[k], corners[(k + 1) % 3]));
        }
    }
    std::sort(sides.begin(), sides.end());
    const auto ends = [&](std::size_t n) {
        return std::array<Vec3d, 2>{mesh.points[static_cast<std::size_t>(sides[n].first)],
                                    mesh.points[static_cast<std::size_t>(sides[n].second)]};
    };
    for (std::size_t n = 0, next = 0; n < sides.size(); n = next) {
        while (next < sides.size() && sides[next] == sides[n]) {
            ++next;
        }
        if (next - n == 1) {
            odd.open = odd.open_edges++ == 0 ? ends(n) : odd.open;
        } else if (next - n > 2) {
            odd.crowded = odd.crowded_edges++ == 0 ? ends(n) : odd.crowded;
        }
    }
    return odd;
}

}  // namespace talus::geometry
