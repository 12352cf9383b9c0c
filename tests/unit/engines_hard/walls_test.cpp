// Hard spheres among walls and held grains: closed forms, energy, leaks, the ledger, and the same bits however a run is
// looked at or resumed.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "random_fluid.h"
#include "talus/analysis/energy.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/geometry/make_shape.h"
#include "wall_of.h"

namespace talus::tests {
namespace {

using engines::hard::BallisticEngine;
using engines::hard::Options;
using engines::hard::StuckMotion;

model::System one_ball(const Vec3d& at, const Vec3d& velocity, double radius = 0.5) {
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law.resize(1);
    out.bodies.add_sphere(0, at, radius, 1000, 0);
    out.bodies.velocity[0] = velocity;
    return out;
}

Options with(const laws::ImpactParams& params, const laws::SlowImpacts& slow = {}) {
    Options out;
    out.impacts = {params};
    out.slow = slow;
    return out;
}

/// Relative residual of the energy balance.
double imbalance(const model::System& system, double initial) {
    return analysis::energy_balance(analysis::measure_energies(system), initial).relative();
}
double mechanical(const model::System& system) {
    return analysis::measure_energies(system).mechanical();
}

TEST(HardWalls, ABallOnAPlaneHasTheBounceSeries) {
    constexpr double e = 0.8;
    constexpr double g = 9.81;
    model::System system = one_ball({0, 0, 1.5}, {});
    system.gravity = {0, 0, -g};
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    BallisticEngine engine(system, with({e}));
    double height = 1;
    double apex = std::sqrt(2 / g);  // it falls until then
    for (int n = 1; n <= 30; ++n) {
        const double v = std::sqrt(2 * g * height) * e;
        height = v * v / (2 * g);
        apex += v / g;
        engine.advance(apex);
        EXPECT_NEAR((system.bodies.position[0].z - 0.5) / height, 1, 1e-10) << n;
        apex += v / g;
    }
    EXPECT_EQ(engine.measures().wall_collisions, 30);
}

TEST(HardWalls, AnElasticGasInABoxKeepsItsEnergy) {
    FluidSpec spec;
    spec.count = 60;
    spec.periodic = {false, false, false};
    spec.bounded = false;
    model::System system = random_fluid(spec);
    for (int k = 0; k < 3; ++k) {
        Vec3d n;
        n[k] = 1;
        system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, n)));
        system.walls.push_back(wall_of(geometry::make_plane({1, 1, 1}, n)));
    }
    for (Vec3d& x : system.bodies.position) {  // clear of the walls
        for (int k = 0; k < 3; ++k) {
            x[k] = std::min(std::max(x[k], 0.081), 0.919);
        }
    }
    const double energy = mechanical(system);
    BallisticEngine engine(system, Options{});
    EXPECT_EQ(engine.advance_events(1'000'000), 1'000'000);
    EXPECT_NEAR(mechanical(system) / energy, 1, 1e-12);
    EXPECT_GT(engine.measures().wall_collisions, 100'000);
    for (const Vec3d& x : system.bodies.position) {
        for (int k = 0; k < 3; ++k) {
            EXPECT_GT(x[k], 0.08 - 1e-12);
            EXPECT_LT(x[k], 0.92 + 1e-12);
        }
    }
}

/// Spheres in a closed vessel under gravity, with friction and spin: nothing leaks and the ledger closes.
struct Vessel {
    const char* name;
    std::vector<geometry::Placed> walls;
    bool (*inside)(const Vec3d&, double radius);
};

std::vector<Vessel> vessels() {
    using namespace geometry;
    return {
        {"sphere", {make_sphere({0, 0, 0}, 1)}, [](const Vec3d& x, double s) { return norm(x) < 1 - s + 1e-12; }},
        {"tube",
         {make_tube({0, 0, -1}, {0, 0, 1}, 0.8, 1.1), make_disk({0, 0, -1}, {0, 0, 1}, 0.8),
          make_disk({0, 0, 1}, {0, 0, 1}, 1.1)},
         [](const Vec3d& x, double s) {
             return std::abs(x.z) < 1 - s + 1e-12 && std::hypot(x.x, x.y) < 0.95 + 0.15 * x.z;
         }},
        {"cut cylinder",  // HSDEM Sect. 3: grains dropped into a cylinder that an inclined plane cuts
         {make_cylinder({0, 0, 0}, {0, 0, 1}, 1), make_plane({0, 0, 0}, {0.3, 0, 1}), make_plane({0, 0, 2}, {0, 0, 1})},
         [](const Vec3d& x, double s) {
             return std::hypot(x.x, x.y) < 1 - s + 1e-12 && 0.3 * x.x + x.z > 0 && x.z < 2;
         }},
        {"box of pieces",
         {make_rectangle({-1, -1, -1}, {2, 0, 0}, {0, 2, 0}), make_rectangle({-1, -1, 1}, {2, 0, 0}, {0, 2, 0}),
          make_rectangle({-1, -1, -1}, {2, 0, 0}, {0, 0, 2}), make_rectangle({-1, 1, -1}, {2, 0, 0}, {0, 0, 2}),
          make_triangle({-1, -1, -1}, {-1, 1, -1}, {-1, 1, 1}), make_triangle({-1, -1, -1}, {-1, -1, 1}, {-1, 1, 1}),
          make_triangle({1, -1, -1}, {1, 1, -1}, {1, 1, 1}), make_triangle({1, -1, -1}, {1, -1, 1}, {1, 1, 1}),
          make_ring({0, 0, 0.2}, {0, 1, 1}, 0.4), make_line({0.5, 0.5, 0}, {0, 0, 1}),
          make_segment({-0.5, -0.5, -0.5}, {-0.5, 0.2, 0.4}), make_point({0, 0, -0.3}),
          make_disk({0.2, -0.6, 0.3}, {1, 0, 1}, 0.3, 0.1)},
         [](const Vec3d& x, double s) {
             return std::abs(x.x) < 1 - s + 1e-12 && std::abs(x.y) < 1 - s + 1e-12 && std::abs(x.z) < 1 - s + 1e-12;
         }},
    };
}

model::System filled(const Vessel& vessel, int count, double radius) {
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law.resize(1);
    out.gravity = {0, 0.3, -1};
    for (const geometry::Placed& placed : vessel.walls) {
        out.walls.push_back(wall_of(placed));
    }
    base::Random random(5, 2);
    for (int tries = 0; tries < 100000 && static_cast<int>(out.bodies.size()) < count; ++tries) {
        const Vec3d at{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 2)};
        bool fits = vessel.inside(at, 1.2 * radius);
        for (const model::Wall& wall : out.walls) {
            fits = fits && geometry::nearest(wall.shape, wall.pose.to_local(at)).distance > 1.1 * radius;
        }
        for (const Vec3d& other : out.bodies.position) {
            fits = fits && norm(at - other) > 2.05 * radius;
        }
        if (fits) {
            out.bodies.add_sphere(static_cast<std::int64_t>(out.bodies.size()), at, radius, 1000, 0);
            out.bodies.velocity.back() = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            out.bodies.spin.back() = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
        }
    }
    EXPECT_EQ(static_cast<int>(out.bodies.size()), count);
    return out;
}

TEST(HardWalls, NothingLeaksFromAnyVesselAndTheLedgerCloses) {
    for (const Vessel& vessel : vessels()) {
        for (const double step : {0.0, 1e-3}) {
            SCOPED_TRACE(vessel.name);
            SCOPED_TRACE(step);
            model::System system = filled(vessel, 40, 0.1);
            system.clock.step = step > 0 ? step : 0.01;
            const double initial = mechanical(system);
            Options options = with({0.95, 0.5, 0.3}, {1e-3, 1e-4});
            options.step = step;
            BallisticEngine engine(system, options);
            while (engine.measures().impacts() < 40'000) {
                engine.advance_steps(20);
                for (const Vec3d& x : system.bodies.position) {
                    ASSERT_TRUE(vessel.inside(x, 0.1)) << x.x << " " << x.y << " " << x.z;
                }
            }
            EXPECT_GT(engine.measures().wall_collisions, 2000);
            EXPECT_LT(std::abs(imbalance(system, initial)), 1e-9);
            EXPECT_LT(system.counters.largest_overlap, 1e-10);
        }
    }
}

/// A drum that turns, a sticky patch, a floor that swings, held grains: everything at once.
model::System busy(std::uint64_t seed, std::size_t count = 50) {
    FluidSpec spec;
    spec.count = count;
    spec.periodic = {false, false, true};
    spec.bounded = false;
    spec.box = {2, 2, 1.2};
    spec.smallest = 0.06;
    spec.spin = 3;
    spec.gravity = {0, -2, 0};
    spec.seed = seed;
    model::System system = random_fluid(spec);
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        Vec3d& x = system.bodies.position[b];
        x = {0.6 * (x.x - 1), 0.6 * (x.y - 1), x.z};
    }
    model::Wall drum = wall_of(geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, 1));
    drum.motion.spins.push_back({{0, 0, 1}, {0, 0, 0}, 1.7, 0});
    system.walls.push_back(drum);
    model::Wall paddle = wall_of(geometry::make_rectangle({-0.15, -0.1, 0.3}, {0.3, 0, 0}, {0, 0, 0.4}));
    paddle.motion.spins.push_back({{0, 0, 1}, {0, 0, 0}, -2.3, 0.2});
    paddle.motion.oscillations.push_back({{0, 0.05, 0}, 7, 0, 0});
    system.walls.push_back(paddle);
    return system;
}

/// Grains that overlap at the start are pushed apart first by shrinking them.
model::System busy_with_held(std::uint64_t seed, std::size_t count = 50) {
    model::System system = busy(seed, count);
    model::Bodies& b = system.bodies;
    for (double& r : b.radius) {
        r *= 0.5;
    }
    for (std::size_t i = 0; i < b.size(); i += 5) {
        if (i % 10 == 0) {
            b.stuck_to[i] = 0;  // rides on the drum
            const double phi = static_cast<double>(i);
            b.position[i] = {0.93 * std::cos(phi), 0.93 * std::sin(phi), 0.1 + 0.02 * static_cast<double>(i)};
            b.stuck_at[i] = system.walls[0].base.to_local(b.position[i]);
            b.spin[i] = {0, 0, 1.7};
            b.velocity[i] = cross(b.spin[i], b.position[i]);
        } else {
            b.flags[i] |= model::position_held;
            b.velocity[i] = i % 15 == 0 ? Vec3d{0, 0, 0.1} : Vec3d{};
        }
    }
    return system;
}

TEST(HardWalls, TheBitsDoNotDependOnLookingOrResuming) {
    for (const double step : {0.0, 2e-3}) {
        SCOPED_TRACE(step);
        Options options = with({0.9, 0.4, 0.5}, {1e-3, 1e-4});
        options.step = step;
        options.epoch_collisions = 8;
        const auto start = [&] {
            model::System out = busy_with_held(11, 140);
            out.clock.step = step > 0 ? step : 0.004;
            return out;
        };
        model::System once = start();
        BallisticEngine engine(once, options);
        engine.advance_steps(1200);
        EXPECT_GE(engine.measures().held_collisions, 20);
        EXPECT_GT(engine.measures().wall_collisions, 20);

        model::System looked = start();
        BallisticEngine other(looked, options);
        for (int n = 0; n < 100; ++n) {
            other.advance_steps(12);
        }
        EXPECT_EQ(model::state_hash(once), model::state_hash(looked));

        model::System resumed = start();
        for (int n = 0; n < 10; ++n) {
            model::System copy = resumed;  // what a checkpoint would hold
            BallisticEngine part(copy, options);
            part.advance_steps(120);
            resumed = copy;
        }
        EXPECT_EQ(model::state_hash(once), model::state_hash(resumed));
    }
}

TEST(HardWalls, HeldAndStuckGrainsMoveAsToldAndTheLedgerCloses) {
    for (const double step : {0.0, 1e-3}) {
        SCOPED_TRACE(step);
        model::System system = busy_with_held(3);
        system.clock.step = step > 0 ? step : 0.01;
        const Vec3d held_at = system.bodies.position[15];
        const Vec3d stuck_at = system.bodies.position[10];
        Options options = with({0.9, 0.4, 0.5}, {1e-3, 1e-4});
        options.step = step;
        BallisticEngine engine(system, options);
        const double initial = mechanical(system);
        const auto steps = static_cast<std::int64_t>(std::lround(0.5 / system.clock.step));
        engine.advance_steps(steps);
        EXPECT_NEAR(norm(system.bodies.position[15] - held_at - Vec3d{0, 0, 0.05}), 0, 1e-12);
        const double a = 1.7 * 0.5;
        const Vec3d turned{std::cos(a) * stuck_at.x - std::sin(a) * stuck_at.y,
                           std::sin(a) * stuck_at.x + std::cos(a) * stuck_at.y, stuck_at.z};
        EXPECT_NEAR(norm(system.bodies.position[10] - turned), 0, 1e-12);
        EXPECT_LT(std::abs(imbalance(system, initial)), 1e-9);
    }
}

/// A grain flies straight at one that sticks to a wall. Both are of material 0, the wall of material 1, whose impacts
/// with grains give back next to nothing.
TEST(HardWalls, AStuckGrainIsInfinitelyHeavyAndKeepsTheGrainsRestitution) {
    constexpr double e = 0.7;
    const Vec3d wall_velocity{0.3, 0, 1.5};
    for (const double step : {0.0, 1e-2}) {
        SCOPED_TRACE(step);
        model::System system = one_ball({0, 0, 4}, {0.3, 0, -2}, 0.25);
        system.materials.list.push_back({"glue", 1000});
        system.materials.pair_law.resize(4);
        system.bodies.add_sphere(1, {0, 0, 0.5}, 0.5, 1000, 0);
        model::Wall glue = wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1}));
        glue.material = 1;
        glue.behaviour = model::WallBehaviour::sticky;
        glue.motion.translations.push_back({wall_velocity, 0});
        system.walls.push_back(glue);
        system.bodies.stuck_to[1] = 0;
        system.bodies.stuck_at[1] = {0, 0, 0.5};
        system.clock.step = 1e-2;
        Options options;
        options.impacts = {{e}, {0.1}, {0.1}, {0.1}};
        options.step = step;
        const double initial = mechanical(system);
        BallisticEngine engine(system, options);
        engine.advance_steps(90);
        // They meet when the gap of 4 - 0.5 - 0.75 m has closed at 3.5 m/s, and part at 0.7 of that.
        const double t = 2.75 / 3.5;
        const double after = 1.5 + e * 3.5;
        EXPECT_NEAR(norm(system.bodies.velocity[0] - Vec3d{0.3, 0, after}), 0, 1e-12);
        EXPECT_NEAR(norm(system.bodies.position[0] - Vec3d{0.27, 0, 4 - 2 * t + after * (0.9 - t)}), 0, 1e-12);
        EXPECT_NEAR(norm(system.bodies.velocity[1] - wall_velocity), 0, 1e-12);
        EXPECT_NEAR(norm(system.bodies.position[1] - Vec3d{0.27, 0, 0.5 + 1.35}), 0, 1e-12);
        EXPECT_EQ(engine.measures().wall_collisions, 0);
        EXPECT_LT(std::abs(imbalance(system, initial)), 1e-12);
    }
}

TEST(HardWalls, StickyWallsHoldAndAbsorbingOnesTake) {
    model::System system = busy(21);
    for (double& r : system.bodies.radius) {
        r *= 0.5;
    }
    system.walls[0].behaviour = model::WallBehaviour::sticky;
    model::Wall trap = wall_of(geometry::make_disk({0.3, -0.8, 0.6}, {0, 1, 0}, 0.3));
    trap.behaviour = model::WallBehaviour::absorbing;
    system.walls.push_back(trap);
    system.clock.step = 0.01;
    const double initial = mechanical(system);
    const std::size_t count = system.bodies.size();
    BallisticEngine engine(system, with({0.9, 0.4, 0.5}, {1e-3, 1e-4}));
    engine.advance_steps(400);
    const auto& drum = system.walls[0].record;
    const auto& taken = system.walls[2].record;
    EXPECT_GT(drum.stuck, 10);
    EXPECT_GT(taken.absorbed, 0);
    EXPECT_EQ(system.bodies.size() + static_cast<std::size_t>(taken.absorbed), count);
    std::int64_t stuck = 0;
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        if (system.bodies.stuck_to[b] == 0) {
            ++stuck;
            const Vec3d& x = system.bodies.position[b];
            EXPECT_NEAR(std::hypot(x.x, x.y), 1 - system.bodies.radius[b], 1e-12);
            EXPECT_NEAR(norm(system.bodies.velocity[b] - cross(Vec3d{0, 0, 1.7}, x)), 0, 1e-12);
        }
    }
    EXPECT_EQ(stuck, drum.stuck);
    EXPECT_LT(std::abs(imbalance(system, initial)), 1e-9);
}

TEST(HardWalls, TheLedgerClosesWhereABallComesToRest) {
    for (const double step : {0.0, 2e-3}) {
        model::System system = one_ball({0, 0, 2}, {}, 0.5);
        system.gravity = {0, 0, -9.81};
        system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
        system.clock.step = 2e-3;
        Options options = with({0.5, 0, 0.5}, {0.06, 0.006});
        options.step = step;
        options.resting = true;
        const double initial = mechanical(system);
        BallisticEngine engine(system, options);
        engine.advance_steps(2000);
        EXPECT_EQ(engine.measures().asleep, 1);
        EXPECT_LT(std::abs(imbalance(system, initial)), 1e-12) << step;
    }
}

TEST(HardWalls, DriftsTendToFlights) {
    // A ball in a turning drum with a pole: a drift foresees impacts with velocities of its middle, so the error is of
    // the order of the step.
    const auto place = [](double step) {
        model::System system = one_ball({0.2, 0.3, 0.5}, {0.3, 0.1, 0.1}, 0.1);
        system.gravity = {0, -5, 0};
        model::Wall drum = wall_of(geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, 1));
        drum.motion.spins.push_back({{0, 0, 1}, {0, 0, 0}, 3, 0});
        system.walls.push_back(drum);
        system.clock.step = step > 0 ? step : 0.01;
        Options options = with({0.8, 0.3, 0.5});
        options.step = step;
        BallisticEngine engine(system, options);
        engine.advance_steps(static_cast<std::int64_t>(std::lround(1.0 / system.clock.step)));
        EXPECT_GT(engine.measures().wall_collisions, 0);
        return system.bodies.position[0];
    };
    const Vec3d exact = place(0);
    const double coarse = norm(place(2e-3) - exact);
    const double fine = norm(place(1e-4) - exact);
    EXPECT_LT(coarse, 1e-2);
    EXPECT_LT(fine, 0.25 * coarse);
}

TEST(HardWalls, StuckGrainsAreForeseenToTheOrderAskedFor) {
    // A grain rides on a drum at a radius r with speed w; a ball is thrown so that they meet at a time t of its drift.
    // The grain is then off by w^2 r t^2/2 from a line, by w^3 r t^3/6 from a parabola: times differ by so much over
    // the speed of approach. Half the time and the speed leave 1/4 and 1/8 of that.
    base::Random random(31, 4);
    const auto place = [](double r, double w, double t) { return r * Vec3d{std::cos(w * t), std::sin(w * t), 0}; };
    std::array<double, 2> drawn_nearer{};  // sums of logarithms of the shares that half the time leaves
    int measured = 0;
    for (int n = 0; n < 200; ++n) {
        const double r = random.uniform(0.5, 0.9);
        const double w = random.uniform(2, 8) * (random.uniform() < 0.5 ? 1 : -1);
        const Vec3d side = [&] {
            const double phi = random.uniform(0, 6.283185307179586);
            const double z = random.uniform(-0.5, 0.5);
            return Vec3d{std::sqrt(1 - z * z) * std::cos(phi), std::sqrt(1 - z * z) * std::sin(phi), z};
        }();
        const double approach = random.uniform(2, 5) + std::abs(w) * r;
        std::array<std::array<double, 2>, 2> error{};
        for (const std::size_t half : {0U, 1U}) {
            const double t = (half == 0 ? 0.04 : 0.02) / std::abs(w) * 2;
            const auto meeting = [&](StuckMotion motion) {
                // It comes from `side`, and touches at t: sum of radii 0.2.
                const Vec3d at = place(r, w, t) + 0.2 * side;
                model::System system = one_ball(at + side * (approach * t), -side * approach, 0.1);
                system.bodies.add_sphere(1, {r, 0, 0}, 0.1, 1000, 0);
                model::Wall drum = wall_of(geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, 10));
                drum.motion.spins.push_back({{0, 0, 1}, {0, 0, 0}, w, 0});
                system.walls.push_back(drum);
                system.bodies.stuck_to[1] = 0;
                system.bodies.stuck_at[1] = {r, 0, 0};
                system.clock.step = 2 * t;
                Options options;
                options.step = 2 * t;
                options.stuck_motion = motion;
                BallisticEngine engine(system, options);
                std::vector<engines::hard::Collision> list;
                engine.watch(&list);
                engine.advance_steps(1);
                EXPECT_FALSE(list.empty());
                return list.empty() ? 0.0 : list[0].time;
            };
            EXPECT_NEAR(meeting(StuckMotion::exact) / t, 1, 1e-12) << n;
            const double line = std::abs(meeting(StuckMotion::line) - t);
            const double parabola = std::abs(meeting(StuckMotion::parabola) - t);
            // Nowhere farther off than the place is, with the speed at which the gap closes.
            const double closing = approach - std::abs(w) * r;
            const double wt = std::abs(w) * t;
            EXPECT_LE(line, 1.1 * r * wt * wt / 2 / closing) << n;
            EXPECT_LE(parabola, 1.1 * r * wt * wt * wt / 6 / closing) << n;
            error[0][half] = line;
            error[1][half] = parabola;
        }
        // Where the arc bends across the line of centres the next order is all there is to see.
        const double along = std::abs(dot(place(r, w, 0) / r, side));
        const double across = std::abs(side.y);
        if (along > 0.5 && across > 0.5) {
            ++measured;
            for (const std::size_t k : {0U, 1U}) {
                EXPECT_GT(error[k][1], 0) << n;
                drawn_nearer[k] += std::log2(error[k][0] / error[k][1]);
            }
        }
    }
    EXPECT_GT(measured, 30);
    EXPECT_NEAR(drawn_nearer[0] / measured, 2, 0.1) << "order of a line";
    EXPECT_NEAR(drawn_nearer[1] / measured, 3, 0.1) << "order of a parabola";
}

TEST(HardWalls, ABallHitsItsShellManyTimesInOneDrift) {
    // Chords between the shell and itself are 2 (R - s) cos a long, all alike: here along a diameter. The speed of 5
    // and a free way of 1.8 make a hit every 0.36 s, the first at 0.18 s.
    for (const double step : {10.0, 100.0, 0.5, 0.0}) {
        SCOPED_TRACE(step);
        model::System system = one_ball({0, 0, 0}, {3, 4, 0}, 0.1);
        system.walls.push_back(wall_of(geometry::make_sphere({0, 0, 0}, 1)));
        system.clock.step = step > 0 ? step : 10;
        Options options;
        options.step = step;
        BallisticEngine engine(system, options);
        std::vector<engines::hard::Collision> list;
        engine.watch(&list);
        engine.advance_steps(std::lround(100 / system.clock.step));
        constexpr int hits = 1 + static_cast<int>(99.82 / 0.36);
        static_assert(hits == 278);
        ASSERT_EQ(list.size(), static_cast<std::size_t>(hits));
        for (int k = 0; k < hits; ++k) {
            EXPECT_NEAR(list[static_cast<std::size_t>(k)].time, 0.18 + 0.36 * k, 1e-12 * 100);
            EXPECT_EQ(list[static_cast<std::size_t>(k)].b, -1) << "the shell";
        }
        EXPECT_EQ(engine.measures().wall_collisions, hits);
        // After the last hit, at 0.18 + 277 * 0.36 s, 0.1 s are left; every other chord leads back.
        EXPECT_NEAR(norm(system.bodies.position[0] - Vec3d{0.6, 0.8, 0} * (hits % 2 == 0 ? -0.4 : 0.4)), 0, 1e-10);
        EXPECT_NEAR(norm(system.bodies.velocity[0]) / 5, 1, 1e-12);
    }
}

}  // namespace
}  // namespace talus::tests
