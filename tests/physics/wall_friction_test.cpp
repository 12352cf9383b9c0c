// Friction's spring at a wall, loaded and let go: it holds no energy that the motion has not given, and the ledger
// counts what it really took. At restitution 1 all that a grain loses to a flat wall is friction's.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/elastic_impact.h"

namespace talus::tests {
namespace {

constexpr int phases = 100;

/// A grain above a plane that will touch it at a phase of a step, at an angle whose tangent is `slope`.
model::System above_plane(const Friction& f, double slope, double spin, int phase) {
    model::System system = rough_system(f);
    add_wall(system, geometry::make_plane({0, 0, 0}, {0, 0, 1}));
    const double down = speed / std::sqrt(1 + slope * slope);
    add_sphere(system, {}, radius, {down * slope, 0, -down}, {0, spin, 10});
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    const double steps = 3 + static_cast<double>(phase) / phases;
    system.bodies.position[0].z = radius + down * system.clock.step * steps;
    return system;
}

TEST(WallFriction, TakesAndNeverGivesWhereItSlips) {
    // With k_t u < mu k_n v the contact sticks, but for its first instant, if that finds it hardly touching: its spring
    // must not begin with k_t (u h)^2 / 8, up to 3e-4 of the energy, that nothing has put there.
    for (const double memory : {0.0, 0.5, 1.0}) {
        double least = 0;
        for (const double slope : {0.5, 1.0, 1.5, 3.0}) {
            for (int k = 0; k < phases; ++k) {
                model::System system = above_plane({0.5, 0, memory}, slope, 0, k);
                engines::soft::Engine engine(system, {}, false);
                const double before = kinetic_energy(system);
                for (int n = 0; n < 70; ++n) {
                    engine.step();
                    const double power = system.ledger.power[static_cast<std::size_t>(model::Mechanism::sliding)];
                    least = std::min(least, power * system.clock.step / before);
                }
            }
        }
        std::printf("slipping on a plane, memory %.1f: gives at most %.1e in a step\n", memory, -least);
        EXPECT_GT(least, -1e-5) << memory;
    }
}

TEST(WallFriction, LetsGoOfWhatItTook) {
    // Springs thrown away by slipping, and whole ones where a spinning grain that cannot slip comes off the wall: with
    // predicted slip they hold 1 + (w h)^2 / 2 of what the motion gave, with w^2 = 7/2 k_t / m.
    for (const Friction& f : {Friction{0.3, 0, 0}, Friction{0.3, 0, 0.5}, Friction{1e9, 0, 1}, Friction{0.5, 3, 0.5}}) {
        double worst = 0;
        for (const double spin : {-60.0, -20.0, 20.0, 60.0}) {
            for (int k = 0; k < phases; ++k) {
                model::System system = above_plane(f, 0.3, spin, k);
                worst = std::max(worst, bounce(system, 1, 800).ledger);
            }
        }
        std::printf("spring let go, mu %.1g, memory %.1f: ledger %.1e\n", f.mu, f.slip_memory, worst);
        EXPECT_LT(worst, 4e-5) << f.mu << ' ' << f.slip_memory;
    }
}

}  // namespace
}  // namespace talus::tests
