// Walls in motion: what a grain feels is what it would feel in the wall's frame with the inertial forces added.
#include <gtest/gtest.h>

#include <cstdio>
#include <numbers>

#include "physics/ledger_watch.h"

namespace talus::tests {
namespace {

constexpr double radius = 0.01;
constexpr double g = 9.81;
constexpr double kn = 8e4;

/// A grain that rests on the plane z = 0, rough enough to roll.
model::System on_floor(double mu = 0.6) {
    model::System system = make_system("hooke",
                                       {{"kn", kn},
                                        {"kt", kn * 2 / 7},
                                        {"restitution", 0.5},
                                        {"ct", 5.0},
                                        {"friction.static", mu},
                                        {"slip_memory", 1.0}},
                                       0);
    system.gravity = {0, 0, -g};
    add_wall(system, geometry::make_plane({}, {0, 0, 1}));
    add_sphere(system, {}, radius);
    system.bodies.position[0].z = radius - system.bodies.mass[0] * g / kn;
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    return system;
}

TEST(MovingWall, AtConstantVelocityAgreesWithTheRunInItsFrame) {
    const Vec3d drift{0.3, -0.2, 0.4};
    model::System still = on_floor();
    still.bodies.position[0] = {0, 0, 0.013};
    still.bodies.velocity[0] = {0.2, 0.1, -0.3};
    still.bodies.spin[0] = {5, 10, -3};
    model::System moving = still;
    moving.bodies.velocity[0] += drift;
    moving.walls[0].motion.translations.push_back({drift, 0});
    engines::soft::Engine still_engine(still, {}, false);
    engines::soft::Engine moving_engine(moving, {}, false);
    LedgerWatch ledger(moving, moving_engine);
    double worst = 0;
    while (still.clock.time() < 0.2) {
        still_engine.step();
        moving_engine.step();
        ledger.look();
        worst =
            std::max(worst, norm(moving.bodies.position[0] - drift * still.clock.time() - still.bodies.position[0]));
    }
    const double spin = norm(moving.bodies.spin[0] - still.bodies.spin[0]);
    std::printf("constant velocity: place differs by %.1e m, spin by %.1e rad/s; ledger %.1e\n", worst, spin,
                ledger.error());
    EXPECT_LT(worst, 1e-12);
    EXPECT_LT(spin, 1e-9);
    EXPECT_LT(ledger.error(), 1e-3);
}

struct Shaken {
    double place = 0, spin = 0, ledger = 0;
};

/// A grain on a floor that shakes along x and z, against one on a floor at rest under gravity less the floor's
/// acceleration.
Shaken shake(double step_fraction) {
    const Vec3d amplitude{0.002, 0, 0.001};
    const double omega = 60;
    model::System lab = on_floor();
    lab.clock.step *= step_fraction;
    model::System frame = lab;
    lab.walls[0].motion.oscillations.push_back({amplitude, omega, 0, 0});
    lab.bodies.velocity[0] = amplitude * omega;
    const auto felt = [&](double t) { return Vec3d{0, 0, -g} + amplitude * (omega * omega * std::sin(omega * t)); };
    frame.gravity = felt(0);
    engines::soft::Engine lab_engine(lab, {}, false);
    engines::soft::Engine frame_engine(frame, {}, false);
    LedgerWatch ledger(lab, lab_engine);
    Shaken out;
    while (lab.clock.time() < 0.3) {
        lab_engine.step();
        const double t = lab.clock.time();
        frame.gravity = felt(t);
        frame_engine.step();
        ledger.look();
        const Vec3d seen = lab.bodies.position[0] - amplitude * std::sin(omega * t);
        out.place = std::max(out.place, norm(seen - frame.bodies.position[0]));
        out.spin = std::max(out.spin, norm(lab.bodies.spin[0] - frame.bodies.spin[0]));
    }
    EXPECT_GT(std::abs(frame.bodies.spin[0].y), 1);  // it was rolled along
    out.ledger = ledger.error();
    return out;
}

TEST(MovingWall, OscillatingAgreesWithTheFrameOfTheWallToSecondOrder) {
    const Shaken whole = shake(1);
    const Shaken half = shake(0.5);
    std::printf("shaken floor: place differs by %.1e m, spin by %.1e rad/s; at half the step %.1e, %.1e; ledger %.1e\n",
                whole.place, whole.spin, half.place, half.spin, whole.ledger);
    EXPECT_LT(whole.place, 1e-6);
    EXPECT_LT(half.place, 0.3 * whole.place);
    EXPECT_LT(half.spin, 0.3 * whole.spin);
    EXPECT_LT(whole.ledger, 1e-3);
}

TEST(MovingWall, ABallOnATurntableGoesRoundAtTwoSeventhsOfItsRate) {
    // Rolling without slip on a plate that turns at W, a solid ball's velocity turns at 2/7 W whatever it is: the exact
    // result that Coriolis and centrifugal forces give in the turning frame.
    model::System system = on_floor(5.0);
    const double rate = 14;
    system.walls[0].motion.spins.push_back({{0, 0, 1}, {}, rate, 0});
    const Vec3d start{0.05, 0.02, system.bodies.position[0].z};
    const Vec3d velocity{0.03, 0.16, 0};
    const double lever = start.z;
    const Vec3d slip_free = velocity - cross(Vec3d{0, 0, rate}, start);  // = lever (spin x z)
    system.bodies.position[0] = start;
    system.bodies.velocity[0] = velocity;
    system.bodies.spin[0] = cross(Vec3d{0, 0, 1}, slip_free) / lever;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    const double turning = 2.0 / 7 * rate;
    double worst = 0;
    const double period = 2 * std::numbers::pi / turning;
    while (system.clock.time() < period) {
        engine.step();
        ledger.look();
        const double a = turning * system.clock.time();
        const double sine = std::sin(a);
        const double versine = 1 - std::cos(a);
        const Vec3d expected{start.x + (velocity.x * sine - velocity.y * versine) / turning,
                             start.y + (velocity.y * sine + velocity.x * versine) / turning, start.z};
        worst = std::max(worst, norm(system.bodies.position[0] - expected));
    }
    const double size = norm(velocity) / turning;
    std::printf("turntable: a circle of radius %.4f m once round in %.3f s, greatest error %.1e of it; ledger %.1e\n",
                size, period, worst / size, ledger.error());
    EXPECT_LT(worst, 2e-3 * size);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(MovingWall, ABlockIsCarriedBySpinningFloorWhileFrictionHoldsItAgainstTheCentrifugalForce) {
    const double mu = 0.5;
    const double arm = 0.05;
    const double critical = std::sqrt(mu * g / arm);
    for (const double fraction : {0.9, 1.1}) {
        model::System system = on_floor(mu);
        const double rate = fraction * critical;
        system.walls[0].motion.spins.push_back({{0, 0, 1}, {}, rate, 0});
        system.bodies.position[0].x = arm;
        system.bodies.velocity[0] = {0, arm * rate, 0};
        system.bodies.spin[0] = {0, 0, rate};
        system.bodies.flags[0] |= model::rotation_held;  // it turns with the floor, and does not roll
        engines::soft::Engine engine(system, {}, false);
        LedgerWatch ledger(system, engine);
        while (system.clock.time() < 2 * std::numbers::pi / rate) {
            engine.step();
            ledger.look();
        }
        const Vec3d seen = system.walls[0].pose.to_local(system.bodies.position[0]);
        const double moved = norm(seen - Vec3d{arm, 0, seen.z});
        std::printf("spinning floor at %.2f of the rate friction can hold: moved %.1e m in a turn; ledger %.1e\n",
                    fraction, moved, ledger.error());
        if (fraction < 1) {
            EXPECT_LT(moved, 1e-5);
        } else {
            EXPECT_GT(moved, 1e-2);
        }
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

TEST(MovingWall, SpinsACylinderAndDragsAGrainRoundByFriction) {
    // A grain inside a turning drum without gravity, pressed by its own circling, ends rolling with the wall: its
    // surface keeps up with the drum's, and nothing slips.
    model::System system = on_floor(0.5);
    system.gravity = {};
    system.walls.clear();
    add_wall(system, geometry::make_cylinder({}, {0, 0, 1}, 0.05));
    const double rate = 10;
    system.walls[0].motion.spins.push_back({{0, 0, 1}, {}, rate, 0});
    system.bodies.position[0] = {0.04, 0, 0};
    system.bodies.velocity[0] = {0, 0.2, 0};
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    while (system.clock.time() < 1.0) {
        engine.step();
        ledger.look();
    }
    const Vec3d& x = system.bodies.position[0];
    const Vec3d out = normalized(x);
    const Vec3d surface = system.bodies.velocity[0] + cross(system.bodies.spin[0], out * radius);
    const Vec3d wall = cross(Vec3d{0, 0, rate}, out * 0.05);
    const double slip = norm(surface - wall - out * dot(surface - wall, out));
    std::printf("drum: slip %.1e m/s of %.2f; ledger %.1e\n", slip, 0.05 * rate, ledger.error());
    EXPECT_LT(slip, 2e-3 * 0.05 * rate);
    EXPECT_GT(system.bodies.velocity[0].x * -x.y + system.bodies.velocity[0].y * x.x, 0.2 * 0.04);
    EXPECT_LT(ledger.error(), 1e-3);
}

}  // namespace
}  // namespace talus::tests
