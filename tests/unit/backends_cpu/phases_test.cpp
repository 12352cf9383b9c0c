// The phases put together: contacts of all laws shared among threads, each body's sum in order of its partners, and the
// sweep that moves bodies on as soon as their contacts are known.
#include "talus/backends/cpu/phases.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>

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

std::unique_ptr<Bed> started(const BedSpec& spec, int threads) {
    auto bed = std::make_unique<Bed>(spec);
    bed->system.gravity = {0.5, 1, -9.81};
    for (auto& scale : bed->work.scales) {
        scale = cpu::LedgerScale::for_peak(1.0);
    }
    bed->system.bodies.flags[5] = model::position_held;
    bed->system.bodies.flags[6] = model::rotation_held;
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
    EXPECT_TRUE(same_bits(a.work.contacts.slot, b.work.contacts.slot)) << threads;
    for (std::size_t q = 0; q < cpu::ledger_sums; ++q) {
        EXPECT_EQ(a.work.sums.value(q, a.work.scales[q]), b.work.sums.value(q, b.work.scales[q])) << threads;
        EXPECT_EQ(a.work.sums.peak[q], b.work.sums.peak[q]) << threads;
    }
    EXPECT_EQ(a.work.notes.large_overlaps, b.work.notes.large_overlaps);
    EXPECT_EQ(a.work.notes.largest_overlap, b.work.notes.largest_overlap);
    EXPECT_EQ(a.work.notes.largest_overlap_body, b.work.notes.largest_overlap_body);
}

TEST(PairContacts, AreTheSameForAnyNumberOfThreads) {
    for (const bool rolling : {false, true}) {
        const auto one = started(crowd(rolling), 1);
        cpu::pair_contacts(one->system, one->work, 1);
        ASSERT_GT(one->work.contacts.tiles(), 12U);
        EXPECT_GT(one->work.notes.large_overlaps, 1000);
        for (const int threads : {2, 3, 8}) {
            const auto other = started(crowd(rolling), threads);
            cpu::pair_contacts(other->system, other->work, threads);
            expect_same_contacts(*one, *other, threads);
        }
    }
}

TEST(PairContacts, WhatSpringsHoldIsTheirExactSum) {
    const auto bed = started(crowd(false), 2);
    cpu::pair_contacts(bed->system, bed->work, 2);
    cpu::book_contacts(bed->system, bed->work);
    cpu::book_stored(bed->system, bed->work);
    base::ExactSum normal;
    base::ExactSum tangential;
    for (std::size_t b = 1; b < bed->work.contacts.blocks; ++b) {
        for (std::size_t lane = 0; lane < 8; ++lane) {
            normal += bed->work.pair_stored[b * 16 + lane];
            tangential += bed->work.pair_stored[b * 16 + 8 + lane];
        }
    }
    EXPECT_GT(normal.value(), 0);
    EXPECT_EQ(bed->system.ledger.stored.normal, normal.value());
    EXPECT_EQ(bed->system.ledger.stored.tangential, tangential.value());
    for (std::size_t m = 0; m < model::mechanism_count; ++m) {
        EXPECT_EQ(bed->system.ledger.power[m], bed->work.sums.value(m, bed->work.scales[m]));
        EXPECT_EQ(bed->system.ledger.dissipated[m], bed->system.clock.step * bed->system.ledger.power[m]);
        EXPECT_EQ(bed->system.ledger.peak[m], bed->work.sums.peak[m]);
    }
}

TEST(SumOfContacts, IsInOrderOfPartners) {
    for (const bool rolling : {false, true}) {
        BedSpec spec = crowd(rolling);
        spec.count = 1200;
        spec.box = {1, 1, 1};
        const auto bed = started(spec, 1);
        cpu::pair_contacts(bed->system, bed->work, 1);
        const cpu::Contacts& contacts = bed->work.contacts;
        // By body: its contacts in order of (partner, image), from the list itself.
        std::map<std::uint32_t, std::map<std::pair<std::uint32_t, int>, std::pair<std::size_t, bool>>> of_body;
        for (const auto& [key, contact] : bed->listed()) {
            const auto& [a, b, code] = key;
            of_body[a][{b, code}] = {contact, true};
            of_body[b][{a, code}] = {contact, false};
        }
        std::size_t most = 0;
        Vec3d total;
        for (const auto& [body, partners] : of_body) {
            most = std::max(most, partners.size());
            Vec3d force;
            Vec3d torque;
            for (const auto& [partner, where] : partners) {
                const cpu::Slot& slot = contacts.slot[where.first];
                force = where.second ? force + slot.force : force - slot.force;
                torque += slot.couple * (where.second ? slot.lever_i : slot.lever_j);
                if (rolling) {
                    const auto& m = contacts.moment[where.first];
                    const Vec3d moment{m[0], m[1], m[2]};
                    torque = where.second ? torque + moment : torque - moment;
                }
            }
            const cpu::BodySum sum = cpu::sum_contacts(bed->system, bed->work, bed->work.place_of[body]);
            EXPECT_EQ(sum.force, force) << body;
            EXPECT_EQ(sum.torque, torque) << body;
            total += force;
        }
        EXPECT_GT(most, cpu::refs_per_body);
        EXPECT_LT(norm(total), 1e-6) << "action and reaction";
    }
}

TEST(Sweep, MovesBodiesAsContactsSumsAndDriftDoOneAfterTheOther) {
    for (const bool rolling : {false, true}) {
        // Contacts, the second half kick, then the first one of the next step and the drift.
        const auto slow = started(crowd(rolling), 1);
        cpu::pair_contacts(slow->system, slow->work, 1);
        cpu::gather_and_stop(slow->system, slow->work, true, 1);
        const cpu::Drift expected = cpu::take_and_drift(slow->system, slow->work, 1);
        for (const int threads : {1, 2, 3, 8}) {
            const auto swept = started(crowd(rolling), threads);
            const cpu::Drift drift = cpu::contacts_and_drift(swept->system, swept->work, threads);
            expect_same_contacts(*slow, *swept, threads);
            EXPECT_TRUE(same_bits(swept->work.record, slow->work.record)) << threads;
            for (std::size_t s = 0; s < slow->work.places(); ++s) {
                EXPECT_EQ(swept->work.motion[s].velocity, slow->work.motion[s].velocity);
                EXPECT_EQ(swept->work.motion[s].spin, slow->work.motion[s].spin);
                EXPECT_EQ(swept->work.budget[s], slow->work.budget[s]);
            }
            EXPECT_EQ(drift.spent, expected.spent);
            EXPECT_EQ(drift.outside, expected.outside);
            EXPECT_EQ(drift.lost_body, expected.lost_body);
            EXPECT_EQ(drift.wrapped.size(), expected.wrapped.size());
            EXPECT_EQ(drift.periods.size(), expected.wrapped.size());
        }
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
