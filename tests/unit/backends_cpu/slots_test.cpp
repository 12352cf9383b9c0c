// Slots are used again as soon as their bodies have moved on, and never before.
#include <gtest/gtest.h>

#include "unit/backends_cpu/list_checks.h"

namespace talus::tests {
namespace {

/// A long bed, whose tiles follow one another along it.
BedSpec long_bed() {
    return {.count = 6000, .box = {40, 1, 1}, .smallest = 0.05, .largest = 0.12, .materials = 3, .seed = 5};
}

std::size_t waiting_bodies(const cpu::Slots& slots) {
    std::size_t count = 0;
    for (const auto& waiting : slots.waiting) {
        count += waiting.size();
    }
    return count;
}

TEST(Slots, AreNotUsedAgainWhileABodyRefersToThem) {
    for (const int threads : {1, 2, 3, 8}) {
        Bed bed(long_bed());
        bed.start(0.03, 0.02, threads);
        ASSERT_GT(bed.work.contacts.tiles(), 10U);
        expect_consistent(bed);
        const cpu::Slots& slots = bed.work.slots;
        EXPECT_EQ(slots.share_tile.size(), static_cast<std::size_t>(threads) + 1);
        EXPECT_LT(slots.slot.size(), bed.work.contacts.blocks * 8 * 2 / 3) << "hardly any is used again";
        EXPECT_EQ(waiting_bodies(slots) > 0, threads > 1);
        EXPECT_LT(waiting_bodies(slots), bed.work.places() / 4);
    }
}

TEST(Slots, OfHeldBodiesLastToTheEnd) {
    for (const int threads : {1, 3}) {
        Bed bed(long_bed());
        bed.start(0.03, 0.02, threads);
        const std::size_t without = bed.work.slots.slot.size();
        for (std::size_t i = 0; i < bed.system.bodies.size(); i += 50) {
            bed.system.bodies.flags[i] = i % 100 == 0 ? model::position_held : model::rotation_held;
        }
        bed.start(0.03, 0.02, threads);
        ASSERT_EQ(bed.work.held.size(), 120U);
        expect_consistent(bed);
        EXPECT_GT(bed.work.slots.slot.size(), without);
    }
}

TEST(Slots, AreDealtOutAnewWithEveryList) {
    Bed bed(long_bed());
    bed.start(0.06, 0.03, 2);
    for (const double margin : {0.001, 0.04, 0.02}) {
        touch(bed);
        bed.prune(margin, Bed::Source::listed, 2);
        expect_consistent(bed);
    }
}

TEST(Slots, OfABedWithContactsEverywhereAreSafeToo) {
    // Bodies with many contacts, most of them with some in several tiles, through borders.
    for (const int threads : {1, 2, 8}) {
        Bed bed({.count = 4000,
                 .box = {2, 2, 2},
                 .periodic = {true, true, true},
                 .smallest = 0.02,
                 .largest = 0.15,
                 .materials = 4,
                 .rolling = true,
                 .seed = 7});
        bed.start(0.02, 0.01, threads);
        ASSERT_FALSE(bed.work.contacts.more.empty());
        expect_consistent(bed);
        EXPECT_EQ(bed.work.slots.moment.size(), bed.work.slots.slot.size());
    }
}

}  // namespace
}  // namespace talus::tests
