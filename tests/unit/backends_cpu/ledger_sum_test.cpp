// Sums by grains: the same bits in any order and any split, near the exact sum, and exact where terms are rare.
#include "talus/backends/cpu/ledger_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "talus/backends/cpu/pair_loop.h"
#include "talus/base/exact_sum.h"
#include "talus/base/random.h"

namespace talus::tests {
namespace {

namespace cpu = backends::cpu;
using backends::cpu::LedgerScale;
using backends::cpu::LedgerScales;
using backends::cpu::LedgerSums;

double exact(const std::vector<double>& terms) {
    base::ExactSum sum;
    for (const double term : terms) {
        sum += term;
    }
    return sum.value();
}

double value(const std::vector<double>& terms, const LedgerScale& scale, std::size_t q = 0) {
    LedgerSums sums;
    for (const double term : terms) {
        sums.add(q, term, scale);
    }
    return sums.value(q, scale);
}

/// Terms of all sizes up to `largest`, some far beyond it.
std::vector<double> random_terms(std::size_t count, double largest, double part_rare, std::uint64_t seed) {
    base::Random random(seed, 0);
    std::vector<double> terms(count);
    for (double& term : terms) {
        const double size = largest * std::ldexp(1.0, -static_cast<int>(random.uniform(0, 40)));
        term = random.uniform(-0.3, 1) * size;
        if (random.uniform() < part_rare) {
            term *= std::ldexp(1.0, static_cast<int>(random.uniform(45, 90)));
        }
    }
    return terms;
}

/// What becomes of a term: the nearest multiple of the grain, the larger one of two that are equally near.
double rounded(double term, const LedgerScale& scale) {
    return std::round(term / scale.grain()) * scale.grain();
}

void shuffle(std::vector<double>& terms, base::Random& random) {
    for (std::size_t k = terms.size(); k > 1; --k) {
        std::swap(terms[k - 1], terms[static_cast<std::size_t>(random.uniform(0, static_cast<double>(k)))]);
    }
}

TEST(LedgerScale, ATermBelowTheLimitIsRoundedToItsNearestGrain) {
    base::Random random(1, 0);
    for (const double last : {1e-200, 3e-9, 0.75, 1.0, 8e12, 1e200}) {
        const LedgerScale scale = LedgerScale::for_peak(last);
        // Eight times the largest is no rarity, and the largest has 2^39 grains or nearly.
        EXPECT_GE(scale.limit, 8 * last);
        EXPECT_LE(scale.limit, 16 * last);
        EXPECT_LE(std::ldexp(1.0, 38), last / scale.grain());
        for (int k = 0; k < 1000; ++k) {
            const double term = scale.limit * random.uniform(-1, 1) * std::ldexp(1.0, -k % 50);
            const double kept = (cpu::odd(term) + scale.anchor) - scale.anchor;
            EXPECT_EQ(kept, rounded(term, scale)) << last << " " << term;
            EXPECT_LE(std::fabs(kept - term), 0.5 * scale.grain());
        }
        EXPECT_EQ((cpu::odd(scale.limit) + scale.anchor) - scale.anchor, scale.limit);
        EXPECT_EQ((cpu::odd(-scale.limit) + scale.anchor) - scale.anchor, -scale.limit);
    }
}

TEST(LedgerScale, ALaneHoldsAsManyOfTheLargestTermsAsItIsAskedTo) {
    const LedgerScale scale = LedgerScale::for_peak(0.3);
    for (const double largest : {scale.limit - scale.grain(), scale.limit, scale.grain() - scale.limit, -scale.limit}) {
        double lane = scale.anchor;
        for (std::size_t k = 1; k <= cpu::terms_before_carry; ++k) {
            lane += cpu::odd(largest);
            ASSERT_EQ(lane - scale.anchor, static_cast<double>(k) * largest) << "a bit was lost";
        }
    }
}

TEST(LedgerScale, ATermHalfWayBetweenTwoGrainsIsRoundedTheSameWhateverWasAddedBefore) {
    const LedgerScale scale = LedgerScale::for_peak(1.0);
    for (const double term : {0.5 * scale.grain(), -0.5 * scale.grain(), 1234567.5 * scale.grain(), 0.0, -0.0}) {
        const double alone = (cpu::odd(term) + scale.anchor) - scale.anchor;
        EXPECT_LE(std::fabs(alone - term), 0.5 * scale.grain());
        for (int before = -3; before <= 3; ++before) {
            const double lane = scale.anchor + before * scale.grain();
            EXPECT_EQ((lane + cpu::odd(term)) - lane, alone) << term << " after " << before << " grains";
        }
    }
}

TEST(LedgerScale, ExtremesOfTheLastStepDoNoHarm) {
    for (const double last : {0.0, 5e-324, 1e-300, 1e300, std::numeric_limits<double>::max()}) {
        const LedgerScale scale = LedgerScale::for_peak(last);
        EXPECT_TRUE(std::isfinite(scale.anchor) && scale.anchor > 0) << last;
        EXPECT_GT(scale.grain(), 0) << last;
        EXPECT_TRUE(std::isfinite(1 / scale.grain())) << last;
        for (const double term : {0.0, 1e-305, 1.0, -1e250}) {
            const double sum = value({term}, scale);
            EXPECT_LE(std::fabs(sum - term), 0.5 * scale.grain()) << last << " " << term;
        }
    }
    // Where nothing was before, nothing is known of what comes: it is summed exactly.
    const auto terms = random_terms(1000, 1, 0.1, 3);
    EXPECT_EQ(value(terms, LedgerScale::for_peak(0)), exact(terms));
}

TEST(LedgerSums, AreTheRoundedTermsSummedWithoutError) {
    for (const double part_rare : {0.0, 0.01, 0.5}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const LedgerScale scale = LedgerScale::for_peak(1.0);
            const auto terms = random_terms(5000, 8, part_rare, seed);
            std::vector<double> kept;
            for (const double term : terms) {
                kept.push_back(std::fabs(term) <= scale.limit ? rounded(term, scale) : term);
            }
            EXPECT_EQ(value(terms, scale), exact(kept)) << part_rare << " " << seed;
        }
    }
}

TEST(LedgerSums, AreNearTheExactSum) {
    for (const std::size_t count : {1U, 100U, 100000U}) {
        auto terms = random_terms(count, 1e-3, 0, 7);
        for (double& term : terms) {
            term = std::fabs(term);
        }
        const LedgerScale scale = LedgerScale::for_peak(*std::max_element(terms.begin(), terms.end()));
        const double sum = exact(terms);
        const double error = std::fabs(value(terms, scale) - sum);
        EXPECT_LE(error, 0.5 * static_cast<double>(count) * scale.grain());
        EXPECT_LE(error, 1e-11 * sum) << count;
    }
}

TEST(LedgerSums, ManyMoreGrainsThanADoubleHoldsAddUp) {
    // As after 2^40 contacts: the count of grains passes 2^53, and even 2^64.
    const LedgerScale scale = LedgerScale::for_peak(1.0);
    LedgerSums sums;
    sums.add(2, 8.0, scale);
    for (int k = 0; k < 40; ++k) {
        const LedgerSums copy = sums;
        sums.merge(copy);
    }
    EXPECT_EQ(sums.value(2, scale), std::ldexp(8.0, 40));
    sums.add(2, 1e-9, scale);  // not lost beside them
    sums.add(2, -1e30, scale);
    sums.add(2, 1e30, scale);
    const double small = rounded(1e-9, scale);
    EXPECT_EQ(sums.value(2, scale), exact({std::ldexp(8.0, 40), small}));
    LedgerSums rest = sums;
    rest.grains[2] -= static_cast<backends::cpu::WideInteger>(std::ldexp(8.0, 40) / scale.grain());
    EXPECT_EQ(rest.value(2, scale), small);
}

TEST(LedgerSums, DoNotDependOnTheOrderOrOnHowTermsAreShared) {
    base::Random random(9, 0);
    for (const double part_rare : {0.0, 0.02}) {
        const LedgerScale scale = LedgerScale::for_peak(0.7);
        auto terms = random_terms(4000, 5, part_rare, 11);
        const double expected = value(terms, scale);
        for (int trial = 0; trial < 20; ++trial) {
            shuffle(terms, random);
            EXPECT_EQ(value(terms, scale), expected);
            // Shares of any size, merged in any order.
            std::vector<LedgerSums> shares(1 + static_cast<std::size_t>(random.uniform(0, 9)));
            for (const double term : terms) {
                shares[static_cast<std::size_t>(random.uniform(0, static_cast<double>(shares.size())))].add(0, term,
                                                                                                            scale);
            }
            LedgerSums all;
            for (std::size_t k = shares.size(); k-- > 0;) {
                all.merge(shares[k]);
            }
            EXPECT_EQ(all.value(0, scale), expected);
            EXPECT_EQ(all.peak[0], std::fabs(*std::max_element(terms.begin(), terms.end(), [](double a, double b) {
                          return std::fabs(a) < std::fabs(b);
                      })));
        }
    }
}

TEST(LedgerSums, KeepTheirKindsApart) {
    LedgerSums sums;
    const LedgerScale scale = LedgerScale::for_peak(1.0);
    for (std::size_t q = 0; q < backends::cpu::ledger_sums; ++q) {
        sums.add(q, static_cast<double>(q) + 0.5, scale);
        sums.add(q, 1e9 * static_cast<double>(q), scale);  // rare
    }
    for (std::size_t q = 0; q < backends::cpu::ledger_sums; ++q) {
        EXPECT_EQ(sums.value(q, scale), 1e9 * static_cast<double>(q) + static_cast<double>(q) + 0.5);
        EXPECT_EQ(sums.peak[q], q == 0 ? 0.5 : 1e9 * static_cast<double>(q));
    }
    sums.clear();
    EXPECT_EQ(sums.value(3, scale), 0);
    EXPECT_EQ(sums.peak[3], 0);
}

TEST(LedgerSums, ATermThatIsNoNumberShows) {
    const LedgerScale scale = LedgerScale::for_peak(1.0);
    EXPECT_TRUE(std::isnan(value({1, std::numeric_limits<double>::quiet_NaN(), 2}, scale)));
    EXPECT_EQ(value({1, HUGE_VAL, 2}, scale), HUGE_VAL);
}

/// Adds terms to all kinds as the contact loop does, lanes of P at a time: all kinds together or each by itself.
template <class P, std::size_t... q>
LedgerSums by_lanes(const std::vector<double>& terms, const LedgerScales& scales, std::index_sequence<q...>) {
    constexpr std::size_t width = cpu::Lanes<P>::width;
    LedgerSums out;
    cpu::PairTask task;
    task.scale = scales.data();
    cpu::LaneTotals totals;
    totals.begin(task.scale);
    task.totals = &totals;
    task.carry = [](cpu::LaneTotals& of, LedgerSums& sums, const cpu::LedgerScale* scale) {
        of.carry_into(sums, scale);
    };
    task.sums = &out;
    task.add_rare = [](LedgerSums& sums, std::size_t k, double term) { sums.rare.push_back({k, term}); };
    cpu::LaneSums<P> lanes(task);
    for (std::size_t k = 0; k + width <= terms.size(); k += width) {
        const P some = cpu::Lanes<P>::load(&terms[k]);
        lanes.carry_after(sizeof...(q));
        if (k / width % 2 == 0) {
            (lanes.add(cpu::term<static_cast<model::Mechanism>(q)>(some)), ...);
        } else {
            lanes.add(cpu::term<static_cast<model::Mechanism>(q)>(some)...);
        }
    }
    totals.carry_into(out, task.scale);
    return out;
}
template <class P>
LedgerSums by_lanes(const std::vector<double>& terms, const LedgerScales& scales) {
    return by_lanes<P>(terms, scales, std::make_index_sequence<cpu::ledger_sums>{});
}

TEST(LaneSums, AreTheSumsOfSingleTerms) {
    for (const double part_rare : {0.0, 0.02}) {
        const auto terms = random_terms(20000, 5, part_rare, 13);
        LedgerScales scales;
        for (std::size_t q = 0; q < scales.size(); ++q) {
            scales[q] = LedgerScale::for_peak(std::ldexp(0.9, static_cast<int>(q) - 4));
        }
        const LedgerSums ones = by_lanes<double>(terms, scales);
        const LedgerSums fours = by_lanes<math::Pack4>(terms, scales);
        for (std::size_t q = 0; q < scales.size(); ++q) {
            const double expected = value(terms, scales[q], q);
            EXPECT_EQ(ones.value(q, scales[q]), expected) << q;
            EXPECT_EQ(fours.value(q, scales[q]), expected) << q;
            EXPECT_EQ(ones.rare.size(), fours.rare.size());
            EXPECT_EQ(ones.peak[q], fours.peak[q]);
        }
    }
}

}  // namespace
}  // namespace talus::tests
