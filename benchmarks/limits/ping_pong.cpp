// Two threads hand a cache line back and forth.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "limits.h"

namespace talus::benchmarks {

void pin_to_core(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

double ping_pong_ns() {
    if (std::thread::hardware_concurrency() < 2) {
        return 0;
    }
    constexpr int rounds = 20000;
    constexpr int tries = 25;
    std::vector<double> each;
    for (int t = 0; t < tries; ++t) {
        alignas(64) std::atomic<int> ball{0};
        std::thread partner([&] {
            pin_to_core(1);
            for (int k = 0; k < rounds; ++k) {
                while (ball.load(std::memory_order_acquire) != 2 * k + 1) {
                }
                ball.store(2 * k + 2, std::memory_order_release);
            }
        });
        double seconds = 0;
        std::thread server([&] {  // a thread of its own, so that the caller stays free to move
            pin_to_core(0);
            const auto start = std::chrono::steady_clock::now();
            for (int k = 0; k < rounds; ++k) {
                ball.store(2 * k + 1, std::memory_order_release);
                while (ball.load(std::memory_order_acquire) != 2 * k + 2) {
                }
            }
            seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        });
        server.join();
        partner.join();
        each.push_back(seconds * 1e9 / (2.0 * rounds));
    }
    std::sort(each.begin(), each.end());
    return each[each.size() / 2];
}

}  // namespace talus::benchmarks
