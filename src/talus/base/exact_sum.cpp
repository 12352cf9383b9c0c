#include "talus/base/exact_sum.h"

#include <bit>
#include <cmath>

namespace talus::base {

namespace {
constexpr std::int64_t digit_base = std::int64_t{1} << 32;
constexpr std::int64_t carry_after = std::int64_t{1} << 30;
constexpr int lowest_exponent = -1074;  // of the smallest subnormal double
}  // namespace

void ExactSum::add(double term) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(term);
    const std::uint64_t exponent = (bits >> 52U) & 0x7FFU;
    std::uint64_t mantissa = bits & 0xFFFFFFFFFFFFFU;
    if (exponent == 0x7FFU) {
        special_ += term;
        return;
    }
    // A subnormal has the exponent of the smallest normal number and no hidden bit.
    const std::uint64_t position = exponent == 0 ? 0 : exponent - 1;
    if (exponent != 0) {
        mantissa |= std::uint64_t{1} << 52U;
    }
    const std::size_t digit = position / 32;
    const std::uint64_t shift = position % 32;
    // The 53 bits, shifted by up to 31, span three digits.
    const std::uint64_t low = (mantissa & 0xFFFFFFFFU) << shift;
    const std::uint64_t high = (mantissa >> 32U) << shift;
    const auto d0 = static_cast<std::int64_t>(low & 0xFFFFFFFFU);
    const auto d1 = static_cast<std::int64_t>((low >> 32U) + (high & 0xFFFFFFFFU));
    const auto d2 = static_cast<std::int64_t>(high >> 32U);
    const std::int64_t sign = (bits >> 63U) != 0 ? -1 : 1;
    digits_[digit] += sign * d0;
    digits_[digit + 1] += sign * d1;
    digits_[digit + 2] += sign * d2;
    if (++pending_ == carry_after) {
        carry(digits_);
        pending_ = 0;
    }
}

ExactSum& ExactSum::operator+=(const ExactSum& other) noexcept {
    Digits theirs = other.digits_;
    carry(theirs);
    carry(digits_);
    for (std::size_t k = 0; k < digit_count; ++k) {
        digits_[k] += theirs[k];
    }
    pending_ = 1;
    special_ += other.special_;
    return *this;
}

void ExactSum::carry(Digits& digits) noexcept {
    std::int64_t over = 0;
    for (std::size_t k = 0; k + 1 < digit_count; ++k) {
        const std::int64_t value = digits[k] + over;
        over = value >> 32;  // rounds towards minus infinity, so that every digit but the top one ends in [0, 2^32)
        digits[k] = value - over * digit_base;
    }
    digits[digit_count - 1] += over;
}

double ExactSum::value() const noexcept {
    if (special_ != 0) {  // true for NaN too
        return special_;
    }
    Digits digits = digits_;
    carry(digits);
    const bool negative = digits[digit_count - 1] < 0;
    if (negative) {
        for (std::int64_t& d : digits) {
            d = -d;
        }
        carry(digits);
    }
    std::size_t top = digit_count;
    while (top > 0 && digits[top - 1] == 0) {
        --top;
    }
    if (top == 0) {
        return 0;
    }
    // Gather the highest bits into 64, whether anything lies below into `below`.
    const auto digit = [&digits](std::size_t k) { return static_cast<std::uint64_t>(digits[k]); };
    const std::size_t first = top - 1;
    const int leading = std::countl_zero(digit(first)) - 32;  // free bits in the highest digit, 0 to 31
    std::uint64_t window = digit(first) << (32 + leading);
    bool below = false;
    int exponent = lowest_exponent + 32 * static_cast<int>(first) - 32 - leading;  // of the window's lowest bit
    if (first >= 1) {
        window |= digit(first - 1) << leading;
    }
    if (first >= 2) {
        window |= leading > 0 ? digit(first - 2) >> (32 - leading) : 0;
        below = leading > 0 ? (digit(first - 2) & (0xFFFFFFFFU >> leading)) != 0 : digit(first - 2) != 0;
        for (std::size_t k = 0; k + 2 < first && !below; ++k) {
            below = digits[k] != 0;
        }
    }
    std::uint64_t mantissa = window >> 11U;
    const std::uint64_t rest = window & 0x7FFU;
    // Below the normal range nothing is lost: every term is a multiple of 2^-1074, so `rest` is zero there.
    if (rest > 0x400U || (rest == 0x400U && (below || (mantissa & 1U) != 0))) {
        ++mantissa;
    }
    const double magnitude = std::ldexp(static_cast<double>(mantissa), exponent + 11);
    return negative ? -magnitude : magnitude;
}

}  // namespace talus::base
