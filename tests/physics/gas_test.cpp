// A gas of smooth elastic grains in a periodic box keeps its energy and its momentum.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"
#include "physics/random_scene.h"

namespace talus::tests {
namespace {

TEST(Gas, KeepsEnergyAndMomentumOverAHundredThousandCollisions) {
    model::System system = make_system("hooke", {{"kn", 8e4}, {"restitution", 1.0}}, 0);
    const double side = 0.126;
    system.domain.low = {0, 0, 0};
    system.domain.high = {side, side, side};
    system.domain.periodic = {true, true, true};
    add_cloud(system, {.count = 200,
                       .low = {},
                       .high = system.domain.high,
                       .smallest = 0.008,
                       .largest = 0.01,
                       .speed = 1,
                       .spin = 10,
                       .seed = 5});
    // Equation 39's step for the lightest pair.
    double lightest = system.bodies.mass[0];
    for (const double m : system.bodies.mass) {
        lightest = std::min(lightest, m);
    }
    system.clock.step = collision_time(system, 0.5 * lightest) / 50;
    engines::soft::Engine engine(system, {}, false);
    const double start = kinetic_energy(system);
    const Vec3d momentum_before = momentum(system);
    double scale = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        scale += system.bodies.mass[i] * norm(system.bodies.velocity[i]);
    }
    LedgerWatch ledger(system, engine);
    std::int64_t collisions = 0;
    double energy_error = 0;
    while (collisions < 100000) {
        engine.step();
        collisions += contacts_begun(system);
        if (system.clock.steps % 200 == 0) {
            ledger.look();
            const double energy = kinetic_energy(system) + engine.stored_energy().normal;
            energy_error = std::max(energy_error, std::abs(energy / start - 1));
        }
        ASSERT_LT(system.clock.steps, 2000000);
    }
    const double momentum_error = norm(momentum(system) - momentum_before) / scale;
    std::printf("gas of %zu grains, %ld collisions in %ld steps: energy %.2e momentum %.2e ledger %.2e\n",
                system.bodies.size(), static_cast<long>(collisions), static_cast<long>(system.clock.steps),
                energy_error, momentum_error, ledger.error());
    EXPECT_LT(energy_error, 1e-3);
    EXPECT_LT(momentum_error, 1e-12);
    EXPECT_LT(ledger.error(), 1e-3);
}

}  // namespace
}  // namespace talus::tests
