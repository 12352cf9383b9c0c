// Discs: the three-dimensional code stays in the plane by itself, discs turn as discs do, and in every engine a pile of
// them has the same bits for any number of threads and after a stop.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "talus/output/checkpoint.h"
#include "talus/simulation/run.h"
#include "talus/simulation/simulation.h"
#include "temporary_folder.h"

namespace talus::tests {
namespace {

using math::Vec3d;

const std::string head = R"(dimensions = 2
[materials.grain]
density = 1000
[materials.steel]
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 1e6
kt = "1/3 kn"
)";

/// Two discs of different sizes that meet off centre, spinning.
std::string meeting(const std::string& contact) {
    return head + contact + R"([time]
end = 0.2
[[fill]]
material = "grain"
radius = 0.01
lattice = {}
count = 1
box = { low = [0, 0], high = [0.02, 0.02] }
velocity = [0.5, 0.1]
spin = 7
[[fill]]
material = "grain"
radius = 0.02
lattice = {}
count = 1
box = { low = [0.03, 0.008], high = [0.07, 0.048] }
velocity = [-0.3, 0]
spin = -4
)";
}

struct Motion {
    Vec3d momentum;
    double angular = 0;  // about z, about the origin
};

Motion motion_of(const model::System& system) {
    const model::Bodies& b = system.bodies;
    Motion out;
    for (std::size_t i = 0; i < b.size(); ++i) {
        out.momentum += b.mass[i] * b.velocity[i];
        out.angular += b.mass[i] * cross(b.position[i], b.velocity[i]).z + b.inertia[i] * b.spin[i].z;
    }
    return out;
}

void expect_in_plane(const model::System& system) {
    const model::Bodies& b = system.bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
        ASSERT_TRUE(b.position[i].z == 0 && b.velocity[i].z == 0 && b.acceleration[i].z == 0);
        ASSERT_TRUE(b.spin[i].x == 0 && b.spin[i].y == 0 && b.spin_rate[i].x == 0 && b.spin_rate[i].y == 0);
    }
}

TEST(SoftDiscs, KeepMomentumAndAngularMomentumInACollision) {
    simulation::Simulation run(
        scene::load_text(meeting("restitution = 0.7\nfriction = { static = 0.4 }\nslip_memory = 1\n"), "s"));
    const Motion before = motion_of(run.system());
    const double spin = run.system().bodies.spin[0].z;
    run.step(100'000'000);
    const Motion after = motion_of(run.system());
    EXPECT_NE(run.system().bodies.spin[0].z, spin);
    EXPECT_NEAR(norm(after.momentum - before.momentum), 0, 1e-14);
    EXPECT_NEAR(after.angular, before.angular, 1e-12 * std::abs(before.angular) + 1e-15);
    expect_in_plane(run.system());
}

/// A disc that lies on the floor, pressed in by its weight, with a sideways speed; the floor tilted by turning gravity.
std::string on_floor(double speed, const std::string& gravity, double end) {
    return head + "restitution = 0.5\nct = 20\nfriction = { static = 0.3 }\nslip_memory = 1\n[time]\nend = " +
           std::to_string(end) + "\n[gravity]\nuniform = " + gravity + R"(
[[walls]]
name = "floor"
material = "steel"
shape = { segment = { from = [-5, 0], to = [5, 0] } }
[[fill]]
material = "grain"
radius = 0.05
lattice = {}
count = 1
box = { low = [-0.05, 0], high = [0.05, 0.1] }
velocity = [)" +
           std::to_string(speed) + ", 0]\n";
}

TEST(SoftDiscs, EndSlidingWithTwoThirdsOfTheirSpeed) {
    // Friction takes 1/3 of the slip, not the 2/7 of a sphere: v' = v - v/3.
    simulation::Simulation run(scene::load_text(on_floor(0.6, "[0, -9.81]", 0.5), "s"));
    run.step(100'000'000);
    const model::Bodies& b = run.system().bodies;
    // The lever is short by half of the overlap that the weight makes.
    const double lever = 1 - 0.5 * (b.mass[0] * 9.81 / 1e6) / b.radius[0];
    const double part = 2 * lever * lever;
    EXPECT_NEAR(b.velocity[0].x / 0.6, part / (1 + part), 3e-5);  // it bounces at first
    EXPECT_NEAR(b.velocity[0].x + b.spin[0].z * b.radius[0], 0, 1e-4);
    expect_in_plane(run.system());
}

TEST(SoftDiscs, RollDownASlopeAtTwoThirds) {
    // a = g sin / (1 + I / (m r^2)) with I = m r^2 / 2.
    const double angle = 0.3;
    const double gx = 9.81 * std::sin(angle);
    simulation::Simulation run(scene::load_text(
        on_floor(0, "[" + std::to_string(gx) + ", " + std::to_string(-9.81 * std::cos(angle)) + "]", 0.6), "s"));
    while (run.time() < 0.2) {
        run.step(100);
    }
    const double v0 = run.system().bodies.velocity[0].x;
    const double t0 = run.time();
    run.step(100'000'000);
    EXPECT_NEAR((run.system().bodies.velocity[0].x - v0) / (run.time() - t0), gx / 1.5, 2e-3 * gx);
}

/// A pile of discs of mixed sizes in a box with a turning paddle; `top` names the engine. Two discs fit between the
/// paddle and all else: a rigid one that is caught in less would be crushed, and an event-driven run ends there.
std::string pile(const std::string& top, double end, bool many = false) {
    return top + head +
           "restitution = 0.5\nfriction = { static = 0.5, rolling = 0.05, twisting = 0.1 }\n[time]\nend = " +
           std::to_string(end) + R"(
[gravity]
uniform = [0, -9.81]
[[walls]]
name = "floor"
material = "steel"
shape = { plane = { normal = [0.1, 1] } }
[[walls]]
name = "left"
material = "steel"
shape = { segment = { from = [0, -1], to = [-0.1, 2] } }
[[walls]]
name = "right"
material = "steel"
shape = { segment = { from = [0.4, -1], to = [0.5, 2] } }
[[walls]]
name = "paddle"
material = "steel"
shape = { segment = { from = [0.15, 0.08], to = [0.25, 0.13] } }
motion = [ { spin = { rate = 12, through = [0.2, 0.11] } }, { oscillate = { amplitude = [0, 0.01], frequency = 10 } } ]
[[walls]]
name = "peg"
material = "steel"
shape = { circle = { center = [0.2, 0.29], radius = 0.03 } }
[[fill]]
material = "grain"
random = {}
box = { low = [0.02, 0.02], high = [0.38, 0.6] }
)" +
           (many ? "radius = { uniform = { low = 0.004, high = 0.007 } }\ncount = 600\n"
                 : "radius = { uniform = { low = 0.008, high = 0.014 } }\ncount = 150\n");
}

struct Engine {
    const char* name;
    const char* top;
};
void PrintTo(const Engine& engine, std::ostream* out) {
    *out << engine.name;
}

class Discs : public testing::TestWithParam<Engine> {};

TEST_P(Discs, InAPileNeverLeaveThePlane) {
    simulation::Simulation run(scene::load_text(pile(GetParam().top, 0.4), "s"), {1, 0});
    while (!run.finished()) {
        run.step(500);
        expect_in_plane(run.system());
    }
    const model::Bodies& b = run.system().bodies;
    EXPECT_EQ(b.size(), 150U);
    double turning = 0;
    for (const Vec3d& spin : b.spin) {
        turning += std::abs(spin.z);
    }
    EXPECT_GT(turning, 1);
    EXPECT_LT(std::abs(run.balance().relative()), std::string(GetParam().name) == "soft" ? 1e-2 : 1e-9);
}

/// Loops take all threads from 512 grains on.
TEST_P(Discs, GiveTheSameBitsForAnyNumberOfThreads) {
    const auto hash = [](int threads, std::int64_t steps) {
        simulation::Simulation run(scene::load_text(pile(GetParam().top, 1, true), "s"), {threads, 0});
        run.step(steps);
        return run.state_hash();
    };
    const std::string name = GetParam().name;
    const std::int64_t longer = name == "soft" || name == "stepped" ? 4000 : 200;
    EXPECT_EQ(hash(2, longer), hash(1, longer));
    EXPECT_EQ(hash(3, longer / 4), hash(1, longer / 4));
}

TEST_P(Discs, ResumeWithoutATrace) {
    const TemporaryFolder folder;
    const auto scene = [] { return scene::load_text(pile(GetParam().top, 0.1), "s"); };
    simulation::RunOptions options;
    options.simulation.threads = 1;
    simulation::Run whole(scene(), folder / "whole", options);
    const simulation::RunResult expected = whole.go();
    simulation::RunOptions stopping = options;
    stopping.stop_after = expected.manifest.steps / 3;
    ASSERT_FALSE(simulation::Run(scene(), folder / "stopped", stopping).go().finished);
    const auto resumed = simulation::Run::resume(folder / "stopped", options);
    EXPECT_EQ(resumed->simulation().system().domain.dimensions, 2);
    resumed->go();
    EXPECT_EQ(resumed->simulation().state_hash(), whole.simulation().state_hash());
    EXPECT_TRUE(expected.finished);
}

INSTANTIATE_TEST_SUITE_P(Engines, Discs,
                         testing::Values(Engine{"soft", ""}, Engine{"drift", "engine = \"hard\"\n"},
                                         Engine{"ballistic", "engine = \"hard\"\nflight = \"ballistic\"\n"},
                                         Engine{"stepped", "engine = \"stepped\"\n"}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace talus::tests
