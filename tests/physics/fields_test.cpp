// PaLa's forces all at once (POLY, introduction v-vii): energy without a trend, osmosis, chains that turn with a field,
// and a cloud that falls together under its own gravity.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "physics/gallery.h"
#include "talus/analysis/energy.h"
#include "talus/simulation/simulation.h"

namespace talus::tests {
namespace {

using math::Vec3d;
using simulation::Simulation;

/// Grains with charges and both dipoles in a cavity, in gravity, an electric and a magnetic field, all of which attract
/// or repel all others; no friction, no damping.
std::string cavity(bool planar, int seed) {
    const auto moments = [planar](const std::string& charge, const std::string& magnet) {
        // A disc is a slice 1 m thick: light stuff makes it as heavy as the sphere.
        return std::string("density = ") + (planar ? "8" : "1000") + ", charge = \"" + charge +
               " nC\", electric_dipole = [\"0.15 nC m\", 0, 0], magnetic_dipole = [0, 0, \"" + magnet + " mA m2\"]";
    };
    return "seed = " + std::to_string(seed) + (planar ? "\ndimensions = 2" : "") + R"(
time = { end = "1000 s", step = "2.5 us" }
gravity.uniform = [0, "-1 m/s2", 0]
forces = { gravity = "10 m3/kg/s2", electric = true, magnetic = true }
fields.electric = ["400 kV/m", "200 kV/m", 0]
fields.magnetic = [0, )" +
           (planar ? "0, \"20 mT\"" : "\"10 mT\", \"20 mT\"") + R"(]
materials.grain = { )" +
           moments("50", "100") + R"( }
materials.anti = { )" +
           moments("-40", planar ? "-100" : "100") + R"( }
materials.wall = {}
[[contacts]]
between = ["*", "*"]
law = "hertz"
young = "300 MPa"
poisson = 0.3
restitution = 1
[[walls]]
name = "cavity"
shape = { )" +
           (planar ? "circle" : "sphere") + R"( = { radius = "5 cm" } }
material = "wall"
[[fill]]
material = ["grain", "anti"]
radius = "6 mm"
random = {}
count = 8
)" + (planar ? "circle" : "ball") +
           R"( = { radius = "45 mm" }
velocity_spread = "2 m/s"
)";
}

class ClosedCavity : public testing::TestWithParam<bool> {};

/// By how much the total energy changes in a million steps, in parts of the largest kinetic energy.
double drift(bool planar, int seed) {
    Simulation run(scene::load_text(cavity(planar, seed), "cavity.toml"), {});
    constexpr int looks = 1000;
    constexpr std::int64_t steps = 1000;  // between two looks: a million in all
    double moved = 0;                     // J, the most of the kinetic energy
    model::MutualEnergy most;
    double by_fields = 0;
    const auto total = [](const analysis::Energies& e) { return e.mechanical() - e.gravity_work - e.field_work; };
    const double start = total(run.energies());
    double off = 0;
    double farthest = 0;
    for (int k = 0; k < looks; ++k) {
        run.step(steps);
        const analysis::Energies now = run.energies();
        off = total(now) - start;
        farthest = std::max(farthest, std::abs(off));
        moved = std::max(moved, now.kinetic());
        most.gravity = std::max(most.gravity, -now.mutual.gravity);
        most.electric = std::max(most.electric, std::abs(now.mutual.electric));
        most.magnetic = std::max(most.magnetic, std::abs(now.mutual.magnetic));
        by_fields = std::max(by_fields, std::abs(now.field_work));
    }
    // Everything has a say.
    EXPECT_GT(most.gravity, 0.01 * moved);
    EXPECT_GT(most.electric, 0.01 * moved);
    EXPECT_GT(most.magnetic, 0.01 * moved);
    EXPECT_GT(by_fields, 0.01 * moved);
    EXPECT_LT(farthest, 1e-3 * moved);
    return off / moved;
}

// In one run the energy walks at random, from collision to collision, and its way looks like a trend. Over many runs a
// trend would show as a mean that is not zero.
TEST_P(ClosedCavity, KeepsTheEnergyOfAllForcesWithoutATrend) {
    constexpr int seeds = 12;
    std::vector<double> off;
    double mean = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        off.push_back(drift(GetParam(), seed));
        mean += off.back() / seeds;
    }
    double square = 0;
    for (const double x : off) {
        square += (x - mean) * (x - mean) / (seeds - 1);
    }
    const double error = std::sqrt(square / seeds);
    RecordProperty("mean", std::to_string(1e6 * mean));  // millionths of the kinetic energy
    RecordProperty("error", std::to_string(1e6 * error));
    EXPECT_LT(std::abs(mean), 2.5 * error);
    EXPECT_LT(error, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ClosedCavity, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "two" : "three"; });

TEST(Osmosis, LeavesThePressureOfTheGrainsThatCannotPass) {
    Simulation run(gallery("osmosis.toml", {}), {});
    const auto impulse = [&](const std::string& name) {
        for (const model::Wall& wall : run.system().walls) {
            if (wall.name == name) {
                return std::abs(wall.record.impulse.x);
            }
        }
        return std::nan("");
    };
    const auto on_left = [&](double least, double most) {
        int count = 0;
        for (std::size_t i = 0; i < run.grains(); ++i) {
            const double r = run.system().bodies.radius[i];
            count += run.system().bodies.position[i].x < 0 && r > least && r < most ? 1 : 0;
        }
        return count;
    };
    const double step = run.clock().step;
    run.step(std::lround(6 / step));
    const double left = impulse("left");
    const double right = impulse("right");
    EXPECT_EQ(on_left(0.7e-3, 1), 600);        // none has passed
    EXPECT_NEAR(on_left(0, 0.7e-3), 400, 60);  // half of the 800, give or take three deviations
    const double duration = 24;
    run.step(std::lround(duration / step));
    EXPECT_EQ(on_left(0.7e-3, 1), 600);
    const double area = 0.08 * 0.08;
    const double found = ((impulse("left") - left) - (impulse("right") - right)) / (duration * area);
    const double temperature = 2.0 / 3 * run.energies().translational / static_cast<double>(run.grains());  // J
    const double expected = 600 * temperature / (0.15 * area);
    EXPECT_NEAR(found / expected, 1, 0.1);
}

/// Of pairs that touch: how they lie about the axis y, as the mean of (cos 2a, sin 2a) with a the angle from x to -z,
/// the way in which the field of the brush turns.
Vec3d bonds(const Simulation& run) {
    Vec3d sum;
    double count = 0;
    for (const model::ContactSample& contact : run.engine().contacts()) {
        if (contact.wall < 0) {
            const double x = contact.normal.x;
            const double z = -contact.normal.z;
            sum += Vec3d{x * x - z * z, 2 * x * z, 0};
            count += 1;
        }
    }
    return count > 0 ? sum / count : sum;
}

TEST(Brush, ChainsTurnWithTheField) {
    Simulation run(gallery("brush.toml", {"fill[0].count=60", "contacts[0].kn=500"}), {});
    run.step(std::lround(0.25 / run.clock().step));  // chains form
    double follows = 0;
    constexpr int looks = 50;
    for (int k = 0; k < looks; ++k) {
        run.step(std::lround(0.01 / run.clock().step));
        const Vec3d field = run.system().fields.magnetic.at(run.time());
        const double angle = std::atan2(-field.z, field.x);
        const Vec3d way = bonds(run);
        follows += (way.x * std::cos(2 * angle) + way.y * std::sin(2 * angle)) / looks;
    }
    EXPECT_GT(follows, 0.35);  // 1: all along the field; 0: any way
}

/// J, of the motion that is left beside moving on and turning as one rigid body.
double inner_kinetic_energy(const model::System& system) {
    const model::Bodies& bodies = system.bodies;
    const double mass = analysis::total_mass(system);
    const Vec3d speed = analysis::momentum(system) / mass;
    Vec3d center;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        center += bodies.position[i] * (bodies.mass[i] / mass);
    }
    math::Mat3d inertia;
    double kinetic = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3d x = bodies.position[i] - center;
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                inertia.row[r][c] +=
                    (r == c ? bodies.inertia[i] + bodies.mass[i] * norm2(x) : 0) - bodies.mass[i] * x[r] * x[c];
            }
        }
        kinetic += model::kinetic_energy(bodies, system.grains, i);
    }
    // L = I w by Cramer's rule.
    const Vec3d momentum = analysis::angular_momentum(system, center);
    const auto& [a, b, c] = inertia.row;  // symmetric: rows are columns
    const double determinant = dot(a, cross(b, c));
    const Vec3d spin =
        Vec3d{dot(momentum, cross(b, c)), dot(momentum, cross(c, a)), dot(momentum, cross(a, b))} / determinant;
    return kinetic - 0.5 * mass * norm2(speed) - 0.5 * dot(momentum, spin);
}

TEST(Rubble, FallsTogetherAndComesToRest) {
    Simulation run(gallery("rubble.toml",
                           {"fill[0].count=60", "fill[1].count=60", "fill[0].ball.radius=60", "fill[1].ball.radius=60",
                            "fill[0].ball.center=[-70, -20, 0]", "fill[1].ball.center=[70, 20, 0]",
                            "fill[0].velocity=[0.01, 0, 0]", "fill[1].velocity=[-0.01, 0, 0]"}),
                   {});
    const Vec3d turning = analysis::angular_momentum(run.system(), {});
    double most = 0;
    while (run.time() < 11000) {
        run.step(500);
        most = std::max(most, inner_kinetic_energy(run.system()));
    }
    EXPECT_LT(inner_kinetic_energy(run.system()), 1e-3 * most);
    EXPECT_LT(norm(analysis::angular_momentum(run.system(), {}) - turning), 1e-9 * norm(turning));
    EXPECT_GT(run.engine().touching_pairs(), 2 * run.grains());  // four contacts a grain and more
    EXPECT_LT(std::abs(run.balance().relative()), 1e-3);
}

}  // namespace
}  // namespace talus::tests
