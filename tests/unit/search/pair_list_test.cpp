// What a list of pairs remembers: through rebuilds, removals and bodies that cross a periodic boundary.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "unit/search/random_bodies.h"

namespace talus::tests {
namespace {

constexpr std::size_t history_size = 4;

/// Marks every overlapping pair as touching, with a history that names it.
void fill_histories(model::System& system) {
    model::PairList& pairs = system.pairs;
    Vec3d period;
    for (int axis = 0; axis < 3; ++axis) {
        period[axis] = system.domain.periodic[static_cast<std::size_t>(axis)] ? system.domain.size()[axis] : 0.0;
    }
    for (std::uint32_t i = 0; i + 1 < pairs.row.size(); ++i) {
        for (std::uint32_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            const std::uint32_t j = pairs.partner[p];
            const Vec3d d =
                system.bodies.position[j] - system.bodies.position[i] +
                Vec3d{pairs.image[p].x * period.x, pairs.image[p].y * period.y, pairs.image[p].z * period.z};
            pairs.touching[p] = norm(d) < system.bodies.radius[i] + system.bodies.radius[j] ? 1 : 0;
            if (pairs.touching[p]) {
                pairs.history[p * history_size] = static_cast<double>(system.bodies.id[i]);
                pairs.history[p * history_size + 1] = static_cast<double>(system.bodies.id[j]);
                pairs.history[p * history_size + 2] = pairs.image[p].x + 10 * pairs.image[p].y + 100 * pairs.image[p].z;
                pairs.history[p * history_size + 3] = 0.5;
            }
        }
    }
}

/// Histories of touching pairs by (id, id, image).
std::map<std::tuple<std::int64_t, std::int64_t, int, int, int>, std::vector<double>> histories(
    const model::System& system) {
    std::map<std::tuple<std::int64_t, std::int64_t, int, int, int>, std::vector<double>> out;
    const model::PairList& pairs = system.pairs;
    for (std::uint32_t i = 0; i + 1 < pairs.row.size(); ++i) {
        for (std::uint32_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            if (pairs.touching[p]) {
                out[{system.bodies.id[i], system.bodies.id[pairs.partner[p]], pairs.image[p].x, pairs.image[p].y,
                     pairs.image[p].z}] = {pairs.history.begin() + static_cast<std::ptrdiff_t>(p * history_size),
                                           pairs.history.begin() + static_cast<std::ptrdiff_t>((p + 1) * history_size)};
            }
        }
    }
    return out;
}

/// Every body's pairs in order of partner: incoming ones ascending, then its own row ascending.
void expect_consistent(const model::PairList& pairs) {
    std::size_t incoming = 0;
    for (std::uint32_t j = 0; j + 1 < pairs.incoming_row.size(); ++j) {
        for (std::uint32_t k = pairs.incoming_row[j]; k < pairs.incoming_row[j + 1]; ++k) {
            EXPECT_EQ(pairs.partner[pairs.incoming_pair[k]], j);
            if (k > pairs.incoming_row[j]) {
                EXPECT_LT(pairs.incoming_pair[k - 1], pairs.incoming_pair[k]);
            }
            ++incoming;
        }
    }
    EXPECT_EQ(incoming, pairs.size());
    EXPECT_EQ(pairs.touching.size(), pairs.size());
    EXPECT_EQ(pairs.history.size(), pairs.size() * history_size);
    const auto listed = listed_pairs(pairs);
    EXPECT_TRUE(std::is_sorted(listed.begin(), listed.end()));
}

model::System with_histories(const std::array<bool, 3>& periodic, std::uint64_t seed) {
    model::System system = random_system(300, {1, 1, 1}, periodic, 0.02, 0.08, seed);
    system.pairs.history_size = history_size;
    search::rebuild_pairs(system, 0.02, 1);
    fill_histories(system);
    return system;
}

TEST(PairList, RebuildingCarriesTheHistoriesOfTouchingPairs) {
    for (const bool periodic : {false, true}) {
        model::System system = with_histories({periodic, false, periodic}, 4);
        const auto before = histories(system);
        ASSERT_GT(before.size(), 100U);
        for (const double skin : {0.0, 0.05, 0.001}) {
            search::rebuild_pairs(system, skin, 2);
            EXPECT_EQ(histories(system), before);
            expect_consistent(system.pairs);
            search::rebuild_pairs_by_brute_force(system, skin);
            EXPECT_EQ(histories(system), before);
        }
    }
}

TEST(PairList, ATouchingPairThatHasJustPartedStaysListedUntilItsEndIsBooked) {
    // The contact phase ends contacts, and books what their springs held; a list must not drop them before.
    model::System system = random_system(2, {1, 1, 1}, {false, false, false}, 0.1, 0.1, 1);
    system.pairs.history_size = history_size;
    system.bodies.position = {{0, 0, 0}, {0.19, 0, 0}};
    search::rebuild_pairs(system, 0.01, 1);
    fill_histories(system);
    ASSERT_EQ(histories(system).size(), 1U);
    system.bodies.position[1].x = 0.25;  // beyond the skin
    for (const bool brute : {false, true}) {
        model::System moved = system;
        if (brute) {
            search::rebuild_pairs_by_brute_force(moved, 0.01);
        } else {
            search::rebuild_pairs(moved, 0.01, 1);
        }
        EXPECT_EQ(histories(moved), histories(system));
        expect_consistent(moved.pairs);
    }
}

TEST(PairList, NewPairsAndPairsThatDoNotTouchStartWithoutHistory) {
    model::System system = with_histories({false, false, false}, 8);
    search::rebuild_pairs(system, 0.05, 1);
    for (std::size_t p = 0; p < system.pairs.size(); ++p) {
        if (!system.pairs.touching[p]) {
            for (std::size_t k = 0; k < history_size; ++k) {
                EXPECT_EQ(system.pairs.history[p * history_size + k], 0);
            }
        }
    }
}

TEST(PairList, CompactingDropsThePairsOfRemovedBodiesAlone) {
    model::System system = with_histories({true, true, false}, 15);
    base::Random random(99, 0);
    std::vector<char> keep(system.bodies.size());
    for (char& k : keep) {
        k = random.uniform() < 0.7 ? 1 : 0;
    }
    auto expected = histories(system);
    std::vector<char> kept_id(3 * keep.size(), 0);
    for (std::size_t i = 0; i < keep.size(); ++i) {
        kept_id[static_cast<std::size_t>(system.bodies.id[i])] = keep[i];
    }
    std::erase_if(expected, [&](const auto& entry) {
        return !kept_id[static_cast<std::size_t>(std::get<0>(entry.first))] ||
               !kept_id[static_cast<std::size_t>(std::get<1>(entry.first))];
    });
    const model::PairList old = system.pairs;
    const auto kept = search::compact_pairs(system.pairs, keep);
    system.bodies.compact(keep);
    EXPECT_EQ(histories(system), expected);
    EXPECT_LT(expected.size(), old.size());
    expect_consistent(system.pairs);
    ASSERT_EQ(kept.size(), system.pairs.size());
    for (std::size_t p = 0; p < kept.size(); ++p) {
        EXPECT_EQ(system.pairs.image[p], old.image[kept[p]]);
        EXPECT_EQ(system.pairs.touching[p], old.touching[kept[p]]);
    }
    // What is left is what a fresh search of the remaining bodies lists.
    model::System fresh = system;
    fresh.pairs = {};
    search::rebuild_pairs_by_brute_force(fresh, 0.02);
    EXPECT_EQ(listed_pairs(system.pairs), listed_pairs(fresh.pairs));
}

TEST(PairList, CompactingKeepsAllOrNothing) {
    model::System system = with_histories({false, false, false}, 2);
    const auto before = listed_pairs(system.pairs);
    search::compact_pairs(system.pairs, std::vector<char>(system.bodies.size(), 1));
    EXPECT_EQ(listed_pairs(system.pairs), before);
    search::compact_pairs(system.pairs, std::vector<char>(system.bodies.size(), 0));
    EXPECT_EQ(system.pairs.size(), 0U);
    EXPECT_EQ(system.pairs.row, std::vector<std::uint32_t>{0});
}

TEST(PairList, ImagesFollowBodiesThatCrossABoundary) {
    model::System system = with_histories({true, true, true}, 33);
    const Vec3d period = system.domain.size();
    const auto before = listed_pairs(system.pairs);
    const auto separation = [&](const Pair& pair) {
        const auto& [i, j, x, y, z] = pair;
        return system.bodies.position[j] + Vec3d{x * period.x, y * period.y, z * period.z} - system.bodies.position[i];
    };
    std::vector<Vec3d> old_separation;
    for (const Pair& pair : before) {
        old_separation.push_back(separation(pair));
    }
    // Everything drifts; whoever leaves the box comes back in on the other side.
    int crossings = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        system.bodies.position[i] += Vec3d{0.21, -0.17, 0.4};
        std::array<signed char, 3> moved{};
        for (int axis = 0; axis < 3; ++axis) {
            double& x = system.bodies.position[i][axis];
            if (x >= system.domain.high[axis]) {
                x -= period[axis];
                moved[static_cast<std::size_t>(axis)] = -1;
            } else if (x < system.domain.low[axis]) {
                x += period[axis];
                moved[static_cast<std::size_t>(axis)] = 1;
            }
        }
        const model::Image image{moved[0], moved[1], moved[2]};
        if (!(image == model::Image{})) {
            search::shift_images(system.pairs, i, image);
            ++crossings;
        }
    }
    EXPECT_GT(crossings, 100);
    const auto after = listed_pairs(system.pairs);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t p = 0; p < after.size(); ++p) {
        EXPECT_LT(norm(separation(after[p]) - old_separation[p]), 1e-14);
    }
    // So a rebuild finds the same pairs and hands their histories on.
    const auto remembered = histories(system);
    search::rebuild_pairs(system, 0.02, 1);
    EXPECT_EQ(listed_pairs(system.pairs), after);
    EXPECT_EQ(histories(system), remembered);
}

}  // namespace
}  // namespace talus::tests
