#include "talus/engines/hard/cells.h"

#include <cassert>

namespace talus::engines::hard {

void Cells::reset(std::size_t cells) {
    ++version_;
    constexpr std::size_t readable_beyond = 8;
    places_.assign(2 * cells + readable_beyond, nobody);
    chunks_.clear();
    free_.clear();
}

std::uint32_t Cells::take_chunk() {
    if (free_.empty()) {
        chunks_.emplace_back();
        return static_cast<std::uint32_t>(chunks_.size() - 1);
    }
    const std::uint32_t chunk = free_.back();
    free_.pop_back();
    return chunk;
}

void Cells::push_chunk(std::uint32_t& place, std::uint32_t id) {
    const std::uint32_t head = place & ~overflow_bit;
    if (!is_overflow(place) || chunks_[head].count == chunks_[head].ids.size()) {
        const std::uint32_t next = is_overflow(place) ? head : nobody;
        const std::uint32_t fresh = take_chunk();
        chunks_[fresh].count = 0;
        chunks_[fresh].next = next;
        place = fresh | overflow_bit;
    }
    CellChunk& chunk = chunks_[place & ~overflow_bit];
    chunk.ids[chunk.count++] = id;
}

std::uint32_t Cells::pop_chunk(std::uint32_t& place) {
    const std::uint32_t head = place & ~overflow_bit;
    CellChunk& chunk = chunks_[head];
    const std::uint32_t id = chunk.ids[--chunk.count];
    if (chunk.count == 0) {
        place = chunk.next == nobody ? nobody : chunk.next | overflow_bit;
        free_.push_back(head);
    }
    if (is_overflow(place)) {  // a last one alone moves back into the cell
        CellChunk& left = chunks_[place & ~overflow_bit];
        if (left.count == 1 && left.next == nobody) {
            free_.push_back(place & ~overflow_bit);
            place = left.ids[0];
        }
    }
    return id;
}

void Cells::insert(std::size_t cell, std::uint32_t id) {
    ++version_;
    std::uint32_t& first = places_[2 * cell];
    std::uint32_t& second = places_[2 * cell + 1];
    if (first == nobody) {
        first = id;
    } else if (second == nobody) {
        second = id;
    } else {
        if (!is_overflow(second)) {
            const std::uint32_t alone = second;
            second = nobody;
            push_chunk(second, alone);
        }
        push_chunk(second, id);
    }
}

void Cells::remove(std::size_t cell, std::uint32_t id) {
    ++version_;
    std::uint32_t& first = places_[2 * cell];
    std::uint32_t& second = places_[2 * cell + 1];
    if (!is_overflow(second)) {
        if (first == id) {
            first = second;
        } else {
            assert(second == id);
        }
        second = nobody;
        return;
    }
    const std::uint32_t last = pop_chunk(second);
    if (last == id) {
        return;
    }
    if (first == id) {
        first = last;
        return;
    }
    if (second == id) {
        second = last;
        return;
    }
    for (std::uint32_t c = second; is_overflow(c);) {
        CellChunk& chunk = chunks_[c & ~overflow_bit];
        for (std::uint32_t k = 0; k < chunk.count; ++k) {
            if (chunk.ids[k] == id) {
                chunk.ids[k] = last;
                return;
            }
        }
        c = chunk.next == nobody ? nobody : chunk.next | overflow_bit;
    }
    assert(false && "the sphere is in its cell");
}

}  // namespace talus::engines::hard
