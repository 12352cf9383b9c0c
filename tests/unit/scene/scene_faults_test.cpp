// Every kind of fault: its place, its key, its words. One row a fault.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fault_table.h"

namespace talus::scene {
namespace {

class SceneFaults : public testing::TestWithParam<Fault> {};

TEST_P(SceneFaults, AreToldWithTheirPlace) {
    const Fault& fault = GetParam();
    const std::string text =
        fault.what.empty() ? sound_scene() + fault.with : replaced(sound_scene(), fault.what, fault.with);
    ASSERT_FALSE(text.empty()) << "the text to replace is not in the sound scene";
    expect_told(text, fault.fragments);
}

const std::string end_line = "end = 1\n";

INSTANTIATE_TEST_SUITE_P(
    Keys, SceneFaults,
    testing::Values(
        Fault{"UnknownKey",
              "density = ",
              "densty = ",
              {"s.toml:6:1: error: materials.grain.densty: unknown key; did you mean \"density\"?"}},
        Fault{"UnknownTable", "[gravity]", "[gravty]", {"s.toml:3:2: error: gravty: unknown key", "\"gravity\"?"}},
        Fault{"UnknownKeyFarFromAll",
              end_line,
              "zzzzzzzzz = 1\nend = 1\n",
              {"s.toml:2:1", "time.zzzzzzzzz: unknown key; expected one of step, end"}},
        Fault{"WrongType",
              "name = \"floor\"",
              "name = 3",
              {"s.toml:14:8", "walls[0].name: is a number; expected a text"}},
        Fault{"TextForList",
              "between = [\"grain\", \"*\"]",
              "between = \"grain\"",
              {"s.toml:9:11", "contacts[0].between: is a text; expected a list of 2"}},
        Fault{"ListTooShort",
              "between = [\"grain\", \"*\"]",
              "between = [\"grain\"]",
              {"contacts[0].between: has 1 entry; expected a list of 2"}},
        Fault{"VectorTooShort",
              "[0, 0, \"-1 g0\"]",
              "[0, 0]",
              {"s.toml:4:11", "gravity.uniform: has 2 entries; expected three numbers (m/s2)"}},
        Fault{"SingleTable", "[[fill]]", "[fill]", {"fill: is a single table", "write [[fill]], not [fill]"}},
        Fault{
            "BooleanWanted", "", "hold_rotation = 1\n", {"fill[0].hold_rotation: is a number; expected true or false"}},
        Fault{"WholeNumberWanted", "count = 1", "count = 1.5", {"fill[0].count: is not a whole number"}},
        Fault{"MissingKey", "name = \"floor\"\n", "", {"s.toml:13:1", "walls[0]: needs the key \"name\""}},
        Fault{"MissingOneOf",
              "lattice = {}\n",
              "",
              {"fill[0]: lacks a key; expected exactly one of lattice, blocks, random, pack, file"}},
        Fault{"TwoOfOne",
              "lattice = {}\n",
              "lattice = {}\nrandom = {}\n",
              {"fill[0]: lattice and random exclude each other"}},
        Fault{"CountAndFraction", "", "fraction = 0.2\n", {"fill[0]: count and fraction exclude each other"}},
        Fault{"UnknownLaw",
              "law = \"hooke\"",
              "law = \"hook\"",
              {"s.toml:10:7", "contacts[0].law: \"hook\" is not known here", "did you mean \"hooke\"?"}},
        Fault{"MissingLaw", "law = \"hooke\"\n", "", {"s.toml:8:1", "contacts[0]: needs the key \"law\""}},
        Fault{"ParameterOfAnotherLaw", "kn = 8e4", "young = 8e4", {"contacts[0].young: unknown key"}},
        Fault{"NoToml", "[time]", "[time", {"s.toml:1:", "is no valid TOML"}},
        Fault{"MaterialTwice", "[materials.steel]", "[materials.grain]", {"s.toml:7:", "is no valid TOML", "grain"}},
        Fault{
            "BadColour", "", "[materials.gold]\ncolour = \"gold\"\n", {"materials.gold.colour: \"gold\" is no colour"}},
        Fault{"BadName", "name = \"floor\"", "name = \"a/b\"", {"s.toml:14:8", "\"a/b\" is no usable name"}}),
    fault_name);

INSTANTIATE_TEST_SUITE_P(
    Numbers, SceneFaults,
    testing::Values(
        Fault{"Nan", "radius = \"1 cm\"", "radius = nan", {"s.toml:19:10", "fill[0].radius: is not a finite number"}},
        Fault{"Infinity", end_line, "end = inf\n", {"s.toml:2:7", "time.end: is not a finite number"}},
        Fault{"InfinityInVector", "\"-1 g0\"", "-inf", {"gravity.uniform[2]: is not a finite number"}},
        Fault{"NanText",
              "density = \"1 g/cm3\"",
              "density = \"nan g/cm3\"",
              {"materials.grain.density", "finite number"}},
        Fault{"NanParameter", "restitution = 0.8", "restitution = nan", {"contacts[0].restitution: is not a finite"}},
        Fault{"NegativeRadius", "radius = \"1 cm\"", "radius = \"-1 cm\"", {"fill[0].radius: must be positive"}},
        Fault{"ZeroRadius", "radius = \"1 cm\"", "radius = 0", {"fill[0].radius: must be positive"}},
        Fault{"NegativeDensity", "\"1 g/cm3\"", "-5", {"s.toml:6:11", "materials.grain.density: must be positive"}},
        Fault{"UnknownUnit",
              "\"1 g/cm3\"",
              "\"1 g/cn3\"",
              {"materials.grain.density: unknown unit \"cn\"", "expected a density (kg/m3)"}},
        Fault{"WrongDimension",
              end_line,
              "end = \"1 m\"\n",
              {"s.toml:2:7: error: time.end: \"1 m\" is a length (m); expected a time (s)"}},
        Fault{"PlainForDimension", "\"1 g/cm3\"", "\"1\"", {"\"1\" is a plain number; expected a density (kg/m3)"}},
        Fault{"OutOfRange",
              "restitution = 0.8",
              "restitution = 1.2",
              {"contacts[0].restitution: must be at least 0 and at most 1"}},
        Fault{"CyclesForRate",
              "",
              "[[walls]]\nname = \"a\"\nmaterial = \"steel\"\nshape = { sphere = { radius = 1 } }\n"
              "motion = [ { spin = { rate = \"2 Hz\" } } ]\n",
              {"walls[1].motion[0].spin.rate: \"2 Hz\" counts cycles, not angles"}},
        Fault{"SizesUpsideDown",
              "radius = \"1 cm\"",
              "radius = { uniform = { low = 2, high = 1 } }",
              {"fill[0].radius.uniform: low (2 m) is not below high (1 m)"}},
        Fault{"WeightsAndRadii",
              "radius = \"1 cm\"",
              "radius = { table = { radius = [0.01], weight = [1, 2] } }",
              {"fill[0].radius.table: has 1 radii and 2 weights"}}),
    fault_name);

const std::string wall_head = "[[walls]]\nname = \"w\"\nmaterial = \"steel\"\n";

INSTANTIATE_TEST_SUITE_P(
    Walls, SceneFaults,
    testing::Values(
        Fault{"WallTwice",
              "",
              "[[walls]]\nname = \"floor\"\nmaterial = \"steel\"\nshape = { point = {} }\n",
              {"s.toml:24:8", "walls[1].name: there is already a wall \"floor\", in line 13"}},
        Fault{"UnknownMaterial",
              "material = \"steel\"",
              "material = \"stel\"",
              {"s.toml:16:12", "walls[0].material: there is no material \"stel\"", "did you mean \"steel\"?"}},
        Fault{"ZeroDisk",
              "",
              wall_head + "shape = { disk = { radius = 0 } }\n",
              {"walls[1].shape.disk.radius: must be positive"}},
        Fault{"HoleTooBig",
              "",
              wall_head + "shape = { disk = { radius = 1, hole = 2 } }\n",
              {"s.toml:26:18", "walls[1].shape.disk: ", "hole"}},
        Fault{"ZeroRectangle",
              "",
              wall_head + "shape = { rectangle = { corner = [0,0,0], edge1 = [0,0,0], edge2 = [0,1,0] } }\n",
              {"walls[1].shape.rectangle: ", "zero"}},
        Fault{"FlatTriangle",
              "",
              wall_head + "shape = { triangle = { corners = [[0,0,0],[1,0,0],[2,0,0]] } }\n",
              {"walls[1].shape.triangle: ", "line"}},
        Fault{"ZeroTube",
              "",
              wall_head + "shape = { tube = { from = [0,0,0], to = [0,0,0], radius = 1 } }\n",
              {"walls[1].shape.tube: ", "zero"}},
        Fault{"ZeroSegment",
              "",
              wall_head + "shape = { segment = { from = [1,0,0], to = [1,0,0] } }\n",
              {"walls[1].shape.segment: "}},
        Fault{"NoNormal",
              "",
              wall_head + "shape = { plane = { normal = [0,0,0] } }\n",
              {"walls[1].shape.plane: ", "normal"}},
        Fault{"CylinderBothWays",
              "",
              wall_head + "shape = { cylinder = { from = [0,0,0], axis = [0,0,1], radius = 1 } }\n",
              {"walls[1].shape.cylinder: is either infinite (point, axis, radius) or finite (from, to, radius)"}},
        Fault{"CylinderWithoutEnd",
              "",
              wall_head + "shape = { cylinder = { from = [0,0,0], radius = 1 } }\n",
              {"walls[1].shape.cylinder: needs the key \"to\""}},
        Fault{"CylinderWithoutRadius",
              "",
              wall_head + "shape = { cylinder = { from = [0,0,0], to = [0,0,1] } }\n",
              {"walls[1].shape.cylinder: needs the key \"radius\""}},
        Fault{"TwoShapes",
              "",
              wall_head + "shape = { point = {}, line = {} }\n",
              {"walls[1].shape: ", "exclude each other"}},
        Fault{"UnknownShape",
              "",
              wall_head + "shape = { dsk = {} }\n",
              {"walls[1].shape.dsk: unknown key; did you mean \"disk\"?"}},
        Fault{"KeyframesBackwards",
              "",
              wall_head + "shape = { point = {} }\nmotion = [ { keyframes = [ { time = 2 }, { time = 1 } ] } ]\n",
              {"walls[1].motion[0].keyframes[1]: is not later than the keyframe before it"}},
        Fault{"SpinWithoutAxis",
              "",
              wall_head + "shape = { point = {} }\nmotion = [ { spin = { rate = 1, axis = [0,0,0] } } ]\n",
              {"walls[1].motion[0].spin.axis: has no direction"}},
        Fault{"PlaneAcrossPeriod",
              "",
              wall_head + "shape = { plane = { normal = [1, 0, 0] } }\n[domain]\nlow = [-1, -1, \"open\"]\n"
                          "high = [1, 1, \"open\"]\nperiodic = [\"x\"]\n",
              {"walls[1].shape.plane: the infinite plane lies across x, along which the domain is periodic"}},
        Fault{"LineAskew",
              "",
              wall_head + "shape = { line = { axis = [1, 1, 0] } }\n[domain]\nlow = [-1, -1, \"open\"]\n"
                          "high = [1, 1, \"open\"]\nperiodic = [\"x\"]\n",
              {"walls[1].shape.line: the infinite wall runs askew to x"}}),
    fault_name);

INSTANTIATE_TEST_SUITE_P(
    Domain, SceneFaults,
    testing::Values(
        Fault{"NoExtent",
              "",
              "[domain]\nlow = [0, 0, 0]\nhigh = [1, 0, 1]\n",
              {"s.toml:25:8", "domain.high: the domain has no extent along y"}},
        Fault{"PeriodicUnbounded",
              "",
              "[domain]\nperiodic = [\"z\"]\n",
              {"domain.periodic[0]: the domain is unbounded along z"}},
        Fault{"PeriodicTwice",
              "",
              "[domain]\nlow=[0,0,0]\nhigh=[1,1,1]\nperiodic = [\"z\", \"z\"]\n",
              {"domain.periodic[1]: \"z\" is named twice"}},
        Fault{"PeriodicUnknown", "", "[domain]\nperiodic = [\"w\"]\n", {"domain.periodic[0]: \"w\" is not known here"}},
        Fault{
            "PeriodTooShort",
            "",
            "[domain]\nlow=[0,0,0]\nhigh=[\"3.9 cm\",1,1]\nperiodic = [\"x\"]\n",
            {"s.toml:17:1", "fill[0]: the periodic domain is only 0.039 m long along x", "expected at least 0.04 m"}}),
    fault_name);

INSTANTIATE_TEST_SUITE_P(
    Contacts, SceneFaults,
    testing::Values(
        Fault{"PairWithoutContact",
              "between = [\"grain\", \"*\"]",
              "between = [\"grain\", \"grain\"]",
              {"s.toml:16:12", "contacts: no entry says how \"grain\" and \"steel\" touch",
               "between = [\"grain\", \"steel\"]"}},
        Fault{"NoContactsAtAll",
              "[[contacts]]\nbetween = [\"grain\", \"*\"]\nlaw = \"hooke\"\nkn = 8e4\nrestitution = 0.8\n",
              "",
              {"how \"grain\" and \"grain\" touch", "how \"grain\" and \"steel\" touch"}},
        Fault{"UnknownPartner",
              "[\"grain\", \"*\"]",
              "[\"grain\", \"stel\"]",
              {"s.toml:9:21", "contacts[0].between[1]: there is no material \"stel\"", "\"steel\"?"}},
        Fault{"PatternFitsNothing",
              "[\"grain\", \"*\"]",
              "[\"grain\", \"rock*\"]",
              {"contacts[0].between[1]: \"rock*\" fits no material"}},
        Fault{"NoRestitution", "restitution = 0.8\n", "", {"s.toml:8:1", "contacts[0].restitution: is missing"}},
        Fault{"MultipleOfNothing",
              "kn = 8e4",
              "kt = \"2/7 kn\"",
              {"contacts[0].kt: is a multiple of kn, which is not given"}},
        Fault{"UnknownMultiple", "kn = 8e4", "kn = 8e4\nkt = \"2/7 kx\"", {"contacts[0].kt: unknown unit \"kx\""}},
        Fault{"UnknownFriction",
              "kn = 8e4",
              "kn = 8e4\nfriction = { statc = 1 }",
              {"contacts[0].friction.statc: unknown key; did you mean \"static\"?"}},
        Fault{"TangentialRestitutionOutOfReach",
              "kn = 8e4",
              "kn = 8e4\nkt = \"2/7 kn\"\ntangential_restitution = 0.9",
              {"s.toml:13:26", "contacts[0].tangential_restitution: "}},
        Fault{"HelperTwice",
              "kn = 8e4",
              "kn = { max_speed = 1, depth = 1 }",
              {"contacts[0].kn: max_speed and depth exclude"}},
        Fault{"HelperUnknown",
              "kn = 8e4",
              "kn = { maxspeed = 1 }",
              {"contacts[0].kn.maxspeed: unknown key; did you mean \"max_speed\"?"}}),
    fault_name);

TEST(SceneFault, EmptyScene) {
    const std::string told = faults_of("");
    EXPECT_NE(told.find("the scene has no grains; expected at least one [[fill]]"), std::string::npos) << told;
    EXPECT_NE(told.find("nothing says when the run ends"), std::string::npos) << told;
}

TEST(SceneFault, FillWithoutDensity) {
    const std::string told = faults_of(replaced(sound_scene(), "density = \"1 g/cm3\"\n", ""));
    EXPECT_NE(told.find("s.toml:5:1: error: materials.grain: needs the key \"density\": fill[0] makes grains of it"),
              std::string::npos)
        << told;
}

TEST(SceneFault, RandomWithoutNumber) {
    const std::string told = faults_of(replaced(sound_scene(), "lattice = {}\ncount = 1", "random = {}"));
    EXPECT_NE(told.find("fill[0].random: does not say how many grains"), std::string::npos) << told;
}

TEST(SceneFault, FileThatIsNotThere) {
    const std::string told =
        faults_of(replaced(sound_scene(), "radius = \"1 cm\"\nlattice = {}", "file = \"nothing.csv\""));
    EXPECT_NE(told.find("fill[0].file: there is no file \"nothing.csv\""), std::string::npos) << told;
}

TEST(SceneFault, KeysOfOtherEngines) {
    const std::string of_soft = faults_of("stepping = { sweeps = 2 }\n" + sound_scene());
    EXPECT_NE(
        of_soft.find("s.toml:1:12: error: stepping: is for time-stepped hard grains; this scene has engine = \"soft\""),
        std::string::npos)
        << of_soft;
    const std::string of_stepped = faults_of("engine = \"stepped\"\nflight = \"drift\"\n" + sound_scene());
    EXPECT_NE(of_stepped.find("s.toml:2:10: error: flight: is for predicted collisions; this scene has engine = "
                              "\"stepped\"; expected engine = \"hard\""),
              std::string::npos)
        << of_stepped;
}

TEST(SceneFault, AStepThatIsTooLongForSteppedGrains) {
    const std::string told =
        faults_of("engine = \"stepped\"\n" + replaced(sound_scene(), "end = 1", "end = 1\nstep = 0.5"));
    EXPECT_NE(told.find("error: time.step: in a step of 0.5 s a grain at "), std::string::npos) << told;
    EXPECT_NE(told.find("radii of the smallest grain: grains would pass through one another"), std::string::npos)
        << told;
}

TEST(SceneFault, TooManySweeps) {
    const std::string told = faults_of("engine = \"stepped\"\nstepping = { sweeps = 100000 }\n" + sound_scene());
    EXPECT_NE(told.find("s.toml:2:23: error: stepping.sweeps"), std::string::npos) << told;
}

TEST(SceneFault, StepsThatAreLongForADeepPile) {
    const auto told = [](const std::string& stepping, const std::string& step) {
        std::string text = replaced(sound_scene(), "\"4 cm\", \"5 cm\"]", "\"4 cm\", 1]");
        text = replaced(text, "count = 1\n", "");
        text = replaced(text, "end = 1", "end = 1\nstep = \"" + step + "\"");
        return load_text("engine = \"stepped\"\n" + stepping + text, "s.toml").warnings.text();
    };
    EXPECT_NE(told("", "0.1 ms").find("warning: time.step: grains stand 49 high at the start"), std::string::npos)
        << told("", "0.1 ms");
    EXPECT_EQ(told("", "2 us").find("grains stand"), std::string::npos);
    EXPECT_EQ(told("stepping = { sweeps = 50 }\n", "0.1 ms").find("grains stand"), std::string::npos);
}

TEST(SceneFault, AllFaultsComeInOneGoAndInOrder) {
    std::string text = replaced(sound_scene(), "density =", "densty =");
    text = replaced(text, "material = \"steel\"", "material = \"stel\"");
    text = replaced(text, "radius = \"1 cm\"", "radius = -1");
    text = replaced(text, "restitution = 0.8", "restitution = 2");
    text = replaced(text, "end = 1", "end = \"1 m\"");
    try {
        load_text(text, "s.toml");
        FAIL() << "the scene was taken";
    } catch (const base::InputError& error) {
        const auto& list = error.diagnostics().list();
        ASSERT_EQ(list.size(), 5U) << error.what();
        EXPECT_EQ(list[0].key, "time.end");
        EXPECT_EQ(list[1].key, "materials.grain.densty");
        EXPECT_EQ(list[2].key, "contacts[0].restitution");
        EXPECT_EQ(list[3].key, "walls[0].material");
        EXPECT_EQ(list[4].key, "fill[0].radius");
    }
}

/// Whatever one line is turned into, the answer is a scene or a list of faults.
TEST(SceneFault, NoSlipOfOneLineIsWorseThanAFault) {
    const std::string whole = sound_scene() + R"([[walls]]
name = "drum"
shape = { cylinder = { from = [0, 0, 0], to = [0, 0, 1], radius = 1 } }
material = "steel"
motion = [ { spin = { rate = 1 } }, { oscillate = { amplitude = [0, 0, 1], frequency = 1 } } ]
[domain]
low = [-2, -2, -2]
high = [2, 2, 2]
periodic = ["x"]
[[measure]]
profile = { low = 0, high = 1 }
[output]
frames = 1
)";
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < whole.size();) {
        const std::size_t end = whole.find('\n', at);
        lines.push_back(whole.substr(at, end - at));
        at = end + 1;
    }
    int refused = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t equals = lines[i].find(" = ");
        for (const char* value : {"", "0", "-1", "nan", "1e300", "true", "\"\"", "\"x\"", "\"1 m\"", "[]", "[0, 0, 0]",
                                  "{}", "[{}]", "[[]]", "{ a = 1 }", "1979-05-27"}) {
            const std::string line =
                equals == std::string::npos || *value == 0 ? value : lines[i].substr(0, equals + 3) + value;
            std::string text;
            for (std::size_t j = 0; j < lines.size(); ++j) {
                text += (j == i ? line : lines[j]) + "\n";
            }
            try {
                load_text(text, "s.toml");
            } catch (const base::InputError& error) {
                ++refused;
                EXPECT_TRUE(error.diagnostics().has_errors());
            } catch (const std::exception& error) {
                ADD_FAILURE() << "line " << i + 1 << ": " << line << ": " << error.what();
            }
        }
    }
    EXPECT_GT(refused, 300);
}

TEST(SceneFault, FileThatCannotBeRead) {
    EXPECT_THROW(load("/nowhere/scene.toml"), base::InputError);
    EXPECT_THROW(load("/"), base::InputError);
}

}  // namespace
}  // namespace talus::scene
