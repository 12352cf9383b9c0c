// The laws that the packed engine runs, many contacts at a time, as types. The general engine runs these and all
// others: visit.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "talus/laws/hertz.h"
#include "talus/laws/hooke.h"

namespace talus::laws {

/// The first of registry(), in its order.
using PackedLaws = std::tuple<Hooke, Hertz>;
inline constexpr std::size_t packed_law_count = std::tuple_size_v<PackedLaws>;

/// Calls `f(Law{})` with the law of that index in `Laws`.
template <class Laws, class F>
void visit_in(int law, F&& f) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((law == static_cast<int>(i) ? static_cast<void>(f(std::tuple_element_t<i, Laws>{})) : void()), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<Laws>>{});
}
template <class F>
void visit_packed(int law, F&& f) {
    visit_in<PackedLaws>(law, std::forward<F>(f));
}

/// The most doubles that a history of any of these laws takes.
template <class Laws>
constexpr std::size_t largest_history() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
        return std::max({static_cast<std::size_t>(std::tuple_element_t<i, Laws>::history_size)...});
    }
    (std::make_index_sequence<std::tuple_size_v<Laws>>{});
}

}  // namespace talus::laws
