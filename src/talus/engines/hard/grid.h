// How space is divided into cells that are at least as wide as the largest sphere, so that spheres that meet are in the
// same cell or in neighbours. Along open axes the outermost cells reach to the border, or without end. No bit of a run
// depends on the division.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/engines/hard/record.h"
#include "talus/model/domain.h"

namespace talus::engines::hard {

struct GridAxis {
    std::int32_t cells = 1;
    bool periodic = false;
    double length = 0;         // m, the period
    std::vector<double> face;  // m, cells + 1 of them; the outermost are the borders of the domain, or infinite
    double first = 0;          // m, where equal cells begin
    double per_length = 0;     // 1/m, cells per length

    /// The cell of a coordinate; beyond the ends the outermost, since borders are crossed by events alone.
    std::uint32_t cell_of(double x) const {
        const double at = (x - first) * per_length;
        const auto last = static_cast<double>(cells - 1);
        return static_cast<std::uint32_t>(at > 0 ? (at < last ? at : last) : 0);
    }
};

class Grid {
public:
    Grid() = default;
    /// For `count` spheres whose centres lie between `low` and `high` and which are at most `diameter` wide. Throws
    /// base::InputError if a period has no room for three cells.
    Grid(const model::Domain& domain, const Vec3d& low, const Vec3d& high, double diameter, std::size_t count);

    const GridAxis& axis(std::uint32_t k) const { return axis_[k]; }
    std::uint32_t cell_of(const Vec3d& x) const {
        return pack_cell(axis_[0].cell_of(x.x), axis_[1].cell_of(x.y), axis_[2].cell_of(x.z));
    }
    /// Whether this face of a cell is at the end of its axis.
    bool is_outermost(std::uint32_t cell, std::uint32_t face) const {
        const std::uint32_t at = cell_coordinate(cell, face / 2);
        return at == (face % 2 != 0 ? static_cast<std::uint32_t>(axis_[face / 2].cells - 1) : 0U);
    }
    /// Rows of cells along x, one after the other.
    std::size_t index(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return static_cast<std::size_t>(x) + row_ * static_cast<std::size_t>(y) + layer_ * static_cast<std::size_t>(z);
    }
    std::size_t index(std::uint32_t cell) const {
        return cell_coordinate(cell, 0) + row_ * cell_coordinate(cell, 1) + layer_ * cell_coordinate(cell, 2);
    }
    std::size_t size() const { return layer_ * static_cast<std::size_t>(axis_[2].cells); }
    std::size_t row() const { return row_; }
    std::size_t layer() const { return layer_; }

private:
    std::array<GridAxis, 3> axis_;
    std::size_t row_ = 1;    // cells along x
    std::size_t layer_ = 1;  // cells in a layer of x and y
};

/// m, to add to the difference of positions (i less j) of neighbours on two sides of a border.
inline Vec3d period_between(const Grid& grid, std::uint32_t cell_i, std::uint32_t cell_j) {
    Vec3d out;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const GridAxis& axis = grid.axis(k);
        const auto ahead = static_cast<std::int32_t>(cell_coordinate(cell_j, k)) -
                           static_cast<std::int32_t>(cell_coordinate(cell_i, k));
        if (axis.periodic && (ahead > 1 || ahead < -1)) {
            out[static_cast<int>(k)] = ahead > 1 ? axis.length : -axis.length;
        }
    }
    return out;
}

/// The cells that a prediction looks at, in coordinates that may reach one beyond either end of a periodic axis.
struct CellBox {
    std::array<std::int32_t, 3> low{}, high{};
    bool wraps = false;  // reaches across a periodic border

    friend bool operator==(const CellBox&, const CellBox&) = default;
};

/// The neighbourhood of cells `a` and `b`, which are equal or neighbours; across a border the box is about `a`.
CellBox box_around(const Grid& grid, std::uint32_t a, std::uint32_t b);
/// The nine cells that come into reach when a sphere enters `cell` through `entered`.
CellBox box_ahead(const Grid& grid, std::uint32_t cell, std::uint32_t entered);

}  // namespace talus::engines::hard
