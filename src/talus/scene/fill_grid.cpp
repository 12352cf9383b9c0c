#include "talus/scene/fill_grid.h"

#include <algorithm>
#include <cmath>

namespace talus::scene {

namespace {

constexpr int level_count = 10;                 // sizes below 1/1024 of the largest share the last level
constexpr double most_cells = 4 * 1024 * 1024;  // a level; wider cells are only slower

// The whole number below x, kept within what fits: far outside the box the border cell is meant anyway.
std::int64_t floor_index(double x) {
    return static_cast<std::int64_t>(std::floor(std::clamp(x, -1e15, 1e15)));
}

}  // namespace

SphereGrid::SphereGrid(const Bounds& bounds, const model::Domain& domain, double largest)
    : box_(bounds), periodic_(domain.periodic), levels_(level_count) {
    for (int i = 0; i < 3; ++i) {
        if (periodic_[static_cast<std::size_t>(i)]) {
            box_.low[i] = domain.low[i];
            box_.high[i] = domain.high[i];
        }
    }
    double radius = largest;
    for (Level& level : levels_) {
        level.radius = radius;
        radius /= 2;
    }
}

SphereGrid::Level& SphereGrid::level_for(double radius) {
    std::size_t k = 0;
    while (k + 1 < levels_.size() && radius <= levels_[k + 1].radius) {
        ++k;
    }
    Level& level = levels_[k];
    if (level.head.empty()) {
        const Vec3d size = box_.size();
        double edge = 2 * level.radius;
        double total = 0;
        do {
            total = 1;
            for (int i = 0; i < 3; ++i) {
                // A period holds a whole number of cells.
                const double n = std::max(1.0, std::floor(size[i] / edge));
                level.cells[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::min(n, most_cells));
                level.width[i] = size[i] > 0 ? size[i] / n : edge;
                total *= n;
            }
            edge *= 1.25;
        } while (total > most_cells);
        level.head.assign(static_cast<std::size_t>(level.cells[0] * level.cells[1] * level.cells[2]), -1);
    }
    return level;
}

std::size_t SphereGrid::cell_of(const Level& level, const Vec3d& p) const {
    std::int64_t index = 0;
    for (int i = 2; i >= 0; --i) {
        const std::int64_t n = level.cells[static_cast<std::size_t>(i)];
        std::int64_t c = floor_index((p[i] - box_.low[i]) / level.width[i]);
        c = periodic_[static_cast<std::size_t>(i)] ? ((c % n) + n) % n : std::clamp<std::int64_t>(c, 0, n - 1);
        index = index * n + c;
    }
    return static_cast<std::size_t>(index);
}

void SphereGrid::add(const Vec3d& center, double radius) {
    Level& level = level_for(radius);
    const std::size_t cell = cell_of(level, center);
    next_.push_back(level.head[cell]);
    level.head[cell] = static_cast<std::int32_t>(center_.size());
    center_.push_back(center);
    radius_.push_back(radius);
}

template <class Visit>
void SphereGrid::near(const Vec3d& center, double radius, double gap, Visit visit) const {
    for (const Level& level : levels_) {
        if (level.head.empty()) {
            continue;
        }
        const double reach = radius + level.radius + gap * std::min(radius, level.radius);
        std::array<std::int64_t, 3> first{};
        std::array<std::int64_t, 3> last{};
        for (int i = 0; i < 3; ++i) {
            const auto a = static_cast<std::size_t>(i);
            const std::int64_t n = level.cells[a];
            first[a] = floor_index((center[i] - reach - box_.low[i]) / level.width[i]);
            last[a] = floor_index((center[i] + reach - box_.low[i]) / level.width[i]);
            if (!periodic_[a]) {  // spheres outside the box sit in its border cells
                first[a] = std::clamp<std::int64_t>(first[a], 0, n - 1);
                last[a] = std::clamp<std::int64_t>(last[a], 0, n - 1);
            } else if (last[a] - first[a] >= n) {
                first[a] = 0;
                last[a] = n - 1;
            }
        }
        const auto wrap = [](std::int64_t c, std::int64_t n) { return ((c % n) + n) % n; };
        for (std::int64_t z = first[2]; z <= last[2]; ++z) {
            for (std::int64_t y = first[1]; y <= last[1]; ++y) {
                for (std::int64_t x = first[0]; x <= last[0]; ++x) {
                    const std::int64_t cell =
                        (wrap(z, level.cells[2]) * level.cells[1] + wrap(y, level.cells[1])) * level.cells[0] +
                        wrap(x, level.cells[0]);
                    for (std::int32_t s = level.head[static_cast<std::size_t>(cell)]; s >= 0;
                         s = next_[static_cast<std::size_t>(s)]) {
                        Vec3d d = center - center_[static_cast<std::size_t>(s)];
                        for (int i = 0; i < 3; ++i) {
                            if (periodic_[static_cast<std::size_t>(i)]) {
                                const double period = box_.high[i] - box_.low[i];
                                d[i] -= period * std::floor(d[i] / period + 0.5);
                            }
                        }
                        if (visit(d, static_cast<std::size_t>(s))) {
                            return;
                        }
                    }
                }
            }
        }
    }
}

SphereGrid::Overlap SphereGrid::deepest(const Vec3d& center, double radius, double gap) const {
    Overlap worst;
    near(center, radius, gap, [&](const Vec3d& d, std::size_t s) {
        const double other = radius_[s];
        const double wanted = radius + other + gap * std::min(radius, other);
        const double d2 = norm2(d);
        if (d2 < wanted * wanted) {
            const double depth = wanted - std::sqrt(d2);
            if (depth > worst.depth) {
                worst = {depth, d, wanted};
            }
        }
        return false;
    });
    return worst;
}

bool SphereGrid::overlaps(const Vec3d& center, double radius, double gap, double slack) const {
    bool found = false;
    near(center, radius, gap, [&](const Vec3d& d, std::size_t s) {
        const double other = radius_[s];
        const double wanted = (radius + other + gap * std::min(radius, other)) * (1 - slack);
        found = norm2(d) < wanted * wanted;
        return found;
    });
    return found;
}

void SphereGrid::list_near(const Vec3d& center, double radius, double gap, std::vector<std::size_t>& out) const {
    near(center, radius, gap, [&](const Vec3d& d, std::size_t s) {
        const double other = radius_[s];
        const double reach = radius + other + gap * std::min(radius, other);
        if (norm2(d) < reach * reach) {
            out.push_back(s);
        }
        return false;
    });
}

}  // namespace talus::scene
