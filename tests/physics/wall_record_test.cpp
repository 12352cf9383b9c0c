// What walls record: the weight they carry, the momentum they receive, the work they do.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"
#include "physics/random_scene.h"

namespace talus::tests {
namespace {

laws::ParameterValues sand() {
    return {{"kn", 1e4}, {"kt", 1e4 * 2 / 7},      {"restitution", 0.3},
            {"ct", 0.5}, {"friction.static", 0.5}, {"friction.rolling", 0.02}};
}

TEST(WallRecord, CarriesTheWeightOfAPileAtRest) {
    laws::ParameterValues values = sand();
    values["friction.rolling"] = 0.05;  // or a grain may roll round in the barrel, or spin where it lies, for ever
    values["friction.twisting"] = 0.05;
    model::System system = make_system("hooke", values, 0);
    system.gravity = {0, 0, -9.81};
    const std::size_t floor = add_wall(system, geometry::make_disk({0, 0, 0}, {0, 0, 1}, 0.03));
    const std::size_t barrel = add_wall(system, geometry::make_tube({0, 0, 0}, {0, 0, 0.3}, 0.03, 0.03));
    add_cloud(system, {.count = 60,
                       .low = {-0.017, -0.017, 0.01},
                       .high = {0.017, 0.017, 0.15},
                       .smallest = 0.004,
                       .largest = 0.007,
                       .seed = 3});
    system.clock.step = collision_time(system, 1.3e-4) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    while (system.clock.time() < 1.0) {
        engine.step();
        if (system.clock.steps % 500 == 0) {
            ledger.look();
        }
    }
    double mass = 0;
    for (const double m : system.bodies.mass) {
        mass += m;
    }
    const double restless = kinetic_energy(system) / (mass * 9.81 * 0.005);  // of the energy to climb a radius
    ASSERT_LT(restless, 1e-6);
    const auto received = [&] { return system.walls[floor].record.impulse + system.walls[barrel].record.impulse; };
    const Vec3d force = system.walls[floor].record.force + system.walls[barrel].record.force;
    const Vec3d before = received();
    const double t0 = system.clock.time();
    while (system.clock.time() < t0 + 0.05) {
        engine.step();
    }
    const Vec3d mean = (received() - before) / (system.clock.time() - t0);
    const double weight = mass * 9.81;
    std::printf(
        "pile: weight %.6f N, walls carry %.6f N (the barrel %.1f %% of it), mean of their impulses %.6f N; "
        "kinetic energy %.1e m g r, ledger %.1e\n",
        weight, -force.z, -100 * system.walls[barrel].record.force.z / weight, -mean.z, restless, ledger.error());
    EXPECT_NEAR(-force.z / weight, 1, 1e-3);
    EXPECT_LT(std::abs(force.x) + std::abs(force.y), 1e-3 * weight);
    EXPECT_NEAR(-mean.z / weight, 1, 1e-3);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(WallRecord, ImpulseAndAngularImpulseAreWhatTheGrainLost) {
    // A spinning grain strikes a tilted disk off its centre.
    model::System system = make_system("hooke", sand(), 0);
    const Vec3d normal = normalized(Vec3d{1, -1, 3});
    add_wall(system, geometry::make_disk({0.1, 0.2, -0.1}, normal, 0.1));
    add_sphere(system, Vec3d{0.1, 0.2, -0.1} + normal * 0.0051 + cross(normal, Vec3d{0.03, 0, 0}), 0.005,
               normal * -0.5 + Vec3d{0.1, 0.2, 0}, {40, 10, -20});
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    const Vec3d p0 = momentum(system);
    const Vec3d wall = system.walls[0].pose.position;
    const auto about_wall = [&] { return angular_momentum(system) - cross(wall, momentum(system)); };
    const Vec3d l0 = about_wall();
    for (int k = 0; k < 2000; ++k) {
        engine.step();
        ledger.look();
    }
    ASSERT_GT(dot(momentum(system) - p0, normal), 0);
    const Vec3d lost = p0 - momentum(system);
    const Vec3d lost_turning = l0 - about_wall();
    const model::WallRecord& record = system.walls[0].record;
    std::printf("impact: wall received (%.6f %.6f %.6f) N s, differs by %.1e of it; angular by %.1e; ledger %.1e\n",
                record.impulse.x, record.impulse.y, record.impulse.z, norm(record.impulse - lost) / norm(lost),
                norm(record.angular_impulse - lost_turning) / norm(lost_turning), ledger.error());
    EXPECT_LT(norm(record.impulse - lost), 1e-12 * norm(lost));
    EXPECT_LT(norm(record.angular_impulse - lost_turning), 1e-12 * norm(lost_turning));
    EXPECT_EQ(record.force, Vec3d{});  // nothing touches it any more
    EXPECT_EQ(record.work, 0);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(WallRecord, WorkIsTheEnergyThatAMovingWallGives) {
    // A racket strikes an elastic ball at rest: it flies off at twice the racket's speed.
    model::System system = make_system("hooke", {{"kn", 1e5}, {"restitution", 1.0}}, 0);
    const std::size_t racket = add_wall(system, geometry::make_rectangle({-0.1, -0.1, 0}, {0.2, 0, 0}, {0, 0.2, 0}));
    system.walls[racket].motion.translations.push_back({{0, 0, 0.7}, 0});
    add_sphere(system, {0.03, 0, 0.0103}, 0.01);
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    for (int k = 0; k < 200; ++k) {
        engine.step();
        ledger.look();
    }
    const double energy = kinetic_energy(system);
    const model::WallRecord& record = system.walls[racket].record;
    std::printf("racket: ball leaves at %.6f m/s, wall did %.6e J, ball has %.6e J; ledger %.1e\n",
                system.bodies.velocity[0].z, record.work, energy, ledger.error());
    EXPECT_NEAR(system.bodies.velocity[0].z, 1.4, 2e-3);
    EXPECT_NEAR(record.work / energy, 1, 1e-3);
    EXPECT_NEAR(record.impulse.z, -system.bodies.mass[0] * system.bodies.velocity[0].z, 1e-15);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(WallRecord, WorkOfASpinningWallGoesIntoSpin) {
    // A rough disk spins up a grain that lies on its axis by twisting friction.
    model::System system = make_system("hooke", {{"kn", 1e4}, {"restitution", 0.3}, {"friction.twisting", 0.5}}, 0);
    system.gravity = {0, 0, -9.81};
    add_wall(system, geometry::make_disk({}, {0, 0, 1}, 0.1));
    system.walls[0].motion.spins.push_back({{0, 0, 1}, {}, 4, 0});
    add_sphere(system, {0, 0, 0}, 0.01);
    system.bodies.position[0].z = 0.01 - system.bodies.mass[0] * 9.81 / 1e4;
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    while (system.clock.time() < 0.5) {
        engine.step();
        ledger.look();
    }
    const double spun = 0.5 * system.bodies.inertia[0] * 16;
    std::printf("disk spins up a grain to %.6f rad/s: torque impulse %.3e, work %.3e J (twice %.3e J); ledger %.1e\n",
                system.bodies.spin[0].z, system.walls[0].record.angular_impulse.z, system.walls[0].record.work, spun,
                ledger.error());
    EXPECT_NEAR(system.bodies.spin[0].z, 4, 1e-6);
    EXPECT_NEAR(system.walls[0].record.angular_impulse.z / (-4 * system.bodies.inertia[0]), 1, 1e-6);
    EXPECT_NEAR(system.walls[0].record.work / (2 * spun), 1, 1e-3);  // half of it lost on the way
    EXPECT_LT(ledger.error(), 1e-3);
}

}  // namespace
}  // namespace talus::tests
