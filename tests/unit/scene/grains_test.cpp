// The library of grains in a scene, and fills that take their grains from it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include "fault_table.h"
#include "talus/geometry/grain_forms.h"
#include "temporary_folder.h"

namespace talus::scene {
namespace {

using std::numbers::pi;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The sound scene with a library before line 17, where the fill begins, and with keys that the fill has for `radius`.
std::string with_library(const std::string& library, const std::string& fill, int count = 40) {
    std::string text = replaced(sound_scene(), "[[fill]]\n", library + "[[fill]]\n");
    text = replaced(text, "radius = \"1 cm\"\nlattice = {}\n", fill + "random = {}\n");
    text = replaced(text, "high = [\"4 cm\", \"4 cm\", \"5 cm\"]", "high = [\"50 cm\", \"50 cm\", \"50 cm\"]");
    return replaced(text, "count = 1", "count = " + std::to_string(count));
}

const std::string peanut = "[grains.peanut]\ndumbbell = { radius = \"2 mm\", distance = \"3 mm\" }\n";

std::vector<std::string> names_of(const Scene& scene) {
    std::vector<std::string> out;
    for (const model::GrainShape& shape : scene.system.grains.shapes) {
        out.push_back(shape.name);
    }
    return out;
}

/// How many bodies there are of each shape.
std::map<std::string, int> counts(const Scene& scene) {
    std::map<std::string, int> out;
    for (const std::int32_t shape : scene.system.grains.shape) {
        ++out[shape < 0 ? "sphere" : scene.system.grains.shapes.at(static_cast<std::size_t>(shape)).name];
    }
    return out;
}

TEST(GrainLibrary, HasEveryBuiltInShapeInTheOrderOfTheNames) {
    const Scene scene = load_text(with_library("[grains.a]\ndumbbell = { radius = 1 }\n"
                                               "[grains.f]\nshell = { radius = 1, count = 40 }\n"
                                               "[grains.b]\ntetrahedron = { radius = 1 }\n"
                                               "[grains.c]\ncube = { radius = 1, edge = 1.2 }\n"
                                               "[grains.d]\nrod = { radius = 1, length = 6, spheres = 4 }\n"
                                               "[grains.e]\nboomerang = { radius = 1, arm = 4, angle = \"60 deg\" }\n"
                                               "[grains.g]\nspheres = [ { at = [0, 0, 0], radius = \"1 mm\" }, "
                                               "{ at = [\"1 mm\", 0, 0], radius = \"1 mm\" } ]\n",
                                               "radius = \"1 cm\"\ngrain = [\"a\", \"b\", \"c\", \"d\", \"e\", "
                                               "\"f\", \"g\"]\n",
                                               70),
                                  "s.toml");
    EXPECT_THAT(names_of(scene), ElementsAre("a", "b", "c", "d", "e", "f", "g"));
    const std::vector<std::vector<geometry::Ball>> expected = {
        geometry::dumbbell(1, 1.5),       geometry::tetrahedron(1, 1),       geometry::cube(1, 1.2),
        geometry::rod(1, 6, 4),           geometry::boomerang(1, 4, pi / 3), geometry::shell(1, 40),
        geometry::dumbbell(0.001, 0.001),
    };
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const model::GrainShape& shape = scene.system.grains.shapes[k];
        const geometry::MassProperties p = geometry::mass_properties(expected[k], 1e-6);
        EXPECT_EQ(shape.balls.size(), expected[k].size()) << shape.name;
        EXPECT_NEAR(shape.reach, p.reach, 1e-4 * p.reach) << shape.name;
        EXPECT_NEAR(shape.volume, p.volume / std::pow(p.reach, 3), 1e-3 * shape.volume) << shape.name;
    }
    for (const auto& [name, count] : counts(scene)) {
        EXPECT_EQ(count, 10) << name;
    }
}

TEST(GrainLibrary, RandomShapesFollowTheSeedAndTheName) {
    const std::string text = with_library(
        "[grains.pebble]\nrandom = { radius = \"5 mm\", variants = 3 }\n"
        "[grains.stone]\nrandom = { radius = \"5 mm\", variants = 3 }\n",
        "grain = \"pebble\"\n");
    const Scene scene = load_text(text, "s.toml");
    EXPECT_THAT(names_of(scene), ElementsAre("pebble.0", "pebble.1", "pebble.2", "stone.0", "stone.1", "stone.2"));
    const auto& shapes = scene.system.grains.shapes;
    const auto first_of = [](const Scene& s) { return s.system.grains.shapes[0].balls[0].center; };
    EXPECT_NE(shapes[0].balls[0].center, shapes[1].balls[0].center);
    EXPECT_NE(shapes[0].balls[0].center, shapes[3].balls[0].center) << "another name";
    EXPECT_EQ(first_of(load_text(text, "s.toml")), first_of(scene));
    EXPECT_NE(first_of(load_text(text, "s.toml", {"seed=2"})), first_of(scene));
    EXPECT_NEAR(shapes[0].reach, 0.005, 1e-5);
    EXPECT_EQ(counts(scene).size(), 3U);
}

class GrainFiles : public testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
    std::string told(const std::string& text) const {
        try {
            load_text(text, "s.toml", {}, folder.path());
        } catch (const base::InputError& error) {
            return error.what();
        }
        return "nothing";
    }

    tests::TemporaryFolder folder;
};

/// The cube from 0 to 10 along all axes.
const std::string obj_cube =
    "v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nv 0 0 10\nv 10 0 10\nv 10 10 10\nv 0 10 10\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";

TEST_F(GrainFiles, SpheresComeFromTablesBesideTheScene) {
    write("g.csv", "x,y,z,radius\n0,0,0,0.001\n0.0015,0,0,0.001\n");
    const Scene scene =
        load_text(with_library("[grains.g]\ncsv = \"g.csv\"\n", "grain = \"g\"\n"), "s.toml", {}, folder.path());
    EXPECT_NEAR(scene.system.grains.shapes.at(0).reach, 0.00175, 1e-12);
    write("bad.csv", "x,y,z,radius\n0,0,0,0.001\n0.0015,0,0,zero\n");
    EXPECT_THAT(told(with_library("[grains.g]\ncsv = \"bad.csv\"\n", "grain = \"g\"\n")),
                HasSubstr("bad.csv:3:12: error: grains.g.csv: radius \"zero\" is not a number"));
    write("apart.csv", "x,y,z,radius\n0,0,0,0.001\n0.0025,0,0,0.001\n");
    EXPECT_THAT(told(with_library("[grains.g]\ncsv = \"apart.csv\"\n", "grain = \"g\"\n")),
                HasSubstr("s.toml:18:7: error: grains.g.csv: sphere 1 does not hang together with sphere 0"));
    EXPECT_THAT(told(with_library("[grains.g]\ncsv = \"none.csv\"\n", "grain = \"g\"\n")),
                HasSubstr("s.toml:18:7: error: grains.g.csv: the file \"none.csv\" gives no grain"));
}

TEST_F(GrainFiles, MeshesAreFilledAndTheErrorIsTold) {
    write("c.obj", obj_cube);
    const std::string fill = "radius = \"1 cm\"\ngrain = \"die\"\norientation = \"drawn\"\n";
    const Scene scene =
        load_text(with_library("[grains.die]\nmesh = { file = \"c.obj\", unit = \"1 mm\", error = 0.1 }\n", fill),
                  "s.toml", {}, folder.path());
    const model::GrainShape& die = scene.system.grains.shapes.at(0);
    EXPECT_NEAR(die.volume * std::pow(die.reach, 3), 1e-6, 1e-7);
    EXPECT_NEAR(die.moment.z / die.moment.x, 1, 0.05);
    EXPECT_THAT(scene.warnings.text(), HasSubstr("note: grains.die.mesh: "));
    EXPECT_THAT(scene.warnings.text(), HasSubstr("spheres fill the mesh: "));
    const Scene coarse = load_text(with_library("[grains.die]\nmesh = { file = \"c.obj\", spheres = 2 }\n", fill),
                                   "s.toml", {}, folder.path());
    EXPECT_EQ(coarse.system.grains.shapes.at(0).balls.size(), 2U);
    EXPECT_THAT(coarse.warnings.text(), HasSubstr("s.toml:18:8: warning: grains.die.mesh: 2 spheres fill the mesh"));
    write("open.obj", obj_cube.substr(0, obj_cube.size() - 10));
    EXPECT_THAT(told(with_library("[grains.die]\nmesh = { file = \"open.obj\" }\n", fill)),
                ::testing::AllOf(HasSubstr("s.toml:18:8: error: grains.die.mesh: the mesh \""),
                                 HasSubstr("open.obj\" is not closed: the edge from ")));
    EXPECT_THAT(told(with_library("[grains.die]\nmesh = { file = \"none.stl\" }\n", fill)),
                HasSubstr("none.stl\" cannot be read"));
}

TEST_F(GrainFiles, AreNotLookedForWhereTheGrainsComeFromASavedState) {
    const std::string text =
        replaced(with_library("[grains.g]\ncsv = \"gone.csv\"\n", "grain = \"g\"\n"), "end = 1\n", "") +
        "[[stages]]\nname = \"more\"\ndo = [ { fill = { material = \"grain\", grain = \"g\", random = {}, count = "
        "1, ball = { radius = 1 } } } ]\nuntil = { time = 1 }\n";
    const Scene scene = load_without_grains(text, "s.toml");
    EXPECT_TRUE(scene.system.grains.shapes.empty());
    ASSERT_EQ(scene.stage_fills.size(), 1U);
    EXPECT_THAT(scene.stage_fills[0].shapes, ElementsAre(ElementsAre(0)));
}

// ---- fills

TEST(GrainFill, GivesMassesAndMomentsOfTheShape) {
    const Scene scene = load_text(with_library(peanut, "grain = \"peanut\"\n"), "s.toml");
    const geometry::MassProperties p = geometry::mass_properties(geometry::dumbbell(0.002, 0.003));
    const model::Bodies& bodies = scene.system.bodies;
    ASSERT_EQ(bodies.size(), 40U);
    ASSERT_EQ(scene.system.grains.shape.size(), 40U);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_NEAR(bodies.radius[i], 0.0035, 1e-12);
        EXPECT_NEAR(bodies.mass[i], 1000 * p.volume, 1e-9 * bodies.mass[i]);
        EXPECT_NEAR(scene.system.grains.moment[i].x, 1000 * p.moment[0], 1e-9 * 1000 * p.moment[0]);
        EXPECT_NEAR(scene.system.grains.moment[i].z, 1000 * p.moment[2], 1e-9 * 1000 * p.moment[2]);
    }
    const Scene larger = load_text(with_library(peanut, "grain = \"peanut\"\nradius = \"7 mm\"\n"), "s.toml");
    EXPECT_NEAR(larger.system.bodies.mass[0], 8 * bodies.mass[0], 1e-9 * larger.system.bodies.mass[0]);
    const Scene denser = load_text(with_library(peanut + "density = 3000\n", "grain = \"peanut\"\n"), "s.toml");
    EXPECT_NEAR(denser.system.bodies.mass[0], 3 * bodies.mass[0], 1e-9 * denser.system.bodies.mass[0]);
}

TEST(GrainFill, TurnsEveryWayEquallyOftenOrAsDrawn) {
    const Scene scene = load_text(with_library(peanut, "grain = \"peanut\"\n", 2000), "s.toml");
    math::Mat3d mean;
    for (const math::Quaterniond& turn : scene.system.grains.turn) {
        EXPECT_NEAR(norm2(turn), 1, 1e-12);
        const Vec3d axis = to_matrix(turn).column(0);
        for (int i = 0; i < 3; ++i) {
            mean.row[i] += axis * (axis[i] / 2000);
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            EXPECT_NEAR(mean.row[i][j], i == j ? 1.0 / 3 : 0.0, 0.03);
        }
    }
    const Scene drawn = load_text(with_library(peanut, "grain = \"peanut\"\norientation = \"drawn\"\n"), "s.toml");
    for (const math::Quaterniond& turn : drawn.system.grains.turn) {
        EXPECT_NEAR(std::abs(to_matrix(turn).column(0).x), 1, 1e-9) << "the long axis along x, as drawn";
    }
    EXPECT_EQ(load_text(with_library(peanut, "grain = \"peanut\"\n", 2000), "s.toml").system.grains.turn[7],
              scene.system.grains.turn[7]);
}

TEST(GrainFill, DealsNamesInEqualPartsWhateverTheirVariants) {
    const std::string library = peanut + "[grains.pebble]\nrandom = { radius = \"5 mm\", variants = 4 }\n";
    const Scene scene =
        load_text(with_library(library, "radius = \"5 mm\"\ngrain = [\"peanut\", \"pebble\"]\n", 80), "s.toml");
    EXPECT_EQ(counts(scene),
              (std::map<std::string, int>{
                  {"peanut", 40}, {"pebble.0", 10}, {"pebble.1", 10}, {"pebble.2", 10}, {"pebble.3", 10}}));
}

TEST(GrainFill, GrainsAsDrawnKeepTheSizeOfTheirShape) {
    const std::string library = peanut + "[grains.big]\ncube = { radius = \"4 mm\" }\n";
    const Scene scene = load_text(with_library(library, "grain = [\"peanut\", \"big\"]\n", 400), "s.toml");
    const model::Grains& grains = scene.system.grains;
    for (std::size_t i = 0; i < scene.system.bodies.size(); ++i) {
        EXPECT_EQ(scene.system.bodies.radius[i], grains.shapes.at(static_cast<std::size_t>(grains.shape[i])).reach);
    }
    EXPECT_NEAR(counts(scene)["big"], 200, 60);
}

TEST(GrainFill, TheFractionIsThatOfTheSolid) {
    std::string text = with_library(peanut, "grain = \"peanut\"\n");
    text = replaced(text, "count = 40", "fraction = 0.02");
    text = replaced(text, "[\"50 cm\", \"50 cm\", \"50 cm\"]", "[\"10 cm\", \"10 cm\", \"11 cm\"]");
    const Scene scene = load_text(text, "s.toml");
    double volume = 0;
    for (const double mass : scene.system.bodies.mass) {
        volume += mass / 1000;
    }
    EXPECT_NEAR(volume / 1e-3, 0.02, 1e-4);
}

TEST(GrainFill, SpheresBeforeAndAfterStaySpheres) {
    const std::string spheres =
        "[[fill]]\nmaterial = \"grain\"\nradius = \"1 cm\"\nlattice = {}\ncount = 3\nbox = { low = [1, 1, 1], high = "
        "[2, "
        "2, 2] }\n";
    const std::string more = replaced(spheres, "[1, 1, 1], high = [2, 2, 2]", "[3, 3, 3], high = [4, 4, 4]");
    const std::string text =
        replaced(with_library(peanut, "grain = \"peanut\"\n", 4), "[[fill]]\n", spheres + "[[fill]]\n");
    const Scene scene = load_text(text + more, "s.toml");
    EXPECT_THAT(scene.system.grains.shape, ElementsAre(-1, -1, -1, 0, 0, 0, 0, -1, -1, -1));
    EXPECT_NEAR(scene.system.grains.moment[9].y, scene.system.bodies.inertia[9], 1e-20);
    const Scene none = load_text(peanut + sound_scene(), "s.toml");
    EXPECT_FALSE(none.system.grains.any()) << "a library that no fill uses changes nothing";
}

TEST_F(GrainFiles, AFileOfPlacesGivesTheReach) {
    write("places.csv", "x,y,z,radius,density\n0.1,0.1,0.1,0.007,500\n0.2,0.2,0.2,0.0035,1000\n");
    const std::string text =
        replaced(with_library(peanut, "grain = \"peanut\"\n", 2), "random = {}", "file = \"places.csv\"");
    const Scene scene = load_text(text, "s.toml", {}, folder.path());
    ASSERT_EQ(scene.system.bodies.size(), 2U);
    EXPECT_EQ(scene.system.bodies.radius[0], 0.007);
    EXPECT_NEAR(scene.system.bodies.mass[0], 4 * scene.system.bodies.mass[1], 1e-9);
}

TEST(GrainFill, TheStepIsThatOfTheLightestEnd) {
    // A rod that is pushed at the end of its axis, across: 1/m + c^2/I.
    const std::string rod =
        "[grains.rod]\nspheres = [ { at = [\"-3 mm\", 0, 0], radius = \"2 mm\" }, { at = [0, 0, 0], "
        "radius = \"2 mm\" }, { at = [\"3 mm\", 0, 0], radius = \"2 mm\" } ]\n";
    const Scene scene = load_text(with_library(rod, "grain = \"rod\"\n", 1), "s.toml");
    ASSERT_EQ(scene.pairs.size(), 1U);
    const double mass = scene.system.bodies.mass[0];
    const double expected = 1 / (1 / mass + 0.003 * 0.003 / scene.system.grains.moment[0].y);
    EXPECT_NEAR(scene.pairs[0].reduced_mass, expected, 1e-6 * expected);
    EXPECT_NEAR(scene.pairs[0].radius, 0.002, 1e-12);
    // Grains of a stage bind the step from the start.
    const std::string later =
        replaced(replaced(sound_scene(), "[[fill]]\n", rod + "[[fill]]\n"), "end = 1\n", "") +
        "[[stages]]\nname = \"more\"\ndo = [ { fill = { material = \"grain\", grain = \"rod\", random = {}, count "
        "= 1, ball = { radius = 1 } } } ]\nuntil = { time = 1 }\n";
    const std::vector<PairAdvice> pairs = load_text(later, "s.toml").pairs;
    EXPECT_NEAR(pairs.back().reduced_mass, expected, 1e-6 * expected);
}

TEST(GrainFill, TheExampleOfThePageIsSound) {
    std::ostringstream page;
    page << std::ifstream(std::string(TALUS_SOURCE_DIR) + "/docs/grains.md").rdbuf();
    const std::string mark = "```toml\n";
    const std::size_t begin = page.str().find(mark) + mark.size();
    const Scene scene = load_text(page.str().substr(begin, page.str().find("```", begin) - begin), "grains.md");
    EXPECT_EQ(scene.system.grains.shape.size(), 200U);
    EXPECT_TRUE(scene.warnings.list().empty()) << scene.warnings.text();
}

// ---- faults

class GrainFaults : public testing::TestWithParam<Fault> {};

/// `what` is the library, from line 17 on, `with` what the fill has for its radius.
TEST_P(GrainFaults, AreToldWithTheirPlace) {
    expect_told(with_library(GetParam().what, GetParam().with), GetParam().fragments);
}

const std::string use = "grain = \"g\"\n";

INSTANTIATE_TEST_SUITE_P(
    Table, GrainFaults,
    testing::Values(
        Fault{"NoForm", "[grains.g]\ndensity = 1\n", use, {"s.toml:17:1: error: grains.g: lacks a key", "dumbbell"}},
        Fault{"TwoForms",
              "[grains.g]\ncube = { radius = 1 }\ndumbbell = { radius = 1 }\n",
              use,
              {"grains.g: ", "exactly one of dumbbell"}},
        Fault{"InsideAnother",
              "[grains.g]\nspheres = [ { at = [0, 0, 0], radius = 2 }, { at = [1, 0, 0], radius = 0.5 } ]\n",
              use,
              {"s.toml:18:11: error: grains.g.spheres: sphere 1 lies inside sphere 0"}},
        Fault{"Disconnected",
              "[grains.g]\nspheres = [ { at = [0, 0, 0], radius = 1 }, { at = [3, 0, 0], radius = 1 } ]\n",
              use,
              {"s.toml:18:11: error: grains.g.spheres: sphere 1 does not hang together with sphere 0"}},
        Fault{"ZeroRadius",
              "[grains.g]\nspheres = [ { at = [0, 0, 0], radius = 0 } ]\n",
              use,
              {"s.toml:18:40: error: grains.g.spheres[0].radius: must be positive"}},
        Fault{"NoSphere", "[grains.g]\nspheres = []\n", use, {"s.toml:18", "grains.g.spheres: has 0 entries"}},
        Fault{"FarDumbbell",
              "[grains.g]\ndumbbell = { radius = 1, distance = 2 }\n",
              use,
              {"s.toml:18:12: error: grains.g.dumbbell: sphere 1 does not hang together"}},
        Fault{"ShortRod",
              "[grains.g]\nrod = { radius = 1, length = 2 }\n",
              use,
              {"s.toml:18:7: error: grains.g.rod: is no longer than it is thick"}},
        Fault{"OpenShell",
              "[grains.g]\nshell = { radius = 1, sphere_radius = 0.2 }\n",
              use,
              {"s.toml:18:9: error: grains.g.shell: would have holes: 60 spheres close it"}},
        Fault{"RandomSpheres",
              "[grains.g]\nrandom = { radius = 1, spheres = [5, 3] }\n",
              use,
              {"s.toml:18:10: error: grains.g.random: cannot have 5 to 3 spheres"}},
        Fault{"RandomOverlap",
              "[grains.g]\nrandom = { radius = 1, overlap = [0.5, 1] }\n",
              use,
              {"s.toml:18:10: error: grains.g.random: needs overlaps above 0 and up to 0.95"}},
        Fault{"BadName", "[grains.\"a/b\"]\ncube = { radius = 1 }\n", "grain = \"a/b\"\n", {"is no usable name"}},
        Fault{"UnknownGrain",
              "[grains.peanut]\ncube = { radius = 1 }\n",
              "grain = \"penut\"\n",
              {"s.toml:21:9: error: fill[0].grain: there is no grain \"penut\"", "did you mean \"peanut\"?"}},
        Fault{"NoLibrary", "", "grain = \"g\"\n", {"there is no grain \"g\"; expected a table [grains.g]"}},
        Fault{"OrientationOfSpheres",
              "",
              "radius = 1\norientation = \"random\"\n",
              {"s.toml:20:15: error: fill[0].orientation: is for grains of several spheres"}}),
    fault_name);

TEST(GrainFaultsOfTheScene, ThePlaneIsRefused) {
    std::string plane = replaced(sound_scene(), "[[fill]]\n", peanut + "[[fill]]\n");
    plane = replaced(plane, "radius = \"1 cm\"\n", "radius = \"1 cm\"\ngrain = \"peanut\"\n");
    expect_told("dimensions = 2\n" + plane, {"fill[0].grain: grains of several spheres are solid; the scene has two"});
}

TEST(GrainFaultsOfTheScene, TheHardEngineTakesThemInDriftsAndWithoutStickyWalls) {
    const std::string text = with_library(peanut, "grain = \"peanut\"\n");
    const Scene scene = load_text("engine = \"hard\"\n" + text, "s.toml");
    EXPECT_TRUE(scene.system.general);
    // A hundredth of the fall through the radius of a sphere, not of the ball about the grain.
    EXPECT_NEAR(scene.suggested_step, 0.01 * std::sqrt(2 * 2e-3 / norm(scene.system.gravity)), 1e-15);
    expect_told("engine = \"hard\"\nflight = \"ballistic\"\n" + text,
                {"s.toml:2:10: error: flight: is for spheres; there are grains of several; expected flight = "
                 "\"drift\""});
    expect_told("engine = \"hard\"\n" + text +
                    "[[walls]]\nname = \"glue\"\nshape = { disk = { radius = 1 } }\nmaterial = \"grain\"\n"
                    "behaviour = \"sticky\"\n",
                {"error: behaviour: \"glue\" is sticky at some time, which holds plain spheres alone; expected"});
}

TEST(GrainFaultsOfTheScene, TheSteppedEngineTakesThemWithoutStickyWallsAndAheadOfOverlaps) {
    const std::string text = "engine = \"stepped\"\n" + with_library(peanut, "grain = \"peanut\"\n");
    // A hundredth of the radius of a sphere, not of the ball about the grain.
    EXPECT_NEAR(load_text(text, "s.toml", {"time.reference_speed=10"}).suggested_step, 0.01 * 2e-3 / 10, 1e-18);
    expect_told(text + "[stepping]\ncollide = \"overlapping\"\n",
                {"error: stepping.collide: is for spheres; there are grains of several; expected collide = \"ahead\""});
    expect_told(text +
                    "[[walls]]\nname = \"glue\"\nshape = { disk = { radius = 1 } }\nmaterial = \"grain\"\n"
                    "behaviour = \"sticky\"\n",
                {"error: behaviour: \"glue\" is sticky at some time, which holds plain spheres alone; expected"});
}

TEST(GrainFaultsOfTheScene, ADensityIsNeededSomewhere) {
    const std::string text = replaced(with_library(peanut, "grain = \"peanut\"\n"), "density = \"1 g/cm3\"\n", "");
    expect_told(text, {"materials.grain: needs the key \"density\": fill[0] makes grains of it"});
    EXPECT_NO_THROW(load_text(replaced(text, "dumbbell", "density = 1000\ndumbbell"), "s.toml"));
}

}  // namespace
}  // namespace talus::scene
