// Measures as a scene asks for them, and every way in which it may ask wrongly.
#include <gtest/gtest.h>

#include <string>

#include "fault_table.h"

namespace talus::scene {
namespace {

using math::Vec3d;

void expect_near(const Vec3d& a, const Vec3d& b) {
    EXPECT_LT(norm(a - b), 1e-12 * (1 + norm(b))) << a.x << " " << a.y << " " << a.z;
}

Scene with(const std::string& more) {
    return load_text(sound_scene() + more, "s.toml");
}

TEST(Measures, OfEveryKind) {
    const Scene scene = with(R"([[measure]]
packing = { box = { low = [0, 0, 0], high = [1, 1, 1] } }
[[measure]]
packing = { ball = { radius = 1 } }
[[measure]]
profile = { axis = [0, 2, 0], low = 0, high = "50 cm", bins = 7 }
name = "slices"
start = 0.5
[[measure]]
height = {}
[[measure]]
coordination = {}
[[measure]]
center_of_mass = {}
[[measure]]
stress = { above = 0 }
[[measure]]
discharge = { above = { x = 2 } }
[[measure]]
energies = {}
name = "ledger"
)");
    const auto& measures = scene.plan.measures;
    ASSERT_EQ(measures.size(), 9U);
    EXPECT_EQ(measures[0].name, "packing");
    EXPECT_EQ(measures[1].name, "packing_2");
    EXPECT_EQ(measures[1].kind, model::MeasureKind::packing);
    EXPECT_EQ(measures[2].name, "slices");
    EXPECT_EQ(measures[2].bins, 7);
    EXPECT_EQ(measures[2].start, 0.5);
    expect_near(measures[2].axis, {0, 1, 0});
    EXPECT_EQ(measures[6].region.parts.size(), 1U);
    expect_near(measures[7].axis, {-1, 0, 0});  // crossed against the axis: towards greater x
    EXPECT_DOUBLE_EQ(measures[7].offset, -2);
    EXPECT_EQ(measures[8].kind, model::MeasureKind::energies);
}

TEST(Measures, DischargeThroughAPartOfThePlane) {
    const Scene scene = with(R"([[measure]]
discharge = { below = 0, hole_diameter = "20 cm", bulk_packing = 0.58, region = { ball = { radius = "10 cm" } } }
)");
    const model::MeasureSpec& spec = scene.plan.measures.at(0);
    EXPECT_DOUBLE_EQ(spec.bulk_packing, 0.58);
    EXPECT_TRUE(spec.region.contains({0, 0.09, 0}));
    EXPECT_FALSE(spec.region.contains({0, 0.11, 0}));
    const Scene plain = with("[[measure]]\ndischarge = { below = 0 }\n");
    EXPECT_EQ(plain.plan.measures.at(0).bulk_packing, 0) << "measured";
    EXPECT_TRUE(plain.plan.measures.at(0).region.parts.empty());
}

/// Faults in what follows the sound scene; line 23 is the first added.
class MeasureFaults : public testing::TestWithParam<Fault> {};

TEST_P(MeasureFaults, AreToldWithTheirPlace) {
    expect_told(sound_scene() + GetParam().with, GetParam().fragments);
}

INSTANTIATE_TEST_SUITE_P(
    Measures, MeasureFaults,
    testing::Values(
        Fault{"MeasureStage",
              "",
              "[[measure]]\nheight = {}\nstage = \"rum\"\n",
              {"measure[0].stage: there is no stage \"rum\"", "did you mean \"run\"?"}},
        Fault{"MeasureTwice",
              "",
              "[[measure]]\nheight = {}\nname = \"a\"\n[[measure]]\npacking = {}\nname = \"a\"\n",
              {"measure[1].name: there is already a measure \"a\""}},
        Fault{"MeasureTwoPlanes",
              "",
              "[[measure]]\ndischarge = { below = { x = 1, z = 1 } }\n",
              {"measure[0].discharge.below: names more than one axis"}},
        Fault{"ProfileUpsideDown",
              "",
              "[[measure]]\nprofile = { low = 1, high = 0 }\n",
              {"measure[0].profile: covers no length"}},
        Fault{"FlatBox",
              "",
              "[[measure]]\npacking = { box = { low = [0,0,0], high = [1,1,0] } }\n",
              {"measure[0].packing.box: has no volume"}},
        Fault{"FlatCylinder",
              "",
              "[[measure]]\npacking = { cylinder = { from = [0,0,0], to = [0,0,0], radius = 1 } }\n",
              {"measure[0].packing.cylinder: has no volume"}},
        Fault{"PackingOfTheBulkWithoutAHole",
              "",
              "[[measure]]\ndischarge = { below = 0, bulk_packing = 0.6 }\n",
              {"s.toml:24:41", "measure[0].discharge.bulk_packing: is for Beverloo's law", "hole_diameter beside it"}},
        Fault{"PackingOfTheBulkAboveOne",
              "",
              "[[measure]]\ndischarge = { below = 0, hole_diameter = 1, bulk_packing = 1.2 }\n",
              {"measure[0].discharge.bulk_packing: "}},
        Fault{"EnergiesOfARegion", "", "[[measure]]\nenergies = { above = 0 }\n", {"measure[0].energies.above: "}}),
    fault_name);

}  // namespace
}  // namespace talus::scene
