// Time step, advice and stiffness helpers against their closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene_text.h"
#include "talus/laws/registry.h"
#include "talus/scene/scene.h"

namespace talus::scene {
namespace {

using std::numbers::pi;

const double mass = 4.0 / 3.0 * pi * 1e-6 * 1000;  // kg, of the sound scene's grain
const double kn = 8e4;

double damping_ratio(double restitution) {
    const double l = std::log(restitution);
    return -l / std::sqrt(pi * pi + l * l);
}

/// SSDEM Eq. 39.
double advised(double reduced_mass, double stiffness, double restitution) {
    const double xi = damping_ratio(restitution);
    return pi / 50 * std::sqrt(reduced_mass / (stiffness * (1 - xi * xi)));
}

Scene with_step(const std::string& step) {
    return load_text(replaced(sound_scene(), "end = 1\n", "end = 1\n" + step + "\n"), "s.toml");
}

std::string two_grains() {
    return replaced(sound_scene(), "count = 1", "count = 2");
}

double value_of_kn(const Scene& scene) {
    // The law's first parameter is found again through the overlap under a force of one newton.
    const model::PairLaw& pair = scene.system.materials.between(0, 0);
    return 1 / laws::registry().at(static_cast<std::size_t>(pair.law)).overlap_under(pair.parameters, 0.01, 1);
}

TEST(TimeStep, AutomaticIsEq39OfTheLightestPair) {
    // One grain meets only the wall: its own mass counts.
    const Scene alone = load_text(sound_scene(), "s.toml");
    EXPECT_TRUE(alone.automatic_step);
    EXPECT_NEAR(alone.system.clock.step, advised(mass, kn, 0.8), 1e-12 * alone.system.clock.step);
    ASSERT_EQ(alone.pairs.size(), 1U);
    EXPECT_TRUE(alone.pairs[0].wall);
    // Two grains: half of it.
    const Scene two = load_text(two_grains(), "s.toml");
    EXPECT_NEAR(two.system.clock.step, advised(mass / 2, kn, 0.8), 1e-12 * two.system.clock.step);
    ASSERT_EQ(two.pairs.size(), 2U);
    EXPECT_NEAR(two.pairs[0].reduced_mass, mass / 2, 1e-15);
    EXPECT_NEAR(two.pairs[0].radius, 0.005, 1e-15);
    EXPECT_NEAR(two.pairs[0].collision_time, 50 * two.system.clock.step, 1e-12);
}

TEST(TimeStep, SmallGrainsOfAnotherSizeBindIt) {
    const Scene scene = load_text(sound_scene() +
                                      "[[fill]]\nmaterial = \"grain\"\nradius = \"1 mm\"\nlattice = {}\n"
                                      "count = 1\nbox = { low = [0, 0, 1], high = [0.1, 0.1, 1.1] }\n",
                                  "s.toml");
    const double small = mass / 1000;
    EXPECT_NEAR(scene.suggested_step, advised(small * mass / (small + mass), kn, 0.8), 1e-12 * scene.suggested_step);
}

TEST(TimeStep, LaterContactsBindItToo) {
    const std::string text =
        replaced(sound_scene(), "end = 1\n", "") +
        "[[stages]]\nname = \"a\"\nuntil = { time = 1 }\ndo = [ { contact = { between = [\"grain\", "
        "\"steel\"], law = \"hooke\", kn = 8e6, restitution = 0.8 } } ]\n";
    EXPECT_NEAR(load_text(text, "s.toml").suggested_step, advised(mass, 100 * kn, 0.8), 1e-15);
}

TEST(TimeStep, SafetyScalesTheAutomaticOne) {
    const Scene scene = with_step("safety = 0.25");
    EXPECT_NEAR(scene.system.clock.step, 0.25 * scene.suggested_step, 1e-18);
    EXPECT_TRUE(scene.warnings.list().empty());
}

TEST(TimeStep, BeyondAdviceWarnsWithBothNumbers) {
    const Scene scene = with_step("step = \"14 us\"");
    EXPECT_TRUE(scene.warnings.list().empty()) << scene.warnings.text();  // Eq. 39 gives 14.4 us here
    const Scene coarse = with_step("step = \"20 us\"");
    EXPECT_FALSE(coarse.automatic_step);
    EXPECT_DOUBLE_EQ(coarse.system.clock.step, 2e-5);
    ASSERT_EQ(coarse.warnings.list().size(), 1U);
    const std::string told = coarse.warnings.text();
    EXPECT_NE(told.find("s.toml:3:8: warning: time.step: a step of 2e-05 s is longer than the advised 1.441e-05 s"),
              std::string::npos)
        << told;
}

TEST(TimeStep, BeyondStabilityIsRefused) {
    const double stable = load_text(sound_scene(), "s.toml").stable_step;
    EXPECT_GT(stable, 2e-5);
    try {
        with_step("step = " + std::to_string(1.01 * stable));
        FAIL() << "an unstable step was taken";
    } catch (const base::InputError& error) {
        EXPECT_NE(std::string(error.what()).find("s.toml:3:8: error: time.step: a step of"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("is unstable"), std::string::npos) << error.what();
    }
    EXPECT_THROW(with_step("safety = 100"), base::InputError);
}

TEST(TimeStep, ReferenceSpeedIsAFallThroughTheGrains) {
    const Scene scene = load_text(sound_scene(), "s.toml");
    EXPECT_NEAR(scene.reference_speed, std::sqrt(2 * 9.80665 * 0.02), 1e-9);
    EXPECT_DOUBLE_EQ(with_step("reference_speed = \"3 m/s\"").reference_speed, 3);
    const std::string weightless = replaced(sound_scene(), "\"-1 g0\"", "0");
    EXPECT_DOUBLE_EQ(load_text(weightless, "s.toml").reference_speed, 1);
    EXPECT_DOUBLE_EQ(load_text(weightless + "velocity = [0, 5, 0]\n", "s.toml").reference_speed, 5);
}

TEST(TimeStep, HertzDependsOnTheReferenceSpeed) {
    const std::string hertz = replaced(replaced(sound_scene(), "hooke", "hertz"), "kn = 8e4", "young = 1e7");
    const double slow = load_text(hertz, "s.toml", {"time.reference_speed=1"}).suggested_step;
    const double fast = load_text(hertz, "s.toml", {"time.reference_speed=32"}).suggested_step;
    EXPECT_NEAR(slow / fast, 2, 1e-6);  // a collision lasts as speed^(-1/5)
}

TEST(TimeStep, NothingToCollideNeedsAStep) {
    const std::string lone = replaced(sound_scene(),
                                      "[[walls]]\nname = \"floor\"\nshape = { disk = { radius = \"50 cm\" } "
                                      "}\nmaterial = \"steel\"\n",
                                      "");
    ASSERT_FALSE(lone.empty());
    EXPECT_THROW(load_text(lone, "s.toml"), base::InputError);
    EXPECT_DOUBLE_EQ(load_text(lone, "s.toml", {"time.step=1 ms"}).system.clock.step, 1e-3);
}

TEST(Stiffness, FromTheFastestSpeed) {  // SSDEM Eq. 4
    const Scene scene = load_text(two_grains(), "s.toml", {"contacts.0.kn={ max_speed = 3 }"});
    EXPECT_NEAR(value_of_kn(scene), mass * std::pow(3 / (0.01 * 0.01), 2), 1e-9 * value_of_kn(scene));
    const Scene softer = load_text(two_grains(), "s.toml", {"contacts.0.kn={ max_speed = 3, overlap = 0.02 }"});
    EXPECT_NEAR(value_of_kn(softer), value_of_kn(scene) / 4, 1e-9 * value_of_kn(scene));
}

TEST(Stiffness, FromTheDepth) {  // SSDEM Eq. 5: 65 rho g H s
    const Scene scene = load_text(two_grains(), "s.toml", {"contacts.0.kn={ depth = '2 m' }"});
    EXPECT_NEAR(value_of_kn(scene), 65 * 1000 * 9.80665 * 2 * 0.01, 1e-9 * value_of_kn(scene));
    EXPECT_THROW(load_text(two_grains(), "s.toml", {"contacts.0.kn={ depth = 2 }", "gravity.uniform=[0,0,0]"}),
                 base::InputError);
}

TEST(Stiffness, FromTheSpeedOfSound) {  // SSDEM Sect. 2.1: 2 s / tau
    const Scene scene = load_text(two_grains(), "s.toml", {"contacts.0.kn={ sound_speed = 100 }"});
    EXPECT_NEAR(scene.pairs.at(0).collision_time, 0.02 / 100, 1e-9 * 2e-4);
}

TEST(Stiffness, MultiplesFollowIt) {
    const std::string text = replaced(two_grains(), "kn = 8e4", "kn = { max_speed = 3 }\nkt = \"2/7 kn\"");
    const Scene scene = load_text(text, "s.toml");
    const Scene given = load_text(replaced(two_grains(), "kn = 8e4", "kn = 8e4\nkt = \"2/7 kn\""), "s.toml",
                                  {"contacts.0.kn=" + std::to_string(value_of_kn(scene))});
    for (std::size_t i = 0; i < 16; ++i) {
        const double wanted = given.system.materials.between(0, 0).parameters.value[i];
        EXPECT_NEAR(scene.system.materials.between(0, 0).parameters.value[i], wanted, 1e-9 * std::abs(wanted)) << i;
    }
}

TEST(Stiffness, WorksForHertzAsWell) {
    const std::string hertz =
        replaced(replaced(two_grains(), "hooke", "hertz"), "kn = 8e4", "young = { max_speed = 3 }");
    const Scene scene = load_text(hertz, "s.toml");
    const model::PairLaw& pair = scene.system.materials.between(0, 0);
    const laws::LawInfo& law = laws::registry().at(static_cast<std::size_t>(pair.law));
    EXPECT_NEAR(law.largest_overlap(pair.parameters, mass, 0.01, 3), 1e-4, 1e-12);
}

}  // namespace
}  // namespace talus::scene
