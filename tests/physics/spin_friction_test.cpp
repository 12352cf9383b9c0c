// Twisting and rolling friction by their closed forms: linear decay, a definite stopping distance, then rest.
#include <gtest/gtest.h>

#include <cstdio>
#include <numbers>

#include "physics/ledger_watch.h"

namespace talus::tests {
namespace {

constexpr double radius = 0.01;
constexpr double g = 9.81;
constexpr double kn = 8e4;

/// A grain at rest on the plane z = 0 but for its velocity and spin, long enough in contact for friction to act.
model::System resting(const laws::ParameterValues& extra) {
    laws::ParameterValues values{{"kn", kn}, {"restitution", 0.5}};
    values.insert(extra.begin(), extra.end());
    model::System system = make_system("hooke", values, 0);
    system.gravity = {0, 0, -g};
    add_wall(system, geometry::make_plane({}, {0, 0, 1}));
    add_sphere(system, {}, radius);
    system.bodies.position[0].z = radius - system.bodies.mass[0] * g / kn;
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    return system;
}

TEST(TwistingFriction, StopsASpinLinearlyAndThenLeavesItAtRest) {
    const double mu_t = 0.4;
    model::System system = resting({{"friction.twisting", mu_t}});
    const double mass = system.bodies.mass[0];
    const double w0 = 3.0;
    system.bodies.spin[0] = {0, 0, w0};
    const double overlap = mass * g / kn;
    const double circle = std::sqrt(radius * radius - (radius - overlap) * (radius - overlap));
    const double rate = mu_t * circle * mass * g / (0.4 * mass * radius * radius);
    // It begins when the contact has lasted a collision (Eq. 38).
    const double onset = collision_time(system, mass);
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    double worst = 0;
    double lowest = w0;
    while (system.clock.time() < 2 * w0 / rate) {
        engine.step();
        const double expected = std::max(0.0, w0 - rate * std::max(0.0, system.clock.time() - onset));
        worst = std::max(worst, std::abs(system.bodies.spin[0].z - expected));
        lowest = std::min(lowest, system.bodies.spin[0].z);
        ledger.look();
    }
    const double spin_scale = rate * system.clock.step;
    std::printf(
        "twisting: decays by %.4f rad/s2, greatest error %.1e rad/s (a step takes %.1e), lowest %.1e, in the end "
        "%.1e; ledger %.1e\n",
        rate, worst, spin_scale, lowest, system.bodies.spin[0].z, ledger.error());
    EXPECT_LT(worst, 10 * spin_scale);                        // the end is rounded off over some twenty steps
    EXPECT_GE(lowest, -1e-3 * spin_scale);                    // never reversed
    EXPECT_LT(std::abs(system.bodies.spin[0].z), 1e-9 * w0);  // at rest, no chatter
    EXPECT_LT(norm(system.bodies.velocity[0]), 1e-12);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(TwistingFriction, BetweenTwoGrainsActsOnTheirRelativeSpinAlone) {
    // Two grains pressed together by opposite walls at a distance; they share the loss of the relative spin.
    model::System system = make_system("hooke", {{"kn", kn}, {"restitution", 0.5}, {"friction.twisting", 0.3}}, 0);
    const double squeeze = 1e-5;
    add_sphere(system, {0, 0, 0}, radius, {}, {0, 0, 5});
    add_sphere(system, {0, 0, 2 * radius - squeeze}, radius, {}, {0, 0, 1});
    system.bodies.flags[0] |= model::position_held;
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    system.gravity = {0, 0, -kn * squeeze / system.bodies.mass[1]};  // the weight that the squeeze carries
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    const double inertia = system.bodies.inertia[0];
    const double lever = radius - 0.5 * squeeze;
    const double moment = 0.3 * std::sqrt(radius * radius - lever * lever) * kn * squeeze;
    const double onset = collision_time(system, system.bodies.mass[1]);
    while (system.clock.time() < onset + 0.5 * 2 * inertia / moment) {
        engine.step();
        ledger.look();
    }
    const double lost = moment / inertia * (system.clock.time() - onset);
    std::printf("twisting of two: spins %.5f %.5f, expected %.5f %.5f; ledger %.1e\n", system.bodies.spin[0].z,
                system.bodies.spin[1].z, 5 - lost, 1 + lost, ledger.error());
    EXPECT_NEAR(system.bodies.spin[0].z, 5 - lost, 3 * moment / inertia * system.clock.step);
    EXPECT_NEAR(system.bodies.spin[1].z, 1 + lost, 3 * moment / inertia * system.clock.step);
    EXPECT_NEAR(system.bodies.spin[0].z + system.bodies.spin[1].z, 6, 1e-12);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(RollingFriction, StopsARollingBallAfterItsClosedFormDistance) {
    // m l v' = -f l and I v'/l = f l - mu_r l N for rolling without slip: v' = -mu_r g l^2 / (l^2 + 2/5 r^2).
    for (const double mu_r : {0.02, 0.1}) {
        model::System system = resting({{"kt", kn * 2 / 7},
                                        {"ct", 5.0},
                                        {"friction.static", 0.5},
                                        {"friction.rolling", mu_r},
                                        {"slip_memory", 1.0}});
        const double mass = system.bodies.mass[0];
        const double lever = radius - mass * g / kn;
        const double v0 = 0.1;
        system.bodies.velocity[0] = {v0, 0, 0};
        system.bodies.spin[0] = {0, v0 / lever, 0};
        const double deceleration = mu_r * g * lever * lever / (lever * lever + 0.4 * radius * radius);
        const double onset = collision_time(system, mass);
        const double distance = v0 * onset + v0 * v0 / (2 * deceleration);
        const double time = onset + v0 / deceleration;
        engines::soft::Engine engine(system, {}, false);
        LedgerWatch ledger(system, engine);
        double lowest = v0;
        while (system.clock.time() < time + 0.1) {
            engine.step();
            lowest = std::min(lowest, system.bodies.spin[0].y * radius);
            if (system.clock.steps % 10 == 0) {
                ledger.look();
            }
        }
        const double stopped = system.bodies.position[0].x;
        while (system.clock.time() < time + 0.6) {
            engine.step();
        }
        std::printf(
            "rolling, mu_r = %.2f: stops after %.6f m, expected %.6f; turns back at %.1e m/s at most; at rest "
            "moves %.1e radii in half a second, speed %.1e m/s; ledger %.1e\n",
            mu_r, stopped, distance, -lowest, std::abs(system.bodies.position[0].x - stopped) / radius,
            norm(system.bodies.velocity[0]), ledger.error());
        EXPECT_NEAR(stopped / distance, 1, 1e-3);
        EXPECT_GT(lowest, -1e-3 * v0);
        EXPECT_LT(std::abs(system.bodies.position[0].x - stopped), 1e-7 * radius);
        EXPECT_LT(norm(system.bodies.velocity[0]), 1e-9);
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

TEST(SpinFriction, LetsAGrainWithSeveralContactsComeToRest) {
    // A grain in a socket of tilted planes: each contact brakes it, and together they must not turn it round.
    for (const int walls : {2, 3, 4, 6}) {
        model::System system = resting({{"kt", kn * 2 / 7},
                                        {"ct", 5.0},
                                        {"friction.static", 0.4},
                                        {"friction.rolling", 0.1},
                                        {"friction.twisting", 0.1}});
        system.walls.clear();
        for (int k = 0; k < walls; ++k) {
            const double angle = 2 * std::numbers::pi * k / walls;
            add_wall(system, geometry::make_plane({}, {std::cos(angle), std::sin(angle), 1}));
        }
        const double sink = 2 * system.bodies.mass[0] * g / (kn * walls);
        system.bodies.position[0] = {0, 0, std::sqrt(2.0) * radius - 2 * sink};
        system.bodies.spin[0] = {0.3, 0.2, 0.1};
        system.clock.step *= 0.5;  // several contacts at once swing faster than one
        engines::soft::Engine engine(system, {}, false);
        LedgerWatch ledger(system, engine);
        const auto run = [&](int steps) {
            for (int k = 0; k < steps; ++k) {
                engine.step();
                ledger.look();
            }
            double lost = 0;
            for (const double energy : system.ledger.dissipated) {
                lost += energy;
            }
            return lost;
        };
        const double settled = run(4000);
        const double later = run(10000);
        std::printf("socket of %d planes: spin %.1e rad/s, lost %.3e J and %.1e J more afterwards; ledger %.1e\n",
                    walls, norm(system.bodies.spin[0]), settled, later - settled, ledger.error());
        EXPECT_EQ(engine.contacts().size(), static_cast<std::size_t>(walls));
        EXPECT_LT(norm(system.bodies.spin[0]), 1e-9);
        EXPECT_LT(std::abs(later - settled), 1e-6 * settled);  // chatter would go on losing energy
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

TEST(SpinFriction, OfTwelveNeighboursLetsAGrainComeToRest) {
    model::System system = make_system(
        "hooke", {{"kn", kn}, {"restitution", 0.5}, {"friction.rolling", 0.2}, {"friction.twisting", 0.2}}, 0);
    add_sphere(system, {}, radius, {}, {1, 2, 3});
    const double a = std::sqrt(2.0) * (radius - 1e-5);  // faces of a cube: (a, a, 0) and so on
    for (const double x : {-a, a}) {
        for (const double y : {-a, a}) {
            add_sphere(system, {x, y, 0}, radius);
            add_sphere(system, {x, 0, y}, radius);
            add_sphere(system, {0, x, y}, radius);
        }
    }
    for (std::size_t i = 1; i < system.bodies.size(); ++i) {
        system.bodies.flags[i] |= model::position_held;  // free to turn
    }
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    ASSERT_EQ(engine.touching_pairs(), 12U);
    const Vec3d turning = system.bodies.spin[0];
    for (int k = 0; k < 4000; ++k) {
        engine.step();
        ledger.look();
    }
    double difference = 0;
    Vec3d sum;
    for (const Vec3d& w : system.bodies.spin) {
        sum += w;
        difference = std::max(difference, norm(w - system.bodies.spin[0]));
    }
    std::printf("twelve neighbours: spins differ by %.1e rad/s, their sum changed by %.1e; ledger %.1e\n", difference,
                norm(sum - turning), ledger.error());
    EXPECT_LT(norm(sum - turning), 1e-12);
    EXPECT_LT(ledger.error(), 1e-3);
    EXPECT_LT(norm(system.bodies.velocity[0]), 1e-9);
}

}  // namespace
}  // namespace talus::tests
