// A fill of several materials: equal parts, dealt at random but always in the same way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "fault_table.h"

namespace talus::scene {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Three materials for the grains of the sound scene; a test says how many grains there are. `material` is in line 22.
std::string three_materials(int count) {
    std::string text =
        replaced(sound_scene(), "density = \"1 g/cm3\"\n",
                 "density = \"1 g/cm3\"\n[materials.b]\ndensity = 2000\n[materials.c]\ndensity = 3000\n");
    text = replaced(text, "between = [\"grain\", \"*\"]", "between = [\"*\", \"*\"]");
    text = replaced(text, "material = \"grain\"", "material = [\"grain\", \"b\", \"c\"]");
    text = replaced(text, "high = [\"4 cm\", \"4 cm\", \"5 cm\"]", "high = [\"30 cm\", \"30 cm\", \"50 cm\"]");
    return replaced(text, "count = 1", "count = " + std::to_string(count));
}

std::map<std::string, int> counts(const Scene& scene) {
    std::map<std::string, int> out;
    for (const std::int32_t m : scene.system.bodies.material) {
        ++out[scene.system.materials.list.at(static_cast<std::size_t>(m)).name];
    }
    return out;
}

TEST(FillMaterials, AreDealtInEqualParts) {
    EXPECT_EQ(counts(load_text(three_materials(300), "s.toml")),
              (std::map<std::string, int>{{"b", 100}, {"c", 100}, {"grain", 100}}));
    for (const int count : {1, 2, 100, 301}) {
        auto found = counts(load_text(three_materials(count), "s.toml"));
        for (const char* name : {"grain", "b", "c"}) {
            EXPECT_GE(found[name], count / 3) << count;
            EXPECT_LE(found[name], (count + 2) / 3) << count;
        }
    }
}

TEST(FillMaterials, ANameThatIsListedTwiceCountsTwice) {
    const std::string text = replaced(three_materials(300), "[\"grain\", \"b\", \"c\"]", "[\"grain\", \"b\", \"b\"]");
    EXPECT_EQ(counts(load_text(text, "s.toml")), (std::map<std::string, int>{{"b", 200}, {"grain", 100}}));
}

TEST(FillMaterials, HaveTheirOwnDensities) {
    const Scene scene = load_text(three_materials(30), "s.toml");
    for (std::size_t i = 0; i < scene.system.bodies.size(); ++i) {
        const std::string& name =
            scene.system.materials.list.at(static_cast<std::size_t>(scene.system.bodies.material[i])).name;
        const double expected = name == "grain" ? 1000 : name == "b" ? 2000 : 3000;
        const double volume = 4.0 / 3.0 * std::numbers::pi * 1e-6;
        EXPECT_NEAR(scene.system.bodies.mass[i], expected * volume, 1e-9) << name;
    }
}

TEST(FillMaterials, AreTheSameEachTimeAndDifferWithTheSeed) {
    const Scene once = load_text(three_materials(300), "s.toml");
    EXPECT_EQ(load_text(three_materials(300), "s.toml").system.bodies.material, once.system.bodies.material);
    const Scene other = load_text(three_materials(300), "s.toml", {"fill.0.seed=7"});
    EXPECT_NE(other.system.bodies.material, once.system.bodies.material);
    const auto& dealt = once.system.bodies.material;
    EXPECT_FALSE(std::is_sorted(dealt.begin(), dealt.end()));
    EXPECT_FALSE(std::equal(dealt.begin() + 3, dealt.end(), dealt.begin())) << "not in one order over and over";
}

TEST(FillMaterials, LeaveAllElseAsItIs) {
    const Scene list = load_text(three_materials(50), "s.toml", {"fill.0.velocity_spread=1"});
    const Scene one = load_text(replaced(three_materials(50), "[\"grain\", \"b\", \"c\"]", "\"grain\""), "s.toml",
                                {"fill.0.velocity_spread=1"});
    for (std::size_t i = 0; i < 50; ++i) {
        EXPECT_EQ(list.system.bodies.position[i], one.system.bodies.position[i]);
        EXPECT_EQ(list.system.bodies.velocity[i], one.system.bodies.velocity[i]);
    }
}

TEST(FillMaterials, FaultsAreToldByName) {
    const std::string split =
        replaced(three_materials(3), "[\"grain\", \"b\", \"c\"]", "[\n\"grain\",\n\"bb\",\n\"stone\" ]");
    const std::string told = faults_of(split);
    EXPECT_THAT(told, HasSubstr("s.toml:24:1: error: fill[0].material[1]: there is no material \"bb\""));
    EXPECT_THAT(told, HasSubstr("did you mean \"b\"?"));
    EXPECT_THAT(told, HasSubstr("s.toml:25:1: error: fill[0].material[2]: there is no material \"stone\""));
    const std::string weightless =
        faults_of(replaced(three_materials(3), "[materials.b]\ndensity = 2000\n", "[materials.b]\n"));
    EXPECT_THAT(weightless,
                HasSubstr("s.toml:7:1: error: materials.b: needs the key \"density\": fill[0] makes grains of it"));
    EXPECT_THAT(weightless, Not(HasSubstr("materials.c")));
    EXPECT_THAT(faults_of(replaced(three_materials(3), "[\"grain\", \"b\", \"c\"]", "[]")),
                HasSubstr("s.toml:22:12: error: fill[0].material: "));
    EXPECT_THAT(faults_of(replaced(three_materials(3), "[\"grain\", \"b\", \"c\"]", "[\"grain\", 3]")),
                HasSubstr("fill[0].material[1]: "));
}

TEST(FillMaterials, EachPairNeedsAContact) {
    const std::string told =
        faults_of(replaced(three_materials(3), "between = [\"*\", \"*\"]", "between = [\"grain\", \"*\"]"));
    EXPECT_THAT(told, HasSubstr("no entry says how \"b\" and \"b\" touch"));
    EXPECT_THAT(told, HasSubstr("no entry says how \"b\" and \"c\" touch"));
    EXPECT_THAT(told, HasSubstr("no entry says how \"c\" and \"steel\" touch"));
}

}  // namespace
}  // namespace talus::scene
