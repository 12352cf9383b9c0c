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
    EXPECT_EQ(measures[2].grid.along.at(0).bins, 7);
    EXPECT_EQ(measures[2].start, 0.5);
    expect_near(measures[2].grid.axis, {0, 1, 0});
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

TEST(Measures, ProfilesOfEveryKind) {
    const Scene scene = with(R"([domain]
low = [-1, -1, -1]
high = [1, 1, 2]
periodic = ["x"]
[[walls]]
name = "barrel"
shape = { cylinder = { from = [0, 0, 0], to = [0, 0, 0.8], radius = 0.25 } }
material = "steel"
[[measure]]
profile = { low = 0, high = 1 }
[[measure]]
profile = { bins = [4, 1, 6] }
[[measure]]
profile = { box = { low = [0, -1, 0], high = [1, 1, 0.5] }, inside = "barrel", bins = [2, 3, 5] }
[[measure]]
profile = { inside = "barrel", bins = [5, 8] }
[[measure]]
profile = { cylinder = { from = [0.1, 0, 0], to = [0.1, 2, 0], radius = 0.5 }, bins = [2, 3] }
)");
    using Kind = model::ProfileGrid::Kind;
    const auto& measures = scene.plan.measures;
    ASSERT_EQ(measures.size(), 5U);
    EXPECT_EQ(measures[0].grid.kind, Kind::slices);
    EXPECT_EQ(measures[0].grid.along.at(0).bins, 20);
    expect_near(measures[0].grid.axis, {0, 0, 1});
    EXPECT_EQ(measures[1].grid.kind, Kind::boxes);
    ASSERT_EQ(measures[1].grid.along.size(), 3U);
    EXPECT_EQ(measures[1].grid.along[2].bins, 6);
    EXPECT_EQ(measures[1].grid.along[2].low, -1) << "the domain's";
    EXPECT_EQ(measures[1].grid.along[2].high, 2);
    EXPECT_EQ(measures[2].grid.along[1].low, -1);
    EXPECT_EQ(measures[2].grid.along[2].high, 0.5);
    EXPECT_EQ(measures[2].region.parts.size(), 2U) << "the box and the barrel";
    EXPECT_EQ(measures[3].grid.kind, Kind::rings);
    ASSERT_EQ(measures[3].grid.along.size(), 2U);
    EXPECT_EQ(measures[3].grid.along[0].high, 0.25);
    EXPECT_EQ(measures[3].grid.along[0].bins, 5);
    EXPECT_DOUBLE_EQ(measures[3].grid.along[1].high, 0.8);
    EXPECT_EQ(measures[3].grid.along[1].bins, 8);
    expect_near(measures[4].grid.axis, {0, 1, 0});
    expect_near(measures[4].grid.origin, {0.1, 0, 0});
}

TEST(Measures, OfMotionAndSurfaces) {
    const Scene scene = with(R"([[walls]]
name = "barrel"
shape = { cylinder = { from = [0, 0, 0], to = [0, 0.8, 0], radius = 0.25 } }
material = "steel"
[[measure]]
scale_heights = {}
[[measure]]
scale_heights = { axis = "x", floor = "2 cm", after = "3 s" }
[[measure]]
surface_slope = {}
[[measure]]
surface_slope = { up = [0, 0, 3], along = [3, 4, 7], from = "-1 m", to = 0, bin_width = "5 mm", drum = "barrel", above = 1 }
[[measure]]
velocity_distribution = { bins = 20, reach = 4, after = 1 }
[[measure]]
displacement = { inside = "barrel" }
[[measure]]
velocity_distribution = {}
)");
    const auto& measures = scene.plan.measures;
    ASSERT_EQ(measures.size(), 7U);
    EXPECT_EQ(measures[0].kind, model::MeasureKind::scale_heights);
    expect_near(measures[0].axis, {0, 0, 1});  // against gravity
    EXPECT_EQ(measures[0].offset, 0);
    EXPECT_EQ(measures[0].after, 0);
    expect_near(measures[1].axis, {1, 0, 0});
    EXPECT_DOUBLE_EQ(measures[1].offset, 0.02);
    EXPECT_EQ(measures[1].after, 3);
    expect_near(measures[2].axis, {0, 0, 1});
    expect_near(measures[2].surface.along, {1, 0, 0});
    EXPECT_FALSE(measures[2].surface.from.has_value() || measures[2].surface.to.has_value());
    EXPECT_EQ(measures[2].surface.bin_width, 0);
    expect_near(measures[3].surface.along, {0.6, 0.8, 0});  // the part across up
    EXPECT_EQ(measures[3].surface.from.value(), -1);
    EXPECT_EQ(measures[3].surface.to.value(), 0);
    EXPECT_DOUBLE_EQ(measures[3].surface.bin_width, 0.005);
    EXPECT_EQ(measures[3].surface.drum, "barrel");
    EXPECT_EQ(measures[3].region.parts.size(), 1U);
    EXPECT_EQ(measures[4].kind, model::MeasureKind::velocity_distribution);
    EXPECT_EQ(measures[4].histogram.bins, 20);
    EXPECT_EQ(measures[4].histogram.reach, 4);
    EXPECT_EQ(measures[4].after, 1);
    EXPECT_EQ(measures[5].kind, model::MeasureKind::displacement);
    EXPECT_EQ(measures[5].region.parts.size(), 1U);
    EXPECT_EQ(measures[6].name, "velocity_distribution_2");
    EXPECT_EQ(measures[6].histogram.bins, 50);
}

TEST(Measures, WithoutGravityWhichWayIsUpMustBeSaid) {
    const std::string floating = replaced(sound_scene(), "\"-1 g0\"", "0");
    expect_told(floating + "[[measure]]\nscale_heights = {}\n[[measure]]\nsurface_slope = {}\n",
                {"measure[0].scale_heights: needs the key \"axis\", since no gravity tells which way is up",
                 "measure[1].surface_slope: needs the key \"up\""});
    const Scene told = load_text(floating + "[[measure]]\nsurface_slope = { up = \"y\" }\n", "s.toml");
    expect_near(told.plan.measures.at(0).axis, {0, 1, 0});
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
        Fault{"ProfileWithoutEnds",
              "",
              "[[measure]]\nprofile = { high = 1 }\n",
              {"s.toml:24:11", "measure[0].profile: needs the key \"low\"", "a length (m)"}},
        Fault{"ProfileWithoutDirection",
              "",
              "[[measure]]\nprofile = { low = 0, high = 1, axis = [0, 0, 0] }\n",
              {"measure[0].profile.axis: has no direction"}},
        Fault{"ProfileWithoutBins",
              "",
              "[[measure]]\nprofile = { low = 0, high = 1, bins = 0 }\n",
              {"measure[0].profile.bins: "}},
        Fault{"ProfileOfFourCoordinates",
              "",
              "[[measure]]\nprofile = { bins = [2, 2, 2, 2], box = { low = [0,0,0], high = [1,1,1] } }\n",
              {"measure[0].profile.bins: "}},
        Fault{"ProfileOfHalfABin",
              "",
              "[[measure]]\nprofile = { bins = [2, 0.5, 2], box = { low = [0,0,0], high = [1,1,1] } }\n",
              {"measure[0].profile.bins[1]: "}},
        Fault{"ProfileTooFine",
              "",
              "[[measure]]\nprofile = { bins = [100, 100, 100], box = { low = [0,0,0], high = [1,1,1] } }\n",
              {"measure[0].profile.bins: makes 1e+06 cells", "20000 at most"}},
        Fault{"SlicesTooFine",
              "",
              "[[measure]]\nprofile = { bins = 1000000, low = 0, high = 1 }\n",
              {"measure[0].profile.bins: makes 1e+06 cells", "20000 at most"}},
        Fault{"BoxesOfAllSpace",
              "",
              "[[measure]]\nprofile = { bins = [2, 3, 4] }\n",
              {"measure[0].profile: has nothing to divide into boxes", "a box, or bounds of the domain"}},
        Fault{"BoxesBetweenHeights",
              "",
              "[[measure]]\nprofile = { bins = [2, 3, 4], low = 0, box = { low = [0,0,0], high = [1,1,1] } }\n",
              {"measure[0].profile.low: is for slices"}},
        Fault{"BoxesOverAPeriodicBorder",
              "",
              "[domain]\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\nperiodic = [\"y\"]\n"
              "[[measure]]\nprofile = { bins = [2, 3, 4], box = { low = [0,-1,0], high = [1,1,2] } }\n",
              {"measure[0].profile.box: reaches over the border of the domain along y", "between 0 m and 1 m"}},
        Fault{"RingsOfABox",
              "",
              "[[measure]]\nprofile = { bins = [2, 3], box = { low = [0,0,0], high = [1,1,1] } }\n",
              {"measure[0].profile: has nothing to divide into rings", "a finite cylinder of one radius"}},
        Fault{"RingsOfACone",
              "",
              "[[measure]]\nprofile = { bins = [2, 3], cylinder = { from = [0,0,0], to = [0,0,1], radius_from = 1, "
              "radius_to = 2 } }\n",
              {"measure[0].profile: has nothing to divide into rings"}},
        Fault{
            "RingsWithoutEnds",
            "",
            "[domain]\nlow = [-1, -1, 0]\nhigh = [1, 1, 1]\n"
            "[[walls]]\nname = \"pipe\"\nmaterial = \"steel\"\nshape = { cylinder = { radius = 1, axis = [0,0,1] } }\n"
            "[[measure]]\nprofile = { bins = [2, 3], inside = \"pipe\" }\n",
            {"measure[0].profile: has nothing to divide into rings"}},
        Fault{"RingsOverAPeriodicBorder",
              "",
              "[domain]\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\nperiodic = [\"x\"]\n"
              "[[measure]]\nprofile = { bins = [2, 3], cylinder = { from = [0,0,0], to = [0,0,1], radius = 1 } }\n",
              {"measure[0].profile: reaches over the border of the domain along x"}},
        Fault{"ProfileInPlaceOfTheSeries",
              "",
              "[[measure]]\nprofile = { low = 0, high = 1 }\nname = \"series\"\n",
              {"measure[0].name: its table would take the place of series.csv"}},
        Fault{"SurfaceAlongUp",
              "",
              "[[measure]]\nsurface_slope = { along = [0, 0, 2] }\n",
              {"s.toml:24:27", "measure[0].surface_slope.along: points up or down", "a direction across up"}},
        Fault{"SurfaceAlongNothing",
              "",
              "[[measure]]\nsurface_slope = { along = [0, 0, 0] }\n",
              {"measure[0].surface_slope.along: has no direction"}},
        Fault{"SurfaceAlongAnUnknownAxis",
              "",
              "[[measure]]\nsurface_slope = { along = \"w\" }\n",
              {"measure[0].surface_slope.along: ", "\"x\", \"y\", \"z\""}},
        Fault{"SurfaceOfNoLength",
              "",
              "[[measure]]\nsurface_slope = { from = 1, to = 1 }\n",
              {"measure[0].surface_slope: fits a line over no length", "from below to"}},
        Fault{"SurfaceInAnUnknownDrum",
              "",
              "[[measure]]\nsurface_slope = { drum = \"dram\" }\n",
              {"measure[0].surface_slope.drum: "}},
        Fault{"SurfaceInASquareDrum",
              "",
              "[[walls]]\nname = \"lid\"\nmaterial = \"steel\"\nshape = { plane = {} }\n"
              "[[measure]]\nsurface_slope = { drum = \"lid\" }\n",
              {"measure[0].surface_slope.drum: the wall \"lid\" has no rim", "a cylinder"}},
        Fault{"HeightsAfterANegativeTime",
              "",
              "[[measure]]\nscale_heights = { after = -1 }\n",
              {"measure[0].scale_heights.after: "}},
        Fault{"VelocitiesInTooManyBins",
              "",
              "[[measure]]\nvelocity_distribution = { bins = 20000 }\n",
              {"measure[0].velocity_distribution.bins: 20000 bins are too many", "10000 at most"}},
        Fault{"VelocitiesInOneBin",
              "",
              "[[measure]]\nvelocity_distribution = { bins = 1 }\n",
              {"measure[0].velocity_distribution.bins: "}},
        Fault{"VelocitiesInPlaceOfTheSeries",
              "",
              "[[measure]]\nvelocity_distribution = {}\nname = \"series\"\n",
              {"measure[0].name: its table would take the place of series.csv"}},
        Fault{"EnergiesOfARegion", "", "[[measure]]\nenergies = { above = 0 }\n", {"measure[0].energies.above: "}}),
    fault_name);

}  // namespace
}  // namespace talus::scene
