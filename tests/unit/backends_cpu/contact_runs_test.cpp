// How contacts are put together: by what they did before, and by whether their spheres are alike.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "unit/backends_cpu/list_checks.h"

namespace talus::tests {
namespace {

using Source = Bed::Source;
using Kinds = std::map<PairKey, cpu::ContactKind>;

constexpr BedSpec some_bed() {
    return {.count = 1300, .box = {1.4, 1.4, 1.4}, .periodic = {true, false, true}, .materials = 3, .seed = 12};
}

/// Makes contacts of all kinds; some that do not touch have slid once, which no longer counts.
Kinds make_kinds(Bed& bed) {
    Kinds out;
    for (const auto& [key, contact] : bed.listed()) {
        const bool touches = bed.random().uniform() < 0.6;
        const bool slides = bed.random().uniform() < 0.4;
        bed.set_history(contact, {0, 0, 0, touches ? 0.01 : 0.0});
        std::uint8_t& bits = bed.work.contacts.slides[contact / 8];
        bits = static_cast<std::uint8_t>(slides ? bits | (1U << (contact % 8)) : bits & ~(1U << (contact % 8)));
        out[key] =
            !touches ? cpu::ContactKind::apart : (slides ? cpu::ContactKind::sliding : cpu::ContactKind::sticking);
    }
    return out;
}

/// Whether two spheres will touch within the steps for which a list looks ahead.
bool touches_soon(const Bed& bed, const PairKey& key) {
    const auto record = [&](std::uint32_t body) { return bed.work.record[bed.work.place_of[body]]; };
    const Vec3d closing = record(std::get<0>(key)).velocity - record(std::get<1>(key)).velocity;
    const double speed = dot(closing, normalized(bed.separation(key)));
    return bed.gap(key) < 32 * bed.system.clock.step * speed;
}

cpu::ContactKind across_a_border(cpu::ContactKind kind) {
    return kind == cpu::ContactKind::sliding    ? cpu::ContactKind::sliding_across
           : kind == cpu::ContactKind::sticking ? cpu::ContactKind::sticking_across
                                                : cpu::ContactKind::apart_across;
}

/// The runs of every tile are in order of class, the contacts of a run in order of kind, and it is known from which
/// block on all are apart. `kinds` may lack pairs, which were not listed. Returns how many contacts there are of each
/// kind.
std::array<std::size_t, cpu::contact_kinds> expect_by_kind(const Bed& bed, const Kinds& kinds) {
    std::array<std::size_t, cpu::contact_kinds> count{};
    const cpu::Contacts& contacts = bed.work.contacts;
    for (std::size_t tile = 0; tile < contacts.tiles(); ++tile) {
        for (std::size_t r = contacts.run_row[tile]; r < contacts.run_row[tile + 1]; ++r) {
            const cpu::ContactRun& run = contacts.runs[r];
            if (r > contacts.run_row[tile]) {
                EXPECT_LT(contacts.runs[r - 1].of_class, run.of_class) << "a class twice in a tile, or out of order";
            }
            auto last = cpu::ContactKind::sliding;
            std::size_t apart = run.begin;
            for (std::size_t c = run.begin * std::size_t{8}; c < run.end * std::size_t{8}; ++c) {
                const std::uint32_t i = contacts.ends[c / 8].i[c % 8];
                if (i >= bed.work.places()) {
                    continue;
                }
                const std::uint32_t j = contacts.ends[c / 8].j[c % 8];
                const PairKey key{bed.work.body_at[i], bed.work.body_at[j], contacts.image[c / 8][c % 8]};
                const auto known = kinds.find(key);
                auto kind = known == kinds.end() ? cpu::ContactKind::apart : known->second;
                if (kind == cpu::ContactKind::apart && touches_soon(bed, key)) {
                    kind = cpu::ContactKind::sticking;
                }
                if (contacts.image[c / 8][c % 8] != search::no_image) {
                    kind = across_a_border(kind);
                }
                EXPECT_LE(last, kind) << "kinds out of order";
                last = kind;
                ++count[static_cast<std::size_t>(kind)];
                if (kind < cpu::ContactKind::apart) {
                    apart = c / 8 + 1;
                }
            }
            EXPECT_EQ(run.apart, apart);
        }
    }
    return count;
}

TEST(ContactRuns, PutContactsTogetherThatDidTheSame) {
    for (const int threads : {1, 3}) {
        Bed bed(some_bed());
        bed.start(0.05, 0.01, threads);
        ASSERT_GT(bed.work.contacts.tiles(), 2U);
        for (const bool sorted : {false, true, false}) {
            const Kinds kinds = make_kinds(bed);
            if (sorted) {
                for (std::size_t s = 0; s < bed.work.places(); ++s) {
                    bed.work.record[s].position += bed.vector(0.01);
                }
                bed.rebuild(0.05, 0.02, Source::listed, threads);
            } else {
                bed.prune(0.02, Source::listed, threads);
            }
            const auto count = expect_by_kind(bed, kinds);
            for (const std::size_t of_kind : count) {
                EXPECT_GT(of_kind, 20U);
            }
            expect_runs(bed);
        }
    }
}

TEST(ContactRuns, MakeNoDifferenceBetweenContactsOfTheModel) {
    Bed bed(some_bed());
    bed.start(0.05, 0.02, 2);
    for (std::size_t tile = 0; tile < bed.work.contacts.tiles(); ++tile) {
        for (std::size_t r = bed.work.contacts.run_row[tile] + 1; r < bed.work.contacts.run_row[tile + 1]; ++r) {
            EXPECT_LT(bed.work.contacts.runs[r - 1].of_class, bed.work.contacts.runs[r].of_class);
            EXPECT_EQ(bed.work.contacts.runs[r].apart, bed.work.contacts.runs[r].end);
        }
    }
}

/// Radius, inverse mass and inverse inertia: how a contact sees a body.
using Nature = std::array<double, 3>;

std::set<Nature> natures(const model::Bodies& bodies, std::int32_t material) {
    std::set<Nature> out;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.material[i] == material) {
            out.insert({bodies.radius[i], bodies.is_held(i) ? 0.0 : 1 / bodies.mass[i],
                        bodies.is_turning_held(i) ? 0.0 : 1 / bodies.inertia[i]});
        }
    }
    return out;
}

/// Compares what the list found with all bodies of both materials; returns how many classes are alike.
std::size_t expect_alike(Bed& bed, const std::string& what) {
    bed.start(0.03, 0.02, 2);
    std::size_t alike = 0;
    for (const cpu::ContactClass& c : bed.work.contacts.classes) {
        const auto a = natures(bed.system.bodies, c.material_a);
        const auto b = natures(bed.system.bodies, c.material_b);
        const bool expected = a.size() == 1 && b.size() == 1 && (*a.begin())[0] == (*b.begin())[0] &&
                              (*a.begin())[1] + (*b.begin())[1] > 0;
        EXPECT_EQ(c.alike, expected) << what << ": " << c.material_a << " and " << c.material_b;
        if (c.alike && expected) {
            EXPECT_EQ(c.pairs.sum_of_radii, (*a.begin())[0] + (*b.begin())[0]) << what;
            EXPECT_EQ(c.pairs.inverse_mass, (*a.begin())[1] + (*b.begin())[1]) << what;
            EXPECT_EQ(c.pairs.inverse_inertia, (*a.begin())[2] + (*b.begin())[2]) << what;
        }
        alike += c.alike ? 1U : 0U;
    }
    bool all = true;  // of the classes that have contacts
    for (const cpu::ContactRun& run : bed.work.contacts.runs) {
        all &= bed.work.contacts.classes[run.of_class].alike;
    }
    EXPECT_EQ(bed.work.slots.torques, all) << what;
    return alike;
}

TEST(ContactClasses, AreAlikeExactlyIfRadiiMassesAndInertiasAgree) {
    using Change = void (*)(model::Bodies&, std::size_t);
    struct Row {
        const char* what;
        Change change;
        std::size_t alike_by_one, alike_by_all;  // classes left if one body of material 1 changes, or all of them
    };
    // Three materials, of which the first and the last do not meet: five classes, three of them with material 1.
    const Row rows[] = {
        {"nothing", [](model::Bodies&, std::size_t) {}, 5, 5},
        {"radius", [](model::Bodies& b, std::size_t i) { b.radius[i] *= 1.001; }, 2, 3},
        {"mass", [](model::Bodies& b, std::size_t i) { b.mass[i] *= 2; }, 2, 5},
        {"inertia", [](model::Bodies& b, std::size_t i) { b.inertia[i] *= 2; }, 2, 5},
        {"rotation held", [](model::Bodies& b, std::size_t i) { b.flags[i] = model::rotation_held; }, 2, 5},
        {"held", [](model::Bodies& b, std::size_t i) { b.flags[i] = model::position_held; }, 2, 4},
    };
    BedSpec spec = some_bed();
    spec.smallest = spec.largest = 0.05;
    for (const Row& row : rows) {
        Bed one(spec);
        Bed all(spec);
        bool changed = false;
        for (std::size_t i = 0; i < one.system.bodies.size(); ++i) {
            if (one.system.bodies.material[i] == 1) {
                row.change(all.system.bodies, i);
                if (!changed) {
                    row.change(one.system.bodies, i);
                }
                changed = true;
            }
        }
        EXPECT_EQ(expect_alike(one, row.what), row.alike_by_one) << row.what;
        EXPECT_EQ(expect_alike(all, row.what), row.alike_by_all) << row.what;
    }
}

TEST(ContactClasses, OfAMaterialWithoutBodiesOrOfMixedSizesAreNotAlike) {
    BedSpec spec = some_bed();
    Bed mixed(spec);
    EXPECT_EQ(expect_alike(mixed, "mixed"), 0U);
    spec.smallest = spec.largest;
    Bed missing(spec);
    std::fill(missing.system.bodies.material.begin(), missing.system.bodies.material.end(), 0);
    EXPECT_EQ(expect_alike(missing, "missing"), 1U);
}

TEST(ContactClasses, DoNotCountBodiesThatHaveLeft) {
    BedSpec spec = some_bed();
    spec.smallest = spec.largest = 0.05;
    spec.materials = 1;
    Bed bed(spec);
    constexpr std::uint32_t odd_one = 77;
    bed.system.bodies.radius[odd_one] *= 1.1;
    bed.start(0.03, 0.02, 1);
    ASSERT_FALSE(bed.work.contacts.classes[0].alike);
    std::vector<char> keep(bed.system.bodies.size(), 1);
    keep[odd_one] = 0;
    cpu::bury(bed.system, bed.work, bed.work.place_of[odd_one]);
    bed.system.bodies.compact(keep);
    cpu::renumber(bed.work, keep);
    bed.prune(0.02, Source::listed, 1);
    EXPECT_TRUE(bed.work.contacts.classes[0].alike);
}

}  // namespace
}  // namespace talus::tests
