// When a flight leaves its cell, and through which face. Along gravity the way is a parabola: a sphere may leave
// through the face by which it came.
#pragma once

#include <cmath>

#include "talus/engines/hard/grid.h"
#include "talus/engines/hard/record.h"
#include "talus/math/select.h"

namespace talus::engines::hard {

using math::larger;

struct Crossing {
    double time = never;  // s since the epoch
    std::uint32_t face = no_face;
};

/// Time from the own time until a face is passed outward: `gap` is the distance to it (m), `v` the speed and `a` the
/// acceleration towards it, all at the own time; `v_now` is the present speed. A gap that rounding made negative counts
/// as none.
inline double time_to_face(double gap, double v, double a, double v_now) {
    if (a == 0) {
        return v > 0 ? larger(gap, 0.0) / v : never;
    }
    if (a < 0) {  // pulled back: it is passed on the way up or not at all
        gap = larger(gap, 0.0);
        const double square = v * v + 2 * a * gap;
        return v > 0 && v_now > 0 && square >= 0 ? 2 * gap / (v + std::sqrt(square)) : never;
    }
    if (gap == never) {
        return never;
    }
    if (v > 0) {
        gap = larger(gap, 0.0);
        return 2 * gap / (v + std::sqrt(v * v + 2 * a * gap));
    }
    // At first away from it. The own position may lie beyond the face: cells may have been crossed since.
    return (std::sqrt(larger(v * v + 2 * a * gap, 0.0)) - v) / a;
}

/// The first crossing of a straight flight at `now` or later, without branches: signs of velocities are anyone's guess.
inline Crossing next_crossing_straight(const Record& record, const Grid& grid, double now) {
    Crossing first;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<int>(k);
        const double v = record.velocity[axis];
        const std::uint32_t upper = v > 0 ? 1U : 0U;
        const double face = grid.axis(k).face[cell_coordinate(record.cell, k) + upper];
        const double wait = v != 0 ? (face - record.position[axis]) / v : never;
        const double time = larger(record.time + larger(wait, 0.0), now);
        first.face = time < first.time ? 2 * k + upper : first.face;
        first.time = time < first.time ? time : first.time;
    }
    return first;
}

/// The first crossing at `now` or later. A flight that has just come in through the face `entered` along its
/// acceleration cannot leave there again, whatever rounding says; no_face if the flight is new.
inline Crossing next_crossing(const Record& record, const Grid& grid, const Vec3d& gravity, double now,
                              std::uint32_t entered) {
    Crossing first;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<int>(k);
        const std::uint32_t cell = cell_coordinate(record.cell, k);
        const double* face = grid.axis(k).face.data() + cell;
        const double x = record.position[axis];
        const double v = record.velocity[axis];
        const double a = gravity[axis];
        const auto consider = [&](bool upper, double wait) {
            const double time = larger(record.time + wait, now);
            if (time < first.time) {
                first = {time, face_of(k, upper)};
            }
        };
        if (a == 0) {
            if (v != 0) {
                consider(v > 0, v > 0 ? time_to_face(face[1] - x, v, 0, v) : time_to_face(x - face[0], -v, 0, -v));
            }
            continue;
        }
        const double v_now = v + a * (now - record.time);
        if (!(entered == face_of(k, true) && a < 0)) {
            consider(true, time_to_face(face[1] - x, v, a, v_now));
        }
        if (!(entered == face_of(k, false) && a > 0)) {
            consider(false, time_to_face(x - face[0], -v, -a, -v_now));
        }
    }
    return first;
}

}  // namespace talus::engines::hard
