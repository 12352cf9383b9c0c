// Memory bandwidth by the triad a = b + s c.
#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "limits.h"

namespace talus::benchmarks {

double triad_bandwidth(int threads) {
    constexpr std::size_t count = std::size_t{1} << 24U;  // elements of each array in all, 128 MiB
    constexpr int sweeps = 6;
    const std::size_t share = count / static_cast<std::size_t>(threads);
    std::vector<double> seconds(sweeps);
    std::barrier together(threads);
    const auto work = [&](int rank) {
        pin_to_core(rank);
        // Each thread allocates and fills its own part: pages lie near the core that first touches them.
        const auto fresh = [share](double value) {
            std::unique_ptr<double[]> out(new double[share]);
            std::fill_n(out.get(), share, value);
            return out;
        };
        const auto a = fresh(0.0), b = fresh(1.0), c = fresh(2.0);
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            together.arrive_and_wait();
            const auto start = std::chrono::steady_clock::now();
            double* const out = a.get();
            const double* const x = b.get();
            const double* const y = c.get();
            const double s = 1.0 + sweep;
            for (std::size_t i = 0; i < share; ++i) {
                out[i] = x[i] + s * y[i];
            }
            asm volatile("" : : "r"(out) : "memory");  // the result counts as used
            together.arrive_and_wait();
            if (rank == 0) {
                seconds[static_cast<std::size_t>(sweep)] =
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            }
        }
    };
    std::vector<std::jthread> crew;
    for (int rank = 0; rank < threads; ++rank) {
        crew.emplace_back(work, rank);
    }
    crew.clear();
    const double best = *std::min_element(seconds.begin(), seconds.end());
    return 24.0 * static_cast<double>(share) * threads / best * 1e-9;
}

}  // namespace talus::benchmarks
