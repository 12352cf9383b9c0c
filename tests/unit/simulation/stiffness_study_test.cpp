// Eigenvalues of the equations of motion against closed forms.
#include "talus/simulation/stiffness_study.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/base/diagnostics.h"

namespace talus::simulation {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

#define TALUS_NEEDS_EIGEN                            \
    if (!has_eigenvalues()) {                        \
        GTEST_SKIP() << "Talus built without Eigen"; \
    }

/// Grains in a stack on a springy floor.
std::string springy(const std::string& more, int count = 1, double restitution = 0.5) {
    return more + fmt::format(R"(
[gravity]
uniform = [0, 0, -9.81]
[materials.grain]
density = 1000
[[contacts]]
between = ["grain", "grain"]
law = "hooke"
kn = 1000
restitution = {}
[[walls]]
name = "floor"
shape = {{ plane = {{}} }}
material = "grain"
[[fill]]
material = "grain"
radius = 0.01
lattice = {{}}
count = {}
box = {{ low = [0, 0, 0], high = [0.02, 0.02, {}] }}
)",
                              restitution, count, count > 1 ? 0.03 * count : 0.02);
}

/// Peanuts far from one another.
scene::Scene peanuts(int count) {
    return scene::load_text(fmt::format(R"(
time = {{ end = 0.1, step = 5e-4 }}
[materials.grain]
density = 1000
[grains.peanut]
dumbbell = {{ radius = 0.01, distance = 0.01 }}
[[contacts]]
between = ["grain", "grain"]
law = "hertz"
young = 1e7
poisson = 0.3
restitution = 1
[[fill]]
material = "grain"
grain = "peanut"
radius = 0.015
lattice = {{}}
count = {}
box = {{ low = [0, 0, 0], high = [0.1, 0.1, 0.1] }}
)",
                                        count),
                            "s", {});
}

StiffnessStudy study(const std::string& text, const StiffnessOptions& options = {}) {
    return study_stiffness(scene::load_text(text, "s", {}), options);
}

TEST(Eigenvalues, OfAMatrixInUnlikeUnits) {
    TALUS_NEEDS_EIGEN
    // A damped oscillator, once in units in which its numbers are twenty decades apart.
    for (const double scale : {1.0, 1e10}) {
        SquareMatrix a(2);
        a(0, 1) = scale;
        a(1, 0) = -25 / scale;
        a(1, 1) = -6;
        std::vector<std::complex<double>> found = eigenvalues(a);
        std::sort(found.begin(), found.end(), [](auto x, auto y) { return x.imag() < y.imag(); });
        EXPECT_LT(std::abs(found[0] - std::complex<double>(-3, -4)), 1e-13);
        EXPECT_LT(std::abs(found[1] - std::complex<double>(-3, 4)), 1e-13);
    }
}

TEST(Stiffness, OfAGrainOnASpringIsThatOfADampedOscillator) {
    TALUS_NEEDS_EIGEN
    const double mass = 1000 * 4 * std::numbers::pi / 3 * 1e-6;
    const double wave = std::sqrt(1000 / mass);
    const double log = std::log(0.5);
    const double a = wave * -log / std::sqrt(std::numbers::pi * std::numbers::pi + log * log);
    StiffnessOptions options;
    options.samples = 5;
    const StiffnessStudy found = study(springy("time = { end = 0.5, step = 1e-4 }"), options);
    EXPECT_EQ(found.unknowns, 12U);
    ASSERT_EQ(found.samples.size(), 5U);
    for (const StiffnessSample& s : found.samples) {
        EXPECT_NEAR(s.most_negative.real(), -a, 1e-4 * a);
        EXPECT_NEAR(s.most_negative.imag(), std::sqrt(wave * wave - a * a), 1e-4 * wave);
        EXPECT_EQ(s.farthest, s.most_negative);
        EXPECT_NEAR(s.radius, wave, 1e-4 * wave);
    }
    EXPECT_DOUBLE_EQ(found.samples[4].time, 0.5);
    EXPECT_NEAR(found.stable_step, 2 / wave, 1e-4 / wave);
    const std::string csv = as_csv(found);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
}

TEST(Stiffness, OfTwoGrainsOneOnTheOtherIsThatOfTwoSprings) {
    TALUS_NEEDS_EIGEN
    // Undamped, up and down: w^2 = (3 +- sqrt 5)/2 k/m.
    StiffnessOptions options;
    options.samples = 1;
    scene::Scene scene = scene::load_text(springy("time = { end = 1e-3, step = 1e-5 }", 2, 1), "s", {});
    scene.system.bodies.position = {{0.01, 0.01, 0.00999}, {0.01, 0.01, 0.02998}};
    const double fastest = std::sqrt((3 + std::sqrt(5.0)) / 2 * 1000 / scene.system.bodies.mass[0]);
    EXPECT_NEAR(study_stiffness(std::move(scene), options).largest.radius, fastest, 1e-4 * fastest);
}

TEST(Stiffness, OfFreeGrainsIsNone) {
    TALUS_NEEDS_EIGEN
    scene::Scene scene = peanuts(2);
    scene.system.bodies.velocity[0] = {-0.1, 0, 0};
    const StiffnessStudy found = study_stiffness(std::move(scene), {});
    EXPECT_EQ(found.unknowns, 24U);
    for (const StiffnessSample& s : found.samples) {
        EXPECT_LT(s.radius, 1e-7);
    }
}

TEST(Stiffness, OfAPeanutThatTurnsAboutItsLongAxisFollowsFromEulersEquations) {
    TALUS_NEEDS_EIGEN
    // Small changes z of the spin and u of the angle, as complex numbers across the axis, go as z' = i k W z - k W^2 u
    // and u' = z with k = I3/I1 - 1: the eigenvalues are (W/2) (i k +- sqrt(-k^2 - 4 k)).
    scene::Scene scene = peanuts(1);
    const double spin = 13;
    const math::Vec3d moment = scene.system.grains.moment[0];
    scene.system.bodies.spin[0] = to_matrix(scene.system.grains.turn[0]) * math::Vec3d{spin, 0, 0};
    const double k = moment.x / moment.y - 1;
    const StiffnessStudy found = study_stiffness(std::move(scene), {});
    for (const StiffnessSample& s : found.samples) {
        EXPECT_NEAR(s.radius, spin * std::sqrt(-k), 1e-4 * spin);
        EXPECT_NEAR(s.most_negative.real(), -0.5 * spin * std::sqrt(-k * k - 4 * k), 1e-4 * spin);
        EXPECT_NEAR(s.most_negative.imag(), 0.5 * spin * -k, 1e-4 * spin);
    }
}

TEST(Stiffness, IsRefusedWhereItMakesNoSense) {
    if (!has_eigenvalues()) {
        EXPECT_THAT([] { study(springy("time = { end = 0.5, step = 1e-4 }")); },
                    ThrowsMessage<base::InputError>(HasSubstr("libeigen3-dev")));
        return;
    }
    EXPECT_THAT([] { study(springy("time = { end = 0.02, step = 1e-4 }", 200)); },
                ThrowsMessage<base::InputError>(HasSubstr("2400 unknowns, more than the 2000")));
    EXPECT_THAT([] { study(springy("time = { end = 1e-3, step = 1e-4 }")); },
                ThrowsMessage<base::InputError>(HasSubstr("fewer than 20 steps")));
    EXPECT_THAT([] { study(springy("engine = \"hard\"\ntime = { end = 1, step = 1e-3 }")); },
                ThrowsMessage<base::InputError>(HasSubstr("soft contacts")));
}

}  // namespace
}  // namespace talus::simulation
