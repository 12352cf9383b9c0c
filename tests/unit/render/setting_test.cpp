// What frames of a movie have in common: the ground, the light, how far walls go, the legend.
#include "talus/render/setting.h"

#include <gtest/gtest.h>

#include "talus/render/colour_map.h"
#include "talus/render/staging.h"

namespace talus::render {
namespace {

using geometry::ShapeKind;

output::FrameFile grains_at(const std::vector<Vec3d>& places, std::int32_t material = 0) {
    output::FrameFile frame;
    for (const Vec3d& place : places) {
        frame.id.push_back(static_cast<std::int64_t>(frame.id.size()));
        frame.position.push_back(place);
        frame.radius.push_back(1);
        frame.mass.push_back(1);
        frame.material.push_back(material);
    }
    frame.materials = {{"sand", 1, "#ff0000"}, {"salt", 1, ""}};
    return frame;
}

output::FrameWall floor_at(double z) {
    output::FrameWall wall;
    wall.name = "floor";
    wall.shape = {ShapeKind::plane, 0, 0, 0};
    wall.position = {0, 0, z};
    return wall;
}

output::FrameFile on_floor(double floor, const std::vector<Vec3d>& places = {{0, 0, 1}, {4, 0, 1}}) {
    output::FrameFile frame = grains_at(places);
    frame.walls = {floor_at(floor)};
    return frame;
}

Setting setting_of(const std::vector<output::FrameFile>& frames, const Look& look = {}) {
    Setting setting;
    for (const output::FrameFile& frame : frames) {
        setting.add(frame, look);
    }
    return setting;
}

bool is_ground(const output::FrameFile& frame, const Setting& setting, const Look& look = {}) {
    return world_of(frame, look, setting, nullptr, nullptr, nullptr).sheets.empty();
}

TEST(Ground, IsAnEndlessFloorBelowAllGrains) {
    const output::FrameFile below = on_floor(-0.02);
    EXPECT_TRUE(is_ground(below, setting_of({below})));
    EXPECT_DOUBLE_EQ(setting_of({below}).ground(below), -0.02);
    const output::FrameFile ceiling = on_floor(3);
    EXPECT_FALSE(is_ground(ceiling, setting_of({ceiling})));
    output::FrameFile painted = on_floor(0);
    painted.walls[0].colour = "#808080";  // somebody wants to see it
    EXPECT_FALSE(is_ground(painted, setting_of({painted})));
    Look look;
    look.ground = false;
    EXPECT_FALSE(is_ground(below, setting_of({below}), look));
}

TEST(Ground, IsTheSameFloorInAllFrames) {
    // A floor that is shaken by half a metre, with grains that go along.
    const output::FrameFile low = on_floor(0);
    const output::FrameFile high = on_floor(0.5, {{0, 0, 1.5}, {4, 0, 1.5}});
    const Setting shaken = setting_of({low, high});
    EXPECT_TRUE(is_ground(low, shaken));
    EXPECT_TRUE(is_ground(high, shaken));
    EXPECT_DOUBLE_EQ(shaken.ground(low), 0);
    EXPECT_DOUBLE_EQ(shaken.ground(high), 0.5);
    // One that passes through the grains is a sheet all the time.
    const output::FrameFile among = on_floor(1);
    const Setting passing = setting_of({low, among});
    EXPECT_FALSE(is_ground(low, passing));
    EXPECT_FALSE(is_ground(among, passing));
}

TEST(Ground, IsNoFloorThatIsGoneOrHiddenOrHasNoGrains) {
    output::FrameFile gone = on_floor(-5);
    gone.walls[0].present = false;
    EXPECT_DOUBLE_EQ(setting_of({gone}).ground(gone), 0) << "below the grains";
    Look look;
    look.hidden_walls = {"floor"};
    const output::FrameFile hidden = on_floor(-5);
    EXPECT_DOUBLE_EQ(setting_of({hidden}, look).ground(hidden), 0);
    const output::FrameFile empty = on_floor(0, {});
    EXPECT_FALSE(is_ground(empty, setting_of({empty})));
}

TEST(Setting, OneFarGrainChangesNoShade) {
    std::vector<Vec3d> places;
    for (int i = 0; i < 200; ++i) {
        places.push_back({2.0 * (i % 6), 2.0 * (i / 6 % 6), 2.0 * (i / 36)});
    }
    const Extent near = setting_of({grains_at(places)}).extent();
    places.push_back({500, 0, 0});
    const Extent far = setting_of({grains_at(places)}).extent();
    EXPECT_NEAR(far.reach, near.reach, 0.05 * near.reach);
    EXPECT_GT(far.radius, 200);
    EXPECT_NEAR(near.reach, 0.5 * near.radius, 0.05 * near.radius) << "of grains that keep together half of all";
}

TEST(Setting, GoesByAllFrames) {
    output::FrameFile nothing;
    nothing.walls = {floor_at(0)};
    Setting setting = setting_of({nothing, grains_at({{0, 0, 0.1}}, 1), grains_at({{0.5, 0, 0.1}})});
    EXPECT_DOUBLE_EQ(setting.bounds().high.x, 1.5) << "not the metre that stands for nothing";
    EXPECT_DOUBLE_EQ(setting.bounds().high.y, 1);
    const auto legend = setting.materials();
    ASSERT_EQ(legend.size(), 2U) << "also what is not in the first frame";
    EXPECT_EQ(legend[0].first, "sand");
    EXPECT_EQ(legend[1].first, "salt");
    EXPECT_NEAR(legend[1].second.g, kind_colour(1).g, 1e-6);
    EXPECT_DOUBLE_EQ(setting.extent().center.x, 0.25);
}

}  // namespace
}  // namespace talus::render
