// A free cluster of rough, spinning grains of very different size keeps its momentum and its angular momentum.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"
#include "physics/random_scene.h"

namespace talus::tests {
namespace {

void expect_conserved(const std::string& law, const laws::ParameterValues& values) {
    model::System system = make_system(law, values, 0);
    add_cloud(system, {.count = 50,
                       .low = {-0.035, -0.035, -0.035},
                       .high = {0.035, 0.035, 0.035},
                       .smallest = 0.0015,
                       .largest = 0.015,
                       .speed = 0.05,
                       .spin = 30,
                       .seed = 12});
    double smallest = 1;
    double largest = 0;
    double lightest = 1;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        smallest = std::min(smallest, system.bodies.radius[i]);
        largest = std::max(largest, system.bodies.radius[i]);
        lightest = std::min(lightest, system.bodies.mass[i]);
        // Inwards, and round the z axis.
        const Vec3d& x = system.bodies.position[i];
        system.bodies.velocity[i] += x * -15.0 + cross(Vec3d{0, 0, 10}, x);
    }
    system.clock.step = collision_time(system, lightest, smallest, 0.5) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    const Vec3d before = angular_momentum(system);
    const Vec3d momentum_before = momentum(system);
    double momentum_scale = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        momentum_scale += system.bodies.mass[i] * norm(system.bodies.velocity[i]);
    }
    double error = 0;
    std::size_t most_contacts = 0;
    while (system.clock.time() < 0.15) {
        engine.step();
        if (system.clock.steps % 50 == 0) {
            error = std::max(error, norm(angular_momentum(system) - before) / norm(before));
            most_contacts = std::max(most_contacts, engine.touching_pairs());
            ledger.look();
        }
    }
    const auto& lost = system.ledger.dissipated;
    std::printf(
        "%s cluster, sizes 1:%.1f, up to %zu contacts, %ld steps: angular momentum %.1e, momentum %.1e, "
        "ledger %.1e; lost to damping %.1e %.1e sliding %.1e rolling %.1e twisting %.1e J\n",
        law.c_str(), largest / smallest, most_contacts, static_cast<long>(system.clock.steps), error,
        norm(momentum(system) - momentum_before) / momentum_scale, ledger.error(), lost[0], lost[1], lost[2], lost[3],
        lost[4]);
    EXPECT_GT(largest / smallest, 8);
    EXPECT_GT(most_contacts, 10U);
    for (std::size_t m = 0; m < static_cast<std::size_t>(model::Mechanism::time_step); ++m) {
        EXPECT_GT(lost[m], 0);  // every mechanism was at work
    }
    EXPECT_LT(error, 1e-10);
    EXPECT_LT(norm(momentum(system) - momentum_before), 1e-12 * momentum_scale);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(Cluster, OfHookeGrainsKeepsAngularMomentum) {
    expect_conserved("hooke", {{"kn", 2e4},
                               {"kt", 2e4 * 2 / 7},
                               {"restitution", 0.3},
                               {"ct", 0.3},
                               {"friction.static", 0.5},
                               {"friction.rolling", 0.1},
                               {"friction.twisting", 0.3},
                               {"slip_memory", 1.0}});
}

TEST(Cluster, OfHertzGrainsKeepsAngularMomentum) {
    expect_conserved("hertz", {{"young", 1e7},
                               {"poisson", 0.3},
                               {"kt", 5e3},
                               {"restitution", 0.3},
                               {"ct", 0.1},
                               {"friction.static", 0.5},
                               {"friction.rolling", 0.1},
                               {"friction.twisting", 0.3}});
}

}  // namespace
}  // namespace talus::tests
