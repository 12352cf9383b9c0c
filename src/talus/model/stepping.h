// What hard grains add to the state: the rules of time-stepped ones, and the impulses that stand for stress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/math/tensor6.h"
#include "talus/model/squeeze.h"

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
    /// N m s: impulse (x) (centre - contact point). Its change over a time, divided by that and a volume, is the mean
    /// stress there; compression is positive.
    std::vector<math::Tensor6> virial;
    /// The same at the last frame that was written, and the time of that: a frame tells the mean stress since then.
    std::vector<math::Tensor6> framed;
    double framed_at = 0;  // s
    /// Pairs that have collided and overlap still (StepRules::after_overlap): the lower id in the upper half of each
    /// word, the higher, or a wall beyond all ids, in the lower; ascending.
    std::vector<std::uint64_t> met;

    bool are_counted() const { return !virial.empty(); }
    /// Rows for new bodies.
    void resize(std::size_t bodies) {
        virial.resize(bodies);
        framed.resize(bodies);
    }
    void compact(const std::vector<char>& keep) {
        squeeze(virial, keep);
        squeeze(framed, keep);
    }
    void mark_frame(double time) {
        framed = virial;
        framed_at = time;
    }
};

}  // namespace talus::model
