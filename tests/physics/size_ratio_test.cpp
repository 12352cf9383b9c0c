// Grains of size ratio ten: collisions come out right, and a settled mixture stays settled.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"
#include "physics/random_scene.h"

namespace talus::tests {
namespace {

TEST(SizeRatio, ASmallGrainBouncesOffABigOneWithTheRestitutionAskedFor) {
    // Oblique and off every axis; smooth, so that only the normal part changes.
    for (const double e : {0.3, 0.8, 1.0}) {
        model::System system = make_system("hooke", {{"kn", 1e4}, {"restitution", e}}, 0);
        const Vec3d n = normalized(Vec3d{2, -1, 2});
        add_sphere(system, {}, 0.02, {0.1, 0, 0}, {0, 0, 5});
        add_sphere(system, n * 0.022005, 0.002, Vec3d{0.1, 0, 0} - n * 0.3 + cross(n, Vec3d{0, 0, 0.002}));
        const double mass = 1 / (1 / system.bodies.mass[0] + 1 / system.bodies.mass[1]);
        system.clock.step = collision_time(system, mass) / 200;
        engines::soft::Engine engine(system, {}, false);
        LedgerWatch ledger(system, engine);
        const Vec3d before = momentum(system);
        for (int k = 0; k < 600; ++k) {
            engine.step();
            ledger.look();
        }
        const double opening = dot(system.bodies.velocity[1] - system.bodies.velocity[0], n);
        std::printf("size ratio 10, e = %.1f: %.5f; momentum %.1e; ledger %.1e\n", e, opening / 0.3,
                    norm(momentum(system) - before) / norm(before), ledger.error());
        EXPECT_NEAR(opening / 0.3, e, 2e-3);
        EXPECT_LT(norm(momentum(system) - before), 1e-14 * norm(before));
        EXPECT_EQ(system.bodies.spin[0], (Vec3d{0, 0, 5}));
        // Of the energy of the collision; the big grain's own motion does not count.
        EXPECT_LT(ledger.error() * kinetic_energy(system) / (0.5 * mass * 0.09), 1e-3);
    }
}

void settle(double ct, const char* name) {
    model::System system = make_system("hooke",
                                       {{"kn", 2000},
                                        {"kt", 2000.0 * 2 / 7},
                                        {"restitution", 0.3},
                                        {"ct", ct},
                                        {"friction.static", 0.5},
                                        {"friction.rolling", 0.2},
                                        {"friction.twisting", 0.3}},
                                       0);
    system.gravity = {0, 0, -9.81};
    add_wall(system, geometry::make_disk({}, {0, 0, 1}, 0.025));
    add_wall(system, geometry::make_tube({0, 0, 0}, {0, 0, 0.2}, 0.025, 0.025));
    add_cloud(system, {.count = 4,
                       .low = {-0.013, -0.013, 0.011},
                       .high = {0.013, 0.013, 0.07},
                       .smallest = 0.01,
                       .largest = 0.01,
                       .speed = 0.2,
                       .seed = 4});
    add_cloud(system, {.count = 60,
                       .low = {-0.016, -0.016, 0.002},
                       .high = {0.016, 0.016, 0.08},
                       .smallest = 0.001,
                       .largest = 0.0015,
                       .speed = 0.2,
                       .seed = 5});
    double mass = 0;
    for (const double m : system.bodies.mass) {
        mass += m;
    }
    const double smallest = *std::min_element(system.bodies.mass.begin(), system.bodies.mass.end());
    system.clock.step = collision_time(system, 0.5 * smallest) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    double energy[4] = {};
    for (int part = 0; part < 4; ++part) {  // the last small grain may take its time to find a place
        while (system.clock.time() < 0.25 * (part + 1)) {
            engine.step();
            if (system.clock.steps % 500 == 0) {
                ledger.look();
            }
        }
        energy[part] = kinetic_energy(system);
    }
    const double scale = mass * 9.81 * 0.01;
    double fastest = 0;
    for (const Vec3d& v : system.bodies.velocity) {
        fastest = std::max(fastest, norm(v));
    }
    std::printf(
        "mixture 1:10, %s: kinetic energy %.1e, %.1e, %.1e, %.1e m g r after 0.25, 0.5, 0.75, 1 s; fastest %.1e m/s; "
        "%zu contacts; largest overlap %.3f; ledger %.1e\n",
        name, energy[0] / scale, energy[1] / scale, energy[2] / scale, energy[3] / scale, fastest,
        engine.contacts().size(), system.counters.largest_overlap, ledger.error());
    EXPECT_EQ(system.bodies.size(), 64U);
    EXPECT_LT(energy[3], 1e-4 * scale);
    EXPECT_LT(energy[3], 0.1 * energy[0]);
    EXPECT_LT(fastest, 0.02);
    EXPECT_LT(ledger.error(), 1e-3);
    for (const Vec3d& x : system.bodies.position) {
        EXPECT_GT(x.z, 0);
        EXPECT_LT(x.x * x.x + x.y * x.y, 0.025 * 0.025);
    }
}

TEST(SizeRatio, ASettledMixtureStaysSettled) {
    settle(0.02, "damped");
}

TEST(SizeRatio, ASettledMixtureStaysSettledWithoutTangentialDamping) {
    settle(0, "no tangential damping");
}

}  // namespace
}  // namespace talus::tests
