// --set: what it changes, and what it refuses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene_text.h"
#include "talus/scene/scene.h"

namespace talus::scene {
namespace {

Scene with(const std::vector<std::string>& overrides) {
    return load_text(sound_scene(), "s.toml", overrides);
}

std::string told(const std::vector<std::string>& overrides) {
    try {
        with(overrides);
    } catch (const base::InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Overrides, ChangeValues) {
    EXPECT_DOUBLE_EQ(with({"materials.grain.density=2000"}).system.materials.list[0].density, 2000);
    EXPECT_DOUBLE_EQ(with({"materials.grain.density=2 g/cm3"}).system.materials.list[0].density, 2000);
    EXPECT_DOUBLE_EQ(with({"materials.grain.density='2 g/cm3'"}).system.materials.list[0].density, 2000);
    EXPECT_DOUBLE_EQ(with({"gravity.uniform=[0, 0, \"-2 m/s2\"]"}).system.gravity.z, -2);
    EXPECT_EQ(with({"title=a = b"}).plan.title, "a = b");
}

TEST(Overrides, ReachIntoLists) {
    EXPECT_DOUBLE_EQ(with({"walls.0.shape.disk.hole='12 cm'"}).system.walls[0].shape.a, 0.12);
    EXPECT_DOUBLE_EQ(with({"walls[0].shape.disk.hole=12 cm"}).system.walls[0].shape.a, 0.12);
    EXPECT_DOUBLE_EQ(with({"walls.floor.shape.disk.hole=12 cm"}).system.walls[0].shape.a, 0.12);
    EXPECT_DOUBLE_EQ(with({"gravity.uniform[2]=-3"}).system.gravity.z, -3);
    EXPECT_DOUBLE_EQ(with({"gravity.uniform.2=-1 g0"}).system.gravity.z, -9.80665);
}

TEST(Overrides, AddTablesAndReplaceThem) {
    EXPECT_DOUBLE_EQ(with({"output.frames=10 ms"}).plan.output.frame_interval, 0.01);
    EXPECT_EQ(with({"materials.\"blue rock\".density=3000"}).system.materials.list[0].name, "blue rock");
    EXPECT_EQ(with({"walls=[]", "time.step=1 us"}).system.walls.size(), 0U);
}

TEST(Overrides, TheLastOneWins) {
    EXPECT_DOUBLE_EQ(with({"time.end=2", "time.end=3"}).plan.stages[0].until.at_time.value(), 3);
}

TEST(Overrides, AreInTheTextOfTheSceneAsRun) {
    const Scene scene = with({"walls.floor.shape.disk.hole=12 cm", "materials.grain.density=1234.5", "seed=7"});
    const Scene again = load_text(scene.text, "again.toml");
    EXPECT_DOUBLE_EQ(again.system.walls[0].shape.a, 0.12);
    EXPECT_DOUBLE_EQ(again.system.materials.list[0].density, 1234.5);
    EXPECT_EQ(again.system.seed, 7U);
    EXPECT_EQ(again.system.clock.step, scene.system.clock.step);
    EXPECT_EQ(again.system.bodies.position.at(0), scene.system.bodies.position.at(0));
}

TEST(Overrides, FaultsNameTheOption) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"materials.grain.densty=1",
         "--set materials.grain.densty=1: error: materials.grain.densty: unknown key; did you mean \"density\"?"},
        {"materal.grain.density=1",
         "--set materal.grain.density=1: error: materal: unknown key; did you mean \"materials\""},
        {"time.end=1 m", "--set time.end=1 m: error: time.end: \"1 m\" is a length (m); expected a time (s)"},
        {"time.end=nan", "--set time.end=nan: error: time.end: is not a finite number"},
        {"walls.4.name=x", "--set walls.4.name=x: error: walls: has no entry 4; expected an index from 0 to 0"},
        {"walls.roof.name=x", "walls: has no entry roof"},
        {"time.end.x=3", "--set time.end.x=3: error: time.end: is a plain value and has no key \"x\""},
        {"time.end", "--set time.end: error: cannot be read; expected dotted.key=value"},
        {"=3", "cannot be read"},
        {"time..end=3", "cannot be read"},
    };
    for (const auto& [text, fragment] : cases) {
        const std::string message = told({text});
        EXPECT_NE(message.find(fragment), std::string::npos) << "wanted: " << fragment << "\ntold: " << message;
    }
}

TEST(Overrides, CannotSmuggleOtherKeysIn) {
    const Scene scene = with({"title=\"a\"\nseed = 99"});
    EXPECT_EQ(scene.system.seed, 1U);
    EXPECT_EQ(scene.plan.title, "\"a\"\nseed = 99");
}

}  // namespace
}  // namespace talus::scene
