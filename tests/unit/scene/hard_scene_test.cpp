// The keys of hard grains: which engine takes them, what law and remedy they become, how long drifts and looks are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fault_table.h"

namespace talus::scene {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double g0 = 9.80665;
constexpr double infinite = std::numeric_limits<double>::infinity();
const std::string hooke = "law = \"hooke\"\nkn = 8e4\nrestitution = 0.8\n";

/// The sound scene with hard grains; line 1 is `engine`, line 2 `[time]`.
std::string hard_scene() {
    return "engine = \"hard\"\n" + sound_scene();
}
/// With that impact rule in place of a force law.
std::string with_impact(const std::string& keys) {
    return replaced(hard_scene(), hooke, "law = \"impact\"\n" + keys);
}
Scene hard(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return load_text(text, "s.toml", overrides);
}
laws::ImpactParams rule(const std::string& text) {
    return hard(text).system.materials.between(0, 1).impact;
}

class HardFaults : public testing::TestWithParam<Fault> {};

TEST_P(HardFaults, AreToldWithTheirPlace) {
    const Fault& fault = GetParam();
    const std::string text =
        fault.what.empty() ? hard_scene() + fault.with : replaced(hard_scene(), fault.what, fault.with);
    ASSERT_FALSE(text.empty()) << "the text to replace is not in the sound scene";
    expect_told(text, fault.fragments);
}

INSTANTIATE_TEST_SUITE_P(
    Keys, HardFaults,
    testing::Values(
        Fault{"FlightOfSoftGrains",
              "engine = \"hard\"",
              "flight = \"drift\"",
              {"s.toml:1:10: error: flight: is for predicted collisions",
               "engine = \"soft\"; expected engine = \"hard\""}},
        Fault{"UnknownFlight",
              "engine = \"hard\"",
              "engine = \"hard\"\nflight = \"balistic\"",
              {"s.toml:2:10: error: flight: ", "did you mean \"ballistic\"?"}},
        Fault{"ImpactsOfSoftGrains",
              "engine = \"hard\"",
              "impacts = { elastic_below = 0 }",
              {"s.toml:1:11: error: impacts: is for predicted collisions"}},
        Fault{"SlowImpactsBelowZero", "", "[impacts]\nelastic_below = -1\n", {"s.toml:25:17: error: impacts.elastic_"}},
        Fault{"UnknownStuckMotion",
              "",
              "[impacts]\nstuck_motion = \"circle\"\n",
              {"s.toml:25:16: error: impacts.stuck_motion: ", "exact"}},
        Fault{
            "DampingAlone",
            "restitution = 0.8",
            "cn = 3",
            {"s.toml:13:6: error: contacts[0].cn: is damping of a force; hard grains have none; expected restitution"}},
        Fault{"NeitherDampingNorRestitution", "restitution = 0.8\n", "", {"contacts[0].restitution: is missing"}},
        Fault{"ImpactWithoutRestitution",
              hooke,
              "law = \"impact\"\n",
              {"s.toml:9:1: error: contacts[0]: needs the key \"restitution\""}},
        Fault{"ImpactBeyondOne",
              hooke,
              "law = \"impact\"\nrestitution = 1.5\n",
              {"s.toml:12:15: error: contacts[0].restitution: must be at least 0 and at most 1"}},
        Fault{"ImpactBeyondReversal",
              hooke,
              "law = \"impact\"\nrestitution = 1\ntangential_restitution = -1.5\n",
              {"s.toml:13:26: error: contacts[0].tangential_restitution: must be at least -1 and at most 1"}},
        Fault{"StiffnessOfAnImpact",
              hooke,
              "law = \"impact\"\nkn = 8e4\nrestitution = 1\n",
              {"s.toml:12:1: error: contacts[0].kn: unknown key"}},
        Fault{"ShortPeriodForMovingHeldGrains",
              "",
              "[domain]\nlow = [0, 0, 0]\nhigh = [1, 0.065, 1]\nperiodic = [\"y\"]\n"
              "[[walls]]\nname = \"drum\"\nshape = { cylinder = { radius = 1, axis = [0, 1, 0] } }\n"
              "material = \"steel\"\nbehaviour = \"sticky\"\nmotion = [ { spin = { rate = 1 } } ]\n",
              {"s.toml:24:1: error: domain: the periodic domain is only 0.065 m long along y, less than 3.3 diameters",
               "at least 0.066"}},
        Fault{"ShortPeriod",
              "",
              "[domain]\nlow = [0, 0, 0]\nhigh = [1, 0.05, 1]\nperiodic = [\"y\"]\n",
              {"s.toml:18:1: error: fill[0]: the periodic domain is only 0.05 m long along y, less than three "
               "diameters"}}),
    fault_name);

TEST(HardKeys, ImpactsAreRefusedForSoftGrains) {
    const std::string text = replaced(sound_scene(), hooke, "law = \"impact\"\nrestitution = 0.8\n");
    EXPECT_THAT(faults_of(text),
                HasSubstr("s.toml:10:7: error: contacts[0].law: \"impact\" is for hard grains; soft ones "
                          "need a law of forces; expected another law, or engine = \"hard\""));
    const std::string later =
        replaced(sound_scene(), "end = 1\n", "") +
        "[[stages]]\nname = \"a\"\nuntil = { time = 1 }\n"
        "do = [ { contact = { between = [\"grain\", \"*\"], law = \"impact\", restitution = 1 } } ]\n";
    EXPECT_THAT(faults_of(later), HasSubstr("stages[0].do[0].contact.law: \"impact\" is for hard grains"));
}

TEST(HardKeys, AFaultyEngineIsTheOnlyFaultTold) {
    const std::string told =
        faults_of(replaced(with_impact("restitution = 1\n"), "\"hard\"", "\"hrad\"\nflight = \"drift\""));
    EXPECT_THAT(told, HasSubstr("did you mean \"hard\"?"));
    EXPECT_THAT(told, Not(HasSubstr("is for hard grains")));
}

TEST(HardKeys, AnOverrideMakesASoftSceneHard) {
    const Scene scene = hard(sound_scene(), {"engine=hard", "flight=ballistic"});
    EXPECT_EQ(scene.engine, "hard");
    EXPECT_TRUE(scene.system.flight_rules.ballistic);
    EXPECT_FALSE(hard(sound_scene(), {"engine=hard"}).system.flight_rules.ballistic);
    // What was applied is what a checkpoint keeps.
    EXPECT_TRUE(load_without_grains(scene.text, "s.toml").system.flight_rules.ballistic);
}

TEST(HardKeys, StuckMotionIsChosenByName) {
    using model::StuckMotion;
    EXPECT_EQ(hard(hard_scene()).system.flight_rules.stuck_motion, StuckMotion::exact);
    for (const auto& [name, motion] : {std::pair{"exact", StuckMotion::exact}, std::pair{"line", StuckMotion::line},
                                       std::pair{"parabola", StuckMotion::parabola}}) {
        EXPECT_EQ(hard(hard_scene(), {std::string("impacts.stuck_motion=") + name}).system.flight_rules.stuck_motion,
                  motion);
    }
}

void expect_rule(const laws::ImpactParams& got, double restitution, double tangential, double friction) {
    EXPECT_EQ(got.restitution, restitution);
    EXPECT_EQ(got.tangential, tangential);
    EXPECT_EQ(got.friction, friction);
}

TEST(ImpactRule, IsTheEntrys) {
    expect_rule(rule(with_impact("restitution = 0.9\n")), 0.9, 1, infinite);
    expect_rule(rule(with_impact("restitution = 0\ntangential_restitution = -1\n")), 0, -1, infinite);
    expect_rule(rule(with_impact("restitution = 0.9\ntangential_restitution = 0.2\nfriction = 0.3\n")), 0.9, 0.2, 0.3);
    EXPECT_EQ(hard(with_impact("restitution = 0.9\n")).system.materials.between(0, 1).law, -1) << "no force";
}

TEST(ImpactRule, OfAForceLawIsItsRestitutionAndFriction) {
    // Without friction nothing acts across; with it, what it can stop is stopped, unless more is said.
    expect_rule(rule(hard_scene()), 0.8, 1, 0);
    const auto with = [](const std::string& keys) {
        return replaced(hard_scene(), "restitution = 0.8\n", "restitution = 0.8\nkt = \"2/7 kn\"\n" + keys);
    };
    expect_rule(rule(with("friction = { static = 0.3, rolling = 0.1 }\n")), 0.8, 0, 0.3);
    expect_rule(rule(with("friction = { static = 0.3 }\ntangential_restitution = -0.5\n")), 0.8, -0.5, 0.3);
    const std::string hertz = replaced(replaced(hard_scene(), "hooke", "hertz"), "kn = 8e4", "young = 1e7");
    expect_rule(rule(hertz), 0.8, 1, 0);
}

TEST(ImpactRule, TheLastEntryThatMatchesWins) {
    const Scene scene =
        hard(hard_scene() + "[[contacts]]\nbetween = [\"grain\", \"steel\"]\nlaw = \"impact\"\nrestitution = 0.1\n");
    EXPECT_EQ(scene.system.materials.between(0, 0).impact.restitution, 0.8);
    EXPECT_EQ(scene.system.materials.between(0, 1).impact.restitution, 0.1);
    EXPECT_EQ(scene.system.materials.between(1, 0).impact.restitution, 0.1);
}

TEST(ImpactRule, OfAStageIsItsOwn) {
    const Scene scene =
        hard(replaced(hard_scene(), "end = 1\n", "") +
             "[[stages]]\nname = \"a\"\nuntil = { time = 1 }\n"
             "do = [ { contact = { between = [\"grain\", \"steel\"], law = \"impact\", restitution = 0.25 } } ]\n");
    const auto& change = std::get<model::SetContact>(scene.plan.stages.at(0).actions.at(0));
    EXPECT_EQ(change.law.impact.restitution, 0.25);
    EXPECT_EQ(change.law.law, -1);
}

// --- the remedy -----------------------------------------------------------------------------------------------------

TEST(SlowImpacts, AutomaticIsAFiftiethOfAFallThroughTheMeanRadius) {
    const Scene one = hard(hard_scene());
    EXPECT_NEAR(one.system.flight_rules.elastic_below, 0.02 * std::sqrt(2 * g0 * 0.01), 1e-15);
    EXPECT_NEAR(one.system.flight_rules.least_rebound, 0.002 * std::sqrt(2 * g0 * 0.01), 1e-16);
    const Scene two = hard(hard_scene() +
                           "[[fill]]\nmaterial = \"grain\"\nradius = \"3 cm\"\nlattice = {}\n"
                           "count = 1\nbox = { low = [0, 0, 1], high = [0.1, 0.1, 1.1] }\n");
    EXPECT_NEAR(two.system.flight_rules.elastic_below, 0.02 * std::sqrt(2 * g0 * 0.02), 1e-15);
}

TEST(SlowImpacts, AreLikeAllOthersWithoutGravityOrLoss) {
    EXPECT_EQ(hard(hard_scene(), {"gravity.uniform=[0,0,0]"}).system.flight_rules.elastic_below, 0);
    EXPECT_EQ(hard(with_impact("restitution = 1\n")).system.flight_rules.elastic_below, 0);
    EXPECT_EQ(hard(with_impact("restitution = 1\nfriction = 0\ntangential_restitution = 0\n"))
                  .system.flight_rules.elastic_below,
              0);
    EXPECT_EQ(hard(with_impact("restitution = 1\ntangential_restitution = -1\n")).system.flight_rules.elastic_below, 0);
    EXPECT_GT(hard(with_impact("restitution = 1\ntangential_restitution = -1\nfriction = 1\n"))
                  .system.flight_rules.elastic_below,
              0);
    EXPECT_GT(hard(with_impact("restitution = 1\ntangential_restitution = 0.5\n")).system.flight_rules.elastic_below,
              0);
}

TEST(SlowImpacts, LaterStagesCountToo) {
    const std::string elastic = replaced(with_impact("restitution = 1\n"), "end = 1\n", "") +
                                "[[stages]]\nname = \"a\"\nuntil = { time = 1 }\ndo = [ ";
    EXPECT_EQ(hard(elastic + "]\n").system.flight_rules.elastic_below, 0);
    const double expected = 0.02 * std::sqrt(2 * g0 * 0.01);
    const std::string lossy =
        elastic + "{ contact = { between = [\"grain\", \"*\"], law = \"impact\", restitution = 0.5 } } ]\n";
    EXPECT_NEAR(hard(lossy).system.flight_rules.elastic_below, expected, 1e-15);
    const std::string heavy = replaced(lossy, "do = [ ", "do = [ { gravity = [0, 0, \"-4 g0\"] }, ");
    EXPECT_NEAR(hard(heavy).system.flight_rules.elastic_below, 2 * expected, 1e-15);
    EXPECT_NEAR(hard(heavy, {"gravity.uniform=[0,0,0]"}).system.flight_rules.elastic_below, 2 * expected, 1e-15);
}

TEST(SlowImpacts, AreAsGiven) {
    const Scene scene = hard(hard_scene(), {"impacts.elastic_below=3 mm/s"});
    EXPECT_DOUBLE_EQ(scene.system.flight_rules.elastic_below, 3e-3);
    EXPECT_DOUBLE_EQ(scene.system.flight_rules.least_rebound, 3e-4);
    EXPECT_EQ(hard(hard_scene(), {"impacts.elastic_below=0"}).system.flight_rules.elastic_below, 0);
    EXPECT_EQ(hard(hard_scene(), {"impacts.elastic_below=auto"}).system.flight_rules.elastic_below,
              hard(hard_scene()).system.flight_rules.elastic_below);
}

// --- drifts and looks -----------------------------------------------------------------------------------------------

TEST(Drift, IsAHundredthOfTheFallThroughTheSmallestRadius) {
    const Scene scene = hard(hard_scene());
    EXPECT_TRUE(scene.automatic_step);
    EXPECT_NEAR(scene.system.clock.step, 0.01 * std::sqrt(2 * 0.01 / g0), 1e-18);
    EXPECT_NEAR(hard(hard_scene(), {"time.safety=0.5"}).system.clock.step, 0.5 * scene.system.clock.step, 1e-18);
    const Scene given = hard(hard_scene(), {"time.step=1 ms"});
    EXPECT_DOUBLE_EQ(given.system.clock.step, 1e-3);
    EXPECT_FALSE(given.automatic_step);
    EXPECT_THAT(given.warnings.text(),
                HasSubstr("time.step: a drift of 0.001 s is longer than the advised 0.0004516 s"));
    EXPECT_THAT(hard(hard_scene(), {"time.step=0.4 ms"}).warnings.text(), IsEmpty());
    EXPECT_THAT(scene.warnings.text(), IsEmpty());
}

TEST(Looks, ArePartsOfTheRunWhateverIsWritten) {
    const std::string ballistic = "flight = \"ballistic\"\n" + hard_scene();
    const Scene scene = hard(ballistic);
    EXPECT_DOUBLE_EQ(scene.system.clock.step, 1e-4);
    EXPECT_EQ(hard(ballistic, {"output.series=0.07", "output.frames=0.3"}).system.clock.step, scene.system.clock.step);
    EXPECT_EQ(hard(hard_scene(), {"gravity.uniform=[0,0,0]"}).system.clock.step, scene.system.clock.step)
        << "drifts without kicks";
    EXPECT_DOUBLE_EQ(hard(ballistic, {"time.step=10 ms"}).system.clock.step, 1e-2);
    EXPECT_THAT(hard(ballistic, {"time.step=10 ms"}).warnings.text(), IsEmpty());
    EXPECT_THAT(hard(ballistic, {"output.series=10 us"}).warnings.text(),
                HasSubstr("output.series: 1e-05 s is less than the 0.0001 s between two looks"));
}

TEST(Looks, OfARunWithoutAKnownEndFollowTheGrains) {
    const std::string open = replaced("flight = \"ballistic\"\n" + hard_scene(), "end = 1\n", "") +
                             "[[stages]]\nname = \"a\"\nuntil = { count_at_most = 0 }\n";
    EXPECT_NEAR(hard(open).system.clock.step, 0.1 * std::sqrt(2 * 0.01 / g0), 1e-17);
    EXPECT_DOUBLE_EQ(hard(open, {"gravity.uniform=[0,0,0]"}).system.clock.step, 1e-3);
}

}  // namespace
}  // namespace talus::scene
