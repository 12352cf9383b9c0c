// Bodies sorted into cubic cells at least as wide as the longest reach between two of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/model/bodies.h"
#include "talus/model/domain.h"

namespace talus::search {

using math::Vec3d;

class CellGrid {
public:
    /// `reach`: the greatest distance between centres that must be found.
    CellGrid(const model::Bodies& bodies, const model::Domain& domain, double reach);

    /// Calls visit(j, image) for every body in the 27 cells around a body's cell, each with the period shift that
    /// brings it near; the body itself is included.
    template <class Visit>
    void near(std::size_t body, const Visit& visit) const {
        const std::array<int, 3> home = cell_[body];
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    std::array<int, 3> at = {home[0] + dx, home[1] + dy, home[2] + dz};
                    model::Image image;
                    if (!resolve(at, image)) {
                        continue;
                    }
                    const std::size_t index = flat(at);
                    for (std::uint32_t k = start_[index]; k < start_[index + 1]; ++k) {
                        visit(member_[k], image);
                    }
                }
            }
        }
    }

private:
    bool resolve(std::array<int, 3>& at, model::Image& image) const {
        std::array<signed char, 3> shift{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (at[axis] >= 0 && at[axis] < count_[axis]) {
                continue;
            }
            if (!periodic_[axis]) {
                return false;
            }
            const int wraps = at[axis] < 0 ? -1 : 1;
            at[axis] -= wraps * count_[axis];
            shift[axis] = static_cast<signed char>(wraps);
        }
        image = {shift[0], shift[1], shift[2]};
        return true;
    }
    std::size_t flat(const std::array<int, 3>& at) const {
        return (static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(count_[1]) +
                static_cast<std::size_t>(at[1])) *
                   static_cast<std::size_t>(count_[0]) +
               static_cast<std::size_t>(at[0]);
    }

    std::array<int, 3> count_{1, 1, 1};
    std::array<bool, 3> periodic_{};
    std::vector<std::array<int, 3>> cell_;  // of each body
    std::vector<std::uint32_t> start_;      // of each cell in member_
    std::vector<std::uint32_t> member_;     // ascending within a cell
};

}  // namespace talus::search
