// The phases put together: contacts of all laws shared among threads, each body's sum in order of its partners, and the
// sweep that moves bodies on as soon as their contacts are known.
#include "talus/backends/cpu/phases.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <numeric>

#include "talus/base/exact_sum.h"
#include "unit/backends_cpu/random_bed.h"

namespace talus::tests {
namespace {

constexpr double skin = 0.03;
constexpr double margin = 0.015;

/// Enough contacts for eight threads to share, of three materials, through a border.
BedSpec crowd(bool rolling) {
    return {.count = 5000,
            .box = {2, 2, 2},
            .periodic = {true, false, true},
            .smallest = 0.05,
            .largest = 0.1,
            .materials = 3,
            .rolling = rolling,
            .seed = 2};
}

std::unique_ptr<Bed> started(const BedSpec& spec, int threads, bool some_held = true) {
    auto bed = std::make_unique<Bed>(spec);
    bed->system.gravity = {0.5, 1, -9.81};
    for (auto& scale : bed->work.scales) {
        scale = cpu::LedgerScale::for_peak(1.0);
    }
    if (some_held) {
        bed->system.bodies.flags[5] = model::position_held;
        bed->system.bodies.flags[6] = model::rotation_held;
    }
    bed->start(skin, margin, threads);
    return bed;
}

template <class T>
bool same_bits(const cpu::Buffer<T>& a, const cpu::Buffer<T>& b, std::size_t from = 0) {
    return a.size() == b.size() && std::memcmp(a.data() + from, b.data() + from, (a.size() - from) * sizeof(T)) == 0;
}

void expect_same_contacts(const Bed& a, const Bed& b, int threads) {
    EXPECT_TRUE(same_bits(a.work.contacts.history, b.work.contacts.history,
                          8 * a.work.contacts.history_size))  // block 0 has none
        << threads;
    for (std::size_t q = 0; q < cpu::ledger_sums; ++q) {
        EXPECT_EQ(a.work.sums.value(q, a.work.scales[q]), b.work.sums.value(q, b.work.scales[q])) << threads;
        EXPECT_EQ(a.work.sums.peak[q], b.work.sums.peak[q]) << threads;
    }
    EXPECT_EQ(a.work.notes.large_overlaps, b.work.notes.large_overlaps);
    EXPECT_EQ(a.work.notes.largest_overlap, b.work.notes.largest_overlap);
    EXPECT_EQ(a.work.notes.largest_overlap_body, b.work.notes.largest_overlap_body);
}

/// After a stop: what bodies feel, and what is kept of the contacts to be looked at.
void expect_same_stop(const Bed& a, const Bed& b, int threads) {
    expect_same_contacts(a, b, threads);
    constexpr std::size_t block = cpu::LookedAt::rows * 8;
    EXPECT_TRUE(same_bits(a.work.looked.numbers, b.work.looked.numbers, block)) << threads;
    EXPECT_EQ(a.system.bodies.position, b.system.bodies.position) << threads;
    EXPECT_EQ(a.system.bodies.velocity, b.system.bodies.velocity) << threads;
    EXPECT_EQ(a.system.bodies.spin, b.system.bodies.spin) << threads;
    EXPECT_EQ(a.system.bodies.acceleration, b.system.bodies.acceleration) << threads;
    EXPECT_EQ(a.system.bodies.spin_rate, b.system.bodies.spin_rate) << threads;
}

void expect_same_motion(const Bed& a, const Bed& b, int threads) {
    EXPECT_TRUE(same_bits(a.work.record, b.work.record)) << threads;
    for (std::size_t s = 0; s < a.work.places(); ++s) {
        EXPECT_EQ(a.work.motion[s].velocity, b.work.motion[s].velocity);
        EXPECT_EQ(a.work.motion[s].spin, b.work.motion[s].spin);
    }
}

TEST(PairContacts, AreTheSameForAnyNumberOfThreads) {
    for (const bool rolling : {false, true}) {
        const auto one = started(crowd(rolling), 1);
        cpu::contacts_and_stop(one->system, one->work, true, 1);
        ASSERT_GT(one->work.contacts.tiles(), 8U);
        EXPECT_GT(one->work.notes.large_overlaps, 1000);
        for (const int threads : {2, 3, 8}) {
            const auto other = started(crowd(rolling), threads);
            cpu::contacts_and_stop(other->system, other->work, true, threads);
            EXPECT_GT(other->work.slots.share_tile.size(), 2U) << "shared among threads";
            expect_same_stop(*one, *other, threads);
        }
    }
}

TEST(PairContacts, WhatSpringsHoldIsTheirExactSum) {
    const auto bed = started(crowd(false), 2);
    cpu::contacts_and_stop(bed->system, bed->work, true, 2);
    cpu::book_contacts(bed->system, bed->work);
    cpu::book_stored(bed->system, bed->work);
    base::ExactSum normal;
    base::ExactSum tangential;
    base::ExactSum ahead;
    for (const auto& [key, contact] : bed->listed()) {
        const auto number = [&, c = contact](std::size_t row) {
            return bed->work.looked.numbers[(c / 8 * cpu::LookedAt::rows + row) * 8 + c % 8];
        };
        normal += number(3);
        tangential += number(4);
        ahead += number(5);
    }
    EXPECT_GT(normal.value(), 0);
    EXPECT_EQ(bed->system.ledger.stored.normal, normal.value());
    EXPECT_EQ(bed->system.ledger.stored.tangential, tangential.value());
    EXPECT_GT(ahead.value(), 0);
    for (std::size_t m = 0; m < model::mechanism_count; ++m) {
        const double power = bed->work.sums.value(m, bed->work.scales[m]);
        const bool damps = m == static_cast<std::size_t>(model::Mechanism::normal_damping);
        EXPECT_EQ(bed->system.ledger.power[m], damps ? power - ahead.value() : power);
        EXPECT_EQ(bed->system.ledger.dissipated[m], bed->system.clock.step * power);
        EXPECT_EQ(bed->system.ledger.peak[m], bed->work.sums.peak[m]);
    }
}

/// As if every body were held: all slots last to the end of the sweep.
void keep_all_slots(Bed& bed, int threads) {
    bed.work.held.resize(bed.work.places());
    std::iota(bed.work.held.begin(), bed.work.held.end(), 0U);
    cpu::assign_slots(bed.work, threads);
}

/// Adds a contact up in the order in which a body meets it.
struct Sum {
    Vec3d force, torque;

    void add(const cpu::Workspace& work, std::size_t contact, bool lower, bool rolling) {
        const std::size_t at = work.slots.of_block[contact / 8] * std::size_t{8} + contact % 8;
        const cpu::Slot& slot = work.slots.slot[at];
        EXPECT_EQ(slot.force, work.looked.force(contact));
        force = lower ? force + slot.force : force - slot.force;
        torque += work.slots.torques ? slot.couple : slot.couple * (lower ? slot.lever_i : slot.lever_j);
        if (rolling) {
            const auto& m = work.slots.moment[at];
            const Vec3d moment{m[0], m[1], m[2]};
            torque = lower ? torque + moment : torque - moment;
        }
    }
};

/// Of every body, from the list itself.
void expect_sums_in_order(Bed& bed, bool rolling) {
    // By body: its contacts in order of (partner, image).
    std::map<std::uint32_t, std::map<std::pair<std::uint32_t, int>, std::pair<std::size_t, bool>>> of_body;
    for (const auto& [key, contact] : bed.listed()) {
        const auto& [a, b, code] = key;
        of_body[a][{b, code}] = {contact, true};
        of_body[b][{a, code}] = {contact, false};
    }
    std::size_t most = 0;
    Vec3d total;
    for (const auto& [body, partners] : of_body) {
        most = std::max(most, partners.size());
        Sum expected;
        for (const auto& [partner, where] : partners) {
            expected.add(bed.work, where.first, where.second, rolling);
        }
        const std::uint32_t place = bed.work.place_of[body];
        const cpu::BodySum sum = cpu::sum_contacts(bed.system, bed.work, place);
        EXPECT_EQ(sum.force, expected.force) << body;
        EXPECT_EQ(sum.torque, expected.torque) << body;
        // And the sweep has moved the body by the same sum.
        const cpu::Record& record = bed.work.record[place];
        EXPECT_EQ(bed.system.bodies.acceleration[body],
                  expected.force * record.inverse_mass + bed.system.gravity * bed.work.motion[place].gravity);
        EXPECT_EQ(bed.system.bodies.spin_rate[body], expected.torque * record.inverse_inertia);
        total += expected.force;
    }
    EXPECT_GT(most, cpu::refs_per_body);
    EXPECT_LT(norm(total), 1e-6) << "action and reaction";
}

TEST(SumOfContacts, IsInOrderOfPartners) {
    for (const bool rolling : {false, true}) {
        for (const bool alike : {false, true}) {
            BedSpec spec = crowd(rolling);
            spec.count = 1200;
            spec.box = {1, 1, 1};
            spec.smallest = alike ? spec.largest : spec.smallest;
            const auto bed = started(spec, 1, !alike);
            keep_all_slots(*bed, 1);
            ASSERT_EQ(bed->work.slots.torques, alike);
            cpu::contacts_and_stop(bed->system, bed->work, true, 1);
            expect_sums_in_order(*bed, rolling);
        }
    }
}

TEST(SumOfContacts, DoesNotShowThatSlotsAreUsedAgain) {
    for (const bool rolling : {false, true}) {
        for (const int threads : {1, 3}) {
            const auto again = started(crowd(rolling), threads);
            const auto kept = started(crowd(rolling), threads);
            keep_all_slots(*kept, threads);
            ASSERT_LT(again->work.slots.slot.size(), kept->work.slots.slot.size());
            cpu::contacts_and_stop(again->system, again->work, true, threads);
            cpu::contacts_and_stop(kept->system, kept->work, true, threads);
            expect_same_stop(*again, *kept, threads);
            for (const std::uint32_t s : again->work.held) {
                const cpu::BodySum sum = cpu::sum_contacts(again->system, again->work, s);
                const cpu::BodySum expected = cpu::sum_contacts(kept->system, kept->work, s);
                EXPECT_EQ(sum.force, expected.force);
                EXPECT_EQ(sum.torque, expected.torque);
            }
        }
    }
}

TEST(Sweep, MovesBodiesAsContactsSumsAndDriftDoOneAfterTheOther) {
    for (const bool rolling : {false, true}) {
        // Contacts, the second half kick, then the first one of the next step and the drift.
        const auto slow = started(crowd(rolling), 1);
        cpu::contacts_and_stop(slow->system, slow->work, true, 1);
        const cpu::Drift expected = cpu::take_and_drift(slow->system, slow->work, 1);
        for (const int threads : {1, 2, 3, 8}) {
            const auto swept = started(crowd(rolling), threads);
            const cpu::Drift drift = cpu::contacts_and_drift(swept->system, swept->work, threads);
            expect_same_contacts(*slow, *swept, threads);
            expect_same_motion(*slow, *swept, threads);
            EXPECT_EQ(drift.spent, expected.spent);
            EXPECT_EQ(drift.outside, expected.outside);
            EXPECT_EQ(drift.lost_body, expected.lost_body);
            EXPECT_EQ(drift.wrapped.size(), expected.wrapped.size());
            EXPECT_EQ(drift.periods.size(), expected.wrapped.size());
        }
    }
}

TEST(Sweep, GivesTheSameBitsWhetherOrNotSpheresAreKnownToBeAlike) {
    for (const bool rolling : {false, true}) {
        BedSpec spec = crowd(rolling);
        spec.smallest = spec.largest = 0.08;
        spec.count = 1500;
        spec.box = {1.3, 1.3, 1.3};
        const auto alike = started(spec, 2, false);
        const auto couples = started(spec, 2, false);
        const auto general = started(spec, 2, false);
        const auto step = [&](Bed& bed, bool known, bool torques) {
            for (cpu::ContactClass& c : bed.work.contacts.classes) {
                EXPECT_TRUE(c.alike);
                c.alike = known;
            }
            EXPECT_TRUE(bed.work.slots.torques);
            bed.work.slots.torques = torques;
            bed.work.sums.clear();
            bed.work.notes = {};
            cpu::contacts_and_drift(bed.system, bed.work, 2);
            bed.prune(margin, Bed::Source::listed, 2);
        };
        for (int k = 0; k < 20; ++k) {
            step(*alike, true, true);
            step(*couples, true, false);
            step(*general, false, false);
            for (const Bed* other : {couples.get(), general.get()}) {
                expect_same_contacts(*alike, *other, 2);
                expect_same_motion(*alike, *other, 2);
            }
        }
        EXPECT_GT(alike->work.sums.peak[0], 0);
    }
}

TEST(Sweep, MovesBodiesOnceEachWhereNothingTouches) {
    Bed bed({.count = 700, .box = {100, 100, 100}, .smallest = 0.01, .largest = 0.01});
    for (auto& scale : bed.work.scales) {
        scale = cpu::LedgerScale::for_peak(1.0);
    }
    bed.start(skin, margin, 2);
    ASSERT_TRUE(bed.listed().empty());
    cpu::contacts_and_drift(bed.system, bed.work, 2);
    for (std::size_t i = 0; i < bed.system.bodies.size(); ++i) {
        const Vec3d expected = bed.system.bodies.position[i] + bed.system.bodies.velocity[i] * bed.system.clock.step;
        EXPECT_EQ(bed.work.record[bed.work.place_of[i]].position, expected);
    }
}

}  // namespace
}  // namespace talus::tests
