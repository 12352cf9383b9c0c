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
inline void Engine::add_pair(std::size_t rank, const Candidate& c) {
    const bool ordered = id_[c.a] < id_[c.b];
    const std::uint32_t a = ordered ? c.a : c.b;
    const std::uint32_t b = ordered ? c.b : c.a;
    turns_.add(rank, key_of(pair_word(a, b)), a, b);
}

template <class Act>
void Engine::carry_out(std::size_t rank, const Act& act) {
    turns_.carry_out(rank, act, [this](const Event& event) {
        // Keys lead from one end of the memory to the other.
        for (const std::uint32_t place : {event.a, event.b != Event::nobody ? event.b : event.a}) {
            __builtin_prefetch(&record_[place], 1);
            __builtin_prefetch(&turning_[place], 1);
            __builtin_prefetch(&virial_[place], 1);
        }
    });
}

}  // namespace talus::engines::stepped
