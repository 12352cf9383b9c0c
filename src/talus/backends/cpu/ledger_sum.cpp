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

}  // namespace talus::backends::cpu
