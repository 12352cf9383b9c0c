// What predictions are told and what they answer, and the table of their instances: one, four or eight candidates at a
// time, with and without gravity, equal or unequal radii, across periodic borders or not. All give the same bits.
#pragma once

#include <array>
#include <cstdint>

#include "talus/engines/hard/cells.h"
#include "talus/engines/hard/record.h"

namespace talus::engines::hard {

/// Plain pointers and numbers: the instances for newer processors must not share inline code with the rest.
struct PredictTask {
    const Record* record = nullptr;
    const double* radius = nullptr;  // m, by sphere; unused if all are equal
    double distance2 = 0;            // m2, square of the distance of centres at contact if all radii are equal
    double gravity[3] = {0, 0, 0};   // m/s2
    /// Candidates, filled up to a multiple of eight with the first target, which never meets itself.
    const std::uint32_t* ids = nullptr;
    const double* shift[3] = {nullptr, nullptr,
                              nullptr};  // m, by candidate: the period between, target minus candidate
    std::uint32_t count = 0;
    std::uint32_t target[2] = {0, 0};
};

/// The earliest meeting of one target.
struct Best {
    double time = never;      // s since the epoch
    std::uint32_t place = 0;  // of the partner among the candidates
    bool tied = false;        // perhaps another candidate meets it at the very same time
};

/// Which cells to collect candidates from; no border is crossed.
struct CollectTask {
    const std::uint32_t* places = nullptr;          // of the box's first cell
    std::size_t row = 0, layer = 0;                 // places from one row, and one layer, to the next
    std::int32_t across = 0, rows = 0, layers = 0;  // cells of the box along x (four at most), y and z
};

struct PredictKernels {
    /// One target, whatever the own times; both of two targets whose own time is later than all others.
    using Predict = void (*)(const PredictTask& task, Best* best);
    std::array<std::array<std::array<Predict, 2>, 2>, 2> one, two;  // by gravity, equal radii, shifted
    /// Writes the spheres of the box, unless they are in chunks, and returns their number; `overflow` gets the places
    /// of chunks. Up to eight words beyond the last one may be written.
    std::uint32_t (*collect)(const CollectTask& task, std::uint32_t* ids, std::uint32_t* overflow,
                             std::uint32_t* overflows);
};

const PredictKernels& scalar_predict_kernels();
const PredictKernels& packed_predict_kernels();  // four at a time
const PredictKernels& wide_predict_kernels();    // eight; null entries where the compiler has none

/// The widest that this processor has, or what TALUS_SIMD asks for.
const PredictKernels& predict_kernels();

}  // namespace talus::engines::hard
