// Taking rows out of columns that stand side by side.
#pragma once

#include <cstddef>
#include <vector>

namespace talus::model {

/// Keeps the entries whose `keep` is true, in order. An empty column stays empty.
template <class T>
void squeeze(std::vector<T>& column, const std::vector<char>& keep) {
    if (column.empty()) {
        return;
    }
    std::size_t out = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (keep[i]) {
            column[out++] = column[i];
        }
    }
    column.resize(out);
}

}  // namespace talus::model
