#include "talus/search/cell_levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace talus::search {

namespace {

struct Bounds {
    Vec3d low, high;
};

Bounds bounds_of(const Balls& balls, const model::Domain& domain) {
    Bounds b{balls.position(0), balls.position(0)};
    for (std::size_t i = 1; i < balls.count; ++i) {
        const double* row = balls.row(i);
        for (int axis = 0; axis < 3; ++axis) {
            b.low[axis] = std::min(b.low[axis], row[axis]);
            b.high[axis] = std::max(b.high[axis], row[axis]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (domain.periodic[static_cast<std::size_t>(axis)]) {
            b.low[axis] = domain.low[axis];
            b.high[axis] = domain.high[axis];
        }
    }
    return b;
}

/// Cells at least `width` wide; wider where a few balls far apart would ask for more cells than there are balls.
void lay_out(CellLevel& level, const Bounds& bounds, const model::Domain& domain, double width, std::size_t balls) {
    const double most_cells = 4.0 * static_cast<double>(balls) + 64;
    level.low = bounds.low;
    for (;; width *= 1.25) {
        double total = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int a = static_cast<int>(axis);
            const double extent = bounds.high[a] - bounds.low[a];
            const double cells = std::clamp(std::floor(extent / width), 1.0, 1e6);
            level.count[axis] = static_cast<int>(cells);
            // Periodic axes divide evenly; along open ones the last cell takes the rest.
            const double wide = domain.periodic[axis] ? extent / cells : std::max(width, extent / cells);
            level.inverse_width[a] = 1 / wide;
            total *= cells;
        }
        if (total <= most_cells) {
            return;
        }
    }
}

void count_starts(std::vector<std::uint32_t>& start) {
    std::partial_sum(start.begin(), start.end(), start.begin());
}

}  // namespace

std::array<int, 3> CellLevel::cell_at(const Vec3d& x) const {
    std::array<int, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int a = static_cast<int>(axis);
        const double place = std::floor((x[a] - low[a]) * inverse_width[a]);
        at[axis] = static_cast<int>(std::clamp(place, 0.0, static_cast<double>(count[axis] - 1)));
    }
    return at;
}

void CellLevels::build(const Balls& balls, const std::vector<float>& skin, const model::Domain& domain) {
    periodic_ = domain.periodic;
    const std::size_t n = balls.count;
    level_of_.assign(n, 0);
    cell_of_.resize(n);
    if (n == 0) {
        levels_.clear();
        return;
    }
    double largest = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
        largest = std::max(largest, balls.radius(i));
        smallest = std::min(smallest, balls.radius(i));
    }
    // Size classes by factors of two; reach of a class: its largest radius and skin.
    std::size_t classes = 1;
    for (double r = largest / 2; r >= smallest && classes < 24; r /= 2) {
        ++classes;
    }
    std::vector<double> reach(classes, 0.0);
    std::vector<std::size_t> members(classes, 0);
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t k = 0;
        for (double r = largest / 2; k + 1 < classes && balls.radius(i) <= r; r /= 2) {
            ++k;
        }
        level_of_[i] = static_cast<std::uint8_t>(k);
        reach[k] = std::max(reach[k], balls.radius(i) + static_cast<double>(skin[i]));
        ++members[k];
    }
    // A ball is looked for by its own class and by all smaller ones, whose skins may be longer.
    for (std::size_t k = classes; k-- > 1;) {
        reach[k - 1] = std::max(reach[k - 1], reach[k]);
    }
    const Bounds bounds = bounds_of(balls, domain);
    levels_.resize(classes);
    for (std::size_t k = 0; k < classes; ++k) {
        lay_out(levels_[k], bounds, domain, 2 * reach[k] * (1 + 1e-12), members[k]);
        levels_[k].start.assign(levels_[k].cells() + 1, 0);
        levels_[k].member.resize(members[k]);
    }
    for (std::size_t i = 0; i < n; ++i) {
        CellLevel& level = levels_[level_of_[i]];
        cell_of_[i] = static_cast<std::uint32_t>(level.flat(level.cell_at(balls.position(i))));
        ++level.start[cell_of_[i] + 1];
    }
    std::vector<std::vector<std::uint32_t>> next(classes);
    for (std::size_t k = 0; k < classes; ++k) {
        count_starts(levels_[k].start);
        next[k].assign(levels_[k].start.begin(), levels_[k].start.end() - 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
        levels_[level_of_[i]].member[next[level_of_[i]][cell_of_[i]]++] = static_cast<std::uint32_t>(i);
    }
}

std::vector<std::uint32_t> cell_order(const Balls& balls, const model::Domain& domain) {
    std::vector<std::uint32_t> order(balls.count);
    if (balls.count == 0) {
        return order;
    }
    const Bounds bounds = bounds_of(balls, domain);
    double volume = 1;
    double mean_radius = 0;
    for (std::size_t i = 0; i < balls.count; ++i) {
        mean_radius += balls.radius(i) / static_cast<double>(balls.count);
    }
    for (int axis = 0; axis < 3; ++axis) {
        volume *= std::max(bounds.high[axis] - bounds.low[axis], 2 * mean_radius);
    }
    CellLevel level;
    // About two balls a cell: small enough that the order within a cell does not matter.
    lay_out(level, bounds, domain, std::cbrt(2 * volume / static_cast<double>(balls.count)), balls.count);
    // The longest axis slowest, so that a slab of cells, where the partners of a ball are, stays in the cache.
    std::array<std::size_t, 3> axes = {0, 1, 2};
    std::sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(level.count[a], a) < std::tuple(level.count[b], b);
    });
    std::vector<std::uint32_t> start(level.cells() + 1, 0);
    std::vector<std::uint32_t> cell(balls.count);
    for (std::size_t i = 0; i < balls.count; ++i) {
        const std::array<int, 3> at = level.cell_at(balls.position(i));
        std::size_t flat = 0;
        for (std::size_t k = 3; k-- > 0;) {
            flat = flat * static_cast<std::size_t>(level.count[axes[k]]) + static_cast<std::size_t>(at[axes[k]]);
        }
        cell[i] = static_cast<std::uint32_t>(flat);
        ++start[flat + 1];
    }
    count_starts(start);
    for (std::size_t i = 0; i < balls.count; ++i) {
        order[start[cell[i]]++] = static_cast<std::uint32_t>(i);
    }
    return order;
}

}  // namespace talus::search
