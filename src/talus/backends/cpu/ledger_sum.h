// Sums over contacts that come out the same in whatever order and on however many threads they are formed: terms are
// rounded to a common grain, and multiples of a grain add without error.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/model/ledger.h"

namespace talus::backends::cpu {

__extension__ using WideInteger = __int128;

/// The grain of one sum. Sums start at the anchor, whose last bit is the grain: a term that is added becomes the
/// nearest multiple of it. Terms have their own last bit set before, so that none lies half way between two multiples,
/// where rounding would follow what was added earlier.
struct LedgerScale {
    double anchor = 0;
    double limit = 0;          // terms beyond are rare and summed apart
    double inverse_grain = 0;  // a power of two

    /// Terms may be up to eight times the largest of the last step; 2^39 grains make up that one.
    static LedgerScale for_peak(double last) {
        int exponent = -900;
        if (last > 0) {
            std::frexp(last, &exponent);
            exponent = exponent < -900 ? -900 : (exponent > 900 ? 900 : exponent);
        }
        return {std::ldexp(1.5, exponent + 13), std::ldexp(1.0, exponent + 3), std::ldexp(1.0, 39 - exponent)};
    }
    double grain() const { return 1 / inverse_grain; }  // exact: a power of two
};

/// Terms that a lane may add before its sum could leave the anchor's binade.
inline constexpr std::size_t terms_before_carry = 512;

/// Dissipated power by mechanism.
inline constexpr std::size_t ledger_sums = model::mechanism_count;

using LedgerScales = std::array<LedgerScale, ledger_sums>;

/// One thread's part of all sums.
struct LedgerSums {
    struct Rare {
        std::size_t sum;
        double term;
    };
    std::array<WideInteger, ledger_sums> grains{};
    std::array<double, ledger_sums> peak{};  // largest magnitude of a term
    std::vector<Rare> rare;                  // terms beyond the limit

    void clear() {
        grains = {};
        peak = {};
        rare.clear();
    }
    void merge(const LedgerSums& other) {
        for (std::size_t q = 0; q < ledger_sums; ++q) {
            grains[q] += other.grains[q];
            peak[q] = peak[q] < other.peak[q] ? other.peak[q] : peak[q];
        }
        rare.insert(rare.end(), other.rare.begin(), other.rare.end());
    }
    /// Adds one term, as packs do it.
    void add(std::size_t q, double term, const LedgerScale& scale) {
        peak[q] = std::fmax(peak[q], std::fabs(term));
        if (std::fabs(term) <= scale.limit) {
            const double odd = std::bit_cast<double>(std::bit_cast<std::uint64_t>(term) | 1U);
            grains[q] +=
                static_cast<std::int64_t>(((odd + scale.anchor) - scale.anchor) * scale.inverse_grain);  // below 2^43
        } else {
            rare.push_back({q, term});
        }
    }
    double value(std::size_t q, const LedgerScale& scale) const;
};

/// Running sums lane by lane, each from its anchor: what a contact loop adds to, block after block, until they are
/// carried.
struct alignas(64) LaneTotals {
    static constexpr std::size_t lanes = 8;
    std::array<std::array<double, lanes>, ledger_sums> sum{}, peak{};
    std::size_t adds = 0;  // to any one sum, at most

    void begin(const LedgerScale* scales);
    /// Moves all to `sums`, and begins again.
    void carry_into(LedgerSums& sums, const LedgerScale* scales);
};

}  // namespace talus::backends::cpu
