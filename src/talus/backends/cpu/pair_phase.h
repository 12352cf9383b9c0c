// The contact phase for pairs of spheres, tile by tile.
#pragma once

#include "talus/backends/cpu/pair_kernel.h"

namespace talus::backends::cpu {

/// One thread's part of what a contact phase sums up.
struct PairTally {
    ContactNotes notes;
    LedgerSums sums;
    LaneTotals totals;
};

class PairPhase {
public:
    /// `looking`: what the springs hold will be asked for.
    PairPhase(const model::System& system, Workspace& work, bool looking);

    void open(PairTally& tally) const;
    /// Works on the contacts of a tile.
    void evaluate(std::size_t tile, PairTally& tally) const;
    /// Adds a thread's part to the workspace; by one thread at a time.
    void close(PairTally& tally) const;

private:
    const model::System& system_;
    Workspace& work_;
    const PairKernels& kernels_;
    bool looking_;
    PairTask task_;
    std::array<std::array<double, 4>, 27> shift_{};
};

}  // namespace talus::backends::cpu
