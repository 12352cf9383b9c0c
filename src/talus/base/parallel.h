// The one loop that runs on all threads. Iterations must not depend on one another; results never depend on how many
// threads share them.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stdexcept>

namespace talus::base {

/// Below this many iterations a loop stays on one thread: waking the others would cost more.
inline constexpr std::size_t serial_limit = 512;

/// Calls body(begin, end) once a thread with contiguous shares of [0, count).
template <class Body>
void parallel_ranges(std::size_t count, int threads, const Body& body) {
    if (threads <= 1 || count < serial_limit) {
        body(std::size_t{0}, count);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        const auto share = static_cast<std::size_t>(omp_get_num_threads());
        const auto rank = static_cast<std::size_t>(omp_get_thread_num());
        body(count * rank / share, count * (rank + 1) / share);
    }
}

/// The most threads that a team can have.
inline int most_threads() {
    return omp_get_thread_limit();
}

/// Calls work(rank) on each of `threads` threads at once. They may wait for one another by an OpenMP barrier. Within a
/// parallel region there are no threads to be had: that is refused.
template <class Work>
void in_team(int threads, const Work& work) {
    if (threads <= 1) {
        work(std::size_t{0});
        return;
    }
    bool whole = true;
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_num_threads() == threads) {
            work(static_cast<std::size_t>(omp_get_thread_num()));
        } else {
            whole = false;  // on all there are
        }
    }
    if (!whole) {
        throw std::runtime_error("the threads that were asked for could not be had");
    }
}

/// Blocks of [0, count) for the threads of a team, each for whoever asks first: for work that lies unevenly.
class SharedBlocks {
public:
    SharedBlocks(std::size_t count, std::size_t block) : count_(count), block_(block) {}
    /// Calls body(begin, end) for the blocks that this thread gets, until none are left.
    template <class Body>
    void take(const Body& body) {
        for (;;) {
            const std::size_t begin = next_.fetch_add(block_, std::memory_order_relaxed);
            if (begin >= count_) {
                return;
            }
            body(begin, std::min(begin + block_, count_));
        }
    }

private:
    std::atomic<std::size_t> next_{0};
    std::size_t count_, block_;
};

/// Calls body(i) for every i in [0, count).
template <class Body>
void parallel_for(std::size_t count, int threads, const Body& body) {
    parallel_ranges(count, threads, [&body](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            body(i);
        }
    });
}

/// Whether holds(i) for every i in [0, count).
template <class Holds>
bool holds_for_all(std::size_t count, int threads, const Holds& holds) {
    std::atomic<bool> all = true;
    parallel_ranges(count, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!holds(i)) {
                all = false;
                return;
            }
        }
    });
    return all;
}

/// Calls body(begin, end) for blocks of [0, count) that threads take in turn: for work that lies unevenly.
template <class Body>
void parallel_blocks_in_turn(std::size_t count, int threads, const Body& body) {
    constexpr std::size_t block = 256;
    const std::size_t stride = block * static_cast<std::size_t>(std::max(threads, 1));
    in_team(threads, [&](std::size_t rank) {
        for (std::size_t begin = rank * block; begin < count; begin += stride) {
            body(begin, std::min(begin + block, count));
        }
    });
}

/// The same, iteration by iteration.
template <class Body>
void parallel_for_in_turn(std::size_t count, int threads, const Body& body) {
    parallel_blocks_in_turn(count, threads, [&body](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            body(i);
        }
    });
}

}  // namespace talus::base
