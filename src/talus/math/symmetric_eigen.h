// Principal axes of a symmetric tensor, by Jacobi's rotations.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "talus/math/mat3.h"

namespace talus::math {

struct PrincipalAxes {
    std::array<double, 3> value;  // ascending
    Mat3d axes;                   // the axis of each as a row; right-handed
};

/// `m` must be symmetric. A tensor with two or three equal values has its axes where rounding puts them.
inline PrincipalAxes principal_axes(Mat3d m) {
    Mat3d axes = Mat3d::identity();
    const auto largest_off = [&] {
        return std::max({std::abs(m.row[0].y), std::abs(m.row[0].z), std::abs(m.row[1].z)});
    };
    const double scale =
        std::max({std::abs(m.row[0].x), std::abs(m.row[1].y), std::abs(m.row[2].z), largest_off()}) * 0x1p-56;
    constexpr int most_rounds = 30;  // five are enough
    for (int round = 0; round < most_rounds && largest_off() > scale; ++round) {
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                const double off = m.row[p][q];
                if (off == 0) {
                    continue;
                }
                const double half = 0.5 * (m.row[q][q] - m.row[p][p]) / off;
                const double t = (half < 0 ? -1.0 : 1.0) / (std::abs(half) + std::sqrt(1 + half * half));
                const double c = 1 / std::sqrt(1 + t * t);
                const double s = t * c;
                Mat3d turn = Mat3d::identity();
                turn.row[p][p] = turn.row[q][q] = c;
                turn.row[p][q] = -s;
                turn.row[q][p] = s;
                m = turn * m * transposed(turn);
                m.row[p][q] = m.row[q][p] = 0;
                axes = turn * axes;
            }
        }
    }
    std::array<int, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(), [&](int a, int b) { return m.row[a][a] < m.row[b][b]; });
    PrincipalAxes out{};
    for (std::size_t k = 0; k < 3; ++k) {
        out.value[k] = m.row[order[k]][order[k]];
        out.axes.row[k] = axes.row[order[k]];
    }
    if (dot(cross(out.axes.row[0], out.axes.row[1]), out.axes.row[2]) < 0) {
        out.axes.row[2] = -out.axes.row[2];
    }
    return out;
}

}  // namespace talus::math
