// Frames as worlds: what becomes a ball, a tube, a sheet or the ground.
#include "talus/render/look.h"

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

TEST(Look, GrainsAreBallsOfTheirMaterialsColour) {
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

TEST(Look, GrainsOfManySpheresHaveOneColour) {
    output::FrameFile frame = two_grains();
    frame.sphere_grain = {1, 1, 2};
    frame.sphere_position = {{0, 0, 0.5}, {0, 0, 1.5}, {1.9, 0, 1}};
    frame.sphere_radius = {0.5, 0.5, 1};
    const World w = world(frame);
    ASSERT_EQ(w.balls.size(), 3U);
    EXPECT_EQ(w.balls[0].colour.r, w.balls[1].colour.r);
    EXPECT_EQ(w.balls[1].radius, 0.5);
}

TEST(Look, WiresAreThoseOfPaLa) {
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

TEST(Look, ForcesAreTubesAsThickAsTheyAreStrong) {
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

TEST(Look, WallsHaveTheirLooks) {
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

TEST(Look, AnEndlessFloorIsTheGround) {
    output::FrameFile frame = two_grains();
    frame.walls = {wall_of(ShapeKind::plane, 0, 0, 0)};
    frame.walls[0].position = {0, 0, -0.02};
    World w = world(frame);
    EXPECT_TRUE(w.sheets.empty());
    EXPECT_DOUBLE_EQ(w.ground.value(), -0.02);
    frame.walls[0].position = {0, 0, 3};  // a ceiling
    w = world(frame);
    EXPECT_EQ(w.sheets.size(), 1U);
    frame.walls[0] = wall_of(ShapeKind::plane, 0, 0, 0);
    frame.walls[0].colour = "#808080";  // somebody wants to see it
    EXPECT_EQ(world(frame).sheets.size(), 1U);
}

TEST(Look, WallsOfThePlaneAreLines) {
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

}  // namespace
}  // namespace talus::render
