// Wall files become walls of a scene: shapes, motions, behaviours and restitution against what the file says.
#include "talus/scene/import_walls.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <ostream>

#include "talus/base/random.h"
#include "talus/scene/scene.h"
#include "temporary_folder.h"

namespace talus::scene {
namespace {

using geometry::ShapeKind;
using math::Vec3d;
using testing::HasSubstr;
using testing::Not;

constexpr double pi = std::numbers::pi;
const ImportOptions si = {"1 m", "1 s"};

ImportedScene imported(const std::string& text, const ImportOptions& options = si) {
    const tests::TemporaryFolder folder;
    std::ofstream(folder / "walls.dat", std::ios::binary) << text;
    return import_walls(folder / "walls.dat", options);
}

/// The scene that is written for a file, read back.
Scene loaded(const std::string& text, const ImportOptions& options = si) {
    return load_text(imported(text, options).text, "s.toml");
}

/// What is told of a file that must be refused, with the folder taken out.
std::string refused(const std::string& text, const ImportOptions& options = si) {
    try {
        imported(text, options);
    } catch (const base::InputError& error) {
        std::string told;
        for (const base::Diagnostic& diagnostic : error.diagnostics().list()) {
            base::Diagnostic plain = diagnostic;
            plain.where.file = std::filesystem::path(plain.where.file).filename().string();
            told += plain.text() + "\n";
        }
        return told;
    }
    return "";
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-14) {
    EXPECT_LE(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " is not " << b.x << " " << b.y << " "
                                      << b.z;
}

struct ShapeCase {
    const char* name;
    const char* text;
    ShapeKind kind;
    double a, b, c;
    Vec3d position, axis;  // the shape's own z
};
void PrintTo(const ShapeCase& c, std::ostream* out) {
    *out << c.name;
}

class EveryImportedShape : public testing::TestWithParam<ShapeCase> {};

TEST_P(EveryImportedShape, IsThatOfTheFile) {
    const ShapeCase& expected = GetParam();
    const Scene scene = loaded(std::string("wall type ") + expected.text);
    ASSERT_EQ(scene.system.walls.size(), 1U);
    const model::Wall& wall = scene.system.walls[0];
    EXPECT_EQ(wall.shape.kind, expected.kind);
    EXPECT_NEAR(wall.shape.a, expected.a, 1e-14);
    EXPECT_NEAR(wall.shape.b, expected.b, 1e-14);
    EXPECT_NEAR(wall.shape.c, expected.c, 1e-14);
    expect_near(wall.pose.position, expected.position);
    expect_near(wall.pose.rotation.column(2), expected.axis);
    EXPECT_EQ(wall.behaviour, model::WallBehaviour::normal);
    EXPECT_TRUE(wall.motion.at_rest());
    EXPECT_EQ(scene.system.bodies.size(), 1U) << "a grain as a start";
}

constexpr Vec3d x{1, 0, 0};
constexpr Vec3d z{0, 0, 1};
INSTANTIATE_TEST_SUITE_P(
    Types, EveryImportedShape,
    testing::Values(
        ShapeCase{"plane", "plane origin 1 2 3 orient 2 0 0", ShapeKind::plane, 0, 0, 0, {1, 2, 3}, x},
        ShapeCase{"triangle", "triangle origin 1 0 0 vertex1 2 0 0 vertex2 1 3 0", ShapeKind::triangle, 2, 1, 3, x, z},
        ShapeCase{"rectangle", "rectangle origin 0 0 1 vertex1 3 0 0 vertex2 0 2 0", ShapeKind::rectangle, 3, 2, 0, z,
                  z},
        ShapeCase{"nearly_square", "rectangle vertex1 3 0 0 vertex2 0.001 2 0", ShapeKind::rectangle, 3, 2, 0, {}, z},
        ShapeCase{"disk", "disk origin 0 0 1 orient 3 0 0 radius 2 hole-radius 0.5", ShapeKind::disk, 0.5, 2, 0, z, x},
        ShapeCase{"disc", "DISC", ShapeKind::disk, 0, 1, 0, {}, z},
        ShapeCase{"dot", "disk origin 1 0 0 radius 0", ShapeKind::point, 0, 0, 0, x, z},
        ShapeCase{"pipe", "cylinder-infinite orient 1 0 0 radius 2", ShapeKind::cylinder, 2, 0, 0, {}, x},
        ShapeCase{"line", "cylinder-infinite orient 1 0 0 radius 0", ShapeKind::line, 0, 0, 0, {}, x},
        ShapeCase{"tube", "cylinder-finite origin 1 0 0 orient 5 0 0 radius 2 length 4", ShapeKind::tube, 2, 2, 4, x,
                  x},
        ShapeCase{"funnel", "cylinder-finite radius 2 length 4 taper 0.25", ShapeKind::tube, 2, 1.5, 4, {}, z},
        ShapeCase{"cone", "cylinder-finite radius 2 taper 1", ShapeKind::tube, 2, 0, 1, {}, z},
        ShapeCase{"ring", "cylinder-finite radius 2 length 0", ShapeKind::ring, 2, 0, 0, {}, z},
        ShapeCase{"segment", "cylinder-finite radius 0 length 4", ShapeKind::segment, 4, 0, 0, {0, 0, -2}, z},
        ShapeCase{"point", "cylinder-finite origin 1 0 0 radius 0 length 0", ShapeKind::point, 0, 0, 0, x, z},
        ShapeCase{"sphere", "shell origin 1 0 0 radius 2", ShapeKind::sphere, 2, 0, 0, x, z}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(ImportedMotion, IsThatOfTheFile) {
    // HSDEM Sect. 2.2.1: O + V t + A sin(w t + phase), about the orientation at the angular speed.
    const Scene scene = loaded(
        "wall type disk origin 1 2 3 orient 0 1 1 velocity 0.1 0 -0.2 osc-ampl 0.5 osc-freq 3 osc-phase 0.75 "
        "osc-vec 0 2 0 ang-speed -4\n"
        "wall type cylinder-infinite osc-ampl -0.5 osc-freq -3 osc-phase 0.1\n"
        "wall type shell orient 1 0 0 ang-speed 2 osc-ampl 0.5 osc-phase 0.25\n");
    for (const double t : {0.0, 0.1, 1.0, 7.0}) {
        const model::Pose disk = model::pose_at(scene.system.walls[0].base, scene.system.walls[0].motion, t);
        expect_near(disk.position,
                    Vec3d{1, 2, 3} + t * Vec3d{0.1, 0, -0.2} + 0.5 * std::sin(3 * t + 1.5 * pi) * Vec3d{0, 1, 0},
                    1e-13);
        expect_near(disk.velocity, Vec3d{0.1, 0, -0.2} + 1.5 * std::cos(3 * t + 1.5 * pi) * Vec3d{0, 1, 0}, 1e-12);
        expect_near(disk.spin, -4.0 * normalized(Vec3d{0, 1, 1}));
        const model::Pose pipe = model::pose_at(scene.system.walls[1].base, scene.system.walls[1].motion, t);
        expect_near(pipe.position, -0.5 * std::sin(-3 * t + 0.2 * pi) * z, 1e-13);
        const model::Pose shell = model::pose_at(scene.system.walls[2].base, scene.system.walls[2].motion, t);
        expect_near(shell.position, 0.5 * z);  // no frequency: it stays where the phase puts it
        expect_near(shell.spin, {2, 0, 0});
    }
}

/// How a grain meets the wall.
laws::ImpactParams rule_of(const Scene& scene, std::size_t wall) {
    return scene.system.materials.between(0, scene.system.walls[wall].material).impact;
}

TEST(ImportedRestitution, OfAWallOverridesThatOfTheGrains) {
    const ImportedScene written = imported(
        "defaults epsn 0.5\n"
        "wall epst 0.25\nwall\nwall epsn 99\nwall epsn 0.5 epst 0.25\nwall epst -0.5\nwall epsn 99 epst 0.5\n");
    const Scene scene = load_text(written.text, "s.toml");
    ASSERT_EQ(scene.system.materials.list[0].name, "grain");
    EXPECT_EQ(scene.engine, "hard");
    EXPECT_EQ(scene.system.materials.between(0, 0).impact.restitution, 0.8);
    EXPECT_TRUE(scene.system.materials.between(0, 0).impact.is_smooth());
    const double normal[] = {0.5, 0.5, 0.8, 0.5, 0.5, 0.8};
    const double transverse[] = {0.25, 1, 1, 0.25, -0.5, 0.5};
    for (std::size_t wall = 0; wall < 6; ++wall) {
        EXPECT_EQ(rule_of(scene, wall).restitution, normal[wall]) << wall;
        EXPECT_EQ(rule_of(scene, wall).tangential, transverse[wall]) << wall;
        EXPECT_TRUE(std::isinf(rule_of(scene, wall).friction)) << "such files know no limit";
    }
    EXPECT_EQ(scene.system.walls[0].material, scene.system.walls[3].material);
    EXPECT_EQ(scene.system.materials.size(), 6U) << "the grains' and one for each set of values";
    EXPECT_THAT(written.text, HasSubstr("\nlaw = \"impact\"\nrestitution = 0.5\ntangential_restitution = -0.5\n"));
    EXPECT_THAT(written.text, HasSubstr("\nengine = \"hard\"\n"));
    EXPECT_THAT(written.text, Not(HasSubstr("kn")));
}

TEST(ImportedBehaviour, IsSaidInWords) {
    const ImportedScene written = imported("wall epsn 0 epst 0.5\nwall epsn -1\nwall epsn 1\n");
    EXPECT_THAT(written.text, HasSubstr("behaviour = \"sticky\""));
    EXPECT_THAT(written.text, HasSubstr("behaviour = \"absorbing\""));
    const Scene scene = load_text(written.text, "s.toml");
    EXPECT_EQ(scene.system.walls[0].behaviour, model::WallBehaviour::sticky);
    EXPECT_EQ(scene.system.walls[1].behaviour, model::WallBehaviour::absorbing);
    EXPECT_EQ(scene.system.walls[2].behaviour, model::WallBehaviour::normal);
    EXPECT_EQ(rule_of(scene, 0).restitution, 0.8) << "held grains keep the grains' restitution";
    EXPECT_EQ(rule_of(scene, 2).restitution, 1);
}

TEST(ImportedLooks, AreColoursAndOpacities) {
    const Scene scene = loaded("wall color 2 transparency 0.25\nwall colour 223 trans 80\nwall\nwall color 16\n");
    EXPECT_EQ(scene.system.walls[0].colour, "#ff0000");
    EXPECT_EQ(scene.system.walls[0].opacity, 0.75);
    EXPECT_EQ(scene.system.walls[1].colour, "#dfdfdf");
    EXPECT_NEAR(scene.system.walls[1].opacity, 0.2, 1e-15);
    EXPECT_EQ(scene.system.walls[2].colour, "");
    EXPECT_EQ(scene.system.walls[2].opacity, 1);
    EXPECT_EQ(scene.system.walls[3].colour, "#000000");
}

TEST(ImportedFile, MayBeLaidOutFreely) {
    const Scene scene = loaded(
        "# a comment\r\n\r\n"
        "DEFAULTS Type = disk, radius=3\t! all of them\r\n"
        "  wall # floor\r\n"
        "origin = 1,2\n 3\n"
        "wall#floor\n"
        "defaults radius 4 wall type shell # not a name\n"
        "wall # no name: a comma, say\n"
        "wall # wall-6\n"
        "wall\n");
    const std::vector<std::string> names = {"floor", "wall-2", "wall-3", "wall-4", "wall-6", "wall-6_"};
    ASSERT_EQ(scene.system.walls.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(scene.system.walls[i].name, names[i]);
    }
    EXPECT_EQ(scene.system.walls[0].shape.b, 3);
    expect_near(scene.system.walls[0].pose.position, {1, 2, 3});
    EXPECT_EQ(scene.system.walls[2].shape.kind, ShapeKind::sphere);
    EXPECT_EQ(scene.system.walls[2].shape.a, 4);
}

TEST(ImportedUnits, AreThoseOfTheFileOrOfTheCaller) {
    const std::string file =
        "timeunit 2e-7\nlengthunit 6.684587e-14\n"
        "wall type disk radius 5 velocity 0 0 3 ang-speed 4\n"
        "lengthunit 6.684587e-12\nwall type disk radius 5\nwall type shell\n";
    const ImportOptions none;
    const Scene scene = loaded(file, none);
    const double au = 1.49597892e11;
    const double second = 2e-7 * 5.0226355648e6;
    EXPECT_NEAR(scene.system.walls[0].shape.b, 5 * 6.684587e-14 * au, 1e-14);
    EXPECT_NEAR(scene.system.walls[1].shape.b, 500 * 6.684587e-14 * au, 1e-12);
    EXPECT_NEAR(scene.system.walls[2].shape.a / au, 1, 1e-14) << "a radius that is not given counts in au";
    EXPECT_NEAR(scene.system.walls[0].motion.translations[0].velocity.z, 3 * 6.684587e-14 * au / second, 1e-14);
    EXPECT_NEAR(scene.system.walls[0].motion.spins[0].rate, 4 / second, 1e-13);
    EXPECT_EQ(imported(file, none).warnings.text(), "");

    const ImportOptions caller{"2 cm", "1 min"};
    const Scene other = loaded(file, caller);
    EXPECT_NEAR(other.system.walls[0].shape.b, 0.1, 1e-15);
    EXPECT_NEAR(other.system.walls[1].shape.b, 0.1, 1e-15);
    EXPECT_NEAR(other.system.walls[2].shape.a, 0.02, 1e-16);
    EXPECT_NEAR(other.system.walls[0].motion.spins[0].rate, 4.0 / 60, 1e-15);
    EXPECT_THAT(imported(file, caller).warnings.text(), HasSubstr(":2:1: warning: lengthunit: is not used"));

    EXPECT_THAT(imported("wall type disk ang-speed 1", none).warnings.text(),
                testing::AllOf(HasSubstr("lengthunit: is not in the file: lengths count in astronomical units"),
                               HasSubstr("timeunit: is not in the file")));
    EXPECT_THAT(imported("lengthunit 1 wall type disk", none).warnings.text(), Not(HasSubstr("timeunit")));
}

TEST(ImportedFile, WarnsOfWhatIsNotTakenOver) {
    const std::string told =
        imported("wall mu_s 0.5 step 1\nwall mu_s 0.6 cog 1 2 3\nwall type rectangle ang-speed 3\n").warnings.text();
    EXPECT_THAT(told, HasSubstr(":1:6: warning: mu_s: is not taken over: it belongs to [[contacts]]"));
    EXPECT_THAT(told, HasSubstr(":1:15: warning: step: is not taken over"));
    EXPECT_THAT(told, HasSubstr(":2:15: warning: cog: is not taken over"));
    EXPECT_THAT(told, HasSubstr(":3:1: warning: ang-speed: is not used for a rectangle"));
    EXPECT_THAT(told, Not(HasSubstr(":2:6:"))) << "once a word";
}

TEST(ImportedFile, FaultsHaveLineColumnAndKey) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"wall radius two", "walls.dat:1:13: error: radius: \"two\" is not a number; expected a finite number\n"},
        {"wall\n radius inf", "walls.dat:2:9: error: radius: \"inf\" is not a number"},
        {"wall radius -1",
         "walls.dat:1:13: error: radius: -1 is out of bounds; expected a number that is not negative"},
        {"wall radius", "walls.dat:1:6: error: radius: has no value behind it"},
        {"wall origin 1 2\nwall", "walls.dat:1:6: error: origin: has no value behind it"},
        {"wall raduis 3 4",
         "walls.dat:1:6: error: raduis: is no word of a wall file; expected a keyword; did you mean "
         "\"radius\"?\n"},
        {"wall type cylinder", "walls.dat:1:11: error: type: \"cylinder\" is no type of wall; expected one of plane, "},
        {"wall type disq", "did you mean \"disk\"?"},
        {"wall type", "walls.dat:1:6: error: type: has no value behind it; expected a type of wall"},
        {"radius 3\nwall", "walls.dat:1:1: error: radius: belongs to no wall; expected `wall` or `defaults` before it"},
        {"type disk\nwall", "walls.dat:1:1: error: type: belongs to no wall"},
        {"wall\nlengthunit 2\norigin 0 0 1", "walls.dat:3:1: error: origin: belongs to no wall"},
        {"lengthunit 0 wall", "walls.dat:1:12: error: lengthunit: is not positive"},
        {"wall orient 0 0 0", "walls.dat:1:6: error: orient: has no length; expected a vector that is not zero"},
        {"wall epsn 1.5", "walls.dat:1:11: error: epsn: 1.5 is out of bounds; expected a restitution up to 1"},
        {"wall epst -1.5", "walls.dat:1:11: error: epst: -1.5 is out of bounds"},
        {"wall color 2.5", "walls.dat:1:12: error: color: 2.5 is out of bounds; expected a whole number"},
        {"wall color 256", "error: color: 256 is out of bounds"},
        {"wall osc-phase 2", "error: osc-phase: 2 is out of bounds; expected a part of a turn"},
        {"wall\n wall type disk radius 1 hole-radius 1",
         "walls.dat:2:2: error: wall 2: the hole of a disk must be smaller than the disk\n"},
        {"wall type shell open-angle 90", "walls.dat:1:1: error: wall 1: a shell with an opening of 90 degrees"},
        {"wall type rectangle vertex2 1 1 0", "wall 1: the edges of a rectangle must stand at right angles"},
        {"wall type triangle vertex2 2 0 0", "wall 1: the corners of a triangle must not lie on one line"},
        {"wall type cylinder-finite length 0 taper 0.5", "wall 1: a cylinder without length cannot have a taper"},
        {"# nothing\n", "error: wall: the file has no wall; expected at least one"},
    };
    for (const auto& [text, told] : cases) {
        EXPECT_THAT(refused(text), HasSubstr(told)) << text;
    }
    EXPECT_THAT(refused("wall radius x hole-radius y"),
                testing::AllOf(HasSubstr("radius:"), HasSubstr("hole-radius:")));
    std::string other = "wall";
    for (int k = 0; k < 1000; ++k) {
        other += fmt::format(" word{}", k);
    }
    const std::string told = refused(other);
    EXPECT_LT(std::count(told.begin(), told.end(), '\n'), 30) << "a file of another kind";
    EXPECT_THAT(told, HasSubstr("the rest of the file was not read"));
    EXPECT_THROW(import_walls("no such file"), base::InputError);
    EXPECT_THROW(import_walls("/"), base::InputError);
    EXPECT_THAT(refused("wall", {"1 s", ""}), HasSubstr("--length-unit: \"1 s\" is no unit; expected a length"));
    EXPECT_THAT(refused("wall", {"", "0 s"}), HasSubstr("--time-unit: \"0 s\" is no unit"));
}

TEST(ImportedFile, OfAnyWallsIsASoundScene) {
    base::Random random(91, 0);
    const auto number = [&] { return random.uniform(-3, 3); };
    const auto vector = [&] { return fmt::format("{} {} {}", number(), number(), number()); };
    const std::vector<std::string> types = {"plane", "triangle",          "disk",           "rectangle",
                                            "shell", "cylinder-infinite", "cylinder-finite"};
    for (int i = 0; i < 100; ++i) {
        std::string file = fmt::format("lengthunit {}\n", std::pow(10.0, random.uniform(-14, 2)));
        for (int k = 0; k < 6; ++k) {
            const std::string& type = types[random.bits() % types.size()];
            file += fmt::format("wall type {} origin {} orient {} radius {} length {}", type, vector(), vector(),
                                random.uniform(), random.uniform());
            file += type == "rectangle" ? " vertex1 0.2 0 0.3 vertex2 0.3 0 -0.2" : " vertex1 " + vector();
            file +=
                fmt::format(" taper {} epsn {} epst {} velocity {}", type == "cylinder-finite" ? random.uniform() : 0,
                            random.uniform(-1, 1), random.uniform(-1, 1), vector());
            file += fmt::format(" osc-ampl {} osc-freq {} osc-vec {} ang-speed {} color {}\n", number(), number(),
                                vector(), number(), random.bits() % 256);
        }
        ASSERT_NO_THROW({ EXPECT_EQ(loaded(file, {}).system.walls.size(), 6U); }) << file;
    }
}

}  // namespace
}  // namespace talus::scene
