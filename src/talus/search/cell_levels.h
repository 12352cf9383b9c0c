// Balls sorted into cells, one grid of cells for each size class, so that small balls among large ones are not looked
// for in cells made for the large.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/search/balls.h"

namespace talus::search {

/// One grid over the whole space for the balls of one size class.
struct CellLevel {
    std::array<int, 3> count{1, 1, 1};
    Vec3d low;
    Vec3d inverse_width;                // 1/m
    std::vector<std::uint32_t> start;   // of each cell in member; x runs fastest
    std::vector<std::uint32_t> member;  // balls, ascending within a cell

    std::array<int, 3> cell_at(const Vec3d& x) const;
    std::size_t flat(const std::array<int, 3>& at) const {
        return (static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(count[1]) +
                static_cast<std::size_t>(at[1])) *
                   static_cast<std::size_t>(count[0]) +
               static_cast<std::size_t>(at[0]);
    }
    std::size_t cells() const {
        return static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]) *
               static_cast<std::size_t>(count[2]);
    }
};

class CellLevels {
public:
    /// `skin`: how far beyond its radius each ball must be seen, m.
    void build(const Balls& balls, const std::vector<float>& skin, const model::Domain& domain);

    /// Calls visit(other, image code) for every ball that `ball` might reach; each pair (with each image) is visited
    /// from one of its two ends only.
    template <class Visit>
    void near(const Balls& balls, std::size_t ball, const Visit& visit) const {
        const std::size_t own = level_of_[ball];
        const Vec3d x = balls.position(ball);
        for (std::size_t k = 0; k <= own; ++k) {
            const CellLevel& level = levels_[k];
            if (level.member.empty()) {
                continue;
            }
            const std::array<int, 3> home = level.cell_at(x);
            const bool same = k == own;
            for (int dz = same ? 0 : -1; dz <= 1; ++dz) {
                for (int dy = same && dz == 0 ? 0 : -1; dy <= 1; ++dy) {
                    const bool home_row = same && dz == 0 && dy == 0;
                    visit_row(level, {home[0], home[1] + dy, home[2] + dz}, home_row, ball, visit);
                }
            }
        }
    }

private:
    /// The cells beside `at` in x, and `at` itself; of the home row only what comes after the ball.
    template <class Visit>
    void visit_row(const CellLevel& level, std::array<int, 3> at, bool home_row, std::size_t ball,
                   const Visit& visit) const {
        int code = no_image;
        if (!wrap(level, at, 1, 3, code) || !wrap(level, at, 2, 1, code)) {
            return;
        }
        const int first = home_row ? at[0] : at[0] - 1;
        const int last = at[0] + 1;
        const auto run = [&](int from, int to, int image) {
            const std::size_t begin = level.flat({from, at[1], at[2]});
            const std::size_t end = level.flat({to, at[1], at[2]});
            for (std::uint32_t m = level.start[begin]; m < level.start[end + 1]; ++m) {
                const std::uint32_t other = level.member[m];
                if (other != ball) {
                    visit(other, static_cast<std::uint8_t>(image));
                }
            }
        };
        const int inner_first = first < 0 ? 0 : first;
        const int inner_last = last < level.count[0] ? last : level.count[0] - 1;
        if (home_row) {
            // Members of the own cell that come before the ball have seen it already.
            const std::size_t begin = level.flat(at);
            const std::size_t end = level.flat({inner_last, at[1], at[2]});
            for (std::uint32_t m = level.start[begin]; m < level.start[end + 1]; ++m) {
                const std::uint32_t other = level.member[m];
                if (other > ball || m >= level.start[begin + 1]) {
                    visit(other, static_cast<std::uint8_t>(code));
                }
            }
        } else {
            run(inner_first, inner_last, code);
        }
        if (periodic_[0]) {
            if (first < 0) {
                run(level.count[0] - 1, level.count[0] - 1, code - 9);
            }
            if (last >= level.count[0]) {
                run(0, 0, code + 9);
            }
        }
    }
    bool wrap(const CellLevel& level, std::array<int, 3>& at, std::size_t axis, int weight, int& code) const {
        if (at[axis] >= 0 && at[axis] < level.count[axis]) {
            return true;
        }
        if (!periodic_[axis]) {
            return false;
        }
        const int periods = at[axis] < 0 ? -1 : 1;
        at[axis] -= periods * level.count[axis];
        code += periods * weight;
        return true;
    }

    std::array<bool, 3> periodic_{};
    std::vector<CellLevel> levels_;       // from the largest balls to the smallest
    std::vector<std::uint8_t> level_of_;  // of each ball
    std::vector<std::uint32_t> cell_of_;  // of each ball in its level
};

/// A permutation that brings balls near in space near in memory: entry k is the ball that comes k-th.
std::vector<std::uint32_t> cell_order(const Balls& balls, const model::Domain& domain);

}  // namespace talus::search
