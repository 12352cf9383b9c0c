// Limits of a machine that the speed of a step can be held against.
#pragma once

#include <cstdint>

namespace talus::benchmarks {

/// ns for one cache line to travel from one core to another, half a round trip; 0 where there is one core only. Two
/// virtual cores may share a cache or not, which changes from hour to hour and decides how well two threads do.
double ping_pong_ns();

/// GB/s of a = b + s c over arrays far larger than any cache, by 24 bytes an element; threads sit on cores of their
/// own.
double triad_bandwidth(int threads);

/// 1e9 double-precision operations a second of one core, with registers of 256 and 512 bits: additions and
/// multiplications side by side and never fused, as the engine has them.
double peak_gflops_256();
double peak_gflops_512();

/// What a contact law computes, by running it with a number type that counts.
struct Operations {
    std::int64_t cheap = 0;  // additions, subtractions, multiplications, comparisons
    std::int64_t slow = 0;   // divisions and square roots
};
Operations operations_of_hooke(bool slipping);

/// Keeps the calling thread on one core.
void pin_to_core(int core);

}  // namespace talus::benchmarks
