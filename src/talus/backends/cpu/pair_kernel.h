// What the contact loop over blocks is told, and the table of its instances: one for each law, width of packs and kind
// of system. Instances for wider packs live in files of their own, compiled for the processors that have them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "talus/backends/cpu/workspace.h"
#include "talus/laws/packed_laws.h"

namespace talus::backends::cpu {

/// Plain pointers: the instances for newer processors must not share inline code with the rest of the program.
struct PairTask {
    const Record* record = nullptr;
    const Ends* ends = nullptr;
    const std::array<std::uint8_t, 8>* image = nullptr;
    const std::uint8_t* crosses = nullptr;
    const double* shift = nullptr;  // 27 rows of four: the shift of each image
    double* history = nullptr;
    std::uint8_t* slides = nullptr;
    const std::uint32_t* slots_of = nullptr;  // by block
    Slot* slot = nullptr;
    std::array<double, 4>* moment = nullptr;
    double* looked = nullptr;      // written when looking
    const void* params = nullptr;  // Law::Params
    const LedgerScale* scale = nullptr;
    const std::uint32_t* body_at = nullptr;
    double dt = 0;
    bool torques = false;  // slots get torques instead of couples; all pairs are alike
    double overlap_limit = 0;
    double known_overlap = 0;              // smaller ones need no note
    AlikePairs alike;                      // of a class whose spheres are alike
    std::size_t begin = 0, end = 0;        // blocks
    std::size_t apart = 0;                 // from this block on, most pairs do not touch
    const std::uint32_t* fresh = nullptr;  // places to be asked for, since they will be read soon
    std::size_t fresh_count = 0;
    std::size_t history_size = 0;
    // answers
    ContactNotes* notes = nullptr;  // goes on from what it holds
    LaneTotals* totals = nullptr;   // go on from what they hold
    LedgerSums* sums = nullptr;
    void (*carry)(LaneTotals& totals, LedgerSums& sums, const LedgerScale* scales) = nullptr;
    void (*add_rare)(LedgerSums& sums, std::size_t q, double term) = nullptr;
};

using PairKernel = void (*)(const PairTask& task);

/// By law, alike spheres, spin friction, looking.
using PairKernels = std::array<std::array<std::array<std::array<PairKernel, 2>, 2>, 2>, laws::packed_law_count>;
const PairKernels& scalar_pair_kernels();
const PairKernels& packed_pair_kernels();  // four contacts at a time
const PairKernels& wide_pair_kernels();    // eight; null entries where the compiler has none

enum class Simd : std::uint8_t { scalar, four, eight };
/// The widest that this processor has, or what TALUS_SIMD (scalar, avx2, avx512) asks for. No bit depends on it.
Simd simd_level();

}  // namespace talus::backends::cpu
