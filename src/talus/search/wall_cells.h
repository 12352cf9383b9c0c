// A coarse grid over the bodies that knows which walls can be reached from each of its cells, so that a body far from
// every wall asks none of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "talus/math/vec3.h"
#include "talus/model/domain.h"
#include "talus/model/wall.h"

namespace talus::search {

using math::Vec3d;

class WallCells {
public:
    /// `reach`: the greatest distance from a body's centre at which a wall must be found, m; it also sets the width of
    /// the cells. Walls that are not present are in no cell.
    WallCells(std::span<const Vec3d> positions, double reach, std::span<const model::Wall> walls,
              const model::Domain& domain, int threads);

    /// Walls within reach of the cell that holds one of the bodies, ascending.
    std::span<const std::uint32_t> near(const Vec3d& x) const {
        const std::size_t cell = flat(cell_of(x));
        return {wall_.data() + start_[cell], wall_.data() + start_[cell + 1]};
    }

    std::size_t cells() const { return start_.size() - 1; }

private:
    using Cell = std::array<std::uint32_t, 3>;
    struct Mark {
        std::uint32_t cell, wall;
    };

    Cell cell_of(const Vec3d& x) const {
        Cell out;
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const double place = (x[axis] - low_[axis]) * inverse_width_[axis];
            const auto last = static_cast<double>(count_[a] - 1);
            out[a] = static_cast<std::uint32_t>(place < 0 ? 0 : (place > last ? last : place));
        }
        return out;
    }
    std::size_t flat(const Cell& at) const { return (std::size_t{at[2]} * count_[1] + at[1]) * count_[0] + at[0]; }
    void choose_cells(std::span<const Vec3d> positions, double reach, int threads);
    void mark(const model::Wall& wall, std::uint32_t index, const model::Domain& domain, const Cell& from,
              const Cell& to, double reach, std::vector<Mark>& marks) const;
    void sort_by_cell(const std::vector<Mark>& marks);

    Vec3d low_;  // m
    Vec3d width_{1, 1, 1};
    Vec3d inverse_width_;
    double rounding_ = 0;  // m, more than a body can lie outside of the cell it was found to be in
    std::array<std::uint32_t, 3> count_{1, 1, 1};
    std::vector<std::uint32_t> start_;  // of each cell in wall_
    std::vector<std::uint32_t> wall_;
};

}  // namespace talus::search
