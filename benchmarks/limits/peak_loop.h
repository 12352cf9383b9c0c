// Many independent sums and products at once: as fast as a core can add and multiply `width` doubles at a time.
#pragma once

#include <algorithm>
#include <chrono>

namespace talus::benchmarks {

namespace {  // each width is compiled for its own instruction set and must stay in its own file

template <int width>
double measure_gflops() {
    typedef double Pack __attribute__((vector_size(width * sizeof(double))));  // NOLINT: no other spelling works
    constexpr int chains = 6;  // of each kind: enough to hide the latency, few enough for sixteen registers
    constexpr long rounds = 10'000'000;
    const Pack more = Pack{} + 1e-9;
    const Pack factor = Pack{} + 1.0;
    double best = 0;
    for (int attempt = 0; attempt < 5; ++attempt) {
        Pack s0{}, s1{}, s2{}, s3{}, s4{}, s5{};  // sums; an array would be kept in memory
        Pack p0{}, p1{}, p2{}, p3{}, p4{}, p5{};  // products
        const auto start = std::chrono::steady_clock::now();
        for (long r = 0; r < rounds; ++r) {
            s0 += more, s1 += more, s2 += more, s3 += more, s4 += more, s5 += more;
            p0 *= factor, p1 *= factor, p2 *= factor, p3 *= factor, p4 *= factor, p5 *= factor;
            // Neither folded nor left out.
            asm volatile("" : "+v"(s0), "+v"(s1), "+v"(s2), "+v"(s3), "+v"(s4), "+v"(s5));
            asm volatile("" : "+v"(p0), "+v"(p1), "+v"(p2), "+v"(p3), "+v"(p4), "+v"(p5));
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::max(best, 2.0 * width * chains * static_cast<double>(rounds) / seconds * 1e-9);
    }
    return best;
}

}  // namespace

}  // namespace talus::benchmarks
