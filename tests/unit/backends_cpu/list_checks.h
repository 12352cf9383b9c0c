// What the contact loop and the gathering rely on, checked from a list of contacts itself.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "unit/backends_cpu/random_bed.h"

namespace talus::tests {

using Histories = std::map<PairKey, std::vector<double>>;

/// Gives every pair that overlaps a history that names it.
inline Histories touch(Bed& bed) {
    Histories out;
    for (const auto& [key, contact] : bed.listed()) {
        if (bed.gap(key) < 0) {
            const auto& [a, b, code] = key;
            bed.set_history(contact, {a + 0.25, b + 0.5, code - 13.0, 0.125});
            out[key] = bed.history(contact);
        }
    }
    return out;
}

inline Histories histories_of(const Bed& bed) {
    Histories out;
    for (const auto& [key, contact] : bed.listed()) {
        if (cpu::age_of(bed.work.contacts, contact) > 0) {
            out[key] = bed.history(contact);
        } else {
            EXPECT_EQ(bed.history(contact), std::vector<double>(4, 0.0)) << "a history of a pair that does not touch";
        }
    }
    return out;
}

/// The tile of every block; 0 for the empty one.
inline std::vector<std::size_t> tiles_by_block(const cpu::Contacts& contacts) {
    std::vector<std::size_t> out(contacts.blocks, 0);
    for (std::size_t tile = 0; tile < contacts.tiles(); ++tile) {
        for (std::size_t r = contacts.run_row[tile]; r < contacts.run_row[tile + 1]; ++r) {
            for (std::size_t b = contacts.runs[r].begin; b < contacts.runs[r].end; ++b) {
                out[b] = tile;
            }
        }
    }
    return out;
}

/// A contact of a run: two spheres of its class, one of them of its tile.
inline void expect_contact(const Bed& bed, std::size_t c, std::size_t tile, const cpu::ContactClass& of_class) {
    const cpu::Contacts& contacts = bed.work.contacts;
    const std::uint32_t i = contacts.ends[c / 8].i[c % 8];
    const std::uint32_t j = contacts.ends[c / 8].j[c % 8];
    ASSERT_LT(i, bed.work.places());
    ASSERT_LT(j, bed.work.places());
    const std::uint32_t a = bed.work.body_at[i];
    const std::uint32_t b = bed.work.body_at[j];
    EXPECT_LT(a, b) << "the lower id first";
    const auto& material = bed.system.bodies.material;
    EXPECT_EQ(std::minmax(material[a], material[b]), std::minmax(of_class.material_a, of_class.material_b));
    EXPECT_TRUE(i / cpu::tile_places == tile || j / cpu::tile_places == tile) << "a contact of another tile";
    if (contacts.image[c / 8][c % 8] != search::no_image) {
        EXPECT_EQ(contacts.crosses[c / 8], 1);
    }
}

/// Every block is in one run; the lanes that fill up the last block of a run are the two spheres that never touch.
inline void expect_runs(const Bed& bed) {
    const cpu::Contacts& contacts = bed.work.contacts;
    const std::size_t places = bed.work.places();
    ASSERT_EQ(contacts.tiles(), (places + cpu::tile_places - 1) / cpu::tile_places);
    EXPECT_EQ(contacts.run_row.front(), 0U);
    ASSERT_EQ(contacts.run_row.back(), contacts.runs.size());
    std::size_t block = 1;
    std::size_t contact_count = 0;
    for (std::size_t tile = 0; tile < contacts.tiles(); ++tile) {
        std::uint32_t last_class = 0;
        for (std::size_t r = contacts.run_row[tile]; r < contacts.run_row[tile + 1]; ++r) {
            const cpu::ContactRun& run = contacts.runs[r];
            EXPECT_EQ(run.begin, block) << "a block in no run or in two";
            EXPECT_LT(run.begin, run.end) << "an empty run";
            block = run.end;
            EXPECT_LE(last_class, run.of_class) << "classes out of order";
            last_class = run.of_class;
            ASSERT_LT(run.of_class, contacts.classes.size());
            bool filled_up = false;
            for (std::size_t c = std::size_t{run.begin} * 8; c < std::size_t{run.end} * 8; ++c) {
                EXPECT_EQ((contacts.slides[c / 8] >> (c % 8)) & 1, 0) << "slid before the first step";
                if (contacts.ends[c / 8].i[c % 8] < places) {
                    EXPECT_FALSE(filled_up) << "a gap";
                    expect_contact(bed, c, tile, contacts.classes[run.of_class]);
                    ++contact_count;
                    continue;
                }
                filled_up = true;
                EXPECT_EQ(contacts.ends[c / 8].i[c % 8], places);
                EXPECT_EQ(contacts.ends[c / 8].j[c % 8], places + 1);
                EXPECT_EQ(c / 8, run.end - 1);
                EXPECT_NE(c % 8, 0U) << "a block of nothing";
                EXPECT_EQ(contacts.image[c / 8][c % 8], search::no_image);
                EXPECT_EQ(bed.history(c), std::vector<double>(contacts.history_size, 0.0));
            }
        }
    }
    EXPECT_EQ(contacts.blocks, block);
    EXPECT_EQ(bed.listed().size(), contact_count) << "a pair twice";
}

/// A body's references are to all of its contacts, in order of (partner, image); those to slots follow them.
inline void expect_refs(const Bed& bed) {
    const cpu::Contacts& contacts = bed.work.contacts;
    const cpu::Slots& slots = bed.work.slots;
    const auto slot_of = [&](std::uint32_t ref) {
        const std::uint32_t contact = ref >> 1U;
        return ref < 16 ? 0U : ((slots.of_block[contact / 8] * 8 + contact % 8) << 1U) | (ref & 1U);
    };
    ASSERT_EQ(slots.refs.size(), contacts.refs.size());
    ASSERT_EQ(slots.more.size(), contacts.more.size());
    std::size_t refs = 0;
    for (std::size_t s = 0; s < bed.work.places(); ++s) {
        std::pair<std::uint32_t, int> last{0, -1};
        cpu::for_contacts(contacts, s, [&](std::uint32_t c, std::uint32_t side) {
            const cpu::Ends& ends = contacts.ends[c / 8];
            EXPECT_EQ(side == 0 ? ends.i[c % 8] : ends.j[c % 8], s);
            const std::uint32_t partner = bed.work.body_at[side == 0 ? ends.j[c % 8] : ends.i[c % 8]];
            const std::pair<std::uint32_t, int> now{partner, contacts.image[c / 8][c % 8]};
            EXPECT_LT(last, now) << "not in order of partners";
            last = now;
            ++refs;
        });
        for (std::size_t k = 0; k < cpu::refs_per_body; ++k) {
            EXPECT_EQ(slots.refs[s][k], (slot_of(contacts.refs[s][k]) >> 1U) * 8);
            EXPECT_EQ(k < slots.higher[s], (contacts.refs[s][k] & 1U) != 0);
        }
    }
    for (std::size_t k = 0; k < contacts.more.size(); ++k) {
        EXPECT_EQ(slots.more[k], slot_of(contacts.more[k]));
    }
    EXPECT_EQ(refs, 2 * bed.listed().size());
    for (std::size_t s = 0; s < bed.work.places(); ++s) {
        const bool more = !contacts.more_row.empty() && contacts.more_row[s] < contacts.more_row[s + 1];
        EXPECT_EQ(bed.work.special[s], more ? 2 : 0) << "no wall, and contacts beyond the references or not";
    }
}

/// Walks the tiles of each share in order, as threads do, and remembers which block wrote to a slot last.
class SlotWalk {
public:
    explicit SlotWalk(const Bed& bed)
        : bed_(bed),
          contacts_(bed.work.contacts),
          slots_(bed.work.slots),
          tile_of_(tiles_by_block(contacts_)),
          share_of_tile_(contacts_.tiles()),
          owner_(slots_.slot.size() / 8, nobody),
          moved_on_(bed.work.places(), 0) {}

    void expect_safe() {
        const std::size_t shares = slots_.share_tile.size() - 1;
        ASSERT_EQ(slots_.share_tile.front(), 0U);
        ASSERT_EQ(slots_.share_tile.back(), contacts_.tiles());
        ASSERT_EQ(slots_.waiting.size(), shares);
        for (std::size_t share = 0; share < shares; ++share) {
            for (std::size_t tile = slots_.share_tile[share]; tile < slots_.share_tile[share + 1]; ++tile) {
                share_of_tile_[tile] = share;
            }
        }
        for (std::size_t tile = 0; tile < contacts_.tiles(); ++tile) {
            for (std::size_t r = contacts_.run_row[tile]; r < contacts_.run_row[tile + 1]; ++r) {
                for (std::size_t b = contacts_.runs[r].begin; b < contacts_.runs[r].end; ++b) {
                    write(b);
                }
            }
            for (std::size_t p = slots_.tile_row[tile]; p < slots_.tile_row[tile + 1]; ++p) {
                move_on(slots_.tile_place[p], share_of_tile_[tile]);
            }
        }
        for (const auto& waiting : slots_.waiting) {
            for (const std::uint32_t s : waiting) {
                expect_kept(s);
                ++moved_on_[s];
            }
        }
        for (const std::uint32_t s : bed_.work.held) {
            expect_kept(s);  // asked for again when all is done
        }
        EXPECT_EQ(moved_on_, std::vector<int>(bed_.work.places(), 1)) << "every body moves on once";
        for (std::size_t k = 0; k < 8; ++k) {
            EXPECT_EQ(slots_.slot[k].force, Vec3d{});
            EXPECT_EQ(slots_.slot[k].couple, Vec3d{});
        }
    }

private:
    static constexpr std::size_t nobody = 0;

    void write(std::size_t b) {
        const std::size_t slot = slots_.of_block[b];
        ASSERT_GT(slot, 0U) << "the slots that are always zero";
        ASSERT_LT(slot, owner_.size());
        if (const std::size_t before = owner_[slot]; before != nobody) {
            EXPECT_EQ(share_of_tile_[tile_of_[before]], share_of_tile_[tile_of_[b]]) << "two threads write there";
            for (std::size_t lane = 0; lane < 8; ++lane) {
                for (const std::uint32_t s : {contacts_.ends[before].i[lane], contacts_.ends[before].j[lane]}) {
                    EXPECT_TRUE(s >= bed_.work.places() || moved_on_[s] == 1) << "body at " << s << " still needs it";
                }
            }
        }
        owner_[slot] = b;
    }
    void expect_kept(std::uint32_t s) const {
        cpu::for_contacts(contacts_, s, [&](std::uint32_t c, std::uint32_t) {
            EXPECT_EQ(owner_[slots_.of_block[c / 8]], c / 8) << "not there yet, or no more: body at " << s;
        });
    }
    void move_on(std::uint32_t s, std::size_t share) {
        expect_kept(s);
        cpu::for_contacts(contacts_, s, [&](std::uint32_t c, std::uint32_t) {
            EXPECT_EQ(share_of_tile_[tile_of_[c / 8]], share) << "another thread may still read the body at " << s;
        });
        ++moved_on_[s];
    }

    const Bed& bed_;
    const cpu::Contacts& contacts_;
    const cpu::Slots& slots_;
    std::vector<std::size_t> tile_of_;
    std::vector<std::size_t> share_of_tile_;
    std::vector<std::size_t> owner_;  // by eight slots: the block that wrote to them last
    std::vector<int> moved_on_;       // by place
};

inline void expect_consistent(const Bed& bed) {
    expect_runs(bed);
    expect_refs(bed);
    SlotWalk(bed).expect_safe();
}

}  // namespace talus::tests
