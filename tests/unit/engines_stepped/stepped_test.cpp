// Time-stepped hard grains: closed forms, the two errors that AHS names, the ledger, and the same bits for any number
// of threads, however pairs are listed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include "talus/analysis/energy.h"
#include "talus/base/diagnostics.h"
#include "talus/base/random.h"
#include "talus/engines/stepped/engine.h"
#include "talus/engines/stepped/pending.h"
#include "talus/geometry/make_shape.h"
#include "wall_of.h"

namespace talus::tests {
namespace {

using engines::stepped::Engine;
using engines::stepped::Options;
using math::Vec3d;
using testing::HasSubstr;

model::System grains(const laws::ImpactParams& rule, double step) {
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law.resize(1);
    out.materials.pair_law[0].impact = rule;
    out.clock.step = step;
    return out;
}

void add(model::System& system, const Vec3d& at, const Vec3d& velocity, double radius = 0.5) {
    system.bodies.add_sphere(system.counters.next_id++, at, radius, 1000, 0);
    system.bodies.velocity.back() = velocity;
}

double mechanical(const model::System& system) {
    return analysis::measure_energies(system).mechanical();
}
double imbalance(const model::System& system, double initial) {
    return std::abs(analysis::energy_balance(analysis::measure_energies(system), initial).relative());
}

/// Grains of several sizes in a box whose floor shakes and turns, falling; a held grain in the middle.
model::System shaken_box(int count, double step) {
    model::System out = grains({0.8, 0.1, 0.4}, step);
    out.gravity = {0, 0, -9.81};
    base::Random random(3, 1);
    const int edge = static_cast<int>(std::ceil(std::cbrt(count)));
    for (int n = 0; n < count; ++n) {
        const Vec3d site{static_cast<double>(n % edge), static_cast<double>(n / edge % edge),
                         static_cast<double>(n / (edge * edge))};
        const double r = random.uniform(0.25, 0.48);
        add(out, site + Vec3d{0.5, 0.5, 0.8}, {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)}, r);
    }
    out.bodies.flags[static_cast<std::size_t>(count / 2)] = model::position_held | model::rotation_held;
    out.bodies.velocity[static_cast<std::size_t>(count / 2)] = {};
    const auto w = static_cast<double>(edge);
    out.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    out.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {1, 0, 0})));
    out.walls.push_back(wall_of(geometry::make_plane({w, 0, 0}, {1, 0, 0})));
    out.domain.low = {-1, 0, -1};
    out.domain.high = {w + 1, w, 100};
    out.domain.periodic = {false, true, false};
    out.walls[0].motion.oscillations.push_back({{0, 0, 0.05}, 40, 0, 0});
    model::Spin spin;
    spin.axis = {0, 0, 1};
    spin.rate = 2;
    out.walls[0].motion.spins.push_back(spin);
    return out;
}

TEST(Stepped, PendingOverlapsAreThoseOfAFineSearch) {
    base::Random random(1, 1);
    int pending = 0;
    for (int k = 0; k < 100'000; ++k) {
        const double sum = random.uniform(0.5, 2);
        const auto along = [&](double reach) {
            return Vec3d{random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
        };
        const Vec3d d = along(2);
        const Vec3d u = along(3);
        constexpr double h = 0.4;
        double least = norm(d);
        for (int n = 1; n <= 200; ++n) {
            least = std::min(least, norm(d + u * (h * n / 200)));
        }
        const bool found = engines::stepped::is_pending(d, u, sum, h);
        pending += found ? 1 : 0;
        if (dot(d, u) >= 0) {
            EXPECT_FALSE(found);
        } else if (least < sum) {
            EXPECT_TRUE(found);
        } else if (least > sum + 1e-2) {  // the search is not finer
            EXPECT_FALSE(found);
        }
    }
    EXPECT_GT(pending, 10'000);
}

TEST(Stepped, AGrainFallsOnAParabolaAndBouncesLower) {
    model::System system = grains({0.7, 1, 0}, 1e-3);
    system.gravity = {0, 0, -10};
    add(system, {0, 0, 1.5}, {0.3, 0, 0});
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    Engine engine(system, {}, false);
    engine.advance(400);
    EXPECT_NEAR(system.bodies.position[0].z, 1.5 - 5 * 0.16, 1e-12);
    EXPECT_NEAR(system.bodies.position[0].x, 0.12, 1e-12);
    double top = 0;
    for (int k = 0; k < 400; ++k) {
        engine.advance(1);
        top = k > 60 ? std::max(top, system.bodies.position[0].z - 0.5) : top;
    }
    EXPECT_NEAR(top, 0.49, 5e-3);  // restitution squared, to the way of a step
    EXPECT_EQ(engine.measures().wall_collisions, 1);
}

TEST(Stepped, AnImpactConservesWhatItMustAndFollowsItsRule) {
    for (const laws::ImpactParams& rule : {laws::ImpactParams{0.6, 1, 0}, laws::ImpactParams{0.9, 0, 0.3},
                                           laws::ImpactParams{1, -1, std::numeric_limits<double>::infinity()}}) {
        model::System system = grains(rule, 1e-3);
        add(system, {0, 0, 0}, {1, 0.4, 0}, 0.5);
        add(system, {1.3, 0.2, 0.1}, {-1, 0, 0.2}, 0.7);
        system.bodies.spin[0] = {1, 2, 3};
        const Vec3d p = analysis::momentum(system);
        const Vec3d l = analysis::angular_momentum(system, {});
        const double before = mechanical(system);
        Engine engine(system, {}, false);
        engine.advance(200);
        EXPECT_EQ(engine.measures().collisions, 1);
        EXPECT_LT(norm(analysis::momentum(system) - p), 1e-12 * norm(p));
        EXPECT_LT(norm(analysis::angular_momentum(system, {}) - l), 1e-12 * norm(l));
        EXPECT_LT(imbalance(system, before), 1e-13);
    }
}

TEST(Stepped, OverlapsAreMovedApartAboutTheCentreOfMass) {
    model::System system = grains({0.9, 1, 0}, 1e-6);
    add(system, {0, 0, 0}, {}, 0.5);
    add(system, {1.1, 0, 0}, {}, 1.0);
    const double m0 = system.bodies.mass[0];
    const double m1 = system.bodies.mass[1];
    Engine engine(system, {}, false);
    engine.advance(1);
    // AHS Eqs. 1-2: the lighter one goes farther.
    EXPECT_NEAR(system.bodies.position[0].x, -0.4 * m1 / (m0 + m1), 1e-14);
    EXPECT_NEAR(system.bodies.position[1].x, 1.1 + 0.4 * m0 / (m0 + m1), 1e-14);
    EXPECT_EQ(engine.measures().corrections, 1);
    EXPECT_NEAR(system.counters.largest_overlap, 0.8, 1e-14);
    EXPECT_EQ(mechanical(system), 0);

    model::System at_wall = grains({0.9, 1, 0}, 1e-6);
    add(at_wall, {0, 0, 0.3}, {}, 0.5);
    at_wall.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    Engine alone(at_wall, {}, false);
    alone.advance(1);
    EXPECT_NEAR(at_wall.bodies.position[0].z, 0.5, 1e-14);
}

TEST(Stepped, CoincidentGrainsPart) {
    model::System system = grains({0.9, 1, 0}, 1e-6);
    add(system, {0, 0, 0}, {});
    add(system, {0, 0, 0}, {});
    Engine engine(system, {}, false);
    engine.advance(2);
    EXPECT_NEAR(norm(system.bodies.position[1] - system.bodies.position[0]), 1, 1e-14);
}

/// The first error that AHS names: grains collide early, by up to what they approach in a step.
TEST(Stepped, TheEffectiveRadiusGrowsWithSpeedTimesStep) {
    for (const double speed : {1.0, 4.0}) {
        for (const double step : {1e-3, 5e-3}) {
            double sum = 0;
            constexpr int cases = 200;
            for (int k = 0; k < cases; ++k) {
                model::System system = grains({1, 1, 0}, step);
                add(system, {0, 0, 0}, {speed, 0, 0});
                add(system, {1.2 + speed * step * (k + 0.5) / cases, 0, 0}, {});
                Engine engine(system, {}, false);
                double gap = 1;
                while (engine.measures().collisions == 0) {
                    gap = norm(system.bodies.position[1] - system.bodies.position[0]) - 1;
                    engine.advance(1);
                }
                EXPECT_GE(gap, -1e-12);
                EXPECT_LE(gap, speed * step * (1 + 1e-9));
                sum += gap;
            }
            EXPECT_NEAR(sum / cases, 0.5 * speed * step, 1e-3 * speed * step);
        }
    }
}

/// The second: news travels one grain a sweep.
TEST(Stepped, SoundGoesOneGrainASweepAndStep) {
    for (const int sweeps : {1, 2, 5}) {
        model::System system = grains({1, 1, 0}, 1e-4);
        system.step_rules.sweeps = sweeps;
        constexpr int count = 60;
        for (int n = 0; n < count; ++n) {
            add(system, {static_cast<double>(n), 0, 0}, {});
        }
        system.bodies.velocity[0] = {1, 0, 0};
        Engine engine(system, {}, false);
        for (int step = 1; step * sweeps < count - 1; ++step) {
            engine.advance(1);
            const auto last = static_cast<std::size_t>(step * sweeps);
            EXPECT_NEAR(system.bodies.velocity[last].x, 1, 1e-12);
            EXPECT_EQ(system.bodies.velocity[last + 1].x, 0);
        }
    }
}

TEST(Stepped, TheLedgerClosesInBothVariants) {
    for (const bool after_overlap : {false, true}) {
        model::System system = shaken_box(300, 2e-4);
        system.step_rules.after_overlap = after_overlap;
        const double before = mechanical(system);
        Engine engine(system, {}, false);
        engine.advance(10'000);
        EXPECT_GT(engine.measures().collisions, 5000);
        EXPECT_GT(engine.measures().wall_collisions, 1000);
        EXPECT_LT(imbalance(system, before), 1e-10) << (after_overlap ? "after overlap" : "ahead");
    }
}

/// A grain hits a wall that moves along itself: the moment is about where the wall's point of reference was then.
TEST(Stepped, AMovingWallFeelsTheMomentOfAnImpact) {
    model::System system = grains({1, 1, 0}, 1e-2);
    add(system, {2, 0, 1}, {0, 0, -1});
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    system.walls[0].motion.translations.push_back({{1, 0, 0}, 0});
    Engine engine(system, {}, false);
    std::int64_t steps = 0;
    while (engine.measures().wall_collisions == 0) {
        ASSERT_LT(steps, 60);
        engine.advance(1);
        ++steps;
    }
    const double then = 1e-2 * static_cast<double>(steps - 1);  // impacts come first in a step
    const double impulse = 2 * system.bodies.mass[0];
    EXPECT_NEAR(system.walls[0].record.impulse.z, -impulse, 1e-12 * impulse);
    EXPECT_NEAR(system.walls[0].record.angular_impulse.y, (2 - then) * impulse, 1e-12 * impulse);
}

TEST(Stepped, TheSameBitsForAnyNumberOfThreadsAndHoweverPairsAreListed) {
    for (const int sweeps : {1, 4}) {
        const auto run = [sweeps](const Options& options, int pieces) {
            model::System system = shaken_box(1000, 2e-4);
            system.step_rules.sweeps = sweeps;
            Engine engine(system, options, false);
            for (int k = 0; k < pieces; ++k) {
                engine.advance(1200 / pieces);
            }
            EXPECT_GT(engine.measures().collisions, 1000);
            return model::state_hash(system);
        };
        const std::uint64_t expected = run({}, 1);
        for (const int threads : {2, 3, 8}) {
            Options options;
            options.threads = threads;
            EXPECT_EQ(run(options, 1), expected) << threads << " threads";
        }
        Options often;
        often.rebuild_every_step = true;
        EXPECT_EQ(run(often, 1), expected) << "rebuilt every step";
        Options wide;
        wide.skin = 0.5;
        EXPECT_EQ(run(wide, 1), expected) << "a wide skin";
        EXPECT_EQ(run({}, 200), expected) << "looked at often";
    }
}

TEST(Stepped, StickyWallsHoldAndAbsorbingOnesTake) {
    model::System system = grains({0.5, 1, 0}, 1e-3);
    add(system, {0, 0, 1}, {0, 0, -1});
    add(system, {5, 0, 1}, {0, 0, 1});
    add(system, {10, 0, 1}, {});
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 2}, {0, 0, 1})));
    system.walls[0].behaviour = model::WallBehaviour::sticky;
    system.walls[0].motion.translations.push_back({{0.5, 0, 0}, 0});
    system.walls[1].behaviour = model::WallBehaviour::absorbing;
    const double before = mechanical(system);
    Engine engine(system, {}, false);
    engine.advance(1000);
    ASSERT_EQ(system.bodies.size(), 2U);
    EXPECT_EQ(system.bodies.stuck_to[0], 0);
    EXPECT_NEAR(system.bodies.position[0].z, 0.5, 1e-12);
    EXPECT_NEAR(system.bodies.velocity[0].x, 0.5, 1e-12);
    EXPECT_NEAR(system.bodies.position[0].x, 0.5 * 0.5, 2e-3);
    EXPECT_EQ(system.walls[1].record.absorbed, 1);
    EXPECT_LT(imbalance(system, before), 1e-12);
}

TEST(Stepped, WhatLeavesTheDomainIsCounted) {
    model::System system = grains({0.5, 1, 0}, 1e-3);
    add(system, {0, 0, 0}, {1, 0, 0});
    add(system, {0, 2, 0}, {});
    system.domain.high = {0.25, 10, 10};
    Engine engine(system, {}, false);
    engine.advance(300);
    EXPECT_EQ(system.bodies.size(), 1U);
    EXPECT_EQ(system.counters.left_domain, 1);
    EXPECT_EQ(system.impulses.virial.size(), 1U);
}

TEST(Stepped, AGrainThatGoesTooFarOrNowhereIsRefusedWithItsName) {
    const auto refusal = [](double speed) -> std::string {
        model::System system = grains({0.5, 1, 0}, 1e-2);
        add(system, {0, 0, 0}, {});
        add(system, {0, 3, 0}, {speed, 0, 0});
        Engine engine(system, {}, false);
        try {
            engine.advance(1);
        } catch (const base::RunError& e) {
            return e.what();
        }
        return "not refused";
    };
    EXPECT_THAT(refusal(60), HasSubstr("grain 1 would go 1.2 radii"));
    EXPECT_THAT(refusal(std::numeric_limits<double>::quiet_NaN()), HasSubstr("grain 1 would go nan radii"));
    EXPECT_EQ(refusal(10), "not refused");
}

/// McNamara's variant: grains collide once they overlap, and no second impact of the same overlap takes energy.
TEST(Stepped, TheOriginalVariantLosesEnergyOnceAnOverlap) {
    model::System system = grains({0.5, 1, 0}, 1e-2);
    system.step_rules.after_overlap = true;
    add(system, {0, 0, 0}, {1, 0, 0});
    add(system, {1.005, 0, 0}, {});
    add(system, {-1.2, 0, 0}, {1, 0, 0});  // pushes the first one back into the overlap
    const double before = mechanical(system);
    Engine engine(system, {}, false);
    engine.advance(1);
    EXPECT_GT(system.counters.largest_overlap, 0.005);
    EXPECT_EQ(engine.measures().corrections, 0);
    EXPECT_EQ(system.impulses.met.size(), 1U);
    const double once = mechanical(system);
    EXPECT_NEAR(system.bodies.velocity[1].x, 0.75, 1e-12);
    // Approach within the overlap: elastic now.
    system.bodies.velocity[0].x = 0.95;
    const double pushed = mechanical(system) - once;
    engine.system_changed();
    engine.advance(1);
    EXPECT_NEAR(mechanical(system), once + pushed, 1e-12 * before);
    engine.advance(40);
    EXPECT_TRUE(system.impulses.met.empty());
}

/// A dilute gas cools by Haff's law, at the rate of kinetic theory: dT/dt = -w (1 - e^2) T / d with w collisions a
/// grain and time.
TEST(Stepped, AGasCoolsByHaffsLaw) {
    constexpr double e = 0.9;
    constexpr double packing = 0.05;
    model::System system = grains({e, 1, 0}, 2e-3);
    constexpr int edge = 12;
    constexpr double r = 0.5;
    const double pitch = std::cbrt(4.0 / 3.0 * std::numbers::pi * r * r * r / packing);
    base::Random random(11, 4);
    for (int n = 0; n < edge * edge * edge; ++n) {
        const Vec3d site{n % edge + 0.5, n / edge % edge + 0.5, n / (edge * edge) + 0.5};
        add(system, site * pitch, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, r);
    }
    system.domain.low = {0, 0, 0};
    system.domain.high = {edge * pitch, edge * pitch, edge * pitch};
    system.domain.periodic = {true, true, true};
    const double m = system.bodies.mass[0];
    const auto n = static_cast<double>(system.bodies.size());
    const auto temperature = [&] {
        const Vec3d p = analysis::momentum(system);
        return (2 * mechanical(system) - norm2(p) / (n * m)) / (3 * n);
    };
    Engine engine(system, {}, false);
    engine.advance(2000);  // velocities become those of a gas
    const double t0 = system.clock.time();
    const double start = temperature();
    const double density = packing / (4.0 / 3.0 * std::numbers::pi * r * r * r);
    const double contact = (1 - packing / 2) / std::pow(1 - packing, 3);
    const double rate = 4 * density * contact * std::sqrt(std::numbers::pi * start / m);  // diameter 1
    double expected = start;
    for (int look = 1; look <= 5; ++look) {  // the law, not its end alone
        engine.advance(4000);
        expected = start / std::pow(1 + rate * (1 - e * e) / 6 * (system.clock.time() - t0), 2);
        std::printf("gas at %.3f of its temperature, by Haff's law %.3f\n", temperature() / start, expected / start);
        EXPECT_NEAR(temperature() / expected, 1, 0.05) << look;
    }
    EXPECT_LT(expected / start, 0.5);  // enough has happened
}

}  // namespace
}  // namespace talus::tests
