// Which thread works on which tiles, when each body may move on, and where blocks of contacts leave their answers.
#include <algorithm>
#include <limits>
#include <numeric>

#include "talus/backends/cpu/contact_list.h"
#include "talus/base/parallel.h"

namespace talus::backends::cpu {

namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

/// The tile of every block.
void find_tiles_of_blocks(const Contacts& contacts, std::vector<std::uint32_t>& tile_of) {
    tile_of.assign(contacts.blocks, 0);
    for (std::size_t tile = 0; tile < contacts.tiles(); ++tile) {
        for (std::uint32_t r = contacts.run_row[tile]; r < contacts.run_row[tile + 1]; ++r) {
            std::fill(tile_of.begin() + contacts.runs[r].begin, tile_of.begin() + contacts.runs[r].end,
                      static_cast<std::uint32_t>(tile));
        }
    }
}

/// Finds for every body the last tile with a contact of its; `never` if its slots must outlast the sweep: it has to
/// wait for another share, or is held, in which case its sum is asked for again.
void order_bodies(const Workspace& work, Slots& slots, int threads) {
    const Contacts& contacts = work.contacts;
    const std::size_t n = work.places();
    const std::size_t tiles = contacts.tiles();
    const auto share_of = [&](std::uint32_t tile) {
        return std::upper_bound(slots.share_tile.begin(), slots.share_tile.end(), tile) - slots.share_tile.begin() - 1;
    };
    const std::vector<std::uint32_t>& tile_of = slots.room.tile_of;
    std::vector<std::uint32_t>& first = slots.room.first;
    std::vector<std::uint32_t>& last = slots.room.last;
    std::vector<std::uint32_t>& kept_until = slots.room.kept_until;
    std::vector<std::uint32_t>& next = slots.room.next;
    first.resize(n);
    last.resize(n);
    kept_until.resize(n);
    base::parallel_for(n, threads, [&](std::size_t s) {
        // A body without contacts goes where its neighbours in memory are.
        auto first_tile = static_cast<std::uint32_t>(std::min(s / tile_places, tiles - 1));
        std::uint32_t last_tile = first_tile;
        bool any = false;
        for_contacts(contacts, s, [&](std::uint32_t contact, std::uint32_t) {
            const std::uint32_t tile = tile_of[contact / 8];
            first_tile = any ? std::min(first_tile, tile) : tile;
            last_tile = any ? std::max(last_tile, tile) : tile;
            any = true;
        });
        first[s] = first_tile;
        last[s] = last_tile;
        kept_until[s] = share_of(first_tile) == share_of(last_tile) ? last_tile : never;
    });
    slots.fresh_row.assign(tiles + 1, 0);
    for (const std::uint32_t tile : first) {
        ++slots.fresh_row[tile + 1];
    }
    std::partial_sum(slots.fresh_row.begin(), slots.fresh_row.end(), slots.fresh_row.begin());
    slots.fresh.resize(n);
    next.assign(slots.fresh_row.begin(), slots.fresh_row.end() - 1);
    for (std::uint32_t s = 0; s < n; ++s) {
        slots.fresh[next[first[s]]++] = s;
    }
    slots.tile_row.assign(tiles + 1, 0);
    slots.waiting.resize(slots.share_tile.size() - 1);
    for (auto& waiting : slots.waiting) {
        waiting.clear();
    }
    // Bodies with as many references follow one another.
    std::vector<std::uint32_t> row(tiles * (refs_per_body + 1) + 1, 0);
    const auto row_of = [&](std::uint32_t s) { return last[s] * (refs_per_body + 1) + slots.used[s]; };
    for (std::uint32_t s = 0; s < n; ++s) {
        if (kept_until[s] == never) {
            slots.waiting[static_cast<std::size_t>(share_of(last[s]))].push_back(s);
        } else {
            ++row[row_of(s) + 1];
        }
    }
    std::partial_sum(row.begin(), row.end(), row.begin());
    for (std::size_t tile = 0; tile <= tiles; ++tile) {
        slots.tile_row[tile] = row[tile * (refs_per_body + 1)];
    }
    slots.tile_place.resize(slots.tile_row.back());
    for (std::uint32_t s = 0; s < n; ++s) {
        if (kept_until[s] != never) {
            slots.tile_place[row[row_of(s)]++] = s;
        }
    }
    for (auto& waiting : slots.waiting) {
        std::stable_sort(waiting.begin(), waiting.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return slots.used[a] < slots.used[b]; });
    }
    for (const std::uint32_t s : work.held) {
        kept_until[s] = never;
    }
}

/// Deals out slots tile by tile; those whose bodies have all moved on come first again.
void deal_out(const Workspace& work, Slots& slots) {
    const Contacts& contacts = work.contacts;
    const auto& tile_of = slots.room.tile_of;
    const auto& kept_until = slots.room.kept_until;
    const std::size_t tiles = contacts.tiles();
    slots.of_block.assign(contacts.blocks, 0);
    std::vector<std::vector<std::uint32_t>> ends_with(tiles);  // by tile: slots that are free after it
    std::uint32_t count = 1;                                   // the first is the empty one
    std::vector<std::uint32_t> free;
    std::size_t share = 0;
    std::size_t b = 1;
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        if (tile == slots.share_tile[share]) {  // another thread's: nothing in common
            free.clear();
            share += share + 1 < slots.share_tile.size() ? 1U : 0U;
        } else if (tile > 0) {
            free.insert(free.end(), ends_with[tile - 1].begin(), ends_with[tile - 1].end());
        }
        for (; b < contacts.blocks && tile_of[b] == tile; ++b) {
            std::uint32_t until = tile;
            for (std::size_t lane = 0; lane < 8; ++lane) {
                const std::uint32_t i = contacts.ends[b].i[lane];
                if (i < work.places()) {
                    until = std::max({until, kept_until[i], kept_until[contacts.ends[b].j[lane]]});
                }
            }
            std::uint32_t slot = count;
            if (free.empty()) {
                ++count;
            } else {
                slot = free.back();
                free.pop_back();
            }
            slots.of_block[b] = slot;
            if (until != never) {
                ends_with[until].push_back(slot);
            }
        }
    }
    slots.slot.resize(std::size_t{count} * 8);
    std::fill_n(slots.slot.begin(), 8, Slot{});
    if (work.spin_friction) {
        slots.moment.resize(std::size_t{count} * 8);
        std::fill_n(slots.moment.begin(), 8, std::array<double, 4>{});
    }
}

}  // namespace

void assign_slots(Workspace& work, int threads) {
    const Contacts& contacts = work.contacts;
    Slots& slots = work.slots;
    const auto tiles = static_cast<std::uint32_t>(contacts.tiles());
    const auto shares = std::max(1U, std::min(static_cast<std::uint32_t>(threads), tiles / 2));
    slots.share_tile.clear();
    for (std::uint32_t share = 0; share <= shares; ++share) {
        slots.share_tile.push_back(static_cast<std::uint32_t>(std::uint64_t{tiles} * share / shares));
    }
    find_tiles_of_blocks(contacts, slots.room.tile_of);
    order_bodies(work, slots, threads);
    deal_out(work, slots);
    const auto slot_ref = [&](std::uint32_t ref) {
        const std::uint32_t contact = ref >> 1U;
        return ((slots.of_block[contact / 8] * 8 + contact % 8) << 1U) | (ref & 1U);
    };
    slots.refs.resize(contacts.refs.size());
    slots.higher.resize(contacts.refs.size());
    base::parallel_for(contacts.refs.size(), threads, [&](std::size_t s) {
        std::uint8_t higher = 0;  // partners are in order of id: those with lower ones come first
        for (std::size_t k = 0; k < refs_per_body; ++k) {
            const std::uint32_t ref = contacts.refs[s][k];
            slots.refs[s][k] = ref < 16 ? 0 : (slot_ref(ref) >> 1U) * 8;
            higher = static_cast<std::uint8_t>(higher + (ref < 16 ? 0U : ref & 1U));
        }
        slots.higher[s] = higher;
    });
    slots.torques = std::all_of(contacts.runs.begin(), contacts.runs.end(),
                                [&](const ContactRun& run) { return contacts.classes[run.of_class].alike; });
    work.special.resize(work.places());
    for (std::size_t s = 0; s < work.places(); ++s) {
        const bool has_more = !contacts.more_row.empty() && contacts.more_row[s] < contacts.more_row[s + 1];
        work.special[s] = static_cast<std::uint8_t>((work.special[s] & Workspace::at_walls) |
                                                    (has_more ? Workspace::more_contacts : 0));
    }
    slots.more.resize(contacts.more.size());
    std::transform(contacts.more.begin(), contacts.more.end(), slots.more.begin(), slot_ref);
}

}  // namespace talus::backends::cpu
