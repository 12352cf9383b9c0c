// Time-stepped hard grains of many spheres: what impacts must keep, closed forms of one impact off centre, piles, and
// the same bits for any number of threads, however parts are listed and wherever a run is stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "grain_systems.h"
#include "talus/base/diagnostics.h"
#include "talus/engines/stepped/engine.h"
#include "talus/engines/stepped/grain_engine.h"
#include "talus/search/wall_distance.h"

namespace talus::tests {
namespace {

using engines::stepped::GrainEngine;
using engines::stepped::Options;
using math::Vec3d;
using testing::HasSubstr;

TEST(SteppedGrains, AnImpactKeepsBothMomentaAndNeverGainsEnergy) {
    base::Random random(9, 1);
    int impacts = 0;
    for (const laws::ImpactParams& rule : {laws::ImpactParams{0.6, 1, 0}, laws::ImpactParams{0.5, 0, 0.3},
                                           laws::ImpactParams{1, -1, std::numeric_limits<double>::infinity()}}) {
        for (int k = 0; k < 40; ++k) {
            model::System system = space(rule, 1e-3);
            add(system, k % 2, {0, 0, 0}, {2, 0.4, 0}, random_vector(random, 2), random_vector(random, 3), 0.8);
            add(system, k % 3 - 1, {1.8, 0.2, 0.1}, {-2, 0, 0.2}, random_vector(random, 2), random_vector(random, 3));
            const Vec3d p = analysis::momentum(system);
            const Vec3d l = analysis::angular_momentum(system, {});
            const double before = mechanical(system);
            GrainEngine engine(system, {}, false);
            engine.advance(300);
            EXPECT_LT(norm(analysis::momentum(system) - p), 1e-12 * norm(p));
            if (engine.measures().corrections == 0) {
                EXPECT_LT(norm(analysis::angular_momentum(system, {}) - l), 1e-11 * norm(l));
            }
            using model::Mechanism;
            double lost = 0;
            for (const auto kind : {Mechanism::normal_damping, Mechanism::tangential_damping, Mechanism::sliding}) {
                lost += system.ledger.dissipated[static_cast<std::size_t>(kind)];
            }
            EXPECT_GE(lost, -1e-14 * before);
            EXPECT_LT(mechanical(system), before * (1 + 1e-5));  // turning by parts wavers by as little
            EXPECT_LT(imbalance(system, before), 1e-12);
            impacts += static_cast<int>(engine.measures().collisions);
        }
    }
    EXPECT_GT(impacts, 100);
}

TEST(SteppedGrains, AnElasticImpactKeepsTheEnergy) {
    base::Random random(4, 1);
    int alone = 0;
    for (int k = 0; k < 20; ++k) {
        model::System system = space({1, 1, 0}, 1e-8);  // so short that the turn within it does not show
        const Vec3d turn = random_vector(random, 3);
        add(system, 0, {0, 0, 0}, {}, random_vector(random, 1), turn);
        add(system, -1, {0.9, 0.2, 0.1}, {-3, 0, 0});
        // A sphere that touches the first part.
        const Vec3d part = rotation_matrix(turn) * system.grains.shapes[0].balls[0].center;
        const double sum = system.grains.shapes[0].balls[0].radius + 1;
        system.bodies.position[1] = part + Vec3d{1, 0, 0} * (sum + 1e-9);
        const double before = mechanical(system);
        GrainEngine engine(system, {}, false);
        engine.advance(1);
        EXPECT_GE(engine.measures().collisions, 1);
        if (engine.measures().corrections == 0) {
            EXPECT_NEAR(mechanical(system), before, 1e-12 * before);
            ++alone;
        }
    }
    EXPECT_GE(alone, 5);
}

/// A smooth rod that meets a plane with one end, at an angle: the impulse is (1 + e) v / (1/m + x^2/I), x being how far
/// beside the centre it acts.
TEST(SteppedGrains, ADumbbellThatFallsTiltedFollowsTheClosedForm) {
    for (const double tilt : {0.2, 0.7, 1.2}) {
        model::System system = space({0.6, 1, 0}, 1e-4);
        const double speed = 2;
        add(system, 1, {0, 0, 1.2}, {0, 0, -speed}, {}, {0, tilt, 0});  // turns x to -z
        system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
        const geometry::Ball& ball = system.grains.shapes[1].balls[0];
        const double arm = std::abs(ball.center.x);
        ASSERT_NEAR(norm(ball.center), arm, 1e-12);  // the rod is the first principal axis
        GrainEngine engine(system, {}, false);
        while (engine.measures().wall_collisions == 0) {
            engine.advance(1);
        }
        const double beside = arm * std::cos(tilt);
        const double m = system.bodies.mass[0];
        const double inertia = system.grains.moment[0].y;
        const double impulse = 1.6 * speed / (1 / m + beside * beside / inertia);
        EXPECT_NEAR(system.bodies.velocity[0].z, impulse / m - speed, 1e-9);
        EXPECT_NEAR(std::abs(system.bodies.spin[0].y), impulse * beside / inertia, 1e-9);
        EXPECT_NEAR(system.walls[0].record.impulse.z, -impulse, 1e-9 * impulse);
        EXPECT_LT(system.bodies.spin[0].y, 0);  // towards lying flat
    }
}

/// Both ends at once: the first impact turns the rod, the other one is a little harder for it, and no energy is made.
TEST(SteppedGrains, ADumbbellThatFallsFlatStaysNearlyFlat) {
    model::System system = space({0, 1, 0}, 1e-4);
    system.gravity = {0, 0, -10};
    add(system, 1, {0, 0, 0.6}, {});
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    const double radius = system.grains.shapes[1].balls[0].radius;
    const double before = mechanical(system);
    GrainEngine engine(system, {}, false);
    engine.advance(20'000);
    EXPECT_NEAR(system.bodies.position[0].z, radius, 1e-3 * radius);
    EXPECT_LT(norm(system.bodies.velocity[0]), 2e-3);
    EXPECT_LT(norm(system.bodies.spin[0]), 5e-3);
    EXPECT_LT(imbalance(system, before), 1e-10);
}

TEST(SteppedGrains, SpheresMeetAsInTheEngineForSpheres) {
    for (const laws::ImpactParams& rule : {laws::ImpactParams{0.6, 1, 0}, laws::ImpactParams{0.9, 0, 0.3}}) {
        model::System system = space(rule, 1e-3);
        add(system, -1, {0, 0, 0}, {1, 0.4, 0}, {1, 2, 3}, {}, 0.5);
        add(system, -1, {1.3, 0.2, 0.1}, {-1, 0, 0.2}, {}, {}, 0.7);
        system.gravity = {0, 0, -9.81};
        system.walls.push_back(wall_of(geometry::make_plane({0, 0, -1}, {0, 0, 1})));
        model::System witness = system;
        engines::stepped::Engine spheres(witness, {}, false);
        GrainEngine engine(system, {}, false);
        spheres.advance(1000);
        engine.advance(1000);
        EXPECT_EQ(engine.measures().collisions, spheres.measures().collisions);
        EXPECT_EQ(engine.measures().wall_collisions, spheres.measures().wall_collisions);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_LT(norm(system.bodies.position[i] - witness.bodies.position[i]), 1e-9);
            EXPECT_LT(norm(system.bodies.velocity[i] - witness.bodies.velocity[i]), 1e-9);
            EXPECT_LT(norm(system.bodies.spin[i] - witness.bodies.spin[i]), 1e-9);
        }
    }
}

TEST(SteppedGrains, OverlapsAreMovedApartAboutTheCentreOfMass) {
    model::System system = space({0.9, 1, 0}, 1e-6);
    add(system, 1, {0, 0, 0}, {});
    const geometry::Ball ball = system.grains.shapes[1].balls[1];
    const double end = std::abs(ball.center.x) + ball.radius;
    add(system, -1, {end + 0.8, 0, 0}, {});
    const double m0 = system.bodies.mass[0];
    const double m1 = system.bodies.mass[1];
    GrainEngine engine(system, {}, false);
    engine.advance(1);
    EXPECT_NEAR(system.bodies.position[0].x, -0.2 * m1 / (m0 + m1), 1e-12);
    EXPECT_NEAR(system.bodies.position[1].x, end + 0.8 + 0.2 * m0 / (m0 + m1), 1e-12);
    EXPECT_EQ(engine.measures().corrections, 1);
    EXPECT_EQ(mechanical(system), 0);
}

TEST(SteppedGrains, TheLedgerCloses) {
    model::System system = shaken_box(150, 5e-4);
    const double before = mechanical(system);
    GrainEngine engine(system, {}, false);
    engine.advance(2000);
    EXPECT_GT(engine.measures().collisions, 1000);
    EXPECT_GT(engine.measures().wall_collisions, 500);
    EXPECT_LT(imbalance(system, before), 1e-10);
}

/// m, of the grains' centres.
double mean_height(const model::System& system) {
    double sum = 0;
    for (const Vec3d& x : system.bodies.position) {
        sum += x.z;
    }
    return sum / static_cast<double>(system.bodies.size());
}

TEST(SteppedGrains, APileComesToRestAndKeepsItsHeight) {
    model::System system = space({0.3, 0, 0.5}, 2.5e-4);
    system.gravity = {0, 0, -9.81};
    system.step_rules.sweeps = 4;
    base::Random random(8, 1);
    constexpr int edge = 8;
    for (int n = 0; n < 200; ++n) {
        add(system, 0, site(n, edge) + Vec3d{0.5, 0.5, 0.5}, {}, {}, random_vector(random, 3), 0.48);
    }
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    for (const double at : {0.0, static_cast<double>(edge)}) {
        system.walls.push_back(wall_of(geometry::make_plane({at, 0, 0}, {1, 0, 0})));
        system.walls.push_back(wall_of(geometry::make_plane({0, at, 0}, {0, 1, 0})));
    }
    GrainEngine engine(system, {}, false);
    engine.advance(12'000);
    const double settled = mean_height(system);
    engine.advance(4000);
    EXPECT_NEAR(mean_height(system), settled, 0.01 * settled);
    EXPECT_LT(mechanical(system), 1e-3 * 9.81 * settled * analysis::total_mass(system));
    EXPECT_LT(system.counters.largest_overlap, 0.01);
}

TEST(SteppedGrains, TheSameBitsForAnyNumberOfThreadsAndHoweverPartsAreListed) {
    std::uint64_t expected = 0;
    for (const Options& options :
         {Options{}, Options{2}, Options{3}, Options{1, 0.01, 0.3}, Options{3, 0.01, 0, true}}) {
        model::System system = shaken_box(700, 5e-4);
        system.step_rules.sweeps = 2;
        GrainEngine engine(system, options, false);
        engine.advance(400);
        EXPECT_GT(engine.measures().collisions, 1000);
        const std::uint64_t hash = model::state_hash(system);
        expected = expected == 0 ? hash : expected;
        EXPECT_EQ(hash, expected) << options.threads << " threads, skin " << options.skin;
    }
}

TEST(SteppedGrains, ARunThatIsStoppedGoesOnWithTheSameBits) {
    model::System whole = shaken_box(120, 5e-4);
    model::System half = whole;
    GrainEngine engine(whole, {}, false);
    engine.advance(400);
    GrainEngine first(half, {}, false);
    first.advance(217);
    model::System copy = half;
    GrainEngine second(copy, {}, true);
    second.set_measures(first.measures());
    second.advance(183);
    EXPECT_EQ(model::state_hash(copy), model::state_hash(whole));
    EXPECT_EQ(second.measures().collisions, engine.measures().collisions);
}

TEST(SteppedGrains, GrainsMeetAcrossAPeriodicBorder) {
    model::System open = space({0.7, 0, 0.3}, 1e-3);
    add(open, 0, {4.5, 2.5, 2.5}, {2, 0.2, 0}, {0.3, 0, 1}, {1, 0, 0});
    add(open, 1, {6.6, 2.4, 2.6}, {-2, 0, 0}, {}, {0, 1, 0});
    model::System periodic = open;
    periodic.domain.low = {};
    periodic.domain.high = {5, 5, 5};
    periodic.domain.periodic = {true, true, true};
    periodic.bodies.position[1].x -= 5;
    GrainEngine there(open, {}, false);
    GrainEngine here(periodic, {}, false);
    there.advance(600);
    here.advance(600);
    EXPECT_GE(there.measures().collisions, 1);
    EXPECT_EQ(here.measures().collisions, there.measures().collisions);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LT(norm(periodic.bodies.position[i] - wrapped(periodic.domain, open.bodies.position[i])), 1e-9);
        EXPECT_LT(norm(periodic.bodies.velocity[i] - open.bodies.velocity[i]), 1e-9);
        EXPECT_LT(norm(periodic.bodies.spin[i] - open.bodies.spin[i]), 1e-9);
    }
}

TEST(SteppedGrains, AMovingWallGivesMomentumAndWork) {
    model::System system = space({0.8, 0, 0.3}, 1e-4);
    add(system, 0, {0, 0, 1.2}, {0.3, 0, -1}, {0, 2, 1}, {1, 0.4, 0});
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    system.walls[0].motion.translations.push_back({{0.4, 0, 1.5}, 0});
    const double before = mechanical(system);
    const Vec3d p = analysis::momentum(system);
    const Vec3d l = analysis::angular_momentum(system, {});
    GrainEngine engine(system, {}, false);
    while (engine.measures().wall_collisions == 0) {
        engine.advance(1);
    }
    const model::WallRecord& record = system.walls[0].record;
    EXPECT_LT(norm(analysis::momentum(system) + record.impulse - p), 1e-12 * norm(p));
    // The record's moment is about where the wall was.
    const Vec3d wall = system.walls[0].pose.position - system.walls[0].pose.velocity * system.clock.step;
    EXPECT_LT(norm(analysis::angular_momentum(system, {}) + record.angular_impulse + cross(wall, record.impulse) - l),
              1e-11 * norm(l));
    EXPECT_GT(record.work, 0);
    EXPECT_LT(imbalance(system, before), 1e-12);
}

/// Radii, the deepest that any sphere of a grain reaches into a wall.
double deepest(const model::System& system, const model::Wall& wall) {
    double out = 0;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        const math::Mat3d axes = to_matrix(system.grains.turn[i]);
        for (const geometry::Ball& ball :
             system.grains.shapes[static_cast<std::size_t>(system.grains.shape[i])].balls) {
            const Vec3d at = system.bodies.position[i] + axes * ball.center * system.bodies.radius[i];
            const geometry::Nearest near = search::nearest_wall_point(wall, system.domain, at);
            out = std::max(out, near.acts ? 1 - near.distance / (ball.radius * system.bodies.radius[i]) : 0.0);
        }
    }
    return out;
}

TEST(SteppedGrains, BounceOffWallsOfEveryShapeThatSwingAndTurn) {
    const std::vector<geometry::Placed> shapes = {
        geometry::make_plane({0, 0, -1}, {0.2, 0, 1}),
        geometry::make_disk({0, 0, -1}, {0, 0, 1}, 2, 0.3),
        geometry::make_rectangle({-1, -1, -1}, {2, 0, 0}, {0, 2, 0}),
        geometry::make_triangle({-2, -1, -1}, {2, -1, -1}, {0, 2, -1.2}),
        geometry::make_cylinder({0, 0, 0}, {1, 0, 0.1}, 1),
        geometry::make_tube({0, 0, 1}, {0, 0, -1}, 1, 0.3),
        geometry::make_sphere({0, 0, 0}, 1.2),
        geometry::make_ring({0, 0, -1}, {0, 0, 1}, 0.4),
        geometry::make_line({0, 0.1, -1}, {1, 0, 0}),
        geometry::make_segment({-0.5, 0, -1}, {0.5, 0.1, -1}),
        geometry::make_point({0.1, 0, -1}),
    };
    base::Random random(6, 1);
    for (const geometry::Placed& placed : shapes) {
        for (int k = 0; k < 5; ++k) {
            model::System system = space({0.6, 0, 0.4}, 2e-4);
            system.gravity = {0, 0, -9.81};
            const Vec3d turn = random_vector(random, 3);
            add(system, k % 2, {0, 0, 0}, random_vector(random, 0.3), random_vector(random, 3), turn, 0.5);
            system.walls.push_back(wall_of(placed));
            system.walls[0].motion.oscillations.push_back({{0.02, 0, 0.03}, 20, 0, 0});
            model::Spin spin;
            spin.axis = {0, 0, 1};
            spin.rate = 3;
            system.walls[0].motion.spins.push_back(spin);
            const double before = mechanical(system);
            GrainEngine engine(system, {}, false);
            for (int n = 0; n < 100; ++n) {
                engine.advance(40);
                EXPECT_LT(deepest(system, system.walls[0]), 0.01) << "shape " << static_cast<int>(placed.shape.kind);
            }
            EXPECT_GE(engine.measures().wall_collisions, 1) << "shape " << static_cast<int>(placed.shape.kind);
            EXPECT_NE(system.walls[0].record.work, 0);
            EXPECT_LT(imbalance(system, before), 1e-10) << "shape " << static_cast<int>(placed.shape.kind);
        }
    }
}

TEST(SteppedGrains, AHeldGrainTakesWhatTheOtherLoses) {
    for (const int flags : {int{model::position_held}, model::position_held | model::rotation_held}) {
        model::System system = space({0.8, 0, 0.3}, 1e-4);
        add(system, 0, {0, 0, 0}, {2, 0, 0}, {0, 2, 1}, {1, 0.4, 0});
        add(system, 1, {2.2, 0.1, 0.3}, {-0.5, 0.2, 0}, {}, {0, 1, 1});
        system.bodies.flags[1] = static_cast<std::uint8_t>(flags);
        const double before = mechanical(system);
        GrainEngine engine(system, {}, false);
        engine.advance(5000);
        EXPECT_GE(engine.measures().collisions, 1);
        EXPECT_EQ(system.bodies.velocity[1], (Vec3d{-0.5, 0.2, 0}));
        EXPECT_EQ(norm2(system.bodies.spin[1]) > 0, (flags & model::rotation_held) == 0);
        EXPECT_NE(system.ledger.held_work, 0);
        EXPECT_LT(imbalance(system, before), 1e-12);
    }
}

TEST(SteppedGrains, AHeldGrainTurnsAsItIsTold) {
    model::System system = space({}, 1e-3);
    const Vec3d spin{0.3, -1.1, 0.7};
    add(system, 0, {}, {}, spin);
    system.bodies.flags[0] |= model::rotation_held | model::position_held;
    GrainEngine engine(system, {}, false);
    engine.advance(1000);
    const math::Mat3d turned = to_matrix(system.grains.turn[0]);
    const math::Mat3d told = to_matrix(math::quaternion_from_rotation_vector(spin));
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        EXPECT_LT(norm(turned * axis - told * axis), 1e-11);
    }
}

TEST(SteppedGrains, AbsorbingWallsTakeThemAndOpenSidesLetThemGo) {
    model::System system = space({0.5, 1, 0}, 1e-3);
    add(system, 0, {0, 0, 1.5}, {0, 0, -2});
    add(system, 1, {5, 0, 3}, {2, 0, 0});
    add(system, -1, {0, 5, 3}, {}, {0, 0, 1});
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    system.walls[0].behaviour = model::WallBehaviour::absorbing;
    system.domain.high.x = 6;
    const double mass = system.bodies.mass[0];
    const double before = mechanical(system);
    GrainEngine engine(system, {}, false);
    engine.advance(1000);
    EXPECT_EQ(system.bodies.id, std::vector<std::int64_t>{2});
    EXPECT_EQ(system.grains.shape, std::vector<std::int32_t>{-1});
    EXPECT_EQ(system.walls[0].record.absorbed, 1);
    EXPECT_EQ(system.walls[0].record.absorbed_mass, mass);
    EXPECT_EQ(system.counters.left_domain, 1);
    EXPECT_LT(imbalance(system, before), 1e-12);
}

TEST(SteppedGrains, WhatItCannotDoIsRefused) {
    const auto told = [](const model::System& asked, std::int64_t steps) -> std::string {
        model::System system = asked;
        try {
            GrainEngine engine(system, {}, false);
            engine.advance(steps);
        } catch (const base::RunError& fault) {
            return fault.what();
        }
        return {};
    };
    model::System system = space({0.5, 1, 0}, 1e-2);
    add(system, 1, {0, 0, 0}, {0, 0, 1}, {0, 0, 300});
    EXPECT_THAT(told(system, 1), HasSubstr("grain 0 would go more than a radius of its smallest sphere"));
    system.bodies.spin[0] = {std::nan(""), 0, 0};
    EXPECT_THAT(told(system, 1), HasSubstr("grain 0 would go more than a radius"));
    system.bodies.spin[0] = {};
    EXPECT_EQ(told(system, 10), "");
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, -5}, {0, 0, 1})));
    system.walls[0].behaviour = model::WallBehaviour::sticky;
    EXPECT_THAT(told(system, 0), HasSubstr("wall wall is sticky"));
    system.walls.clear();
    system.step_rules.after_overlap = true;
    EXPECT_THAT(told(system, 0), HasSubstr("not within it"));
}

}  // namespace
}  // namespace talus::tests
