// Frames as worlds: what becomes a ball, a tube, a sheet or the ground.
#include "talus/render/staging.h"

#include <gtest/gtest.h>

#include <cmath>

#include "talus/base/diagnostics.h"

namespace talus::render {
namespace {

using geometry::ShapeKind;

output::FrameFile two_grains() {
    output::FrameFile frame;
    frame.id = {1, 2};
    frame.position = {{0, 0, 1}, {1.9, 0, 1}};
    frame.velocity.resize(2);
    frame.spin.resize(2);
    frame.force.resize(2);
    frame.radius = {1, 1};
    frame.mass = {1, 1};
    frame.material = {0, 1};
    frame.coordination = {1, 1};
    frame.materials = {{"sand", 1, "#ff0000"}, {"salt", 1, ""}};
    model::ContactSample contact;
    contact.a = 1;
    contact.b = 2;
    contact.force = {-2, 0, 0};
    contact.normal = {1, 0, 0};
    contact.point = {0.95, 0, 1};
    frame.contacts = {contact};
    return frame;
}

output::FrameWall wall_of(ShapeKind kind, double a, double b, double c) {
    output::FrameWall wall;
    wall.name = "wall";
    wall.shape = {kind, a, b, c};
    return wall;
}

World world(const output::FrameFile& frame, const Look& look = {}) {
    Setting setting;
    setting.add(frame, look);
    const ColourMap map("dusk");
    const Scale scale{map, {0, 4}};
    return world_of(frame, look, setting, nullptr, nullptr, &scale);
}

TEST(Staging, GrainsAreBallsOfTheirMaterialsColour) {
    Look look;
    look.by_material = true;
    const World w = world(two_grains(), look);
    ASSERT_EQ(w.balls.size(), 2U);
    EXPECT_EQ(w.balls[1].center, (Vec3d{1.9, 0, 1}));
    EXPECT_EQ(w.balls[0].radius, 1);
    EXPECT_NEAR(w.balls[0].colour.r, 1, 1e-6);
    EXPECT_NEAR(w.balls[0].colour.g, 0, 1e-6);
    EXPECT_NEAR(w.balls[1].colour.g, kind_colour(1).g, 1e-6);
    EXPECT_NEAR(w.ground.value(), 0, 1e-12) << "below the grains";
}

TEST(Staging, GrainsOfManySpheresHaveOneColour) {
    output::FrameFile frame = two_grains();
    frame.sphere_grain = {1, 1, 2};
    frame.sphere_position = {{0, 0, 0.5}, {0, 0, 1.5}, {1.9, 0, 1}};
    frame.sphere_radius = {0.5, 0.5, 1};
    const World w = world(frame);
    ASSERT_EQ(w.balls.size(), 3U);
    EXPECT_EQ(w.balls[0].colour.r, w.balls[1].colour.r);
    EXPECT_EQ(w.balls[1].radius, 0.5);
}

TEST(Staging, WiresAreThoseOfPaLa) {
    output::FrameFile frame = two_grains();
    frame.sphere_grain = {1, 1, 2};
    frame.sphere_position = {{0, 0, 0.5}, {0, 0.3, 1.5}, {1.9, 0, 1}};
    frame.sphere_radius = {0.5, 0.25, 1};
    Look look;
    look.wire = true;
    const World w = world(frame, look);
    EXPECT_TRUE(w.balls.empty());
    // A line from the centre and three radii for each sphere off the centre, three radii for the one at it.
    ASSERT_EQ(w.tubes.size(), 4U + 4U + 3U);
    EXPECT_EQ(w.tubes[4].from, (Vec3d{0, 0, 1}));
    EXPECT_EQ(w.tubes[4].to, (Vec3d{0, 0.3, 1.5}));
    const Vec3d along = math::normalized(Vec3d{0, 0.3, 0.5});
    const auto radius = [&](std::size_t k) { return w.tubes[k].to - w.tubes[k].from; };
    EXPECT_NEAR(math::norm(radius(5) - along * 0.25), 0, 1e-12) << "one goes on along the line";
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{5, 6}, {6, 7}, {5, 7}}) {
        EXPECT_NEAR(math::dot(radius(i), radius(j)), 0, 1e-12);
        EXPECT_NEAR(math::norm(radius(j)), 0.25, 1e-12);
    }
}

TEST(Staging, WiresHaveTheColoursOfTheBarAndAreDarkerWithoutOne) {
    Look look;
    look.wire = true;
    const output::FrameFile frame = two_grains();
    Setting setting;
    setting.add(frame, look);
    const ColourMap map("dusk");
    const Scale scale{map, {0, 4}};
    const Field field{"speed", "m/s", {1, 3}, false};
    const World by_field = world_of(frame, look, setting, &field, &scale, &scale);
    EXPECT_EQ(by_field.tubes.at(0).colour.r, scale.at(1).r);
    EXPECT_EQ(by_field.tubes.at(3).colour.g, scale.at(3).g);
    const World plain = world(frame, look);
    look.by_material = true;
    const World by_material = world(frame, look);
    EXPECT_NEAR(by_material.tubes.at(0).colour.r, 1, 1e-6) << "as the legend has it";
    EXPECT_LT(plain.tubes.at(0).colour.r, 0.6F);
}

TEST(Staging, ForcesAreTubesAsThickAsTheyAreStrong) {
    Look look;
    look.forces = true;
    const World w = world(two_grains(), look);
    EXPECT_TRUE(w.balls.empty());
    ASSERT_EQ(w.tubes.size(), 1U);
    EXPECT_EQ(w.tubes[0].from, (Vec3d{0, 0, 1}));
    EXPECT_EQ(w.tubes[0].to, (Vec3d{1.9, 0, 1}));
    EXPECT_DOUBLE_EQ(w.tubes[0].radius, 0.25) << "2 N of 4 N: half of half a radius";
    look.grain_opacity = 0.3;
    EXPECT_EQ(world(two_grains(), look).balls.size(), 2U);
}

TEST(Staging, WallsHaveTheirLooks) {
    output::FrameFile frame = two_grains();
    frame.walls = {wall_of(ShapeKind::tube, 3, 2, 4)};
    frame.walls[0].colour = "#0000ff";
    frame.walls[0].opacity = 0.3;
    World w = world(frame);
    ASSERT_EQ(w.sheets.size(), 1U);
    EXPECT_EQ(w.sheets[0].opacity, 0.3);
    EXPECT_NEAR(w.sheets[0].colour.b, 1, 1e-6);
    EXPECT_EQ(w.tubes.size(), 480U) << "two rims";
    // Normals stand on the cone, whose radius falls by 1 on 4.
    for (std::size_t i = 0; i < w.sheets[0].points.size(); ++i) {
        const Vec3d& p = w.sheets[0].points[i];
        const Vec3d down{-p.x / std::hypot(p.x, p.y) * 1, -p.y / std::hypot(p.x, p.y) * 1, 4};
        EXPECT_NEAR(math::dot(w.sheets[0].normals[i], down), 0, 1e-12);
    }
    Look look;
    look.wall_opacity = 0.5;
    EXPECT_EQ(world(frame, look).sheets[0].opacity, 0.5);
    look.hidden_walls = {"wall"};
    EXPECT_TRUE(world(frame, look).sheets.empty());
    frame.walls[0].present = false;
    EXPECT_TRUE(world(frame).sheets.empty());
    frame.walls[0] = wall_of(ShapeKind::sphere, 3, 0, 0);
    w = world(frame);
    EXPECT_TRUE(w.tubes.empty()) << "a sphere has no rim";
    frame.walls[0].colour = "blue";
    EXPECT_THROW(world(frame), base::InputError);
}

TEST(Staging, ForcesBetweenTwoGrainsAreOneTube) {
    output::FrameFile frame = two_grains();
    frame.contacts.push_back(frame.contacts[0]);  // two spheres of the one touch the other
    frame.contacts[1].force = {0, 0, 1};
    frame.contacts[1].point = {0.95, 0, 1.2};
    model::ContactSample wall = frame.contacts[0];
    wall.b = -1;
    wall.wall = 0;
    wall.force = {0, 0, 3};
    wall.point = {-0.1, 0, 0};
    frame.contacts.push_back(wall);
    wall.force = {0, 0, 1};
    wall.point = {0.3, 0, 0};
    frame.contacts.push_back(wall);
    Look look;
    look.forces = true;
    const World w = world(frame, look);
    ASSERT_EQ(w.tubes.size(), 2U);
    EXPECT_NEAR(math::norm(w.tubes[0].to - Vec3d{0, 0, 0.5}), 0, 1e-12)
        << "by strength between the contacts, and its round end stays on this side of the wall";
    EXPECT_DOUBLE_EQ(w.tubes[0].radius, 0.5) << "all of 4 N";
    EXPECT_NEAR(math::norm(w.tubes[1].to - Vec3d{1.9, 0, 1}), 0, 1e-12);
    EXPECT_DOUBLE_EQ(w.tubes[1].radius, 0.5 * std::sqrt(5) / 4) << "the sum of the two forces";
}

TEST(Staging, ForcesAreDarkWhereGrainsHaveTheColours) {
    Look look;
    look.forces = true;
    look.grain_opacity = 0.3;
    const World coloured = world(two_grains(), look);
    EXPECT_GT(coloured.tubes[0].colour.r, 2 * coloured.tubes[0].colour.g);
    look.forces_coloured = false;
    const World plain = world(two_grains(), look);
    EXPECT_NEAR(plain.tubes[0].colour.r, plain.tubes[0].colour.g, 1e-3);
}

TEST(Staging, RoundWallsAreDrawnAroundWhatTheyHold) {
    output::FrameFile frame = two_grains();
    for (const ShapeKind kind : {ShapeKind::cylinder, ShapeKind::tube, ShapeKind::sphere}) {
        frame.walls = {wall_of(kind, 3, 3, 4)};
        const Sheet sheet = world(frame).sheets.at(0);
        for (const auto& corners : sheet.triangles) {
            const Vec3d& p = sheet.points[corners[0]];
            const Vec3d& q = sheet.points[corners[1]];
            const Vec3d& r = sheet.points[corners[2]];
            const Vec3d normal = math::normalized(math::cross(q - p, r - p));
            const double nearest = std::abs(math::dot(normal, p));
            EXPECT_GT(nearest, 3 - 1e-9);
            EXPECT_LT(nearest, 3.001);
        }
    }
}

TEST(Staging, WallsOfThePlaneAreLines) {
    output::FrameFile frame = two_grains();
    frame.domain.dimensions = 2;
    frame.position = {{0, 1, 0}, {1.9, 1, 0}};
    frame.walls = {wall_of(ShapeKind::cylinder, 5, 0, 0)};
    const World w = world(frame);
    EXPECT_TRUE(w.sheets.empty());
    EXPECT_FALSE(w.ground);
    double length = 0;
    for (const Tube& tube : w.tubes) {
        EXPECT_NEAR(tube.from.z, 0, 1e-12);
        EXPECT_NEAR(std::hypot(tube.from.x, tube.from.y), 5, 0.01);
        length += math::norm(tube.to - tube.from);
    }
    EXPECT_NEAR(length, 2 * M_PI * 5, 0.01);
}

TEST(Staging, LinesOfThePlaneAreThinAndItsPointsAreSeen) {
    output::FrameFile frame = two_grains();
    frame.domain.dimensions = 2;
    frame.radius = {0.001, 0.001};
    frame.position = {{0, 0, 0}, {0.01, 0, 0}};
    // As the plane has them: a straight wall is a rectangle that stands half a metre out of it on both sides.
    output::FrameWall side = wall_of(ShapeKind::rectangle, 0.02, 1, 0);
    side.position = {0, -0.001, -0.5};
    side.rotation = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
    output::FrameWall point = wall_of(ShapeKind::point, 0, 0, 0);
    point.position = {0.005, 0.003, 0};
    output::FrameWall edge = wall_of(ShapeKind::line, 0, 0, 0);
    edge.position = {0.007, 0.003, 0};
    frame.walls = {side};
    World w = world(frame);
    ASSERT_FALSE(w.tubes.empty());
    EXPECT_LT(w.tubes[0].radius, 0.0003) << "a small part of a grain";
    for (const output::FrameWall& dot : {point, edge}) {
        frame.walls = {dot};
        w = world(frame);
        ASSERT_EQ(w.tubes.size(), 1U);
        EXPECT_NEAR(math::norm((w.tubes[0].from + w.tubes[0].to) * 0.5 - dot.position), 0, 1e-12);
        EXPECT_GT(w.tubes[0].radius, 0.00002);
    }
}

}  // namespace
}  // namespace talus::render
