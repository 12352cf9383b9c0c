// The contact loop gives the same bits one, four and eight pairs at a time, and what it gives is what the law answers.
#include "talus/backends/cpu/pair_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/backends_cpu/random_blocks.h"

namespace talus::tests {
namespace {

bool has_eight() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && cpu::wide_pair_kernels()[0][0][0][0] != nullptr;
}

TEST(PairKernels, GiveTheSameBitsForEveryWidth) {
    for (const Case& c : all_cases()) {
        for (const bool flat : {false, true}) {
            for (const std::size_t count : {1U, 3U, 4U, 37U, 300U}) {
                const Blocks blocks = random_blocks(c, count, 5 + count, {.flat = flat});
                const Answer one = run(cpu::scalar_pair_kernels(), c, blocks);
                const Answer four = run(cpu::packed_pair_kernels(), c, blocks);
                expect_same(one, four, c, blocks.scales, "four, " + c.name());
                EXPECT_TRUE(same_looks(one, four)) << c.name();
                if (has_eight()) {
                    const Answer eight = run(cpu::wide_pair_kernels(), c, blocks);
                    expect_same(one, eight, c, blocks.scales, "eight, " + c.name());
                    EXPECT_TRUE(same_looks(one, eight)) << c.name();
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
            expect_same(whole, run(*kernels, c, blocks, {0, 1, 2, 7, 30, 60}), c, blocks.scales, c.name());
            expect_same(whole, run(*kernels, c, blocks, {0, 59, 60}), c, blocks.scales, c.name());
        }
    }
}

TEST(PairKernels, LookingChangesNothing) {
    for (Case c : all_cases()) {
        const Blocks blocks = random_blocks(c, 40, 10);
        c.looking = true;
        const Answer looked = run(cpu::packed_pair_kernels(), c, blocks);
        c.looking = false;
        expect_same(looked, run(cpu::packed_pair_kernels(), c, blocks), c, blocks.scales, c.name());
    }
}

TEST(PairKernels, ForSpheresThatAreAlikeGiveTheBitsOfThoseForAny) {
    // A grain of another size or mass may come or go; lists must not show when that is noticed.
    for (const Case& c : all_cases()) {
        if (!c.alike) {
            continue;
        }
        for (const bool flat : {false, true}) {
            for (const auto partners : all_partners) {
                const Blocks blocks = random_blocks(c, 40, 11, {.flat = flat, .partners = partners});
                Case any = c;
                any.alike = false;
                for (const auto* kernels : {&cpu::scalar_pair_kernels(), &cpu::packed_pair_kernels()}) {
                    const Answer alike = run(*kernels, c, blocks);
                    const Answer general = run(*kernels, any, blocks);
                    expect_same(alike, general, c, blocks.scales, c.name());
                    EXPECT_TRUE(same_looks(alike, general)) << c.name();
                    Case turning = c;
                    turning.torques = true;
                    const Answer torques = run(*kernels, turning, blocks);
                    EXPECT_TRUE(same_bits(gathered(torques, turning), gathered(alike, c))) << "torques, " << c.name();
                    EXPECT_TRUE(same_bits(torques.history, alike.history)) << "torques, " << c.name();
                }
            }
        }
    }
}

TEST(PairKernels, WithSpinFrictionGiveTheBitsOfThoseWithoutWhereTheLawHasNone) {
    for (const Case& c : all_cases()) {
        if (c.spinning) {
            continue;
        }
        const Blocks blocks = random_blocks(c, 40, 12);
        const Answer plain = run(cpu::packed_pair_kernels(), c, blocks);
        Case spinning = c;
        spinning.spinning = true;
        expect_same(plain, run(cpu::packed_pair_kernels(), spinning, blocks), c, blocks.scales, c.name());
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
            EXPECT_EQ(answer.slid(k), r.slips);
            EXPECT_EQ((Vec3d{answer.look(k, 0), answer.look(k, 1), answer.look(k, 2)}), slot.force);
            worst = std::max(worst, std::fabs(answer.look(k, 3) - r.stored_normal) / r.stored_normal);
            EXPECT_NEAR(answer.look(k, 4), r.stored_tangential, 1e-9 * r.stored_tangential + 1e-18);
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
            EXPECT_TRUE(std::isfinite(slot.lever_i) && std::isfinite(slot.lever_j)) << "would not leave zero as it is";
            for (std::size_t x = 0; x < 3 && c.spinning; ++x) {
                EXPECT_EQ(answer.moment[k * 4 + x], 0);
            }
            for (std::size_t row = 0; row < cpu::LookedAt::rows; ++row) {
                EXPECT_EQ(answer.look(k, row), 0);
            }
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
        for (const auto partners : all_partners) {
            const Blocks blocks = random_blocks(c, 150, 13, {.coincident = false, .partners = partners});
            for (const auto* kernels : {&cpu::scalar_pair_kernels(), &cpu::packed_pair_kernels()}) {
                const Answer answer = run(*kernels, c, blocks);
                if (c.law == 0) {
                    expect_answers_of_the_law<laws::Hooke>(c, blocks, answer);
                } else {
                    expect_answers_of_the_law<laws::Hertz>(c, blocks, answer);
                }
            }
            if (!c.alike) {
                break;  // of any kind anyway
            }
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
            blocks.record[s] = {{}, 100, {}, 100, {0, 0, 0}, 0.007, {}, 0};
            blocks.record[s + 1] = {{}, 100, {}, 100, {0.014 - 0.007 * ratio, 0, 0}, 0.007, {}, 0};
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
