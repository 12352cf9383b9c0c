// Hard discs: the event-driven engine in the plane, against the equation of state and the conservation laws.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "talus/analysis/energy.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/simulation/simulation.h"

namespace talus::tests {
namespace {

using math::Vec3d;

std::string gas(const std::string& top, const std::string& rest, double end) {
    return "dimensions = 2\nengine = \"hard\"\n" + top + "[time]\nend = " + std::to_string(end) + R"(
[materials.grain]
density = 1
[[contacts]]
between = ["grain", "*"]
law = "impact"
restitution = 1
)" + rest;
}

const std::string box = R"([[walls]]
name = "floor"
material = "grain"
shape = { segment = { from = [0, 0], to = [20, 0] } }
[[walls]]
name = "ceiling"
material = "grain"
shape = { plane = { point = [0, 20], normal = [0, 1] } }
[[walls]]
name = "left"
material = "grain"
shape = { segment = { from = [0, 0], to = [0, 20] } }
[[walls]]
name = "right"
material = "grain"
shape = { segment = { from = [20, 0], to = [20, 20] } }
[[walls]]
name = "peg"
material = "grain"
shape = { circle = { center = [10, 10], radius = 2 } }
[[fill]]
material = "grain"
radius = { uniform = { low = 0.3, high = 0.5 } }
pack = { fraction = 0.3 }
velocity_spread = 1
box = { low = [0, 0], high = [20, 20] }
outside = "peg"
)";

void expect_in_plane(const model::System& system) {
    const model::Bodies& b = system.bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
        ASSERT_TRUE(b.position[i].z == 0 && b.velocity[i].z == 0 && b.spin[i].x == 0 && b.spin[i].y == 0);
    }
}

TEST(HardDiscs, KeepTheirEnergyInABox) {
    for (const char* flight : {"flight = \"ballistic\"\n", "flight = \"drift\"\n"}) {
        simulation::Simulation run(scene::load_text(gas(flight, box, 10), "s"), {1, 0});
        const double before = run.energies().kinetic();
        const std::size_t grains = run.grains();
        run.step(100'000'000);
        EXPECT_GT(*run.engine().impacts(), 1000);
        EXPECT_EQ(run.grains(), grains);
        EXPECT_NEAR(run.energies().kinetic() / before, 1, 1e-12);
        expect_in_plane(run.system());
        for (const Vec3d& p : run.system().bodies.position) {
            EXPECT_TRUE(p.x > 0 && p.x < 20 && p.y > 0 && p.y < 20 && norm(p - Vec3d{10, 10, 0}) > 2);
        }
    }
}

TEST(HardDiscs, HaveThePressureOfAFluidOfDiscs) {
    // Henderson: Z = (1 + phi^2 / 8) / (1 - phi)^2.
    const std::string fill = R"([domain]
low = [0, 0]
high = [40, 40]
periodic = ["x", "y"]
[[fill]]
material = "grain"
radius = 0.5
pack = { fraction = 0.3 }
velocity_spread = 1
box = { low = [0, 0], high = [40, 40] }
)";
    scene::Scene scene = scene::load_text(gas("flight = \"ballistic\"\n", fill, 1), "s");
    model::System& system = scene.system;
    engines::hard::Options options;
    options.stress = true;
    engines::hard::BallisticEngine engine(system, options);
    const double energy = analysis::measure_energies(system).translational;
    engine.advance(10);
    engine.set_measures({});
    system.impulses.mark_frame(system.clock.time());
    engine.advance(70);
    // Grain by grain the same as in all.
    double virial = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        virial += system.impulses.virial[i][0] + system.impulses.virial[i][1] - system.impulses.framed[i][0] -
                  system.impulses.framed[i][1];
    }
    EXPECT_NEAR(virial, engine.measures().virial, 1e-9 * virial);
    const double factor = engine.measures().pressure(1600, energy, 2) * 1600 / energy;
    const double phi = static_cast<double>(system.bodies.size()) * std::numbers::pi * 0.25 / 1600;
    const double expected = (1 + phi * phi / 8) / ((1 - phi) * (1 - phi));
    std::printf("hard discs at %.4f: Z = %.4f, Henderson %.4f\n", phi, factor, expected);
    EXPECT_NEAR(factor, expected, 0.03 * expected);
    EXPECT_NEAR(analysis::measure_energies(system).translational / energy, 1, 1e-12);
    expect_in_plane(system);
}

/// A frame tells the mean stress since the last one; impulses on walls count as well.
TEST(HardDiscs, FramesTellTheStressOfImpacts) {
    for (const char* engine : {"flight = \"ballistic\"\n", "flight = \"drift\"\n"}) {
        simulation::Simulation run(scene::load_text(gas(engine, box, 20), "s"), {1, 0});
        const auto trace = [&](const std::vector<math::Tensor6>& stress) {
            double sum = 0;  // J
            for (std::size_t i = 0; i < stress.size(); ++i) {
                const double r = run.system().bodies.radius[i];
                sum += (stress[i][0] + stress[i][1]) * std::numbers::pi * r * r;
            }
            return sum;
        };
        for (const math::Tensor6& at_start : run.take_frame_stress({})) {
            EXPECT_EQ(at_start, math::Tensor6{});
        }
        const auto half = run.clock().step > 0 ? static_cast<std::int64_t>(10 / run.clock().step) : 1;
        run.step(half);
        const double first = trace(run.take_frame_stress({}));
        run.step(half);
        const double second = trace(run.take_frame_stress({}));
        double all = 0;  // J s
        for (const math::Tensor6& sum : run.system().impulses.virial) {
            all += sum[0] + sum[1];
        }
        EXPECT_GT(first, 0);
        EXPECT_NEAR((first + second) * 0.5 * run.time(), all, 1e-9 * all);
    }
}

TEST(HardDiscs, SettleUnderGravityInThePlane) {
    std::string text = gas("flight = \"ballistic\"\n", box, 6) + "[gravity]\nuniform = [0, -1]\n";
    text.replace(text.find("restitution = 1"), 15, "restitution = 0.6\ntangential_restitution = 0\nfriction = 0.4");
    simulation::Simulation run(scene::load_text(text, "s"), {1, 0});
    const double before = run.energies().kinetic() + run.energies().potential;
    run.step(100'000'000);
    EXPECT_LT(run.energies().kinetic() + run.energies().potential, before);
    EXPECT_LT(std::abs(run.balance().relative()), 1e-9);
    expect_in_plane(run.system());
}

}  // namespace
}  // namespace talus::tests
