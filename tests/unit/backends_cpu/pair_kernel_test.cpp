// The contact loop gives the same bits one, four and eight pairs at a time, and what it gives is what the law answers.
#include "talus/backends/cpu/pair_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "laws/contact_samples.h"
#include "talus/search/balls.h"
#include "unit/backends_cpu/random_bed.h"

namespace talus::tests {
namespace {

constexpr double dt = 1e-5;
constexpr std::size_t history_size = laws::largest_history();

/// What is asked of the loop.
struct Case {
    std::size_t law = 0;
    bool equal = false, spinning = false, looking = true;

    std::string name() const {
        return std::string(law == 0 ? "hooke" : "hertz") + (equal ? " equal" : " unequal") +
               (spinning ? " spinning" : "") + (looking ? " looking" : "");
    }
};

std::vector<Case> all_cases() {
    std::vector<Case> out;
    for (std::size_t law = 0; law < laws::law_count; ++law) {
        for (unsigned k = 0; k < 8; ++k) {
            out.push_back({law, (k & 1U) != 0, (k & 2U) != 0, (k & 4U) != 0});
        }
    }
    return out;
}

/// Blocks of pairs in every state that a pair can be in, each with its own two spheres.
struct Blocks {
    cpu::Buffer<cpu::Record> record;
    cpu::Buffer<cpu::Ends> ends;
    cpu::Buffer<std::array<std::uint8_t, 8>> image;
    std::vector<std::uint8_t> crosses;
    cpu::Buffer<double> history;
    std::vector<std::uint32_t> body_at;
    std::array<std::array<double, 4>, 27> shift{};
    cpu::LedgerScales scales;
    laws::ParameterBlock params;

    std::size_t blocks() const { return ends.size(); }
};

laws::ParameterBlock parameters(const Case& c, double friction) {
    const double spin = c.spinning ? friction : 0.0;
    const laws::TangentialSpring::Params tangential{2e3, 0.1, 0.05, 0.3, 0.5};
    return c.law == 0 ? laws::ParameterBlock::from(laws::Hooke::Params{{7e3, 0.2, 0.01}, tangential, {spin}, {spin}})
                      : laws::ParameterBlock::from(laws::Hertz::Params{{1e7, 0.3, 0.01}, tangential, {spin}, {spin}});
}

/// `flat`: positions, velocities and spins have exact zeros, as in scenes with a symmetry. `coincident`: some pairs
/// have one centre.
Blocks random_blocks(const Case& c, std::size_t blocks, std::uint64_t seed, bool flat = false, bool coincident = true) {
    base::Random random(seed, c.law);
    Blocks out;
    model::Domain domain;
    domain.low = {0, 0, 0};
    domain.high = {1, 2, 3};
    domain.periodic = {true, true, false};
    for (std::uint8_t code = 0; code < 27; ++code) {
        const Vec3d s = search::image_shift(domain, code);
        out.shift[code] = {s.x, s.y, s.z, 0};
    }
    out.ends.resize(blocks);
    out.image.resize(blocks);
    out.crosses.assign(blocks, 0);
    out.history.resize(blocks * history_size * 8);
    std::fill(out.history.begin(), out.history.end(), 0.0);
    const auto vector = [&](double size) {
        const Vec3d v = random_vector(random, size);
        return flat ? Vec3d{v.x, random.uniform() < 0.5 ? 0.0 : -0.0, 0.0} : v;
    };
    const auto sphere = [&](const Vec3d& x, double radius) {
        const double mass = 4e6 * radius * radius * radius;
        const bool held = random.uniform() < 0.15;
        const bool block = random.uniform() < 0.15;
        out.record.push_back({x, radius, vector(1), held ? 0.0 : 1 / mass, vector(30),
                              held || block ? 0.0 : 2.5 / (mass * radius * radius)});
        out.body_at.push_back(static_cast<std::uint32_t>((50000U + out.body_at.size() * 7919U) % 100003U));
        return static_cast<std::uint32_t>(out.record.size() - 1);
    };
    for (std::size_t k = 0; k < blocks * 8; ++k) {
        const double ri = c.equal ? 0.01 : random.uniform(0.002, 0.02);
        const double rj = c.equal ? 0.01 : random.uniform(0.002, 0.02);
        const double kind = random.uniform();
        const double distance = kind < 0.6                   ? (ri + rj) * random.uniform(0.9, 1)
                                : kind < 0.8                 ? (ri + rj) * random.uniform(1, 1.001)
                                : kind < 0.97 || !coincident ? random.uniform(0.1, 1)
                                                             : 0.0;
        const Vec3d x = vector(0.1);
        Vec3d y = x + (flat ? Vec3d{1, 0, 0} : random_direction(random)) * distance;
        std::uint8_t code = search::no_image;
        if (k / 8 % 3 == 0 && random.uniform() < 0.5) {
            code = static_cast<std::uint8_t>(random.uniform(0, 27));
            y -= Vec3d{out.shift[code][0], out.shift[code][1], out.shift[code][2]};
            out.crosses[k / 8] = 1;
        }
        const std::uint32_t i = sphere(x, ri);
        out.ends[k / 8].i[k % 8] = i;
        out.ends[k / 8].j[k % 8] = sphere(y, rj);
        out.image[k / 8][k % 8] = code;
        if (random.uniform() < 0.7) {  // was there before
            const Vec3d spring = vector(1e-5);
            for (std::size_t h = 0; h < 3; ++h) {
                out.history[(k / 8 * history_size + h) * 8 + k % 8] = spring[static_cast<int>(h)];
            }
            out.history[(k / 8 * history_size + 3) * 8 + k % 8] = random.uniform(dt, 0.02);
        }
    }
    for (std::size_t q = 0; q < out.scales.size(); ++q) {
        out.scales[q] = cpu::LedgerScale::for_peak(q % 2 == 0 ? 1e3 : 1e-3);  // with many rare terms in between
    }
    out.params = parameters(c, 0.2);
    return out;
}

struct Answer {
    std::vector<double> history, slot, moment, stored;
    cpu::LedgerSums sums;
    cpu::ContactNotes notes;
};

template <class T>
std::vector<double> doubles(const cpu::Buffer<T>& from) {
    std::vector<double> out(from.size() * sizeof(T) / sizeof(double));
    std::memcpy(out.data(), from.data(), out.size() * sizeof(double));
    return out;
}

Answer run(const cpu::PairKernels& kernels, const Case& c, const Blocks& blocks,
           const std::vector<std::size_t>& borders) {
    cpu::Buffer<double> history = blocks.history;
    cpu::Buffer<cpu::Slot> slot(blocks.blocks() * 8);
    cpu::Buffer<std::array<double, 4>> moment(blocks.blocks() * 8);
    cpu::Buffer<double> stored(blocks.blocks() * 16);
    std::fill(slot.begin(), slot.end(), cpu::Slot{});
    std::fill(moment.begin(), moment.end(), std::array<double, 4>{});
    std::fill(stored.begin(), stored.end(), 0.0);
    Answer out;
    cpu::PairTask task;
    task.record = blocks.record.data();
    task.ends = blocks.ends.data();
    task.image = blocks.image.data();
    task.crosses = blocks.crosses.data();
    task.shift = blocks.shift[0].data();
    task.history = history.data();
    task.slot = slot.data();
    task.moment = moment.data();
    task.stored = stored.data();
    task.params = &blocks.params;
    task.scale = blocks.scales.data();
    task.body_at = blocks.body_at.data();
    task.dt = dt;
    task.overlap_limit = 0.02;
    task.history_size = history_size;
    task.notes = &out.notes;
    task.grains = out.sums.grains.data();
    task.peak = out.sums.peak.data();
    task.sums = &out.sums;
    task.add_rare = [](cpu::LedgerSums& sums, std::size_t q, double term) { sums.rare.push_back({q, term}); };
    for (std::size_t b = 0; b + 1 < borders.size(); ++b) {
        task.begin = borders[b];
        task.end = borders[b + 1];
        kernels[c.law][c.equal ? 1 : 0][c.spinning ? 1 : 0][c.looking ? 1 : 0](task);
    }
    out.history = doubles(history);
    out.slot = doubles(slot);
    out.moment = doubles(moment);
    out.stored = doubles(stored);
    return out;
}
Answer run(const cpu::PairKernels& kernels, const Case& c, const Blocks& blocks) {
    return run(kernels, c, blocks, {0, blocks.blocks()});
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expect_same(const Answer& a, const Answer& b, const cpu::LedgerScales& scales, const std::string& what) {
    EXPECT_TRUE(same_bits(a.history, b.history)) << "history, " << what;
    EXPECT_TRUE(same_bits(a.slot, b.slot)) << "slots, " << what;
    EXPECT_TRUE(same_bits(a.moment, b.moment)) << "moments, " << what;
    for (std::size_t q = 0; q < scales.size(); ++q) {
        EXPECT_EQ(a.sums.value(q, scales[q]), b.sums.value(q, scales[q])) << "sum " << q << ", " << what;
        EXPECT_TRUE(a.sums.grains[q] == b.sums.grains[q]) << what;
        EXPECT_EQ(a.sums.peak[q], b.sums.peak[q]) << what;
    }
    EXPECT_EQ(a.sums.rare.size(), b.sums.rare.size()) << what;
    EXPECT_EQ(a.notes.large_overlaps, b.notes.large_overlaps) << what;
    EXPECT_EQ(a.notes.largest_overlap, b.notes.largest_overlap) << what;
    EXPECT_EQ(a.notes.largest_overlap_body, b.notes.largest_overlap_body) << what;
}

bool has_eight() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && cpu::wide_pair_kernels()[0][0][0][0] != nullptr;
}

TEST(PairKernels, GiveTheSameBitsForEveryWidth) {
    for (const Case& c : all_cases()) {
        for (const bool flat : {false, true}) {
            for (const std::size_t count : {1U, 3U, 4U, 37U, 300U}) {
                const Blocks blocks = random_blocks(c, count, 5 + count, flat);
                const Answer one = run(cpu::scalar_pair_kernels(), c, blocks);
                const Answer four = run(cpu::packed_pair_kernels(), c, blocks);
                expect_same(one, four, blocks.scales, "four, " + c.name());
                EXPECT_TRUE(same_bits(one.stored, four.stored)) << c.name();
                if (has_eight()) {
                    const Answer eight = run(cpu::wide_pair_kernels(), c, blocks);
                    expect_same(one, eight, blocks.scales, "eight, " + c.name());
                    EXPECT_TRUE(same_bits(one.stored, eight.stored)) << c.name();
                }
            }
        }
    }
    if (!has_eight()) {
        GTEST_SKIP() << "eight at a time cannot be tried here";
    }
}

TEST(PairKernels, GiveTheSameBitsInSharesOfAnySize) {
    for (const Case& c : all_cases()) {
        const Blocks blocks = random_blocks(c, 60, 9);
        for (const auto* kernels : {&cpu::scalar_pair_kernels(), &cpu::packed_pair_kernels()}) {
            const Answer whole = run(*kernels, c, blocks);
            expect_same(whole, run(*kernels, c, blocks, {0, 1, 2, 7, 30, 60}), blocks.scales, c.name());
            expect_same(whole, run(*kernels, c, blocks, {0, 59, 60}), blocks.scales, c.name());
        }
    }
}

TEST(PairKernels, LookingChangesNothing) {
    for (Case c : all_cases()) {
        const Blocks blocks = random_blocks(c, 40, 10);
        c.looking = true;
        const Answer looked = run(cpu::packed_pair_kernels(), c, blocks);
        c.looking = false;
        expect_same(looked, run(cpu::packed_pair_kernels(), c, blocks), blocks.scales, c.name());
    }
}

TEST(PairKernels, ForEqualRadiiGiveTheBitsOfThoseForAny) {
    // A grain of another size may come or go; lists must not show when that is noticed.
    for (Case c : all_cases()) {
        if (!c.equal) {
            continue;
        }
        for (const bool flat : {false, true}) {
            const Blocks blocks = random_blocks(c, 40, 11, flat);
            const Answer equal = run(cpu::packed_pair_kernels(), c, blocks);
            Case any = c;
            any.equal = false;
            expect_same(equal, run(cpu::packed_pair_kernels(), any, blocks), blocks.scales, c.name());
        }
    }
}

TEST(PairKernels, WithSpinFrictionGiveTheBitsOfThoseWithoutWhereTheLawHasNone) {
    for (Case c : all_cases()) {
        if (c.spinning) {
            continue;
        }
        const Blocks blocks = random_blocks(c, 40, 12);
        const Answer plain = run(cpu::packed_pair_kernels(), c, blocks);
        c.spinning = true;
        expect_same(plain, run(cpu::packed_pair_kernels(), c, blocks), blocks.scales, c.name());
    }
}

Ball ball_of(const cpu::Record& record) {
    // What is held is a body of infinite mass or inertia; the law is told the reduced ones.
    Ball ball{record.position, record.velocity, record.spin, record.radius, 1e300};
    ball.mass = record.inverse_mass > 0 ? 1 / record.inverse_mass : 1e300;
    return ball;
}

template <class Law>
void expect_answers_of_the_law(const Case& c, const Blocks& blocks, const Answer& answer) {
    const auto params = blocks.params.as<typename Law::Params>();
    std::size_t touching = 0;
    std::size_t ended = 0;
    double worst = 0;
    std::array<double, model::mechanism_count> lost{};
    std::array<double, model::mechanism_count> size{};
    for (std::size_t k = 0; k < blocks.blocks() * 8; ++k) {
        const cpu::Record& i = blocks.record[blocks.ends[k / 8].i[k % 8]];
        cpu::Record j = blocks.record[blocks.ends[k / 8].j[k % 8]];
        const auto& shift = blocks.shift[blocks.image[k / 8][k % 8]];
        j.position += Vec3d{shift[0], shift[1], shift[2]};
        auto contact = contact_of(ball_of(i), ball_of(j), dt);
        const double inverse_inertia = i.inverse_inertia + j.inverse_inertia;
        contact.inertia = inverse_inertia > 0 ? 1 / inverse_inertia : 0;
        const auto at = [&](std::size_t h) { return (k / 8 * history_size + h) * 8 + k % 8; };
        typename Law::template History<double> old{};
        old.tangential.spring = {blocks.history[at(0)], blocks.history[at(1)], blocks.history[at(2)]};
        old.age = blocks.history[at(3)];
        const auto book = [&](std::size_t q, double power) {
            lost[q] += power;
            size[q] += std::fabs(power);
        };
        const cpu::Slot& slot = *reinterpret_cast<const cpu::Slot*>(&answer.slot[k * 8]);
        if (contact.overlap > 0 && i.inverse_mass + j.inverse_mass > 0) {
            ++touching;
            const auto r = Law::respond(contact, params, old, dt);
            const double scale = norm(r.force);
            worst = std::max({worst, norm(slot.force - r.force) / scale, norm(slot.couple - r.couple) / scale,
                              std::fabs(slot.lever_i - contact.lever_i) / i.radius,
                              std::fabs(slot.lever_j - contact.lever_j) / i.radius});
            const Vec3d kept{answer.history[at(0)], answer.history[at(1)], answer.history[at(2)]};
            worst = std::max(worst, norm(kept - r.history.tangential.spring) / 1e-5);
            EXPECT_EQ(answer.history[at(3)], old.age + dt);
            const double stored = answer.stored[k / 8 * 16 + k % 8];
            worst = std::max(worst, std::fabs(stored - r.stored_normal) / r.stored_normal);
            EXPECT_NEAR(answer.stored[k / 8 * 16 + 8 + k % 8], r.stored_tangential, 1e-9 * r.stored_tangential + 1e-18);
            if (c.spinning) {
                const Vec3d moment{answer.moment[k * 4], answer.moment[k * 4 + 1], answer.moment[k * 4 + 2]};
                EXPECT_LT(norm(moment - r.moment), 1e-7 * norm(r.moment) + 1e-16);
            }
            book(0, r.normal_damping);
            book(1, r.tangential_damping);
            book(2, r.sliding);
            book(3, r.rolling);
            book(4, r.twisting);
            book(5, r.time_step);
        } else {
            EXPECT_EQ(slot.force, Vec3d{});
            EXPECT_EQ(slot.couple, Vec3d{});
            EXPECT_EQ(slot.lever_i, 0);
            for (std::size_t h = 0; h < history_size; ++h) {
                EXPECT_EQ(answer.history[at(h)], 0) << "a history outlived its contact";
            }
            if (old.age > 0) {
                ++ended;
                const auto end = Law::end(contact, params, old, dt);
                book(2, end.sliding);
                book(5, end.time_step);
            }
        }
    }
    EXPECT_LT(worst, 1e-7) << c.name();  // overlaps of small part of a radius lose digits
    EXPECT_GT(touching, 500U);
    EXPECT_GT(ended, 100U);
    for (std::size_t q = 0; q < lost.size(); ++q) {
        EXPECT_NEAR(answer.sums.value(q, blocks.scales[q]), lost[q], 1e-6 * size[q]) << c.name() << " " << q;
    }
}

TEST(PairKernels, AnswerAsTheLawDoes) {
    for (const Case& c : all_cases()) {
        if (!c.looking) {
            continue;
        }
        const Blocks blocks = random_blocks(c, 150, 13, false, false);
        const Answer answer = run(cpu::scalar_pair_kernels(), c, blocks);
        if (c.law == 0) {
            expect_answers_of_the_law<laws::Hooke>(c, blocks, answer);
        } else {
            expect_answers_of_the_law<laws::Hertz>(c, blocks, answer);
        }
    }
}

TEST(PairKernels, NameTheLowestBodyOfTheLargestOverlapHoweverManyShareIt) {
    // As in a crystal under pressure, where many contacts are alike to the last bit.
    const Case c{};
    Blocks blocks = random_blocks(c, 20, 14);
    for (auto& image : blocks.image) {
        image.fill(search::no_image);
    }
    std::uint32_t lowest = 0xffffffff;
    for (std::size_t s = 0; s < blocks.record.size(); s += 2) {
        lowest = std::min(lowest, blocks.body_at[s]);
    }
    ASSERT_NE(lowest, blocks.body_at[0]);
    for (const double ratio : {0.003, 0.0157, 0.043}) {  // below and above the wanted limit
        for (std::size_t s = 0; s < blocks.record.size(); s += 2) {
            blocks.record[s] = {{0, 0, 0}, 0.007, {}, 100, {}, 100};
            blocks.record[s + 1] = {{0.014 - 0.007 * ratio, 0, 0}, 0.007, {}, 100, {}, 100};
        }
        for (const auto* kernels : {&cpu::scalar_pair_kernels(), &cpu::packed_pair_kernels()}) {
            const Answer answer = run(*kernels, c, blocks);
            EXPECT_EQ(answer.notes.large_overlaps, ratio > 0.02 ? 160 : 0);
            EXPECT_NEAR(answer.notes.largest_overlap, ratio, 1e-12);
            EXPECT_EQ(answer.notes.largest_overlap_body, lowest);
            const Answer shares = run(*kernels, c, blocks, {0, 7, 9, 20});
            EXPECT_EQ(shares.notes.largest_overlap_body, lowest);
        }
    }
}

}  // namespace
}  // namespace talus::tests
