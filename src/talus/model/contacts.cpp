#include "talus/model/contacts.h"

#include <numeric>

namespace talus::model {

void compact(PairList& pairs, const std::vector<char>& keep) {
    std::vector<std::uint32_t> new_index(keep.size());
    std::exclusive_scan(keep.begin(), keep.end(), new_index.begin(), std::uint32_t{0});
    const std::size_t h = pairs.history_size;
    PairList fresh;
    fresh.history_size = h;
    fresh.row.push_back(0);
    for (std::size_t i = 0; i + 1 < pairs.row.size(); ++i) {
        if (!keep[i]) {
            continue;
        }
        for (std::uint32_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            if (keep[pairs.partner[p]]) {
                fresh.partner.push_back(new_index[pairs.partner[p]]);
                fresh.image.push_back(pairs.image[p]);
                fresh.history.insert(fresh.history.end(), pairs.history.begin() + static_cast<std::ptrdiff_t>(p * h),
                                     pairs.history.begin() + static_cast<std::ptrdiff_t>((p + 1) * h));
            }
        }
        fresh.row.push_back(static_cast<std::uint32_t>(fresh.partner.size()));
    }
    pairs = std::move(fresh);
}

}  // namespace talus::model
