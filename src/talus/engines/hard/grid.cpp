#include "talus/engines/hard/grid.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "talus/base/diagnostics.h"

namespace talus::engines::hard {

namespace {

/// Cells are wider than the largest sphere by this part, so that rounding cannot hide a neighbour.
constexpr double clearance = 1e-6;
/// Fewer cells than this times the spheres: half of the cells are then in use, and memory stays bounded.
constexpr double cells_per_sphere = 2;

GridAxis make_axis(const model::Domain& domain, int k, double low, double high, double side) {
    GridAxis axis;
    axis.periodic = domain.periodic[static_cast<std::size_t>(k)];
    // Who has left, or is about to, may be beyond the border.
    const double begin = axis.periodic ? domain.low[k] : std::clamp(low, domain.low[k], domain.high[k]);
    const double end = axis.periodic ? domain.high[k] : std::clamp(high, domain.low[k], domain.high[k]);
    const double fitting = std::floor((end - begin) / side);
    const double most = most_cells_along;
    axis.cells = static_cast<std::int32_t>(std::clamp(fitting, axis.periodic ? 3.0 : 1.0, most));
    axis.length = axis.periodic ? end - begin : 0;
    axis.first = begin;
    axis.per_length = end > begin ? axis.cells / (end - begin) : 0;
    axis.face.resize(static_cast<std::size_t>(axis.cells) + 1);
    for (std::int32_t c = 1; c < axis.cells; ++c) {
        axis.face[static_cast<std::size_t>(c)] = begin + (end - begin) * c / axis.cells;
    }
    axis.face.front() = domain.low[k];
    axis.face.back() = domain.high[k];
    return axis;
}

/// From one before `low` to one after `high`, as far as there are cells.
void widen(const GridAxis& axis, std::size_t k, std::int32_t low, std::int32_t high, CellBox& box) {
    box.low[k] = low - 1;
    box.high[k] = high + 1;
    if (axis.periodic) {
        box.wraps = box.wraps || box.low[k] < 0 || box.high[k] >= axis.cells;
    } else {
        box.low[k] = std::max(box.low[k], 0);
        box.high[k] = std::min(box.high[k], axis.cells - 1);
    }
}

}  // namespace

Grid::Grid(const model::Domain& domain, const Vec3d& low, const Vec3d& high, double diameter, std::size_t count) {
    const double least = diameter * (1 + clearance);
    double volume = 1;
    for (int k = 0; k < 3; ++k) {
        const bool periodic = domain.periodic[static_cast<std::size_t>(k)];
        const double extent = periodic ? domain.high[k] - domain.low[k] : high[k] - low[k];
        if (periodic && !(extent >= 3 * least)) {
            throw base::InputError(std::string("domain: hard spheres need a period of at least three times the largest "
                                               "diameter along ") +
                                   "xyz"[k]);
        }
        volume *= std::max(extent, least);
    }
    double side = least;
    const double allowed = cells_per_sphere * static_cast<double>(count) + 64;
    while (volume / (side * side * side) > allowed) {
        side *= 1.05;
    }
    for (int k = 0; k < 3; ++k) {
        axis_[static_cast<std::size_t>(k)] = make_axis(domain, k, low[k], high[k], side);
    }
    row_ = static_cast<std::size_t>(axis_[0].cells);
    layer_ = row_ * static_cast<std::size_t>(axis_[1].cells);
}

CellBox box_around(const Grid& grid, std::uint32_t a, std::uint32_t b) {
    CellBox box;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const GridAxis& axis = grid.axis(k);
        const auto ca = static_cast<std::int32_t>(cell_coordinate(a, k));
        auto cb = static_cast<std::int32_t>(cell_coordinate(b, k));
        if (axis.periodic && cb - ca > 1) {
            cb = -1;
        } else if (axis.periodic && ca - cb > 1) {
            cb = axis.cells;
        }
        widen(axis, k, std::min(ca, cb), std::max(ca, cb), box);
    }
    return box;
}

CellBox box_ahead(const Grid& grid, std::uint32_t cell, std::uint32_t entered) {
    CellBox box;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const GridAxis& axis = grid.axis(k);
        const auto c = static_cast<std::int32_t>(cell_coordinate(cell, k));
        widen(axis, k, c, c, box);
        if (entered == face_of(k, false)) {
            box.low[k] = box.high[k];
        } else if (entered == face_of(k, true)) {
            box.high[k] = box.low[k];
        }
    }
    return box;
}

}  // namespace talus::engines::hard
