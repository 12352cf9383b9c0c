#include "talus/backends/cpu/ledger_sum.h"

#include <algorithm>

#include "talus/base/exact_sum.h"

namespace talus::backends::cpu {

double LedgerSums::value(std::size_t q, const LedgerScale& scale) const {
    const auto is_mine = [q](const Rare& r) { return r.sum == q; };
    if (std::none_of(rare.begin(), rare.end(), is_mine)) {
        return static_cast<double>(grains[q]) * scale.grain();
    }
    // Both parts without error, whatever their sizes: the number of grains in two pieces that doubles hold.
    constexpr WideInteger piece = WideInteger{1} << 50;
    base::ExactSum sum;
    const WideInteger low = grains[q] % piece;
    sum += static_cast<double>(low) * scale.grain();
    sum += static_cast<double>(grains[q] - low) * scale.grain();
    for (const Rare& r : rare) {
        if (is_mine(r)) {
            sum += r.term;
        }
    }
    return sum.value();
}

void LaneTotals::begin(const LedgerScale* scales) {
    for (std::size_t q = 0; q < ledger_sums; ++q) {
        sum[q].fill(scales[q].anchor);
        peak[q].fill(0.0);
    }
    adds = 0;
}

void LaneTotals::carry_into(LedgerSums& sums, const LedgerScale* scales) {
    for (std::size_t q = 0; q < ledger_sums; ++q) {
        if (std::none_of(peak[q].begin(), peak[q].end(), [](double size) { return size > 0; })) {
            continue;  // nothing but zeros
        }
        for (std::size_t k = 0; k < lanes; ++k) {
            sums.grains[q] += static_cast<std::int64_t>((sum[q][k] - scales[q].anchor) * scales[q].inverse_grain);
            sums.peak[q] = std::max(sums.peak[q], peak[q][k]);
        }
    }
    begin(scales);
}

}  // namespace talus::backends::cpu
