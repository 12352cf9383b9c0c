// What time-stepped hard grains add to the state: their rules, and the impulses that stand for stress.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace talus::model {

/// How a step of hard grains deals with overlaps (AHS).
struct StepRules {
    int sweeps = 1;  // over all pairs before each move; each carries an impact on by one grain
    /// McNamara's variant: grains collide once they overlap, the first impact alone takes energy, and nothing is moved
    /// apart.
    bool after_overlap = false;
};

/// Sums over impacts since the start of a run, a row a body, or none where nobody counts them.
struct Impulses {
    /// N m s: impulse (x) (centre - contact point), symmetric part, as xx, yy, zz, yz, xz, xy. Its change over a time,
    /// divided by that and a volume, is the mean stress there; compression is positive.
    std::vector<std::array<double, 6>> virial;
    /// Pairs that have collided and overlap still (StepRules::after_overlap): the lower id in the upper half of each
    /// word, the higher, or a wall beyond all ids, in the lower; ascending.
    std::vector<std::uint64_t> met;
};

}  // namespace talus::model
