// What a person writes (frames, cuts) and what pictures write back (lengths, ticks).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "talus/base/diagnostics.h"
#include "talus/render/cut.h"
#include "talus/render/frame_choice.h"
#include "talus/render/labels.h"

namespace talus::render {
namespace {

using ::testing::ElementsAre;

std::vector<int> chosen(const std::string& text, int count) {
    std::vector<std::filesystem::path> frames;
    for (int i = 0; i < count; ++i) {
        frames.emplace_back(std::to_string(i));
    }
    std::vector<int> out;
    for (const std::filesystem::path& path : choose_frames(frames, text)) {
        out.push_back(std::stoi(path.string()));
    }
    return out;
}

TEST(Words, FramesAreCountedFromBothEnds) {
    EXPECT_THAT(chosen("2", 5), ElementsAre(2));
    EXPECT_THAT(chosen("-1", 5), ElementsAre(4));
    EXPECT_THAT(chosen("50%", 5), ElementsAre(2));
    EXPECT_THAT(chosen("100%", 5), ElementsAre(4));
    EXPECT_THAT(chosen("0:-1", 3), ElementsAre(0, 1, 2));
    EXPECT_THAT(chosen("1:-2", 5), ElementsAre(1, 2, 3));
    EXPECT_THAT(chosen("0:-1:2", 6), ElementsAre(0, 2, 4));
    for (const char* bad : {"", "a", "5", "-6", "1:", "3:1", "0:-1:0", "0:9", "101%", "0:-1:x", "1.5"}) {
        EXPECT_THROW(chosen(bad, 5), base::InputError) << bad;
    }
}

TEST(Words, CutsSayWhatGoes) {
    output::Bounds grains;
    grains.add(Vec3d{0, 0, 0});
    grains.add(Vec3d{2, 4, 6});
    const auto goes = [&](const std::string& text, const Vec3d& point) {
        const CutPlane cut = cut_from_text(text, grains);
        EXPECT_NEAR(math::norm(cut.normal), 1, 1e-12);
        return math::dot(cut.normal, point) < cut.offset;
    };
    EXPECT_TRUE(goes("y<0.5", {0, 0.4, 0}));
    EXPECT_FALSE(goes("y<0.5", {0, 0.6, 0}));
    EXPECT_TRUE(goes("z > -1", {0, 0, 0}));
    EXPECT_FALSE(goes("z > -1", {0, 0, -2}));
    EXPECT_TRUE(goes("z<middle", {0, 0, 2.9}));
    EXPECT_FALSE(goes("z<middle", {0, 0, 3.1}));
    EXPECT_TRUE(goes("1,0,-1<0.2", {1, 0, 0.9}));
    EXPECT_FALSE(goes("1,0,-1<0.2", {1, 0, 0.7}));
    for (const char* bad : {"", "y", "y<", "w<1", "0,0,0<1", "y<one", "1,2<3", "y=0"}) {
        EXPECT_THROW(cut_from_text(bad, grains), base::InputError) << bad;
    }
    EXPECT_THROW(cut_from_text("y<middle", {}), base::InputError) << "no grains have no middle";
}

TEST(Words, LengthsAreRound) {
    EXPECT_DOUBLE_EQ(round_length(0.3), 0.2);
    EXPECT_DOUBLE_EQ(round_length(0.5), 0.5);
    EXPECT_DOUBLE_EQ(round_length(99), 50);
    EXPECT_DOUBLE_EQ(round_length(1.1e-7), 1e-7);
    EXPECT_EQ(length_text(0.05), "5 cm");
    EXPECT_EQ(length_text(0.005), "5 mm");
    EXPECT_EQ(length_text(2e-5), "20 µm");
    EXPECT_EQ(length_text(1), "1 m");
    EXPECT_EQ(length_text(2000), "2 km");
}

TEST(Words, TimesHaveTheDigitsThatTellThemApart) {
    EXPECT_EQ(time_text(1.98, 0.02), "1.980 s");
    EXPECT_EQ(time_text(12.5, 0.5), "12.50 s");
    EXPECT_EQ(time_text(20, 5), "20.0 s");
    EXPECT_EQ(time_text(0.006, 0.0005), "6.00 ms");
    EXPECT_EQ(time_text(0, 0), "0 s");
}

TEST(Words, TicksAreRoundAndWithin) {
    EXPECT_THAT(ticks_of({0, 1}, 6), ElementsAre(0, 0.2, 0.4, 0.6000000000000001, 0.8, 1));
    EXPECT_THAT(ticks_of({0, 1.97}, 6), ElementsAre(0, 0.5, 1, 1.5));
    EXPECT_THAT(ticks_of({-3, 3}, 6), ElementsAre(-3, -2, -1, 0, 1, 2, 3));
    EXPECT_THAT(ticks_of({101, 104}, 6), ElementsAre(101, 101.5, 102, 102.5, 103, 103.5, 104));
    EXPECT_THAT(ticks_of({1, std::nextafter(1, 2)}, 6), ElementsAre()) << "nothing between";
    EXPECT_EQ(ticks_of({1e9, 1e9 + 6}, 6).size(), 7U);
}

TEST(Words, TextHasItsWidthAndPlace) {
    const Font font;
    EXPECT_NEAR(font.width("00", 40), 2 * font.width("0", 40), 1e-9);
    EXPECT_NEAR(font.width("speed", 40), 2 * font.width("speed", 20), 0.1);
    Picture picture(200, 60, {1, 1, 1});
    font.draw(picture, 100, 45, "µ³", 40, {0, 0, 0}, Align::middle);
    double sum = 0;
    double ink = 0;
    for (int y = 0; y < 60; ++y) {
        for (int x = 0; x < 200; ++x) {
            const double dark = 1 - static_cast<double>(luminance(picture.at(x, y)));
            ink += dark;
            sum += dark * x;
        }
    }
    EXPECT_GT(ink, 100);
    EXPECT_NEAR(sum / ink, 98, 8) << "about the middle";
}

}  // namespace
}  // namespace talus::render
