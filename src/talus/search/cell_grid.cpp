#include "talus/search/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace talus::search {

CellGrid::CellGrid(const model::Bodies& bodies, const model::Domain& domain, double reach)
    : periodic_(domain.periodic) {
    const std::size_t n = bodies.size();
    if (n == 0) {  // no extent and perhaps no reach to make cells from
        start_.assign(2, 0);
        return;
    }
    Vec3d low = bodies.position[0];
    Vec3d high = low;
    for (const Vec3d& x : bodies.position) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], x[axis]);
            high[axis] = std::max(high[axis], x[axis]);
        }
    }
    // A few grains far apart must not ask for more cells than there are grains.
    const double most_cells = 4.0 * static_cast<double>(n) + 64;
    double width = reach;
    std::array<double, 3> cell_width{};
    for (;; width *= 1.25) {
        double total = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int a = static_cast<int>(axis);
            if (periodic_[axis]) {
                low[a] = domain.low[a];
                high[a] = domain.high[a];
            }
            const double extent = high[a] - low[a];
            const double cells = std::clamp(std::floor(extent / width), 1.0, 1e6);
            count_[axis] = static_cast<int>(cells);
            // Open axes may have a last cell that is wider; periodic ones divide evenly.
            cell_width[axis] = periodic_[axis] ? extent / cells : std::max(width, extent / cells);
            total *= cells;
        }
        if (total <= most_cells) {
            break;
        }
    }
    const std::size_t cells =
        static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(count_[2]);
    cell_.resize(n);
    start_.assign(cells + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int a = static_cast<int>(axis);
            const double place = std::floor((bodies.position[i][a] - low[a]) / cell_width[axis]);
            cell_[i][axis] = static_cast<int>(std::clamp(place, 0.0, static_cast<double>(count_[axis] - 1)));
        }
        ++start_[flat(cell_[i]) + 1];
    }
    for (std::size_t c = 0; c < cells; ++c) {
        start_[c + 1] += start_[c];
    }
    member_.resize(n);
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
        member_[next[flat(cell_[i])]++] = static_cast<std::uint32_t>(i);
    }
}

}  // namespace talus::search
