// Counter-based random numbers (Philox 4x32-10): the n-th number of a stream is a pure function of seed, stream and n,
// so that results never depend on the order of calls, on threads or on a restart.
#pragma once

#include <array>
#include <cstdint>

namespace talus::base {

/// One Philox 4x32-10 block: four random words from a 128-bit counter and a 64-bit key.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * counter[0];
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * counter[2];
        counter = {static_cast<std::uint32_t>(p1 >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
                   static_cast<std::uint32_t>(p0 >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
        key[0] += 0x9E3779B9U;
        key[1] += 0xBB67AE85U;
    }
    return counter;
}

/// A stream of numbers. Two streams with the same seed and different `stream` are independent.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

    std::uint64_t bits() {
        const auto block = philox({static_cast<std::uint32_t>(count_), static_cast<std::uint32_t>(count_ >> 32U),
                                   static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32U)},
                                  {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)});
        ++count_;
        return (std::uint64_t{block[0]} << 32U) | block[1];
    }
    /// Uniform in [0, 1), 53 bits.
    double uniform() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

private:
    std::uint64_t seed_;
    std::uint64_t stream_;
    std::uint64_t count_ = 0;
};

}  // namespace talus::base
