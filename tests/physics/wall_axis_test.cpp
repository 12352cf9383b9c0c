// A grain that touches a round wall on both sides of its axis, and crosses the axis while it does, gains no energy.
#include <gtest/gtest.h>

#include <cstdio>
#include <numbers>

#include "physics/elastic_impact.h"
#include "talus/geometry/nearest.h"

namespace talus::tests {
namespace {

std::vector<Shaped> round_walls() {
    using namespace geometry;
    const Vec3d tilted = normalized(Vec3d{1, -2, 3});
    return {
        {"small hole", make_disk({0.1, 0, 0}, tilted, 0.04, 0.006)},
        {"tight hole", make_disk({0.1, 0, 0}, tilted, 0.04, 0.0098)},
        {"ring", make_ring({0, 0, 0}, {0, 0, 1}, 0.006)},
        {"narrow cone", make_tube({0, 0, 0}, tilted * 0.05, 0, 0.015)},
        {"wide cone", make_tube({0, 0, 0}, tilted * 0.05, 0, 0.05)},
        {"flat cone", make_tube({0, 0, 0}, tilted * 0.01, 0, 0.05)},
        {"funnel", make_tube({0, 0, 0}, tilted * 0.03, 0.005, 0.02)},
        {"narrow funnel", make_tube({0, 0, 0}, tilted * 0.03, 0.005, 0.0095)},
        {"mouth of a pipe", make_tube({0, 0, 0}, tilted * 0.03, 0.006, 0.006)},
    };
}

/// Aims a grain down into the wall so that it passes the axis at any distance, from far less than a step's drift to its
/// own radius, at some moment of the collision or shortly before or after it.
bool aim_at_axis(model::System& system, base::Random& random) {
    const model::Wall& wall = system.walls[0];
    const double miss = radius * std::pow(10.0, random.uniform(-6, 0));
    const double sideways = speed * (random.uniform() < 0.5 ? random.uniform(0, 0.5) : random.uniform(0, 0.05));
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const Vec3d along{std::cos(angle), std::sin(angle), 0};
    const Vec3d across{-along.y, along.x, 0};
    const double ahead = random.uniform(-0.2, 1.2) * collision_time(system, 4.0 / 3 * std::numbers::pi * 1e-3);
    Vec3d at = across * miss - along * (sideways * ahead) + Vec3d{0, 0, 0.06};
    double distance = 0;
    for (int k = 0; k < 400; ++k) {
        distance = geometry::nearest(wall.shape, at).distance;
        at.z -= 0.5 * (distance - 1.0005 * radius);
    }
    if (std::abs(distance - 1.0005 * radius) > 1e-6) {
        return false;  // it would fall past the wall
    }
    const Vec3d velocity = along * sideways - Vec3d{0, 0, std::sqrt(speed * speed - sideways * sideways)};
    const Vec3d spin = random.uniform() < 0.5 ? Vec3d{} : random_vector(random, speed / radius);
    add_sphere(system, wall.pose.to_world(at), radius, wall.pose.rotation * velocity, spin);
    return true;
}

Outcome worst_crossing(const geometry::Placed& placed, const std::vector<Friction>& frictions, double step_fraction,
                       int impacts) {
    base::Random random(43, 0);
    Outcome worst;
    int on_two_sides = 0;
    for (const Friction& f : frictions) {
        for (int k = 0; k < impacts; ++k) {
            model::System system = rough_system(f);
            add_wall(system, placed);
            while (!aim_at_axis(system, random)) {
            }
            const Outcome one = bounce(system, step_fraction, 2000);
            worst.merge(one);
            on_two_sides += one.on_two_sides ? 1 : 0;
        }
    }
    EXPECT_GT(3 * on_two_sides, impacts * static_cast<int>(frictions.size()));
    return worst;
}

TEST(WallAxis, CrossedWhileTouchingGivesNoEnergy) {
    expect_no_gain(round_walls(), [](const geometry::Placed& placed, double fraction) {
        return worst_crossing(placed, {{0, 0, 0}}, fraction, 1000);
    });
}

TEST(WallAxis, CrossedWithFrictionGivesNoEnergy) {
    const std::vector<Friction> frictions = {{0.3, 0, 1}, {0.5, 0, 0}, {1e9, 0, 1}, {0.5, 3, 0.5}};
    for (const Shaped& shape : round_walls()) {
        const Outcome half = worst_crossing(shape.placed, frictions, 0.5, 300);
        Outcome whole = worst_crossing(shape.placed, frictions, 1.0, 300);
        for (const double fraction : {0.97, 0.93, 0.85}) {  // the collision need not last a whole number of steps
            whole.merge(worst_crossing(shape.placed, frictions, fraction, 300));
        }
        expect_no_gain(shape, half, whole);
    }
}

/// A grain that fills a pipe or a cavity rattles in it and is never free. What it gains in all of the run's collisions:
/// the greatest energy of its last quarter against that of its first, which leaves out how energy varies in a
/// collision.
double rattling_gain(const geometry::Placed& placed, const Friction& f, base::Random& random) {
    model::System system = rough_system(f);
    add_wall(system, placed);
    add_sphere(system, placed.position + random_vector(random, 2e-6), radius, random_vector(random, 0.3),
               f.mu > 0 ? random_vector(random, 30) : Vec3d{});
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    engines::soft::Engine engine(system, {}, false);
    const double moving = kinetic_energy(system);
    constexpr int steps = 4000;
    double first = 0;
    double last = 0;
    for (int k = 0; k < steps; ++k) {
        engine.step();
        const auto stored = engine.stored_energy();
        const double energy = kinetic_energy(system) + stored.normal + stored.tangential;
        first = k < steps / 4 ? std::max(first, energy) : first;
        last = k >= steps - steps / 4 ? std::max(last, energy) : last;
    }
    constexpr int collisions = steps * 3 / 4 / 50;
    return (last - first) / moving / collisions;
}

TEST(WallAxis, GrainsThatFillAPipeOrACavityKeepTheirEnergy) {
    base::Random random(44, 0);
    for (const double room : {-3e-5, -2e-6, 2e-6, 3e-5}) {
        const Shaped tight[] = {
            {"cylinder", geometry::make_cylinder({0.1, 0, 0}, {1, 2, 3}, radius + room)},
            {"pipe", geometry::make_tube({0, 0, -0.5}, {0, 0, 0.5}, radius + room, radius + room)},
            {"cavity", geometry::make_sphere({0, 0.1, 0}, radius + room)},
        };
        for (const Shaped& shape : tight) {
            double smooth = 0;
            double rough = 0;
            for (int k = 0; k < 10; ++k) {
                smooth = std::max(smooth, rattling_gain(shape.placed, {0, 0, 0}, random));
                rough = std::max(rough, rattling_gain(shape.placed, {0.3, 0, 1}, random));
            }
            std::printf("%-10s %+.0e m wider than the grain: smooth %.1e, rough %.1e\n", shape.name, room, smooth,
                        rough);
            EXPECT_LT(smooth, 1e-4) << shape.name << ' ' << room;
            EXPECT_LT(rough, 1e-4) << shape.name << ' ' << room;
        }
    }
}

TEST(WallAxis, AGrainThatFallsAlongItStaysOnIt) {
    // Two equal and opposite contacts: nothing pushes it off, no spin comes up, and it returns as it came.
    for (const Shaped& shape : round_walls()) {
        model::System system = rough_system({0.5, 0, 1});
        add_wall(system, shape.placed);
        const Vec3d axis = shape.placed.rotation.column(2);
        Vec3d at{0, 0, 0.06};
        for (int k = 0; k < 400; ++k) {
            at.z -= 0.5 * (geometry::nearest(shape.placed.shape, at).distance - 1.0005 * radius);
        }
        add_sphere(system, system.walls[0].pose.to_world(at), radius, axis * -speed);
        const Outcome out = bounce(system, 1, 800);
        EXPECT_TRUE(out.on_two_sides) << shape.name;
        EXPECT_LT(norm(cross(system.bodies.velocity[0], axis)), 1e-9 * speed) << shape.name;
        EXPECT_LT(norm(system.bodies.spin[0]), 1e-9 * speed / radius) << shape.name;
        EXPECT_LT(out.gain, 1e-4) << shape.name;
    }
}

TEST(WallAxis, ReceivesWhatTheGrainLosesAndMovesAlong) {
    // Aimed past the axis with spin, onto walls at rest and onto the same walls in uniform motion.
    const Vec3d drift{0.3, -0.2, 0.4};
    base::Random random(45, 0);
    for (const Shaped& shape : round_walls()) {
        model::System still = rough_system({0.5, 0, 1});
        add_wall(still, shape.placed);
        while (!aim_at_axis(still, random)) {
        }
        model::System moving = still;
        moving.bodies.velocity[0] += drift;
        moving.walls[0].motion.translations.push_back({drift, 0});
        const Vec3d p0 = momentum(still);
        const Vec3d wall = shape.placed.position;
        const auto about_wall = [&] { return angular_momentum(still) - cross(wall, momentum(still)); };
        const Vec3d l0 = about_wall();
        EXPECT_TRUE(bounce(still, 1, 2000).touched);
        const Vec3d lost = p0 - momentum(still);
        const Vec3d lost_turning = l0 - about_wall();
        const model::WallRecord& record = still.walls[0].record;
        EXPECT_LT(norm(record.impulse - lost), 1e-12 * norm(p0)) << shape.name;
        EXPECT_LT(norm(record.angular_impulse - lost_turning), 1e-12 * radius * norm(p0)) << shape.name;

        moving.clock.step = still.clock.step;
        engines::soft::Engine engine(moving, {}, false);
        const double ledger = ledger_total(moving, engine);
        while (moving.clock.steps < still.clock.steps) {
            engine.step();
        }
        EXPECT_LT(norm(moving.bodies.velocity[0] - drift - still.bodies.velocity[0]), 1e-9) << shape.name;
        EXPECT_LT(norm(moving.bodies.spin[0] - still.bodies.spin[0]), 1e-7) << shape.name;
        EXPECT_LT(std::abs(ledger_total(moving, engine) - ledger), 1e-3 * kinetic_energy(moving)) << shape.name;
    }
}

}  // namespace
}  // namespace talus::tests
