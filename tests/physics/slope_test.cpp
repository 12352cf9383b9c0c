// A sphere on a plane: sliding turns into rolling, slopes are rolled or slid down, a block holds below the friction
// angle.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"

namespace talus::tests {
namespace {

constexpr double radius = 0.01;
constexpr double g = 9.81;
constexpr double kn = 8e5;

laws::ParameterValues coulomb(double mu, double ct) {
    return {{"kn", kn}, {"kt", kn * 2 / 7},      {"restitution", 0.5},
            {"ct", ct}, {"friction.static", mu}, {"slip_memory", 1.0}};
}

/// A grain that rests on the plane z = 0, pressed as deep as the tilted gravity asks for.
model::System on_slope(double mu, double angle, double ct = 5) {
    model::System system = make_system("hooke", coulomb(mu, ct), 0);
    system.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
    add_wall(system, geometry::make_plane({}, {0, 0, 1}));
    add_sphere(system, {}, radius);
    system.bodies.position[0].z = radius - system.bodies.mass[0] * g * std::cos(angle) / kn;
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    return system;
}

void run_until(engines::soft::Engine& engine, const model::System& system, double time, LedgerWatch& ledger) {
    while (system.clock.time() < time) {
        engine.step();
        if (system.clock.steps % 100 == 0) {
            ledger.look();
        }
    }
}

TEST(SlidingSphere, EndsRollingAtFiveSeventhsOfItsSpeedWhateverTheFriction) {
    for (const double mu : {0.05, 0.2, 0.8}) {
        model::System system = on_slope(mu, 0);
        const double speed = 0.3;
        system.bodies.velocity[0] = {speed, 0, 0};
        engines::soft::Engine engine(system, {}, false);
        LedgerWatch ledger(system, engine);
        // It slips for 2 v / (7 mu g).
        run_until(engine, system, 0.5 * 2 * speed / (7 * mu * g), ledger);
        EXPECT_NEAR(system.bodies.velocity[0].x, speed * 6 / 7, 2e-3 * speed);  // half of the loss at half of the time
        run_until(engine, system, 2 * speed / (7 * mu * g) + 0.02, ledger);
        const double rolled = system.bodies.velocity[0].x / speed;
        const double slip = system.bodies.velocity[0].x - system.bodies.spin[0].y * radius;
        std::printf("sliding, mu = %.2f: rolls at %.6f of its speed (5/7 = %.6f), slip %.1e m/s; ledger %.1e\n", mu,
                    rolled, 5.0 / 7, slip, ledger.error());
        EXPECT_NEAR(rolled, 5.0 / 7, 2e-4);
        EXPECT_NEAR(slip, 0, 1e-4 * speed);
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

TEST(Slope, IsRolledDownAtFiveSeventhsWhileFrictionHoldsAndSlidDownAbove) {
    const double mu = 0.2;
    const double critical = std::atan(3.5 * mu);
    for (const double angle :
         {0.3 * critical, 0.8 * critical, 0.97 * critical, 1.03 * critical, 1.2 * critical, 1.5 * critical}) {
        model::System system = on_slope(mu, angle);
        engines::soft::Engine engine(system, {}, false);
        LedgerWatch ledger(system, engine);
        run_until(engine, system, 0.1, ledger);
        const double v0 = system.bodies.velocity[0].x;
        const double w0 = system.bodies.spin[0].y;
        const double t0 = system.clock.time();
        run_until(engine, system, 0.3, ledger);
        const double t = system.clock.time() - t0;
        const double acceleration = (system.bodies.velocity[0].x - v0) / t;
        const double turning = (system.bodies.spin[0].y - w0) / t;
        const bool rolls = angle < critical;
        const double expected = rolls ? 5.0 / 7 * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
        const double expected_turning = rolls ? expected / radius : 2.5 * mu * g * std::cos(angle) / radius;
        std::printf(
            "slope %.2f of the critical angle: %.5f m/s2, expected %.5f; spin-up %.3f, expected %.3f; "
            "ledger %.1e\n",
            angle / critical, acceleration, expected, turning, expected_turning, ledger.error());
        EXPECT_NEAR(acceleration / expected, 1, 1e-3);
        EXPECT_NEAR(turning / expected_turning, 1, 1e-3);
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

TEST(Block, HoldsBelowTheFrictionAngle) {
    const double mu = 0.4;
    for (const double ct : {0.0, 5.0}) {
        for (const double fraction : {0.5, 0.95}) {
            model::System system = on_slope(mu, std::atan(fraction * mu), ct);
            system.bodies.flags[0] |= model::rotation_held;
            engines::soft::Engine engine(system, {}, false);
            LedgerWatch ledger(system, engine);
            run_until(engine, system, 0.5, ledger);
            // Without tangential damping the block keeps swinging on its spring: creep is how its mean place moves.
            const auto mean_place = [&] {
                Vec3d sum;
                constexpr int steps = 20000;
                for (int k = 0; k < steps; ++k) {
                    engine.step();
                    sum += system.bodies.position[0];
                }
                return sum / static_cast<double>(steps);
            };
            const double t0 = system.clock.time();
            const Vec3d settled = mean_place();
            run_until(engine, system, t0 + 1, ledger);
            const Vec3d later = mean_place();
            const double creep = norm(later - settled) / radius;
            std::printf("block at %.2f of the friction angle, ct = %g: creep %.1e radii/s; ledger %.1e\n", fraction, ct,
                        creep, ledger.error(system.bodies.mass[0] * g * radius));
            EXPECT_LT(creep, 1e-6);
            EXPECT_LT(ledger.error(system.bodies.mass[0] * g * radius), 1e-3);
        }
    }
}

TEST(Block, SlidesAboveTheFrictionAngle) {
    const double mu = 0.4;
    for (const double fraction : {1.05, 1.5}) {
        const double angle = std::atan(fraction * mu);
        model::System system = on_slope(mu, angle);
        system.bodies.flags[0] |= model::rotation_held;
        engines::soft::Engine engine(system, {}, false);
        LedgerWatch ledger(system, engine);
        run_until(engine, system, 0.1, ledger);
        const double v0 = system.bodies.velocity[0].x;
        const double t0 = system.clock.time();
        run_until(engine, system, 0.4, ledger);
        const double acceleration = (system.bodies.velocity[0].x - v0) / (system.clock.time() - t0);
        const double expected = g * (std::sin(angle) - mu * std::cos(angle));
        std::printf("block at %.2f of the friction angle slides at %.5f m/s2, expected %.5f; ledger %.1e\n", fraction,
                    acceleration, expected, ledger.error());
        EXPECT_NEAR(acceleration / expected, 1, 2e-3);
        EXPECT_EQ(norm(system.bodies.spin[0]), 0);
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

}  // namespace
}  // namespace talus::tests
