// Who is in which cell: two places a cell, which is enough for nearly all of them, and chunks of a pool for the rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/base/pages.h"
#include "talus/engines/hard/record.h"

namespace talus::engines::hard {

/// The first place of a cell holds a sphere or nobody; the second a sphere, nobody, or, with this bit, a chunk of more.
inline constexpr std::uint32_t overflow_bit = 0x80000000U;
constexpr bool is_overflow(std::uint32_t place) {
    return place >= overflow_bit && place != nobody;
}

/// More spheres of one cell: at least two in all, the newest chunk first.
struct alignas(64) CellChunk {
    std::array<std::uint32_t, 14> ids{};
    std::uint32_t count = 0;
    std::uint32_t next = nobody;
};
static_assert(sizeof(CellChunk) == 64);

class Cells {
public:
    /// Empties all and makes room for so many cells.
    void reset(std::size_t cells);
    void insert(std::size_t cell, std::uint32_t id);
    void remove(std::size_t cell, std::uint32_t id);

    /// Another one after every change.
    std::int64_t version() const { return version_; }

    /// Two places a cell. Rows may be read up to eight places beyond the last cell.
    const std::uint32_t* places() const { return places_.data(); }
    const CellChunk* chunks() const { return chunks_.data(); }

private:
    std::uint32_t take_chunk();
    void push_chunk(std::uint32_t& place, std::uint32_t id);
    /// Takes the newest sphere of the chunks that `place` leads to.
    std::uint32_t pop_chunk(std::uint32_t& place);

    base::PageVector<std::uint32_t> places_;
    std::vector<CellChunk> chunks_;
    std::vector<std::uint32_t> free_;
    std::int64_t version_ = 0;
};

}  // namespace talus::engines::hard
