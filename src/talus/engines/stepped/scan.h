// One pass over the listed pairs that keeps those of interest. Whether a pair is cannot be foreseen, so nothing
// branches on it: every pair is written, and the place to write to moves on if it is to be kept.
#pragma once

#include "talus/engines/stepped/engine.h"

namespace talus::engines::stepped {

template <bool periodic, class Test>
Engine::Candidates Engine::scan(std::size_t rank, const Test& test) {
    const Range range = share(rank);
    std::vector<Candidate>& out = of_thread_[rank].candidates;
    const std::size_t most = near_.row[range.end] - near_.row[range.begin] + 1;
    if (out.size() < most) {
        out.resize(most);
    }
    std::size_t found = 0;
    for (std::size_t a = range.begin; a < range.end; ++a) {
        const Record here = record_[a];
        for (std::uint32_t k = near_.row[a]; k < near_.row[a + 1]; ++k) {
            const std::uint32_t b = near_.partner[k];
            const Record& there = record_[b];
            out[found] = {static_cast<std::uint32_t>(a), b};
            found += test(here, there, between<periodic>(here, there)) ? 1U : 0U;
        }
    }
    return {out.data(), found};
}

/// The lower id first.
inline Event Engine::pair_event(const Candidate& c) const {
    Event event;
    const bool ordered = id_[c.a] < id_[c.b];
    event.a = ordered ? c.a : c.b;
    event.b = ordered ? c.b : c.a;
    event.key = key_of(pair_word(event.a, event.b));
    return event;
}

}  // namespace talus::engines::stepped
