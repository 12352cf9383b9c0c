// The list of contacts: exactly the pairs within their margins, in blocks by law, in each body's order of partners,
// with histories that survive pruning, sorting and borders.
#include "talus/backends/cpu/contact_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "unit/backends_cpu/list_checks.h"

namespace talus::tests {
namespace {

using Source = Bed::Source;

/// Looks at every pair of bodies and every image.
std::set<PairKey> by_brute_force(const Bed& bed) {
    std::set<PairKey> out;
    const auto n = static_cast<std::uint32_t>(bed.system.bodies.size());
    const auto margin = [&](std::uint32_t i) { return static_cast<double>(bed.work.margin[bed.work.place_of[i]]); };
    for (std::uint32_t a = 0; a < n; ++a) {
        for (std::uint32_t b = a + 1; b < n; ++b) {
            if (bed.system.materials.between(bed.system.bodies.material[a], bed.system.bodies.material[b]).law < 0) {
                continue;
            }
            for (int code = 0; code < 27; ++code) {
                const model::Image image = search::image_of(static_cast<std::uint8_t>(code));
                const auto& periodic = bed.system.domain.periodic;
                const bool real =
                    (image.x == 0 || periodic[0]) && (image.y == 0 || periodic[1]) && (image.z == 0 || periodic[2]);
                if (real && bed.gap({a, b, code}) < margin(a) + margin(b)) {
                    out.insert({a, b, code});
                }
            }
        }
    }
    return out;
}

std::set<PairKey> keys_of(const std::map<PairKey, std::size_t>& listed) {
    std::set<PairKey> out;
    for (const auto& [key, contact] : listed) {
        out.insert(key);
    }
    return out;
}

Histories histories_of(const model::PairList& pairs) {
    Histories out;
    PairKey last{0, 0, -1};
    for (std::uint32_t i = 0; i + 1 < pairs.row.size(); ++i) {
        for (std::size_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            const PairKey key{i, pairs.partner[p], search::image_code(pairs.image[p])};
            EXPECT_LT(last, key) << "rows out of order";
            last = key;
            const auto begin = pairs.history.begin() + static_cast<std::ptrdiff_t>(p * pairs.history_size);
            out[key] = {begin, begin + static_cast<std::ptrdiff_t>(pairs.history_size)};
        }
    }
    return out;
}

std::array<bool, 3> axes_of(int bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

/// Everything drifts; whoever leaves the box comes back in on the other side. Returns how many did.
int drift_all(Bed& bed, const Vec3d& way) {
    const model::Domain& domain = bed.system.domain;
    int crossings = 0;
    for (std::size_t s = 0; s < bed.work.places(); ++s) {
        Vec3d& x = bed.work.record[s].position;
        x += way;
        std::array<signed char, 3> moved{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            if (domain.periodic[a] && x[axis] >= domain.high[axis]) {
                x[axis] -= domain.size()[axis];
                moved[a] = -1;
            } else if (domain.periodic[a] && x[axis] < domain.low[axis]) {
                x[axis] += domain.size()[axis];
                moved[a] = 1;
            }
        }
        const model::Image periods{moved[0], moved[1], moved[2]};
        if (!(periods == model::Image{})) {
            cpu::shift_images(bed.work, static_cast<std::uint32_t>(s), periods);
            ++crossings;
        }
    }
    return crossings;
}

TEST(ContactLists, HoldExactlyThePairsWithinTheirMargins) {
    std::size_t pairs = 0;
    std::size_t through_border = 0;
    for (const int bits : {0, 1, 6, 7}) {
        for (const std::int32_t materials : {1, 2, 4}) {
            Bed bed({.periodic = axes_of(bits), .materials = materials, .seed = static_cast<std::uint64_t>(bits)});
            for (const double margin : {0.0, 0.01, 0.02}) {
                bed.start(0.03, margin, 2);
                const auto listed = keys_of(bed.listed());
                EXPECT_EQ(listed, by_brute_force(bed)) << bits << " " << materials << " " << margin;
                expect_consistent(bed);
                pairs += listed.size();
                through_border += static_cast<std::size_t>(std::count_if(
                    listed.begin(), listed.end(), [](const PairKey& key) { return std::get<2>(key) != 13; }));
            }
        }
    }
    EXPECT_GT(pairs, 5000U);
    EXPECT_GT(through_border, 400U);
}

TEST(ContactLists, TakeNoBodiesAndOne) {
    for (const std::size_t count : {0U, 1U}) {
        Bed bed({.count = count, .periodic = {true, true, true}});
        bed.start(0.03, 0.01, 2);
        EXPECT_TRUE(bed.listed().empty());
        EXPECT_EQ(bed.work.contacts.blocks, 1U);
        expect_consistent(bed);
        cpu::export_pairs(bed.system, bed.work);
        EXPECT_EQ(bed.system.pairs.row.size(), count + 1);
    }
}

TEST(ContactLists, AreTheSameForAnyNumberOfThreads) {
    const BedSpec spec{.count = 3500,
                       .box = {2, 2, 2},
                       .periodic = {true, false, true},
                       .smallest = 0.02,
                       .largest = 0.09,
                       .materials = 3};
    Bed one(spec);
    one.start(0.02, 0.01, 1);
    expect_consistent(one);
    EXPECT_FALSE(one.work.contacts.more.empty()) << "bodies with more than eight contacts are wanted";
    const Histories names = touch(one);
    cpu::export_pairs(one.system, one.work);
    for (const int threads : {2, 3, 8}) {
        Bed other(spec);
        other.system.pairs = one.system.pairs;
        other.start(0.02, 0.01, threads);
        const cpu::Contacts& a = one.work.contacts;
        const cpu::Contacts& b = other.work.contacts;
        EXPECT_EQ(other.listed(), one.listed()) << threads;
        EXPECT_TRUE(std::equal(a.refs.begin(), a.refs.end(), b.refs.begin(), b.refs.end())) << threads;
        EXPECT_EQ(b.more_row, a.more_row);
        EXPECT_EQ(b.more, a.more);
        EXPECT_EQ(b.crosses, a.crosses);
        EXPECT_EQ(histories_of(other), names);
    }
}

TEST(ContactLists, PruningCarriesTheHistoriesOfTheListBefore) {
    for (const int bits : {0, 7}) {
        Bed bed({.periodic = axes_of(bits), .materials = 3, .seed = 3});
        bed.start(0.06, 0.01, 1);
        const Histories before = touch(bed);
        ASSERT_GT(before.size(), 50U);
        for (const double margin : {0.03, 0.005, 0.02}) {
            // A little motion, so that other pairs come near.
            for (std::size_t s = 0; s < bed.work.places(); ++s) {
                bed.work.record[s].position += bed.vector(0.001);
            }
            bed.prune(margin, Source::listed, 2);
            EXPECT_EQ(keys_of(bed.listed()), by_brute_force(bed)) << margin;
            EXPECT_EQ(histories_of(bed), before) << margin;
            expect_consistent(bed);
        }
    }
}

TEST(ContactLists, RebuildingFromTheModelCarriesHistoriesWhereverBodiesAreSorted) {
    for (const int bits : {0, 5}) {
        Bed bed({.periodic = axes_of(bits), .materials = 2, .seed = 4});
        bed.start(0.03, 0.02, 1);
        const Histories before = touch(bed);
        ASSERT_GT(before.size(), 100U);
        const std::vector<std::uint32_t> places = bed.work.place_of;
        for (int round = 0; round < 3; ++round) {
            cpu::export_pairs(bed.system, bed.work);
            EXPECT_EQ(histories_of(bed.system.pairs), before);
            // Bodies that turn by a right angle about z get quite another order, and their contacts turn with them.
            for (std::size_t s = 0; s < bed.work.places() && bits == 0; ++s) {
                Vec3d& x = bed.work.record[s].position;
                x = {-x.y, x.x, x.z};
            }
            bed.rebuild(0.03, 0.02, Source::model, 2);
            EXPECT_EQ(histories_of(bed), before);
            expect_consistent(bed);
            EXPECT_EQ(bed.work.place_of == places, bits != 0);
        }
    }
}

TEST(ContactLists, SortingBodiesCarriesEveryHistoryWithoutTheModel) {
    for (const int bits : {0, 7}) {
        Bed bed({.count = 1500,
                 .box = {1.5, 1.5, 1.5},
                 .periodic = axes_of(bits),
                 .smallest = 0.02,
                 .largest = 0.09,
                 .materials = 3,
                 .seed = 6});
        bed.start(0.03, 0.02, 1);
        ASSERT_FALSE(bed.work.contacts.more.empty()) << "bodies with more than eight contacts are wanted";
        Histories expected = touch(bed);
        ASSERT_GT(expected.size(), 1000U);
        for (const int threads : {1, 2, 3}) {
            bed.system.pairs = {};
            bed.system.pairs.history_size = 4;
            const std::vector<std::uint32_t> places = bed.work.place_of;
            if (bits == 0) {  // a right angle about z
                for (std::size_t s = 0; s < bed.work.places(); ++s) {
                    Vec3d& x = bed.work.record[s].position;
                    x = {-x.y, x.x, x.z};
                }
            } else {
                EXPECT_GT(drift_all(bed, {0.37, -0.53, 0.61}), 500);
                expected = histories_of(bed);  // the same under other images
            }
            bed.rebuild(0.03, 0.02, Source::listed, threads);
            EXPECT_NE(bed.work.place_of, places) << "nobody has changed his place";
            EXPECT_EQ(keys_of(bed.listed()), by_brute_force(bed));
            EXPECT_EQ(histories_of(bed), expected) << bits << " " << threads;
            expect_consistent(bed);
        }
    }
}

TEST(ContactLists, ABodyMayHaveManyContacts) {
    // A large ball with small ones all over it: its row of eight overflows.
    Bed bed({.count = 0});
    model::Bodies& bodies = bed.system.bodies;
    base::Random random(8, 0);
    constexpr std::int64_t around = 150;
    for (std::int64_t id = 0; id < around; ++id) {
        if (id == around / 2) {
            bodies.add_sphere(id, {}, 0.5, 1000, 0);
            continue;
        }
        const Vec3d direction = normalized(bed.vector(1));
        bodies.add_sphere(id, direction * random.uniform(0.5, 0.53), 0.02, 1000, 0);
    }
    for (const int threads : {1, 3}) {
        bed.start(0.1, 0.05, threads);
        expect_consistent(bed);
        EXPECT_EQ(keys_of(bed.listed()), by_brute_force(bed));
        std::vector<std::uint32_t> partners;
        const cpu::Contacts& contacts = bed.work.contacts;
        cpu::for_contacts(contacts, bed.work.place_of[around / 2], [&](std::uint32_t c, std::uint32_t side) {
            const cpu::Ends& ends = contacts.ends[c / 8];
            partners.push_back(bed.work.body_at[side == 0 ? ends.j[c % 8] : ends.i[c % 8]]);
        });
        ASSERT_EQ(partners.size(), static_cast<std::size_t>(around - 1));
        EXPECT_TRUE(std::is_sorted(partners.begin(), partners.end()));
    }
    const Histories before = touch(bed);
    bed.prune(0.02, Source::listed, 1);
    EXPECT_EQ(histories_of(bed), before) << "also of those beyond the eighth";
    cpu::export_pairs(bed.system, bed.work);
    EXPECT_EQ(histories_of(bed.system.pairs), before);
}

TEST(ContactLists, ImagesFollowBodiesThatCrossABorder) {
    Bed bed({.periodic = {true, true, true}, .materials = 2, .seed = 9});
    bed.start(0.04, 0.02, 1);
    touch(bed);
    std::map<std::size_t, Vec3d> separations;
    for (const auto& [key, contact] : bed.listed()) {
        separations[contact] = bed.separation(key);
    }
    int crossings = 0;
    for (const Vec3d& way : {Vec3d{0.21, -0.17, 0.4}, Vec3d{-0.3, 0.3, 0.3}, Vec3d{0.45, 0, 0}}) {
        crossings += drift_all(bed, way);
        const auto listed = bed.listed();
        ASSERT_EQ(listed.size(), separations.size());
        for (const auto& [key, contact] : listed) {
            EXPECT_LT(norm(bed.separation(key) - separations[contact]), 1e-14);
        }
        expect_consistent(bed);
        // So the near list still holds the pairs that brute force finds, under their images now.
        const Histories remembered = histories_of(bed);
        ASSERT_GT(remembered.size(), 100U);
        bed.prune(0.02, Source::listed, 1);
        EXPECT_EQ(keys_of(bed.listed()), by_brute_force(bed));
        EXPECT_EQ(histories_of(bed), remembered);
        separations.clear();
        for (const auto& [key, contact] : bed.listed()) {
            separations[contact] = bed.separation(key);
        }
        // And a new search from the model finds the same.
        cpu::export_pairs(bed.system, bed.work);
        EXPECT_EQ(histories_of(bed.system.pairs), remembered);
    }
    EXPECT_GT(crossings, 300);
    bed.rebuild(0.04, 0.02, Source::model, 2);
    EXPECT_EQ(histories_of(bed), histories_of(bed.system.pairs));
}

TEST(ContactLists, ABuriedBodyHasNoContactsAndTheOthersKeepTheirs) {
    Bed bed({.periodic = {true, false, false}, .seed = 10});
    bed.start(0.04, 0.02, 1);
    Histories expected = touch(bed);
    const std::vector<std::uint32_t> gone = {0, 17, 40, 299};
    std::vector<char> keep(bed.system.bodies.size(), 1);
    for (const std::uint32_t body : gone) {
        keep[body] = 0;
        const std::uint32_t place = bed.work.place_of[body];
        cpu::for_contacts(bed.work.contacts, place, [&](std::uint32_t c, std::uint32_t) {
            bed.set_history(c, {0, 0, 0, 0});
            bed.work.contacts.ends[c / 8].i[c % 8] = static_cast<std::uint32_t>(bed.work.places());
            bed.work.contacts.ends[c / 8].j[c % 8] = static_cast<std::uint32_t>(bed.work.places() + 1);
        });
        cpu::bury(bed.system, bed.work, place);
    }
    bed.system.bodies.compact(keep);
    cpu::renumber(bed.work, keep);
    std::vector<std::uint32_t> fresh(keep.size());
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        fresh[i] = next;
        next += keep[i] ? 1U : 0U;
    }
    Histories left;
    for (const auto& [key, history] : expected) {
        const auto& [a, b, code] = key;
        if (keep[a] && keep[b]) {
            left[{fresh[a], fresh[b], code}] = history;
        }
    }
    ASSERT_LT(left.size(), expected.size());
    EXPECT_EQ(histories_of(bed), left);
    cpu::export_pairs(bed.system, bed.work);
    EXPECT_EQ(bed.system.pairs.row.size(), bed.system.bodies.size() + 1);
    EXPECT_EQ(histories_of(bed.system.pairs), left);
    bed.prune(0.02, Source::listed, 1);
    EXPECT_EQ(keys_of(bed.listed()), by_brute_force(bed));
    EXPECT_EQ(histories_of(bed), left);
    for (const Source source : {Source::listed, Source::model}) {
        bed.rebuild(0.04, 0.02, source, 1);
        EXPECT_EQ(bed.work.places(), bed.system.bodies.size());
        EXPECT_EQ(histories_of(bed), left);
        expect_consistent(bed);
    }
}

}  // namespace
}  // namespace talus::tests
