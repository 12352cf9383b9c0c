// machine_limits: prints what this machine can do at best, as one JSON object. `machine_limits latency` measures the
// way between two cores only, which takes a fraction of a second.
#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "limits.h"

int main(int argc, char** argv) {
    using namespace talus::benchmarks;
    nlohmann::json out;
    out["ping_pong_ns"] = ping_pong_ns();
    if (argc < 2 || std::strcmp(argv[1], "latency") != 0) {
        const int cores = std::thread::hardware_concurrency() >= 2 ? 2 : 1;
        for (int threads = 1; threads <= cores; ++threads) {
            out["triad_gb_per_s"].push_back(triad_bandwidth(threads));
        }
        out["peak_gflops"]["256"] = peak_gflops_256();
        if (__builtin_cpu_supports("avx512f")) {
            out["peak_gflops"]["512"] = peak_gflops_512();
        }
        for (const bool slipping : {false, true}) {
            const Operations law = operations_of_hooke(slipping);
            out["hooke"][slipping ? "slipping" : "sticking"] = {{"cheap", law.cheap}, {"slow", law.slow}};
        }
    }
    fmt::print("{}\n", out.dump());
    return 0;
}
