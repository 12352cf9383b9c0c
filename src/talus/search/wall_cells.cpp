#include "talus/search/wall_cells.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "talus/base/parallel.h"
#include "talus/search/wall_distance.h"

namespace talus::search {

WallCells::WallCells(std::span<const Vec3d> positions, double reach, std::span<const model::Wall> walls,
                     const model::Domain& domain, int threads) {
    std::vector<Mark> marks;
    if (!positions.empty() && !walls.empty()) {
        choose_cells(positions, reach, threads);
        std::mutex merge;
        base::parallel_ranges(walls.size(), threads, [&](std::size_t begin, std::size_t end) {
            std::vector<Mark> mine;
            for (std::size_t w = begin; w < end; ++w) {
                if (walls[w].present) {
                    mark(walls[w], static_cast<std::uint32_t>(w), domain, {}, count_, reach, mine);
                }
            }
            const std::lock_guard<std::mutex> lock(merge);
            marks.insert(marks.end(), mine.begin(), mine.end());
        });
    }
    sort_by_cell(marks);
}

void WallCells::choose_cells(std::span<const Vec3d> positions, double reach, int threads) {
    low_ = positions[0];
    Vec3d high = low_;
    std::mutex merge;
    base::parallel_ranges(positions.size(), threads, [&](std::size_t begin, std::size_t end) {
        Vec3d least = positions[0];
        Vec3d greatest = least;
        for (std::size_t i = begin; i < end; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                least[axis] = std::min(least[axis], positions[i][axis]);
                greatest[axis] = std::max(greatest[axis], positions[i][axis]);
            }
        }
        const std::lock_guard<std::mutex> lock(merge);
        for (int axis = 0; axis < 3; ++axis) {
            low_[axis] = std::min(low_[axis], least[axis]);
            high[axis] = std::max(high[axis], greatest[axis]);
        }
    });
    rounding_ = 1e-12 * (norm(low_) + norm(high) + reach);
    // Four bodies a cell, as in a dense bed with cells of this width; a few far apart get wider cells instead of many.
    const double most_cells = std::max(1.0, 0.25 * static_cast<double>(positions.size()));
    for (double wanted = 2.5 * reach;; wanted *= 1.25) {
        double total = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const double extent = high[axis] - low_[axis];
            const double cells = std::clamp(std::floor(extent / wanted), 1.0, 1e6);
            count_[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(cells);
            width_[axis] = extent / cells;
            inverse_width_[axis] = extent > 0 ? cells / extent : 0;
            total *= cells;
        }
        if (total <= most_cells) {
            return;
        }
    }
}

/// Halves the box of cells [from, to) until the wall is out of reach of it or one cell is left. A wall whose distance
/// from the box's centre is more than half the diagonal and the reach is near none of its bodies.
void WallCells::mark(const model::Wall& wall, std::uint32_t index, const model::Domain& domain, const Cell& from,
                     const Cell& to, double reach, std::vector<Mark>& marks) const {
    Vec3d center;
    double half_diagonal2 = 0;
    std::size_t longest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        center[axis] = low_[axis] + 0.5 * width_[axis] * (from[a] + to[a]);
        const double half = 0.5 * width_[axis] * (to[a] - from[a]);
        half_diagonal2 += half * half;
        longest = to[a] - from[a] > to[longest] - from[longest] ? a : longest;
    }
    if (nearest_wall_point(wall, domain, center).distance > std::sqrt(half_diagonal2) + reach + rounding_) {
        return;
    }
    if (to[longest] - from[longest] == 1) {
        marks.push_back({static_cast<std::uint32_t>(flat(from)), index});
        return;
    }
    const std::uint32_t middle = (from[longest] + to[longest]) / 2;
    Cell lower_end = to;
    Cell upper_begin = from;
    lower_end[longest] = middle;
    upper_begin[longest] = middle;
    mark(wall, index, domain, from, lower_end, reach, marks);
    mark(wall, index, domain, upper_begin, to, reach, marks);
}

void WallCells::sort_by_cell(const std::vector<Mark>& marks) {
    const std::size_t cells = std::size_t{count_[0]} * count_[1] * count_[2];
    start_.assign(cells + 1, 0);
    for (const Mark& m : marks) {
        ++start_[m.cell + 1];
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    wall_.resize(marks.size());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (const Mark& m : marks) {
        wall_[next[m.cell]++] = m.wall;
    }
    for (std::size_t c = 0; c < cells; ++c) {  // walls come in any order from several threads
        std::sort(wall_.begin() + start_[c], wall_.begin() + start_[c + 1]);
    }
}

}  // namespace talus::search
