// What viewers are told of walls, whatever these do.
#include "talus/server/wall_board.h"

#include <gtest/gtest.h>

namespace talus::server {
namespace {

class WallsToldOf : public ::testing::Test {
protected:
    WallsToldOf() {
        model::Wall piston;
        piston.name = "piston";
        piston.shape = {geometry::ShapeKind::rectangle, 1, 2, 0};
        piston.motion.translations.push_back({{0, 0, 1}, 0});
        piston.colour = "#ff8000";
        piston.opacity = 0.5;
        walls_ = {piston};
    }
    /// One grain at `x`, of a centimetre.
    Picture picture(float x = 0) {
        auto population = std::make_shared<Population>();
        population->id = {1};
        population->radius = {0.01F};
        Picture out;
        out.population = population;
        out.position = {x, 0, 0};
        out.box = box_of(out.position);
        board_.show(walls_, out);
        return out;
    }
    static Json header(const Message& message) { return Json::parse(message->head.substr(4)); }

    std::vector<model::Wall> walls_;
    WallBoard board_;
};

TEST_F(WallsToldOf, AWallThatHasStoppedIsWhereItStopped) {
    EXPECT_TRUE(picture().poses.empty());
    walls_[0].pose.position.z = 0.75;
    walls_[0].motion = {};
    const Picture stopped = picture();
    ASSERT_EQ(stopped.poses.size(), 1U);
    EXPECT_EQ(stopped.poses[0].position.z, 0.75);
    walls_[0].pose.position.z = 0;  // put back, as a replacement would: where it was told to be
    EXPECT_TRUE(picture().poses.empty());
}

TEST_F(WallsToldOf, NoWallsAreToldOfToo) {
    walls_.clear();
    ASSERT_NE(picture().walls, nullptr);
    EXPECT_TRUE(header(picture().walls).at("walls").empty());
    EXPECT_TRUE(header(picture().walls).at("low").is_null());
}

TEST_F(WallsToldOf, LooksAreSentAndSentAnewWhenTheyChange) {
    const Message first = picture().walls;
    EXPECT_EQ(header(first).at("walls").at(0).at("colour"), "#ff8000");
    EXPECT_EQ(header(first).at("walls").at(0).at("opacity"), 0.5);
    EXPECT_EQ(header(first).at("high").at(1), 2.0);
    EXPECT_EQ(picture().walls, first);
    walls_[0].colour = "#000000";
    EXPECT_NE(picture().walls, first);
}

TEST_F(WallsToldOf, AFloorGoesOnBelowACrowdThatSpreads) {
    walls_[0].shape = {geometry::ShapeKind::plane, 0, 0, 0};
    const Message first = picture().walls;
    EXPECT_EQ(picture(0.001F).walls, first);
    EXPECT_NE(picture(10).walls, first);
}

TEST_F(WallsToldOf, ADrumIsToBeSeenWholeAFloorIsNot) {
    walls_[0].shape = {geometry::ShapeKind::plane, 0, 0, 0};
    EXPECT_TRUE(header(picture().walls).at("low").is_null());
    walls_[0].shape = {geometry::ShapeKind::cylinder, 3, 0, 0};
    const Json told = header(picture().walls);
    EXPECT_NEAR(told.at("low").at(0).get<double>(), -3, 1e-9);
    EXPECT_NEAR(told.at("high").at(0).get<double>(), 3, 1e-9);
    EXPECT_LT(told.at("high").at(2).get<double>(), 1) << "no longer than it is drawn";
}

TEST_F(WallsToldOf, APointIsSomethingToSee) {
    walls_[0].shape = {geometry::ShapeKind::point, 0, 0, 0};
    EXPECT_EQ(header(picture().walls).at("walls").at(0).at("points"), 1);
}

}  // namespace
}  // namespace talus::server
