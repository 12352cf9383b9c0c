// A 64-bit hash over numbers and bytes that is the same on every machine: for state hashes and file checks, not for
// security. Each 8-byte word is folded in through a bijective mixer, so that no word and no order of words is lost.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace talus::base {

/// Mixes all bits of a word into all others (the finaliser of the SplitMix64 generator); a bijection.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

class Hasher {
public:
    constexpr void add(std::uint64_t word) {
        state_ = mix_bits((state_ + 0x9E3779B97F4A7C15U) ^ word);  // the constant keeps runs of zeros apart
        ++words_;
    }
    constexpr void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
    constexpr void add(std::int32_t value) { add(static_cast<std::int64_t>(value)); }
    constexpr void add(std::uint8_t value) { add(static_cast<std::uint64_t>(value)); }
    /// By bits: 0.0 and -0.0 differ, since a run may tell them apart.
    constexpr void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    /// Bytes as little-endian words, the last one padded with zeros, then their number.
    void add_bytes(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < size; i += 8) {
            std::uint64_t word = 0;
            const std::size_t count = size - i < 8 ? size - i : 8;
            if constexpr (std::endian::native == std::endian::little) {
                std::memcpy(&word, bytes + i, count);
            } else {
                for (std::size_t k = 0; k < count; ++k) {
                    word |= std::uint64_t{bytes[i + k]} << (8U * k);
                }
            }
            add(word);
        }
        add(static_cast<std::uint64_t>(size));
    }
    void add_text(std::string_view text) { add_bytes(text.data(), text.size()); }

    constexpr std::uint64_t value() const { return mix_bits(state_ ^ words_); }

private:
    std::uint64_t state_ = 0x243F6A8885A308D3U;  // fraction bits of pi
    std::uint64_t words_ = 0;
};

}  // namespace talus::base
