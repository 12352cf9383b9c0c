// What viewers are told of walls, whatever these do.
#include "talus/server/wall_board.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST_F(WallsToldOf, AnEndlessFloorThatSlidesAndTurnsStaysBelowTheGrains) {
    walls_[0].shape = {geometry::ShapeKind::plane, 0, 0, 0};
    const Message first = picture().walls;
    walls_[0].pose.position = {7, -3, 0};  // a conveyor
    walls_[0].pose.rotation = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
    const Picture slid = picture();
    EXPECT_EQ(slid.walls, first);
    ASSERT_EQ(slid.poses.size(), 1U);
    EXPECT_NEAR(math::norm(slid.poses[0].position), 0, 1e-12);
    EXPECT_NEAR(math::norm(slid.poses[0].rotation * Vec3d{1, 0, 0} - Vec3d{1, 0, 0}), 0, 1e-12);
    walls_[0].pose.position = {7, -3, 0.5};
    EXPECT_NEAR(math::norm(picture().poses[0].position - Vec3d{0, 0, 0.5}), 0, 1e-12) << "it is lifted all the same";
}

TEST_F(WallsToldOf, AnEndlessFloorThatTiltsGoesThroughItsPlaceBelowTheGrains) {
    walls_[0].shape = {geometry::ShapeKind::plane, 0, 0, 0};
    const Message first = picture(1).walls;
    const auto tilted = [](double sine) {
        const double cosine = std::sqrt(1 - sine * sine);
        return Mat3d{{{cosine, 0, -sine}, {0, 1, 0}, {sine, 0, cosine}}};
    };
    walls_[0].pose.rotation = tilted(0.05);
    const Picture little = picture(1);
    EXPECT_EQ(little.walls, first);
    const auto& [wall, position, rotation] = little.poses.at(0);
    const Vec3d normal = walls_[0].pose.rotation.column(2);
    EXPECT_NEAR(math::norm(rotation.column(2) - normal), 0, 1e-12);
    EXPECT_NEAR(math::dot(normal, position), 0, 1e-12) << "a point of the floor as it is now";
    walls_[0].pose.rotation = tilted(0.1);
    EXPECT_NE(picture(1).walls, first) << "cut anew";
    EXPECT_TRUE(picture(1).poses.empty());
}

TEST_F(WallsToldOf, AnEndlessDrumThatIsPushedAlongItsAxisIsAroundTheGrains) {
    walls_[0].shape = {geometry::ShapeKind::cylinder, 3, 0, 0};
    const Message first = picture().walls;
    walls_[0].pose.position = {0.5, 0, 40};
    const Picture pushed = picture();
    EXPECT_EQ(pushed.walls, first);
    EXPECT_NEAR(math::norm(pushed.poses.at(0).position - Vec3d{0.5, 0, 0}), 0, 1e-12);
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
