// Walls that forces move: impacts on a free wall, a pendulum, a loaded piston, a servo under shear.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <ostream>
#include <string>

#include "talus/model/driving.h"
#include "talus/scene/scene.h"
#include "talus/simulation/simulation.h"

namespace talus::tests {
namespace {

using std::numbers::pi;

scene::Scene scene_of(const std::string& text) {
    return scene::load_text("title = \"driven\"\n" + text, "driven.toml");
}

const std::string elastic =
    "[materials.grain]\ndensity = 2000\n[materials.steel]\n"
    "[[contacts]]\nbetween = [\"*\", \"*\"]\nlaw = \"hooke\"\nkn = 1e4\nrestitution = 1\n";

/// A fill of one grain of 1 cm at (x, 0, z).
std::string one_grain(const std::string& x, const std::string& z) {
    return "[[fill]]\nmaterial = \"grain\"\nradius = 0.01\nrandom = {}\ncount = 1\nball = { center = [" + x + ", 0, " +
           z + "], radius = 0.0100001 }\n";
}

struct Method {
    std::string name, keys;
    double worst = 0;  // relative error of energy that is allowed

    friend std::ostream& operator<<(std::ostream& out, const Method& method) { return out << method.name; }
};

class DrivenWall : public testing::TestWithParam<Method> {};

model::Drive drive_of(const simulation::Simulation& run, std::size_t wall) {
    return run.system().walls[wall].motion.drives.front();
}

TEST_P(DrivenWall, SharesMomentumAndEnergyWithAGrainThatHitsIt) {
    simulation::Simulation run(scene_of(GetParam().keys + elastic + R"(
[[walls]]
name     = "plate"
material = "steel"
shape    = { disk = { radius = "10 cm" } }
motion   = [ { free = { along = [0, 0, 1], mass = "30 g" } } ]
)" + one_grain("0", "0.02") + "velocity = [0, 0, -1]\n"));
    const double m = run.system().bodies.mass[0];
    const double mass = 0.03;
    while (run.time() < 0.05) {
        run.step();
    }
    const model::Drive plate = drive_of(run, 0);
    const double grain = run.system().bodies.velocity[0].z;
    std::printf("%s: grain %.9f m/s (closed form %.9f), plate %.9f (%.9f)\n", GetParam().name.c_str(), grain,
                -(m - mass) / (m + mass), plate.speed, -2 * m / (m + mass));
    EXPECT_NEAR(grain, -(m - mass) / (m + mass), GetParam().worst);
    EXPECT_NEAR(plate.speed, -2 * m / (m + mass), GetParam().worst);
    EXPECT_NEAR(m * grain + mass * plate.speed, -m, 1e-12 * m);
}

TEST_P(DrivenWall, BouncesOnAGrainWithoutLossOfEnergy) {
    // A loaded piston over a grain over a floor.
    simulation::Simulation run(scene_of(GetParam().keys + elastic + R"(
[gravity]
uniform = [0, 0, -9.81]
[[walls]]
name     = "floor"
material = "steel"
shape    = { plane = {} }
[[walls]]
name     = "piston"
material = "steel"
shape    = { disk = { radius = "10 cm", center = [0, 0, "6 cm"] } }
motion   = [ { free = { along = [0, 0, -1], mass = "50 g", load = "0.2 N" } } ]
)" + one_grain("0", "0.021")));
    const auto energy = [&] {
        const analysis::Energies e = run.energies();
        const model::Drive piston = drive_of(run, 1);
        return e.kinetic() + e.stored_total() + e.potential + model::drive_energy(run.system().walls) -
               (0.2 + 0.05 * 9.81) * piston.way;
    };
    const double start = energy() + (0.2 + 0.05 * 9.81) * 0.04;  // the piston on the floor has none
    double worst = 0;
    double lowest = 1;
    while (run.time() < 2) {
        run.step(10);
        worst = std::max(worst, std::abs(energy() + (0.2 + 0.05 * 9.81) * 0.04 - start));
        lowest = std::min(lowest, run.system().bodies.position[0].z);
    }
    std::printf("%s: energy %.6g J, off by %.2g of it at most; ledger %.2g\n", GetParam().name.c_str(), start,
                worst / start, run.balance().residual / start);
    EXPECT_LT(lowest, 0.01);  // it has been pressed against the floor
    EXPECT_LT(worst, GetParam().worst * start);
    EXPECT_LT(std::abs(run.balance().residual), 10 * GetParam().worst * start);
}

TEST_P(DrivenWall, SwingsAsAPendulumDoes) {
    // A flap that hangs on one edge, let go at 0.1 rad: I = m a^2 / 3, its centre half way down.
    simulation::Simulation run(scene_of(GetParam().keys + elastic + R"(
[gravity]
uniform = [0, 0, -10]
[[walls]]
name     = "flap"
material = "steel"
shape    = { rectangle = { corner = [0, 0, 0], edge1 = [0, 0.1, 0], edge2 = [0, 0, -0.3] } }
motion   = [ { hinge = { axis = [0, 1, 0], through = [0, 0, 0], inertia = 0.06, mass = 2, center = [0, 0, -0.15], rate = 0.5 } } ]
)" + one_grain("9", "0")));
    const double omega = std::sqrt(2 * 10 * 0.15 / 0.06);
    double last = 0;
    double crossed = 0;
    int crossings = 0;
    double highest = 0;
    while (crossings < 6) {
        const double before = run.time();
        run.step();
        const double way = drive_of(run, 0).way;
        highest = std::max(highest, way);
        if (last > 0 && way <= 0) {
            ++crossings;
            crossed = before + (run.time() - before) * last / (last - way);
        }
        last = way;
        ASSERT_LT(run.time(), 10);
    }
    // It starts upwards through zero: each full swing ends half a period after a crossing downwards.
    const double period = crossed / (crossings - 0.5);
    const double k = 0.25 / omega;  // sin of half the largest angle: rate / (2 omega)
    const double expected = 2 * pi / omega * (1 + k * k / 4 + 9 * k * k * k * k / 64 + 25 * std::pow(k, 6) / 256);
    std::printf("%s: period %.9f s (closed form %.9f), reaches %.9f rad (%.9f)\n", GetParam().name.c_str(), period,
                expected, highest, 2 * std::asin(k));
    EXPECT_NEAR(period, expected, 1e-5 * expected);
    EXPECT_NEAR(highest, 2 * std::asin(k), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, DrivenWall,
    testing::Values(
        Method{"packed", "time = { step = \"5 us\", end = 10 }\n", 1e-5},
        Method{"midpoint", "time = { step = \"5 us\", end = 10 }\nintegration = { method = \"midpoint\" }\n", 1e-4},
        Method{"rkf45",
               "time = { step = \"1 ms\", end = 10 }\nintegration = { method = \"rkf45\", successive = false, "
               "tolerance = 1e-9, shortest = 1e-8 }\n",
               1e-4}),
    [](const auto& tested) { return tested.param.name; });

/// Grains in a box that is periodic across, on a floor, under a lid that moves as `motion` says.
std::string bed(const std::string& motion, const std::string& stages) {
    return R"(
time = { step = "20 us" }
[domain]
low      = [0, 0, "open"]
high     = ["10 cm", "10 cm", "open"]
periodic = ["x", "y"]
[gravity]
uniform = [0, 0, -9.81]
[materials.grain]
density = 2500
[materials.steel]
[[contacts]]
between     = ["*", "*"]
law         = "hooke"
kn          = 2e4
kt          = "2/7 kn"
restitution = 0.5
friction    = { static = 0.4 }
[[walls]]
name     = "floor"
material = "steel"
shape    = { plane = {} }
[[walls]]
name     = "lid"
material = "steel"
shape    = { plane = { point = [0, 0, "25 cm"] } }
motion   = [ )" +
           motion + R"( ]
[[fill]]
material = "grain"
radius   = "1 cm"
random   = {}
count    = 150
box      = { low = [0, 0, "1 cm"], high = ["10 cm", "10 cm", "24 cm"] }
)" + stages;
}

TEST(Piston, SettlesAtThePressureAskedFor) {
    simulation::Simulation run(scene_of(bed("{ free = { along = [0, 0, -1], mass = \"2 kg\", load = \"30 N\" } }",
                                            "[[stages]]\nname = \"press\"\nuntil = { time = 3 }\n")));
    while (!run.finished()) {
        run.step(100);
    }
    const double wanted = 30 + 2 * 9.81;
    const model::Wall& lid = run.system().walls[1];
    std::printf("piston: presses with %.4f N (asked for %.4f), speed %.1e m/s\n", lid.record.force.z, wanted,
                drive_of(run, 1).speed);
    EXPECT_NEAR(lid.record.force.z, wanted, 0.01 * wanted);
    double weight = 0;
    for (const double mass : run.system().bodies.mass) {
        weight += 9.81 * mass;
    }
    EXPECT_NEAR(-run.system().walls[0].record.force.z, wanted + weight, 0.01 * (wanted + weight));
}

TEST(Servo, HoldsItsPressureUnderShear) {
    simulation::Simulation run(
        scene_of(bed("{ servo = { along = [0, 0, -1], pressure = \"5 kPa\", speed = \"20 cm/s\" } }", R"(
[[stages]]
name  = "press"
until = { duration = 1.1 }
[[stages]]
name  = "shear"
until = { duration = 1.2 }
do    = [ { set_motion = "lid", motion = [ { translate = { velocity = ["20 cm/s", 0, 0] } }, { servo = { along = [0, 0, -1], pressure = "5 kPa", speed = "20 cm/s" } } ] } ]
)")));
    while (run.time() < 1.3) {
        run.step(10);
    }
    const double begin = run.time();
    const math::Vec3d before = run.system().walls[1].record.impulse;
    while (!run.finished()) {
        run.step(10);
    }
    const math::Vec3d mean = (run.system().walls[1].record.impulse - before) / (run.time() - begin);
    const double area = 0.01;
    std::printf("servo: mean pressure %.2f Pa (asked for 5000), shear stress %.2f Pa\n", mean.z / area, -mean.x / area);
    EXPECT_NEAR(mean.z / area, 5000, 50);
    EXPECT_GT(-mean.x / area, 500);
}

}  // namespace
}  // namespace talus::tests
