// Scenes of two dimensions: discs, vectors of two numbers, walls that stand on the plane, and what has no place there.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "fault_table.h"
#include "talus/geometry/nearest.h"
#include "talus/laws/hooke.h"

namespace talus::scene {
namespace {

/// Discs of 1 cm in a box of segments; line 1 is `dimensions`.
std::string plane_scene() {
    return R"(dimensions = 2
[time]
end = 1
[gravity]
uniform = [0, "-1 g0"]
[materials.grain]
density = "1 g/cm3"
[materials.steel]
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 8e4
restitution = 0.8
[[walls]]
name = "floor"
shape = { plane = {} }
material = "steel"
[[fill]]
material = "grain"
radius = "1 cm"
lattice = {}
box = { low = [0, 0], high = ["20 cm", "40 cm"] }
)";
}

std::string with_shape(const std::string& shape) {
    return replaced(plane_scene(), "{ plane = {} }", shape);
}

TEST(PlaneScene, HasDiscsOfOneMetreThickness) {
    const Scene scene = load_text(plane_scene(), "s.toml");
    const model::Bodies& bodies = scene.system.bodies;
    EXPECT_EQ(scene.system.domain.dimensions, 2);
    ASSERT_GT(bodies.size(), 100U);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_DOUBLE_EQ(bodies.mass[i], std::numbers::pi * 1e-4 * 1000);
        EXPECT_DOUBLE_EQ(bodies.inertia[i], 0.5 * bodies.mass[i] * 1e-4);
        EXPECT_EQ(bodies.position[i].z, 0);
    }
    EXPECT_EQ(scene.system.gravity.y, -9.80665);
    EXPECT_EQ(scene.system.gravity.z, 0);
}

TEST(PlaneScene, LatticesAreHexagonalOrSquare) {
    // Ten discs a row; hexagonal rows alternate between ten and nine and lie sqrt(3) radii apart.
    const Scene square = load_text(replaced(plane_scene(), "lattice = {}", "lattice = { packing = \"square\" }"), "s");
    EXPECT_EQ(square.system.bodies.size(), 200U);
    const Scene hexagonal = load_text(plane_scene(), "s");
    const int rows = 1 + static_cast<int>((0.40 - 0.02) / (std::sqrt(3.0) * 0.01));
    EXPECT_EQ(hexagonal.system.bodies.size(), static_cast<std::size_t>((rows + 1) / 2 * 10 + rows / 2 * 9));
}

TEST(PlaneScene, RandomFractionIsOneOfArea) {
    std::string text = replaced(plane_scene(), "lattice = {}", "random = {}\nfraction = 0.4\nvelocity_spread = 1");
    text = replaced(text, "box = { low = [0, 0], high = [\"20 cm\", \"40 cm\"] }",
                    "circle = { center = [0, 0.5], radius = 0.4, hole = 0.2 }\nspin = \"3 rad/s\"");
    const Scene scene = load_text(text, "s.toml");
    const model::Bodies& bodies = scene.system.bodies;
    EXPECT_NEAR(static_cast<double>(bodies.size()) * 1e-4, 0.4 * (0.16 - 0.04), 2e-4);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double rho = norm(bodies.position[i] - Vec3d{0, 0.5, 0});
        EXPECT_TRUE(rho >= 0.21 && rho <= 0.39) << rho;
        EXPECT_EQ(bodies.position[i].z, 0);
        EXPECT_EQ(bodies.velocity[i].z, 0);
        EXPECT_EQ(bodies.spin[i].z, 3);
        EXPECT_EQ(bodies.spin[i].x, 0);
    }
}

TEST(PlaneScene, InsideAndOutsideOfCirclesMakeARing) {
    std::string text = replaced(plane_scene(), "[[fill]]", R"([[walls]]
name = "drum"
shape = { circle = { center = [0, 1], radius = 0.5 } }
material = "steel"
motion = [ { spin = { rate = 2 } } ]
[[walls]]
name = "axle"
shape = { circle = { center = [0, 1], radius = 0.2 } }
material = "steel"
[[fill]])");
    text = replaced(text, "box = { low = [0, 0], high = [\"20 cm\", \"40 cm\"] }",
                    "inside = \"drum\"\noutside = \"axle\"");
    const Scene scene = load_text(text, "s.toml");
    EXPECT_GT(scene.system.bodies.size(), 1000U);
    for (const Vec3d& p : scene.system.bodies.position) {
        const double rho = norm(p - Vec3d{0, 1, 0});
        EXPECT_TRUE(rho >= 0.21 - 1e-9 && rho <= 0.49 + 1e-9) << rho;
    }
    const model::Motion& motion = scene.system.walls[1].motion;
    ASSERT_EQ(motion.spins.size(), 1U);
    EXPECT_EQ(motion.spins[0].axis.z, 1);
    EXPECT_EQ(motion.spins[0].through.y, 1);
}

TEST(PlaneScene, WallsAnswerInThePlane) {
    for (const char* shape : {"{ plane = {} }", "{ plane = { normal = [0.3, 0.8] } }",
                              "{ segment = { from = [-0.3, -0.1], to = [0.5, 0.2] } }",
                              "{ circle = { center = [0.1, 0.2], radius = 0.5 } }",
                              "{ disk = { normal = [1, 2], radius = 0.4, hole = 0.2 } }",
                              "{ sphere = { center = [0.1, 0], radius = 0.3 } }", "{ ring = { radius = 0.3 } }",
                              "{ ring = { radius = 0.3, normal = [0.5, 1] } }", "{ line = { axis = [1, 3] } }",
                              "{ line = { point = [0.1, 0.1] } }", "{ point = { at = [0.2, 0.3] } }",
                              "{ cylinder = { point = [0, 0.1], axis = [1, 2], radius = 0.2 } }",
                              "{ tube = { from = [0, 0], to = [0.3, 0.4], radius_from = 0.1, radius_to = 0.3 } }"}) {
        const Scene scene = load_text(
            replaced(with_shape(shape), "low = [0, 0], high = [\"20 cm\", \"40 cm\"]", "low = [-1, -1], high = [1, 1]"),
            "s.toml");
        const model::Wall& wall = scene.system.walls.at(0);
        for (const Vec3d& p : {Vec3d{0.31, 0.17, 0}, Vec3d{-0.2, 0.4, 0}, Vec3d{0.9, 0.35, 0}, Vec3d{0, 0, 0}}) {
            const geometry::Nearest near = geometry::nearest(wall.shape, wall.pose.to_local(p));
            const Vec3d direction = wall.pose.rotation * near.direction;
            EXPECT_EQ(direction.z, 0) << shape;
        }
    }
}

TEST(PlaneScene, SegmentsAreAsLongAsTheySay) {
    const Scene scene = load_text(with_shape("{ segment = { from = [-3, -1], to = [5, -1] } }"), "s.toml");
    const model::Wall& wall = scene.system.walls.at(0);
    const auto distance = [&](double x, double y) {
        return geometry::nearest(wall.shape, wall.pose.to_local({x, y, 0})).distance;
    };
    EXPECT_DOUBLE_EQ(distance(1, 2), 3);
    EXPECT_DOUBLE_EQ(distance(-6, 3), 5);
    EXPECT_DOUBLE_EQ(distance(8, -5), 5);
}

TEST(PlaneScene, ContactsKnowThatDiscsTurnMoreHeavily) {
    const std::string text = replaced(plane_scene(), "kn = 8e4", "kn = 8e4\nkt = 2e4\ntangential_restitution = -0.4");
    const auto plane = load_text(text, "s").system.materials.between(0, 0).parameters.as<laws::Hooke::Params>();
    EXPECT_EQ(plane.tangential.mobility, 3);
    const auto solid =
        load_text(replaced(sound_scene(), "kn = 8e4", "kn = 8e4\nkt = 2e4\ntangential_restitution = -0.4"), "s")
            .system.materials.between(0, 0)
            .parameters.as<laws::Hooke::Params>();
    EXPECT_EQ(solid.tangential.mobility, 3.5);
    EXPECT_GT(plane.tangential.ct_scaled, 0);
    EXPECT_NE(plane.tangential.ct_scaled, solid.tangential.ct_scaled);
}

class PlaneFaults : public testing::TestWithParam<Fault> {};

TEST_P(PlaneFaults, AreToldWithTheirPlace) {
    const Fault& fault = GetParam();
    const std::string text =
        fault.what.empty() ? plane_scene() + fault.with : replaced(plane_scene(), fault.what, fault.with);
    ASSERT_FALSE(text.empty()) << "the text to replace is not in the scene";
    expect_told(text, fault.fragments);
}

const std::string shape = "{ plane = {} }";

INSTANTIATE_TEST_SUITE_P(
    Plane, PlaneFaults,
    testing::Values(
        Fault{"FourDimensions",
              "dimensions = 2",
              "dimensions = 4",
              {"s.toml:1:14", "dimensions: must be at least 2 and at most 3"}},
        Fault{"GravityAlongZ",
              "[0, \"-1 g0\"]",
              "[0, 0, \"-1 g0\"]",
              {"s.toml:5:11", "gravity.uniform: has a part along z, out of the plane; expected two numbers (m/s2)"}},
        Fault{"VectorOfOne", "[0, \"-1 g0\"]", "[1]", {"gravity.uniform: has 1 entries; expected two numbers"}},
        Fault{"TiltedPlane",
              shape,
              "{ plane = { normal = [0, 1, 1] } }",
              {"s.toml:16:", "walls[0].shape.plane: does not stand upright on the plane"}},
        Fault{"FlatDisk",
              shape,
              "{ disk = { normal = [0, 0, 1], radius = 1 } }",
              {"walls[0].shape.disk: does not stand upright"}},
        Fault{"SkewCylinder",
              shape,
              "{ cylinder = { axis = [0, 1, 1], point = [0, 0], radius = 1 } }",
              {"walls[0].shape.cylinder: runs askew to the plane"}},
        Fault{"Rectangle",
              shape,
              "{ rectangle = { corner = [0, 0], edge1 = [1, 0], edge2 = [0, 1] } }",
              {"walls[0].shape.rectangle: cannot stand on the plane", "segment"}},
        Fault{"Triangle",
              shape,
              "{ triangle = { corners = [[0, 0], [1, 0], [0, 1]] } }",
              {"shape.triangle: cannot stand"}},
        Fault{"MotionAlongZ",
              "material = \"steel\"\n",
              "material = \"steel\"\nmotion = [ { translate = { velocity = [0, 0, 1] } } ]\n",
              {"s.toml:18:", "walls[0].motion[0].translate.velocity: has a part along z"}},
        Fault{"SpinAboutX",
              "material = \"steel\"\n",
              "material = \"steel\"\nmotion = [ { spin = { axis = [1, 0], rate = 1 } } ]\n",
              {"walls[0].motion[0].spin.axis: turns the wall out of the plane"}},
        Fault{"GrainsThatTurnAboutX",
              "",
              "spin = [1, 0, 0]\n",
              {"fill[0].spin: turns about x or y", "one number (rad/s), about z"}},
        Fault{"PeriodicZ",
              "[materials.grain]",
              "[domain]\nlow = [0, 0]\nhigh = [1, 1]\nperiodic = [\"z\"]\n[materials.grain]",
              {"domain.periodic[0]: the scene has two dimensions; expected x or y"}},
        Fault{"AboveZ", "", "above = { z = 1 }\n", {"fill[0].above.z: the scene has two dimensions"}},
        Fault{"SolidLattice",
              "lattice = {}",
              "lattice = { packing = \"fcc\" }",
              {"\"fcc\" is a lattice of 3 dimensions"}},
        Fault{"HeightAlongZ", "", "[[measure]]\nheight = { axis = [0, 0, 1] }\n", {"height.axis: leaves the plane"}},
        Fault{"UpAlongZ", "", "[[measure]]\nsurface_slope = { up = \"z\" }\n", {"surface_slope.up: leaves the plane"}},
        Fault{"BoxesOfThreeAxes",
              "",
              "[[measure]]\nprofile = { bins = [2, 2, 2] }\n",
              {"profile.bins: names three axes; the scene has two dimensions"}},
        Fault{"Beverloo",
              "",
              "[[measure]]\ndischarge = { below = 0, hole_diameter = 1 }\n",
              {"discharge.hole_diameter: is for Beverloo's law"}},
        Fault{"Blocks", "lattice = {}", "blocks = {}", {"fill[0].blocks: are solid"}},
        Fault{
            "Cylinder", "", "cylinder = { from = [0, 0], to = [1, 0], radius = 1 }\n", {"fill[0].cylinder: is solid"}}),
    fault_name);

TEST(SolidScene, KnowsNothingOfThePlane) {
    expect_told(replaced(sound_scene(), "disk = {", "circle = {"),
                {"walls[0].shape.circle: is for scenes with dimensions = 2"});
    expect_told(sound_scene() + "circle = { radius = 1 }\n", {"fill[0].circle: is flat"});
    expect_told(replaced(sound_scene(), "lattice = {}", "lattice = { packing = \"square\" }"),
                {"\"square\" is a lattice of 2 dimensions"});
}

}  // namespace
}  // namespace talus::scene
