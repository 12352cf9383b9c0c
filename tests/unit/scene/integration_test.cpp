// How soft grains are carried forward, which engine that takes, and what that engine cannot do.
#include <gtest/gtest.h>

#include "fault_table.h"

namespace talus::scene {
namespace {

using model::Method;

const std::string peanut = "[grains.peanut]\ndumbbell = { radius = \"2 mm\", distance = \"3 mm\" }\n";
const std::string peanuts_later =
    "[[stages]]\nname = \"one\"\nuntil = { time = 1 }\ndo = [ { fill = { material = \"grain\", grain = \"peanut\", "
    "random = {}, count = 1, box = { low = [0, 0, 0.1], high = [0.1, 0.1, 0.2] } } } ]\n";
const std::string glue = "shape = { disk = { radius = 1 } }, material = \"steel\", behaviour = \"sticky\"";
const std::string glue_wall =
    "[[walls]]\nname = \"glue\"\nshape = { disk = { radius = 1 } }\nmaterial = \"steel\"\nbehaviour = \"sticky\"\n";
const std::string rkf45 = "[integration]\nmethod = \"rkf45\"\n";

std::string scene_with(const std::string& more) {
    const bool staged = more.find("[[stages]]") != std::string::npos;
    return (staged ? replaced(sound_scene(), "end = 1\n", "") : sound_scene()) + more;
}

Scene with(const std::string& more) {
    return load_text(scene_with(more), "s.toml");
}

TEST(Integration, IsTheLeapfrogOfThePackedEngineUnlessAskedOtherwise) {
    const Scene scene = with("");
    EXPECT_EQ(scene.system.integration.method, Method::leapfrog);
    EXPECT_FALSE(scene.system.general);
}

TEST(Integration, OtherMethodsTakeTheGeneralEngine) {
    EXPECT_EQ(with("[integration]\nmethod = \"midpoint\"\n").system.integration.method, Method::midpoint);
    const Scene scene = with("[integration]\nmethod = \"rk23\"\ntolerance = 0.002\nsuccessive = false\n");
    EXPECT_EQ(scene.system.integration.method, Method::rk23);
    EXPECT_EQ(scene.system.integration.tolerance, 0.002);
    EXPECT_FALSE(scene.system.integration.successive);
    EXPECT_TRUE(scene.system.general);
    EXPECT_EQ(scene.system.clock.step, 1.0 / 24);  // a frame
}

TEST(Integration, ImplicitStepsNeedABuildWithSundials) {
    const std::string implicitly = "[integration]\nmethod = \"implicit\"\n";
#ifdef TALUS_HAS_ARKODE
    const Scene scene = with(implicitly);
    EXPECT_EQ(scene.system.integration.method, Method::implicit);
    EXPECT_FALSE(scene.system.integration.successive);
    EXPECT_TRUE(scene.system.general);
    expect_told(sound_scene() + implicitly + "successive = true\n",
                {"integration.successive: is for explicit methods; expected method = \"rkf45\" or \"rk23\""});
#else
    expect_told(
        sound_scene() + implicitly,
        {"s.toml:24:10: error: integration.method: \"implicit\" needs SUNDIALS, which Talus was built without"});
#endif
}

TEST(Integration, WhatStagesBringDecidesFromTheStart) {
    EXPECT_TRUE(with(peanut + peanuts_later).system.general);
    EXPECT_FALSE(with(peanut).system.general);  // a shape that nobody has
    const std::string other = "law = \"mindlin\", young = 1e7, poisson = 0.3, restitution = 0.5";
    const std::string stage = "[[stages]]\nname = \"one\"\nuntil = { time = 1 }\n";
    EXPECT_TRUE(
        with(stage + "do = [ { contact = { between = [\"grain\", \"*\"], " + other + " } } ]\n").system.general);
}

TEST(Integration, ShortestIsNeverLongerThanAFrame) {
    EXPECT_DOUBLE_EQ(with(rkf45).system.integration.shortest, 1.41e-4);
    EXPECT_DOUBLE_EQ(load_text(sound_scene() + rkf45, "s.toml", {"time.step='0.1 ms'"}).system.integration.shortest,
                     1e-4);
    expect_told(replaced(sound_scene(), "end = 1\n", "end = 1\nstep = \"1 ms\"\n") + rkf45 + "shortest = \"2 ms\"\n",
                {"s.toml:26:12: error: integration.shortest: 0.002 s is longer than time.step, into which steps fit; "
                 "expected at most 0.001 s"});
}

TEST(IntegrationFaults, KeysOfOtherMethodsAndEngines) {
    expect_told(sound_scene() + "[integration]\ntolerance = 0.01\n",
                {"integration.tolerance: is for methods that choose their steps"});
    expect_told("engine = \"stepped\"\n" + sound_scene() + rkf45,
                {"integration.method: is for soft contacts; impacts have no forces to integrate"});
}

TEST(IntegrationFaults, StickyWallsHoldPlainSpheresAlone) {
    EXPECT_FALSE(with(glue_wall).system.general);
    const std::string told =
        "error: behaviour: \"glue\" is sticky at some time, which holds plain spheres alone, under "
        "the leapfrog and the laws hooke and hertz, without fields; expected";
    expect_told(scene_with(glue_wall + rkf45), {"s.toml:23", told});
    expect_told(scene_with(glue_wall + peanut + peanuts_later), {told});
    const std::string stage = "[[stages]]\nname = \"one\"\nuntil = { time = 1 }\n";
    expect_told(scene_with(rkf45 + stage + "do = [ { add_wall = { name = \"glue\", " + glue + " } } ]\n"), {told});
}

}  // namespace
}  // namespace talus::scene
