// Walls that forces move: what their keys become, and what they cannot be.
#include <gtest/gtest.h>

#include <numbers>

#include "fault_table.h"

namespace talus::scene {
namespace {

std::string moved(const std::string& motion) {
    return replaced(sound_scene(), "material = \"steel\"\n[[fill]]",
                    "material = \"steel\"\nmotion = [ " + motion + " ]\n[[fill]]");
}

model::Drive drive_of(const std::string& motion) {
    return load_text(moved(motion), "s.toml").system.walls[0].motion.drives.at(0);
}

const std::string slide = "{ free = { along = [0, 0, -2], mass = \"2 kg\", load = \"50 N\" } }";

TEST(Drives, OfAFreeWallHasItsMassAndLoad) {
    const model::Drive drive = drive_of(slide);
    EXPECT_FALSE(drive.turns);
    EXPECT_EQ(drive.axis, (math::Vec3d{0, 0, -1}));
    EXPECT_EQ(drive.inertia, 2);
    EXPECT_EQ(drive.weight, 2);
    EXPECT_EQ(drive.load, 50);
}

TEST(Drives, OfAHingeTurnsAboutItsAxis) {
    const model::Drive drive = drive_of(
        "{ hinge = { axis = [0, 1, 0], through = [0, 0, 1], inertia = \"3 kg m2\", mass = 4, center = [0, 0, 0.5], "
        "rate "
        "= \"1 rev/s\", start = 2 } }");
    EXPECT_TRUE(drive.turns);
    EXPECT_EQ(drive.inertia, 3);
    EXPECT_EQ(drive.weight, 4);
    EXPECT_EQ(drive.centre, (math::Vec3d{0, 0, -0.5}));
    EXPECT_DOUBLE_EQ(drive.speed, 2 * std::numbers::pi);
    EXPECT_EQ(drive.start, 2);
}

TEST(Drives, OfAServoHasTheForceOfItsPressure) {
    const model::Drive drive =
        drive_of("{ servo = { along = [0, 0, -1], pressure = \"2 kPa\", speed = \"10 cm/s\", response = \"5 ms\" } }");
    const double area = std::numbers::pi * 0.25;
    EXPECT_DOUBLE_EQ(drive.load, 2000 * area);
    EXPECT_DOUBLE_EQ(drive.damping, 20000 * area);
    EXPECT_DOUBLE_EQ(drive.inertia, 100 * area);
    EXPECT_EQ(drive.weight, 0);
    EXPECT_DOUBLE_EQ(drive_of("{ servo = { along = [0, 0, 1], force = 7, speed = 1 } }").load, 7);
}

TEST(DriveFaults, AreToldWithTheirPlace) {
    expect_told(moved("{ free = { along = [0, 0, 0], mass = 1 } }"), {"s.toml:17", "along: has no direction"});
    expect_told(moved("{ free = { along = [0, 0, 1] } }"), {"s.toml:17", "mass"});
    expect_told(moved(slide + ", " + slide), {"is the second of the wall's motions by forces"});
    expect_told(moved("{ translate = { velocity = [1, 0, 0] } }, { hinge = { axis = [0, 0, 1], through = [0, 0, 0], "
                      "inertia = 1 } }"),
                {"is beside a hinge, whose axis stays where it is"});
    expect_told(moved("{ hinge = { axis = [0, 0, 1], through = [0, 0, 0], inertia = 1, center = [1, 0, 0] } }"),
                {"center: says where gravity pulls, on no mass"});
    expect_told(moved("{ servo = { along = [0, 0, 1], force = 7, area = 2, speed = 1 } }"),
                {"area: is for a pressure"});
    expect_told(moved("{ servo = { along = [0, 0, 1], speed = 1 } }"), {"pressure", "force"});
    expect_told(
        replaced(moved("{ servo = { along = [0, 0, 1], pressure = 1, speed = 1 } }"), "disk = { radius = \"50 cm\" }",
                 "plane = {}"),
        {"pressure: counts for an area, and this shape has none of its own; expected area = \"1 m2\" beside it"});
}

TEST(DriveFaults, OtherEnginesRefuseByName) {
    for (const std::string engine : {"hard", "stepped"}) {
        const std::string text = replaced(moved(slide), "law = \"hooke\"\nkn = 8e4\n", "law = \"impact\"\n");
        expect_told("engine = \"" + engine + "\"\n" + text,
                    {"error: motion: \"floor\" is moved by forces at some time, which engine = \"" + engine +
                     "\" cannot do; expected engine = \"soft\""});
    }
    const std::string later =
        "[[stages]]\nname = \"one\"\nuntil = { time = 1 }\ndo = [ { set_motion = \"floor\", motion = [ " + slide +
        " ] } ]\n";
    expect_told(
        "engine = \"stepped\"\n" +
            replaced(replaced(sound_scene(), "law = \"hooke\"\nkn = 8e4\n", "law = \"impact\"\n"), "end = 1\n", "") +
            later,
        {"\"floor\" is moved by forces at some time"});
}

}  // namespace
}  // namespace talus::scene
