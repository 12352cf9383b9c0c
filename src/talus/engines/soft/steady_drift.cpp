#include "talus/engines/soft/steady_drift.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace talus::engines::soft {

namespace {

using math::Vec3d;
using Cell = std::array<std::size_t, 3>;

/// Cells of a few radii over all bodies; periodic where the domain is.
class Neighbourhoods {
public:
    Neighbourhoods(const model::Domain& domain, const backends::cpu::Workspace& work, double width) : domain_(domain) {
        const std::size_t n = work.places();
        Vec3d high = work.record[0].position;
        low_ = high;
        for (std::size_t s = 1; s < n; ++s) {
            for (int axis = 0; axis < 3; ++axis) {
                low_[axis] = std::min(low_[axis], work.record[s].position[axis]);
                high[axis] = std::max(high[axis], work.record[s].position[axis]);
            }
        }
        for (int axis = 0; axis < 3; ++axis) {
            if (domain.periodic[static_cast<std::size_t>(axis)]) {
                low_[axis] = domain.low[axis];
                high[axis] = domain.high[axis];
            }
        }
        // Scattered bodies: larger cells rather than many.
        const double most = static_cast<double>(n) + 64;
        while (count_cells(high, width) > most) {
            width *= 1.25;
        }
        width_ = width;
    }
    double width() const { return width_; }
    std::size_t size() const { return cells_[0] * cells_[1] * cells_[2]; }
    std::size_t at(const Vec3d& x) const {
        Cell cell{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const double scaled = (x[axis] - low_[axis]) * per_length_[axis];
            cell[a] = std::min(static_cast<std::size_t>(std::max(scaled, 0.0)), cells_[a] - 1);
        }
        return index(cell);
    }
    /// Calls visit(neighbour) for the cells around a cell, and perhaps itself.
    template <class Visit>
    void around(std::size_t k, const Visit& visit) const {
        const Cell middle{k / (cells_[1] * cells_[2]), k / cells_[2] % cells_[1], k % cells_[2]};
        for (std::size_t m = 0; m < 27; ++m) {
            Cell cell = middle;
            const Cell by{m / 9, m / 3 % 3, m % 3};  // 0: one less
            bool inside = true;
            for (std::size_t a = 0; a < 3; ++a) {
                const std::size_t moved = middle[a] + by[a] + cells_[a] - 1;
                inside &= domain_.periodic[a] || (moved >= cells_[a] && moved < 2 * cells_[a]);
                cell[a] = moved % cells_[a];
            }
            if (inside) {
                visit(index(cell));
            }
        }
    }

private:
    double count_cells(const Vec3d& high, double width) {
        double all = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const double length = high[axis] - low_[axis];
            const double count = std::clamp(std::floor(length / width), 1.0, 1e6);
            cells_[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(count);
            per_length_[axis] = length > 0 ? count / length : 0.0;
            all *= count;
        }
        return all;
    }
    std::size_t index(const Cell& cell) const { return (cell[0] * cells_[1] + cell[1]) * cells_[2] + cell[2]; }

    const model::Domain& domain_;
    Vec3d low_;
    Vec3d per_length_;  // cells per m
    Cell cells_{};
    double width_ = 0;
};

}  // namespace

void follow_as_they_are(backends::cpu::Workspace& work) {
    for (std::size_t s = 0; s < work.places(); ++s) {
        work.flow[s] = {};
    }
    work.apart_drift.assign(work.places(), 0.0F);
}

SteadyDrift find_steady_drift(const model::System& system, backends::cpu::Workspace& work, double mean_radius,
                              double largest_radius) {
    const std::size_t n = work.places();
    follow_as_they_are(work);
    if (n == 0) {
        return {};
    }
    const double h = system.clock.step;
    const Neighbourhoods cells(system.domain, work, std::max(5 * mean_radius, 4 * largest_radius));
    std::vector<Vec3d> mean(cells.size());
    std::vector<double> count(cells.size(), 0.0);
    std::vector<std::uint32_t> cell_of(n);
    for (std::size_t s = 0; s < n; ++s) {
        const std::size_t cell = cells.at(work.record[s].position);
        cell_of[s] = static_cast<std::uint32_t>(cell);
        mean[cell] += work.motion[s].velocity;
        count[cell] += 1;
    }
    for (std::size_t k = 0; k < mean.size(); ++k) {
        mean[k] *= count[k] > 0 ? h / count[k] : 0.0;
    }
    std::vector<double> apart(cells.size(), 0.0);  // half of the most, since both ends of a pair have theirs
    for (std::size_t k = 0; k < mean.size(); ++k) {
        if (count[k] > 0) {
            cells.around(k, [&](std::size_t other) {
                if (count[other] > 0) {
                    apart[k] = std::max(apart[k], 0.5 * norm(mean[k] - mean[other]));
                }
            });
        }
    }
    double with = 0;
    double without = 0;
    double largest = 0;
    for (std::size_t s = 0; s < n; ++s) {
        const Vec3d step = work.motion[s].velocity * h;
        with += norm(step - mean[cell_of[s]]) + apart[cell_of[s]];
        without += norm(step);
        largest = std::max(largest, norm(mean[cell_of[s]]));
    }
    if (!(with < 0.7 * without && largest < mean_radius)) {  // what is faster has been thrown
        return {};
    }
    for (std::size_t s = 0; s < n; ++s) {
        const Vec3d& v = mean[cell_of[s]];
        work.flow[s] = {{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}};
        // Beyond what rounding does to the drifts.
        work.apart_drift[s] = static_cast<float>((apart[cell_of[s]] + 1e-6 * largest) * (1 + 1e-6));
    }
    return {true, largest, cells.width()};
}

}  // namespace talus::engines::soft
