// Colours and colour maps: Oklab there and back, maps with even steps and rising lightness.
#include "talus/render/colour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "talus/base/diagnostics.h"
#include "talus/render/colour_map.h"

namespace talus::render {
namespace {

double apart(const Rgb& a, const Rgb& b) {
    const Oklab p = to_oklab(a);
    const Oklab q = to_oklab(b);
    return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
}

TEST(Colour, OklabGoesThereAndBack) {
    for (const Rgb& c : {Rgb{0, 0, 0}, Rgb{1, 1, 1}, Rgb{1, 0, 0}, Rgb{0.2F, 0.7F, 0.4F}}) {
        const Rgb back = from_oklab(to_oklab(c));
        EXPECT_NEAR(back.r, c.r, 1e-5);
        EXPECT_NEAR(back.g, c.g, 1e-5);
        EXPECT_NEAR(back.b, c.b, 1e-5);
    }
    EXPECT_NEAR(to_oklab({1, 1, 1}).l, 1, 1e-6);
    // Red of a screen, as Ottosson's page lists it.
    EXPECT_NEAR(to_oklab({1, 0, 0}).l, 0.628, 1e-3);
    EXPECT_NEAR(to_oklab({1, 0, 0}).a, 0.225, 1e-3);
}

TEST(Colour, StoredBytesAreSrgb) {
    EXPECT_NEAR(encoded(0.5F), 0.7354F, 1e-4);  // IEC 61966-2-1
    EXPECT_NEAR(decoded(encoded(0.3F)), 0.3F, 1e-6);
    EXPECT_NEAR(encoded(2.0F), 1.0F, 1e-6);
    const Rgb c = encoded(colour_from_text("#c8a060"));
    EXPECT_NEAR(c.r * 255, 0xC8, 1e-3);
    EXPECT_NEAR(c.g * 255, 0xA0, 1e-3);
    EXPECT_NEAR(c.b * 255, 0x60, 1e-3);
    for (const char* bad : {"", "red", "#12345", "#12345g", "1234567"}) {
        EXPECT_THROW(colour_from_text(bad), base::InputError) << bad;
    }
}

class EveryMap : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMap, HasEvenSteps) {
    const ColourMap map(GetParam());
    constexpr int steps = 64;
    double length = 0;
    for (int i = 0; i < steps; ++i) {
        length += apart(map.at(static_cast<double>(i) / steps), map.at((i + 1.0) / steps));
    }
    for (int i = 0; i < steps; ++i) {
        const double step = apart(map.at(static_cast<double>(i) / steps), map.at((i + 1.0) / steps));
        EXPECT_NEAR(step * steps, length, 0.06 * length) << i;
    }
}

TEST_P(EveryMap, TellsOrderByLightness) {
    const ColourMap map(GetParam());
    const bool two_sided = GetParam() == "balance";
    constexpr int steps = 64;
    for (int i = 0; i < steps; ++i) {
        const double rise = to_oklab(map.at((i + 1.0) / steps)).l - to_oklab(map.at(static_cast<double>(i) / steps)).l;
        const bool falls = two_sided && i >= steps / 2;
        EXPECT_GT(falls ? -rise : rise, 0) << i;
    }
    if (two_sided) {
        EXPECT_LT(apart(map.at(0.5), from_oklab({to_oklab(map.at(0.5)).l, 0, 0})), 1e-3) << "no colour in the middle";
    }
    EXPECT_LT(apart(map.at(-1), map.at(0)), 1e-9);
    EXPECT_LT(apart(map.at(2), map.at(1)), 1e-9);
}

TEST_P(EveryMap, HasAGreyForWhatIsNoNumber) {
    const ColourMap map(GetParam());
    const Oklab none = to_oklab(map.at(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_NEAR(none.l, 0.62, 1e-3);
    EXPECT_NEAR(std::hypot(none.a, none.b), 0, 1e-3);
    EXPECT_LT(apart(map.at(std::numeric_limits<double>::infinity()), map.at(1)), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Maps, EveryMap, ::testing::ValuesIn(ColourMap::names()),
                         [](const auto& one) { return one.param; });

TEST(ColourMap, NamesTheNearestOne) {
    try {
        ColourMap("dus");
        FAIL();
    } catch (const base::InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("did you mean \"dusk\"?"));
    }
}

TEST(ColourMap, KindsDiffer) {
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_GT(apart(kind_colour(i), kind_colour(j)), 0.08) << i << " " << j;
        }
    }
}

}  // namespace
}  // namespace talus::render
