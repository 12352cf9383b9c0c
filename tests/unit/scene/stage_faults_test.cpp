// Faults of stages. One row a fault.
#include <gtest/gtest.h>

#include <string>

#include "fault_table.h"

namespace talus::scene {
namespace {

const std::string stages = "[[stages]]\nname = \"one\"\nuntil = { time = 1 }\n";

/// Faults in what follows the sound scene without its `time.end`; line 23 is the first added.
class StageFaults : public testing::TestWithParam<Fault> {};

TEST_P(StageFaults, AreToldWithTheirPlace) {
    expect_told(replaced(sound_scene(), "end = 1\n", "#\n") + GetParam().with, GetParam().fragments);
}

std::string doing(const std::string& action) {
    return stages + "do = [ " + action + " ]\n";
}

INSTANTIATE_TEST_SUITE_P(
    Stages, StageFaults,
    testing::Values(
        Fault{"NoEnd", "", "", {"nothing says when the run ends"}},
        Fault{"StageTwice", "", stages + stages, {"stages[1].name: there is already a stage \"one\", in line 23"}},
        Fault{"NoUntil", "", "[[stages]]\nname = \"a\"\n", {"stages[0]: needs the key \"until\""}},
        Fault{"NoRule", "", "[[stages]]\nname = \"a\"\nuntil = { timeout = 1 }\n", {"stages[0].until: has no rule"}},
        Fault{"Misspelt",
              "",
              "[[stages]]\nname = \"a\"\nuntil = \"setled\"\n",
              {"s.toml:25:9", "stages[0].until: \"setled\" is not known here", "did you mean \"settled\"?"}},
        Fault{"RegionWithoutCount",
              "",
              "[[stages]]\nname = \"a\"\nuntil = { time = 1, above = 2 }\n",
              {"stages[0].until: has a region but counts nothing"}},
        Fault{"SettledWithoutGravity",
              "",
              "[[stages]]\nname = \"a\"\nuntil = \"settled\"\ndo = [ { gravity = [0, 0, 0] } ]\n",
              {"stages[0].until: waits for rest without gravity"}},
        Fault{"UnknownWall",
              "",
              doing("{ remove_wall = \"flor\" }"),
              {"s.toml:26:24", "stages[0].do[0].remove_wall: there is no wall \"flor\"", "did you mean \"floor\"?"}},
        Fault{"RemovedTwice",
              "",
              doing("{ remove_wall = \"floor\" }, { remove_wall = \"floor\" }"),
              {"stages[0].do[1].remove_wall: the wall \"floor\" has been removed by an earlier action"}},
        Fault{"AddedTwice",
              "",
              doing("{ add_wall = { name = \"floor\", material = \"steel\", shape = { point = {} } } }"),
              {"stages[0].do[0].add_wall.name: there is already a wall \"floor\""}},
        Fault{"ReplaceWithoutShape", "", doing("{ replace_wall = \"floor\" }"), {"comes without a new shape"}},
        Fault{"ReplaceKindIncomplete",
              "",
              doing("{ replace_wall = \"floor\", shape = { sphere = {} } }"),
              {"stages[0].do[0].shape.sphere: needs the key \"radius\""}},
        Fault{"ReplaceHoleTooBig",
              "",
              doing("{ replace_wall = \"floor\", shape = { disk = { hole = \"60 cm\" } } }"),
              {"stages[0].do[0].shape.disk: ", "hole"}},
        Fault{"ShapeWithoutReplace",
              "",
              doing("{ remove_wall = \"floor\", shape = { point = {} } }"),
              {"stages[0].do[0]: \"shape\" does not belong to this action"}},
        Fault{"MotionMissing", "", doing("{ set_motion = \"floor\" }"), {"comes without a motion"}},
        Fault{"EmptyAction", "", doing("{}"), {"stages[0].do[0]: lacks a key"}},
        Fault{"EmptyBound", "", doing("{ remove_above = {} }"), {"stages[0].do[0].remove_above: is empty"}},
        Fault{"VelocityOfNothing", "", doing("{ set_velocity = {} }"), {"stages[0].do[0].set_velocity: sets nothing"}},
        Fault{"NoInside", "", doing("{ remove_inside = \"floor\" }"), {"the wall \"floor\" has no inside"}},
        Fault{"NewWallWithoutContact",
              "",
              "[materials.wood]\n" + doing("{ contact = { between = [\"grain\", \"grain\"], law = \"hooke\" } }"),
              {"stages[0].do[0].contact.kn: is missing", "stages[0].do[0].contact.restitution: is missing"}}),
    fault_name);

TEST(SceneFault, EndTogetherWithStages) {
    EXPECT_NE(faults_of(sound_scene() + stages).find("s.toml:2:7: error: time.end: is given together with [[stages]]"),
              std::string::npos);
}

}  // namespace
}  // namespace talus::scene
