// [fields], [forces], charges and dipoles: what they become, and what of them is refused.
#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "fault_table.h"

namespace talus::scene {
namespace {

constexpr double pi = std::numbers::pi;

Scene with(const std::string& fill, const std::string& tables) {
    return load_text(replaced(sound_scene(), "count = 1\n", "count = 4\n" + fill + "\n") + tables, "s.toml");
}

TEST(Fields, TakeUnitsAndTurn) {
    const Scene scene = with("charge = \"2 nC\"\nmagnetic_dipole = [0, 0, \"3 mA m2\"]", R"([fields]
electric = ["1 kV/m", 0, "2 V/cm"]
magnetic = { value = ["5 mT", 0, 0], axis = [0, 2, 0], period = "20 ms" }
gravity = { value = [0, 0, -3], axis = [1, 0, 0], rate = "-60 rpm" }
)");
    const model::Fields& fields = scene.system.fields;
    EXPECT_EQ(fields.electric.value, (math::Vec3d{1000, 0, 200}));
    EXPECT_FALSE(fields.electric.turns());
    EXPECT_EQ(fields.magnetic.axis, (math::Vec3d{0, 1, 0}));
    EXPECT_DOUBLE_EQ(fields.magnetic.rate, 100 * pi);
    const math::Vec3d quarter = fields.magnetic.at(5e-3);
    EXPECT_NEAR(quarter.z, -5e-3, 1e-15);
    EXPECT_NEAR(quarter.x, 0, 1e-15);
    EXPECT_DOUBLE_EQ(fields.gravity.rate, -2 * pi);
    ASSERT_EQ(fields.moments.size(), 4U);
    EXPECT_DOUBLE_EQ(fields.moments[3].charge, 2e-9);
    EXPECT_EQ(fields.moments[3].magnetic_dipole, (math::Vec3d{0, 0, 3e-3}));
    EXPECT_TRUE(scene.system.general);
    EXPECT_NE(scene.system.grains.turn[0], scene.system.grains.turn[1]);  // at random
}

TEST(Fields, MaterialsCarryMomentsThatFillsOverride) {
    const std::string text = replaced(sound_scene(), "density = \"1 g/cm3\"\n", "density = 1000\ncharge = \"1 nC\"\n") +
                             R"([forces]
electric = true
gravity = "2e-3 m3/kg/s2"
[[fill]]
material = "grain"
radius = "1 cm"
lattice = {}
count = 1
charge = "-3 nC"
electric_dipole = ["1 nC mm", 0, 0]
orientation = "drawn"
box = { low = [0, 0, "6 cm"], high = ["4 cm", "4 cm", "9 cm"] }
)";
    const Scene scene = load_text(text, "s.toml");
    const model::Fields& fields = scene.system.fields;
    EXPECT_TRUE(fields.masses);
    EXPECT_EQ(fields.gravitational_constant, 2e-3);
    EXPECT_TRUE(fields.electric_moments);
    EXPECT_FALSE(fields.magnetic_moments);
    ASSERT_EQ(fields.moments.size(), 2U);
    EXPECT_DOUBLE_EQ(fields.moments[0].charge, 1e-9);
    EXPECT_DOUBLE_EQ(fields.moments[1].charge, -3e-9);
    EXPECT_DOUBLE_EQ(fields.moments[1].electric_dipole.x, 1e-12);
    EXPECT_EQ(scene.system.grains.turn[1], math::Quaterniond{});
}

TEST(Fields, DipolesOfShapesAreGivenAsDrawn) {
    const std::string text =
        replaced(sound_scene(), "radius = \"1 cm\"\nlattice = {}\n",
                 "grain = \"rod\"\norientation = \"drawn\"\nmagnetic_dipole = [0, 0, 1]\nlattice = {}\n") +
        "[grains.rod]\nrod = { radius = \"3 mm\", length = \"2 cm\", spheres = 4 }\n[fields]\nmagnetic = [0, 0, 1]\n";
    const Scene scene = load_text(text, "s.toml");
    const math::Vec3d turned = model::magnetic_dipole(scene.system, 0);
    EXPECT_NEAR(turned.z, 1, 1e-12);
}

TEST(Fields, ScenesWithoutThemStayAsTheyWere) {
    const Scene scene = load_text(sound_scene(), "s.toml");
    EXPECT_FALSE(scene.system.fields.any());
    EXPECT_TRUE(scene.system.fields.moments.empty());
    EXPECT_FALSE(scene.system.general);
}

class FieldFaults : public testing::TestWithParam<Fault> {};

/// `what` goes into the fill, `with` behind the scene.
TEST_P(FieldFaults, AreToldWithTheirPlace) {
    expect_told(replaced(sound_scene(), "count = 1\n", "count = 1\n" + GetParam().what + "\n") + GetParam().with,
                GetParam().fragments);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, FieldFaults,
    testing::Values(
        Fault{"WrongUnit",
              "charge = \"1 V\"",
              "[forces]\nelectric = true\n",
              {"s.toml:22", "fill[0].charge", "expected a charge (C)"}},
        Fault{"NoPeriod",
              "charge = 1",
              "[fields]\nelectric = { value = [1, 0, 0] }\n",
              {"s.toml:25", "fields.electric", "period"}},
        Fault{"PeriodAndRate",
              "charge = 1",
              "[fields]\nelectric = { value = [1, 0, 0], period = 1, rate = 2 }\n",
              {"fields.electric", "period", "rate"}},
        Fault{"ConstantGravity", "", "[fields]\ngravity = [0, 0, -1]\n", {"fields.gravity", "expected a table"}},
        Fault{"AlongItsAxis",
              "charge = 1",
              "[fields]\nelectric = { value = [0, 0, 5], period = 1 }\n",
              {"fields.electric.value: lies along the axis, so that nothing turns"}},
        Fault{"NoAxis",
              "charge = 1",
              "[fields]\nelectric = { value = [0, 0, 5], axis = [0, 0, 0], period = 1 }\n",
              {"fields.electric.axis: has no direction"}},
        Fault{"StandingStill",
              "charge = 1",
              "[fields]\nelectric = { value = [5, 0, 0], rate = 0 }\n",
              {"fields.electric.rate: does not turn the field"}},
        Fault{"ChargeOnNothing",
              "charge = 1",
              "",
              {"s.toml:22:10", "fill[0].charge: has nothing to act on it", "forces.electric = true"}},
        Fault{"DipoleOnNothing",
              "magnetic_dipole = [0, 0, 1]",
              "[forces]\ngravity = true\n",
              {"fill[0].magnetic_dipole: has nothing to act on it"}},
        Fault{"FieldOnNothing",
              "",
              "[fields]\nmagnetic = [0, 0, 1]\n",
              {"s.toml:25", "fields.magnetic: acts on nothing: no grain has a charge or a magnetic dipole"}},
        Fault{"ForceOnNothing",
              "",
              "[forces]\nelectric = true\n",
              {"forces.electric: acts on nothing: no grain has a charge or an electric dipole"}},
        Fault{"Periodic",
              "",
              "[forces]\ngravity = true\n[domain]\nlow = [-1, -1, -1]\nhigh = [1, 1, 1]\nperiodic = [\"x\"]\n",
              {"forces: act over any distance", "no domain.periodic"}},
        Fault{"NegativeConstant", "", "[forces]\ngravity = -1\n", {"forces.gravity: must be positive"}},
        Fault{"OrientationOfNothing",
              "orientation = \"drawn\"",
              "",
              {"fill[0].orientation: is for grains of several spheres, or with a dipole"}},
        Fault{"Misspelt", "", "[fields]\nmagnetick = [0, 0, 1]\n", {"did you mean \"magnetic\"?"}}),
    fault_name);

/// A plane scene, `what` in the fill and `with` behind it.
class PlaneFieldFaults : public testing::TestWithParam<Fault> {
protected:
    static std::string scene() {
        return "dimensions = 2\n[time]\nend = 1\n[materials.grain]\ndensity = 1000\n[[contacts]]\nbetween = [\"*\", "
               "\"*\"]\nlaw = \"hooke\"\nkn = 1e4\nrestitution = 1\n" +
               GetParam().with + "[[fill]]\nmaterial = \"grain\"\nradius = 0.01\ncount = 4\nrandom = {}\n" +
               "box = { low = [0, 0], high = [1, 1] }\n" + GetParam().what + "\n";
    }
};

TEST_P(PlaneFieldFaults, AreTold) {
    expect_told(scene(), GetParam().fragments);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, PlaneFieldFaults,
    testing::Values(
        Fault{"ChargeInAFieldInThePlane",
              "charge = 1",
              "[fields]\nmagnetic = [1, 0, 0]\n",
              {"fill[0].charge: would be pushed out of the plane by fields.magnetic, which is not along z"}},
        Fault{"LeaningField",
              "charge = 1",
              "[fields]\nmagnetic = [1, 0, 1]\n",
              {"fields.magnetic: leans out of the plane"}},
        Fault{"ElectricFieldOutOfThePlane",
              "charge = 1",
              "[fields]\nelectric = [1, 0, 1]\n",
              {"fields.electric: has a part along z, out of the plane"}},
        Fault{"DipoleAcrossTheField",
              "magnetic_dipole = [0, 0, 1]",
              "[fields]\nmagnetic = [1, 0, 0]\n",
              {"fill[0].magnetic_dipole: would be turned out of the plane"}},
        Fault{"TurnedAboutX",
              "charge = 1",
              "[fields]\nelectric = { value = [0, 1], axis = [1, 0, 0], period = 1 }\n",
              {"fields.electric.axis: turns the field out of the plane"}}),
    fault_name);

TEST(Fields, ThePlaneTakesChargesInAFieldAcrossItAndDipolesInOneAlongIt) {
    const std::string head =
        "dimensions = 2\n[time]\nend = 1\n[materials.grain]\ndensity = 1000\n[[contacts]]\nbetween = [\"*\", "
        "\"*\"]\nlaw = \"hooke\"\nkn = 1e4\nrestitution = 1\n[[fill]]\nmaterial = \"grain\"\nradius = 0.01\ncount = "
        "4\nrandom = {}\nbox = { low = [0, 0], high = [1, 1] }\n";
    EXPECT_EQ(faults_of(head + "charge = 1\n[fields]\nmagnetic = [0, 0, 2]\nelectric = [1, 2]\n"), "");
    EXPECT_EQ(faults_of(head + "magnetic_dipole = [0, 1]\n[fields]\nmagnetic = { value = [1, 0], period = 1 }\n" +
                        "[forces]\nmagnetic = true\n"),
              "");
}

TEST(Fields, HardAndSteppedEnginesRefuseThem) {
    for (const std::string engine : {"hard", "stepped"}) {
        const std::string text = "engine = \"" + engine + "\"\n" + sound_scene();
        expect_told(text + "[forces]\ngravity = true\n",
                    {"forces: are for soft contacts; this scene has engine = \"" + engine + "\"", "engine = \"soft\""});
        expect_told(replaced(text, "count = 1\n", "count = 1\ncharge = 1\n") + "[fields]\nelectric = [0, 0, 1]\n",
                    {"fields: are for soft contacts; this scene has engine = \"" + engine + "\""});
    }
}

}  // namespace
}  // namespace talus::scene
