#include "talus/analysis/near_count.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace talus::analysis {

namespace {

using math::Vec3d;

/// Cells in the order x, y, z: three cells in a row along z are neighbours in the sorted list.
struct Placed {
    std::array<std::int64_t, 3> cell;
    Vec3d position;
    std::size_t ball;  // of which this is the ball or a periodic copy
};

std::array<std::int64_t, 3> cell_of(const Vec3d& x, double width) {
    const auto along = [width](double c) { return static_cast<std::int64_t>(std::floor(c / width)); };
    return {along(x.x), along(x.y), along(x.z)};
}

/// The ball, and its copies that lie within `reach` of the domain's periodic borders.
void place(const Vec3d& x, std::size_t ball, double reach, const model::Domain& domain, std::vector<Placed>& out) {
    const std::size_t first = out.size();
    out.push_back({{}, x, ball});
    for (int k = 0; k < 3; ++k) {
        if (!domain.periodic[static_cast<std::size_t>(k)]) {
            continue;
        }
        const double period = domain.size()[k];
        const std::size_t so_far = out.size();
        for (std::size_t j = first; j < so_far; ++j) {
            for (const double shift : {-period, period}) {
                Placed copy = out[j];
                copy.position[k] += shift;
                if (copy.position[k] > domain.low[k] - reach && copy.position[k] < domain.high[k] + reach) {
                    out.push_back(copy);
                }
            }
        }
    }
    for (std::size_t j = first; j < out.size(); ++j) {
        out[j].cell = cell_of(out[j].position, reach);
    }
}

}  // namespace

std::vector<int> count_near(const std::vector<Ball>& balls, double gap, const model::Domain& domain) {
    double largest = 0;
    for (const Ball& ball : balls) {
        largest = std::max(largest, ball.radius);
    }
    const double reach = 2 * largest + gap;
    std::vector<Placed> placed;
    placed.reserve(balls.size());
    for (std::size_t i = 0; i < balls.size(); ++i) {
        place(balls[i].position, i, reach, domain, placed);
    }
    std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.cell < b.cell; });
    std::vector<int> count(balls.size(), 0);
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const Vec3d& x = balls[i].position;
        const std::array<std::int64_t, 3> own = cell_of(x, reach);
        for (std::int64_t dx = -1; dx <= 1; ++dx) {
            for (std::int64_t dy = -1; dy <= 1; ++dy) {
                const std::array<std::int64_t, 3> low = {own[0] + dx, own[1] + dy, own[2] - 1};
                const std::array<std::int64_t, 3> high = {low[0], low[1], own[2] + 1};
                auto at = std::lower_bound(placed.begin(), placed.end(), low,
                                           [](const Placed& p, const auto& cell) { return p.cell < cell; });
                for (; at != placed.end() && at->cell <= high; ++at) {
                    const double near = balls[i].radius + balls[at->ball].radius + gap;
                    count[i] += at->ball != i && math::norm2(at->position - x) <= near * near ? 1 : 0;
                }
            }
        }
    }
    return count;
}

}  // namespace talus::analysis
