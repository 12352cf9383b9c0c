// Packs give lane by lane the bits that single numbers give, for every width that this processor has.
#include "talus/math/pack.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "talus/base/random.h"
#include "unit/math/pack_functions.h"

namespace talus::tests {
namespace {

std::uint64_t bits(double x) {
    return std::bit_cast<std::uint64_t>(x);
}

/// Numbers of every size and sign, with the odd ones among them.
double any_number(base::Random& random) {
    constexpr double huge = std::numeric_limits<double>::max();
    constexpr double tiny = std::numeric_limits<double>::denorm_min();
    constexpr double odd[] = {0.0, -0.0, 1.0, -1.0, huge, -huge, tiny, -tiny, HUGE_VAL, -HUGE_VAL};
    const double kind = random.uniform();
    if (kind < 0.2) {
        return odd[static_cast<std::size_t>(random.uniform(0, 10))];
    }
    return random.uniform(-1, 1) * (kind < 0.6 ? 1.0 : std::ldexp(1.0, static_cast<int>(random.uniform(-900, 900))));
}

class Packs : public testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        if (GetParam() == 4) {
            pack_ = PackInstance<4>::table();
            return;
        }
        pack_ = packs_of_eight();
        const bool has_eight = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                               __builtin_cpu_supports("avx512vl");
        if (pack_.width == 0 || !has_eight) {
            GTEST_SKIP() << "no packs of eight here";
        }
    }
    std::vector<double> numbers(std::size_t count) {
        std::vector<double> out(count);
        for (double& x : out) {
            x = any_number(random_);
        }
        return out;
    }

    PackFunctions pack_;
    base::Random random_{21, 0};
};

TEST_P(Packs, CalculateAsSingleNumbersDo) {
    const std::size_t w = pack_.width;
    for (int trial = 0; trial < 3000; ++trial) {
        const auto a = numbers(w);
        const auto b = numbers(w);
        std::vector<double> out(arithmetic_results * w);
        pack_.arithmetic(a.data(), b.data(), out.data());
        for (std::size_t k = 0; k < w; ++k) {
            const double x = a[k];
            const double y = b[k];
            const std::array<double, arithmetic_results> expected = {
                x + y,        x - y,        x * y,         x / y,         -x,
                std::sqrt(x), std::fabs(x), y < x ? y : x, x < y ? y : x, (x + y - y) * x};
            for (std::size_t r = 0; r < expected.size(); ++r) {
                const double found = out[r * w + k];
                const bool both_nan = std::isnan(found) && std::isnan(expected[r]);
                EXPECT_TRUE(both_nan || bits(found) == bits(expected[r]))
                    << "result " << r << " of " << x << " and " << y << ": " << found << ", not " << expected[r];
            }
        }
    }
}

TEST_P(Packs, CompareAsSingleNumbersDo) {
    const std::size_t w = pack_.width;
    for (std::size_t trial = 0; trial < 3000; ++trial) {
        auto a = numbers(w);
        const auto b = numbers(w);
        a[trial % w] = b[trial % w];  // so that some are equal
        if (trial % 5 == 0) {
            a[(trial + 1) % w] = std::numeric_limits<double>::quiet_NaN();
        }
        std::array<bool, comparison_results * 8> out{};
        pack_.comparison(a.data(), b.data(), out.data());
        bool any_less = false;
        for (std::size_t k = 0; k < w; ++k) {
            any_less |= a[k] < b[k];
        }
        for (std::size_t k = 0; k < w; ++k) {
            const double x = a[k];
            const double y = b[k];
            const bool less = x < y;
            const bool more = x > y;
            const std::array<bool, comparison_results> expected = {
                less, more, x <= y, x >= y, x != y, less || more, x >= y && x <= y, !less, any_less};
            for (std::size_t r = 0; r < expected.size(); ++r) {
                EXPECT_EQ(out[r * w + k], expected[r]) << "comparison " << r << " of " << x << " and " << y;
            }
        }
    }
}

TEST_P(Packs, AnyFindsASingleLane) {
    const std::size_t w = pack_.width;
    const std::vector<double> zero(w, 0.0);
    for (std::size_t lane = 0; lane <= w; ++lane) {
        std::vector<double> a(w, 1.0);
        if (lane < w) {
            a[lane] = -1;
        }
        std::array<bool, comparison_results * 8> out{};
        pack_.comparison(a.data(), zero.data(), out.data());
        EXPECT_EQ(out[(comparison_results - 1) * w], lane < w) << lane;
    }
}

TEST_P(Packs, SelectTakesEachLaneFromItsSide) {
    const std::size_t w = pack_.width;
    for (int trial = 0; trial < 1000; ++trial) {
        const auto a = numbers(w);
        const auto b = numbers(w);
        const auto yes = numbers(w);
        auto no = numbers(w);
        no[0] = std::numeric_limits<double>::quiet_NaN();  // a lane not taken does no harm
        std::vector<double> out(w);
        pack_.select(a.data(), b.data(), yes.data(), no.data(), out.data());
        for (std::size_t k = 0; k < w; ++k) {
            EXPECT_EQ(bits(out[k]), bits(a[k] < b[k] ? yes[k] : no[k]));
        }
    }
}

TEST_P(Packs, RowsBecomeColumnsAndColumnsRows) {
    const std::size_t w = pack_.width;
    std::vector<double> rows(4 * w);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k] = static_cast<double>(10 * (k / 4) + k % 4);  // row and column in two digits
    }
    std::vector<double> columns(4 * w);
    pack_.to_columns(rows.data(), columns.data());
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < w; ++row) {
            EXPECT_EQ(columns[column * w + row], static_cast<double>(10 * row + column));
        }
    }
    for (const std::size_t stride : {4U, 8U, 13U}) {
        std::vector<double> back(stride * w, -1.0);
        pack_.store_rows(columns.data(), stride, back.data());
        for (std::size_t k = 0; k < back.size(); ++k) {
            const bool in_row = k % stride < 4;
            EXPECT_EQ(back[k], in_row ? rows[k / stride * 4 + k % stride] : -1.0) << "stride " << stride;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, Packs, testing::Values(4U, 8U),
                         [](const auto& width) { return "Of" + std::to_string(width.param); });

TEST(Rows, DifferenceAndSumAreThoseOfSingleNumbers) {
    base::Random random(22, 0);
    for (int trial = 0; trial < 2000; ++trial) {
        std::array<double, 4> a{};
        std::array<double, 4> b{};
        for (std::size_t k = 0; k < 4; ++k) {
            a[k] = any_number(random);
            b[k] = any_number(random);
        }
        std::array<double, 4> out{};
        math::store_row(out.data(), math::difference_and_sum(math::load_row(b.data()), math::load_row(a.data())));
        for (std::size_t k = 0; k < 4; ++k) {
            const double expected = k < 3 ? b[k] - a[k] : b[k] + a[k];
            EXPECT_TRUE(bits(out[k]) == bits(expected) || (std::isnan(out[k]) && std::isnan(expected))) << k;
        }
    }
}

TEST(Rows, LoadAndStoreAtAnyAddress) {
    std::vector<double> memory(12);
    for (std::size_t k = 0; k < memory.size(); ++k) {
        memory[k] = static_cast<double>(k);
    }
    for (std::size_t at = 0; at + 4 <= memory.size(); ++at) {
        std::vector<double> copy(12, -1.0);
        math::store_row(copy.data() + at, math::load_row(memory.data() + at));
        for (std::size_t k = 0; k < copy.size(); ++k) {
            EXPECT_EQ(copy[k], k >= at && k < at + 4 ? memory[k] : -1.0);
        }
    }
}

TEST(Pack, HoldsOneNumberInEveryLane) {
    const math::Pack4 pack(1.0 / 3);
    for (int lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(pack[lane], 1.0 / 3);
    }
}

}  // namespace
}  // namespace talus::tests
