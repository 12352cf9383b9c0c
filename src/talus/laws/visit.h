// From a law's index in the registry to its type: the one place that lists the laws as types.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "talus/laws/hertz.h"
#include "talus/laws/hooke.h"

namespace talus::laws {

/// In the order of registry().
using AllLaws = std::tuple<Hooke, Hertz>;
inline constexpr std::size_t law_count = std::tuple_size_v<AllLaws>;

/// Calls `f(Law{})` with the law of that index.
template <class F>
void visit(int law, F&& f) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((law == static_cast<int>(i) ? static_cast<void>(f(std::tuple_element_t<i, AllLaws>{})) : void()), ...);
    }
    (std::make_index_sequence<law_count>{});
}

/// The most doubles any law's history takes.
constexpr std::size_t largest_history() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
        std::size_t most = 0;
        ((most = most < static_cast<std::size_t>(std::tuple_element_t<i, AllLaws>::history_size)
                     ? static_cast<std::size_t>(std::tuple_element_t<i, AllLaws>::history_size)
                     : most),
         ...);
        return most;
    }
    (std::make_index_sequence<law_count>{});
}

}  // namespace talus::laws
