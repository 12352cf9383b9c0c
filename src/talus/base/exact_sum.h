// The exact sum of doubles, rounded once at the end: the same bits whatever the order of the terms, the number of
// threads or the way partial sums are merged. Sums that feed back into a run's path must go through it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace talus::base {

/// A fixed-point number as wide as the whole range of double, plus head room for 2^63 terms. Digit k weighs
/// 2^(32 k - 1074). A digit holds 32 bits in a 64-bit limb, so that 2^30 terms fit before carries must be passed on.
class ExactSum {
public:
    void add(double term) noexcept;
    ExactSum& operator+=(double term) noexcept {
        add(term);
        return *this;
    }
    /// Merges the terms of another sum into this one.
    ExactSum& operator+=(const ExactSum& other) noexcept;

    /// The sum of all terms, rounded to nearest (ties to even). Infinities and NaN among the terms give what adding
    /// them in any order gives; finite terms never overflow on the way, only the final rounding can.
    double value() const noexcept;

private:
    static constexpr std::size_t digit_count = 68;  // 2098 bits for the range of double, the rest for carries
    using Digits = std::array<std::int64_t, digit_count>;

    static void carry(Digits& digits) noexcept;

    Digits digits_{};
    std::int64_t pending_ = 0;  // terms since the last carry
    double special_ = 0;        // infinities and NaN added up; zero while all terms are finite
};

}  // namespace talus::base
