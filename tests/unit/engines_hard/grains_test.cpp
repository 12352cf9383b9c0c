// Hard grains of many spheres in drifts: closed forms of one impact, what impacts must keep over thousands of them, and
// the same bits wherever a run is stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "grain_systems.h"
#include "talus/base/diagnostics.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/grain_engine.h"

namespace talus::tests {
namespace {

using engines::hard::BallisticEngine;
using engines::hard::Collision;
using engines::hard::GrainEngine;
using engines::hard::Options;
using testing::HasSubstr;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// As the facade tells the engine.
Options options_of(const model::System& system, const laws::SlowImpacts& slow = {}, bool resting = false) {
    Options out;
    out.impacts = {system.materials.pair_law[0].impact};
    out.step = system.clock.step;
    out.slow = slow;
    out.resting = resting;
    out.stress = true;
    return out;
}

/// kg m2/s, about the origin, of the bodies and of what walls have received.
Vec3d whole_angular_momentum(const model::System& system) {
    Vec3d out = analysis::angular_momentum(system, {});
    for (const model::Wall& wall : system.walls) {
        out += wall.record.angular_impulse + cross(wall.pose.position, wall.record.impulse);
    }
    return out;
}
Vec3d whole_momentum(const model::System& system) {
    Vec3d out = analysis::momentum(system);
    for (const model::Wall& wall : system.walls) {
        out += wall.record.impulse;
    }
    return out;
}

/// Grains of two shapes and spheres that fly about in a cube of planes.
model::System closed_box(int count, const laws::ImpactParams& rule, double step) {
    model::System out = space(rule, step);
    base::Random random(5, 1);
    const int edge = static_cast<int>(std::ceil(std::cbrt(count)));
    for (int n = 0; n < count; ++n) {
        const Vec3d velocity = random_vector(random, 2);
        const Vec3d spin = random_vector(random, 4);
        const Vec3d turn = random_vector(random, 3);
        add(out, n % 3 - 1, site(n, edge) + Vec3d{0.5, 0.5, 0.5}, velocity, spin, turn, random.uniform(0.3, 0.49));
    }
    for (int axis = 0; axis < 3; ++axis) {
        for (const double at : {0.0, static_cast<double>(edge)}) {
            Vec3d normal;
            normal[axis] = 1;
            out.walls.push_back(wall_of(geometry::make_plane(normal * at, normal)));
        }
    }
    return out;
}

TEST(HardGrains, DumbbellsThatMeetEndOnShareTheirMomentum) {
    for (const double e : {1.0, 0.7, 0.0}) {
        model::System system = space({e, 1, 0}, 0.1);
        add(system, 1, {0, 0, 0}, {2, 0, 0});
        add(system, 1, {3, 0, 0}, {-1, 0, 0}, {}, {}, 0.8);
        const double m0 = system.bodies.mass[0];
        const double m1 = system.bodies.mass[1];
        GrainEngine engine(system, options_of(system), false);
        std::vector<Collision> seen;
        engine.watch(&seen);
        engine.advance_steps(6);
        ASSERT_EQ(seen.size(), 1);
        EXPECT_NEAR(seen[0].time, 1.2 / 3, 1e-14);
        const double impulse = (1 + e) * 3 / (1 / m0 + 1 / m1);
        EXPECT_NEAR(system.bodies.velocity[0].x, 2 - impulse / m0, 1e-12);
        EXPECT_NEAR(system.bodies.velocity[1].x, -1 + impulse / m1, 1e-12);
        EXPECT_LT(norm(system.bodies.spin[0]) + norm(system.bodies.spin[1]), 1e-12);
    }
}

/// Two rods side by side that overlap by half: each is struck at an arm of half a length, and turns.
TEST(HardGrains, DumbbellsThatMeetSideOnTurnAsTheClosedFormSays) {
    for (const double e : {1.0, 0.4}) {
        model::System system = space({e, 1, 0}, 0.05);
        const Vec3d upright{0, 0, 0.5 * std::numbers::pi};  // turns x to y
        add(system, 1, {0, 0, 0}, {1, 0, 0}, {}, upright);
        add(system, 1, {1.5, 1, 0}, {-1, 0, 0}, {}, upright);
        const double m = system.bodies.mass[0];
        const double inertia = system.grains.moment[0].y;
        const double before = mechanical(system);
        GrainEngine engine(system, options_of(system), false);
        std::vector<Collision> seen;
        engine.watch(&seen);
        engine.advance_steps(6);
        ASSERT_EQ(seen.size(), 1);
        EXPECT_NEAR(seen[0].time, 0.25, 1e-14);
        const double impulse = (1 + e) * 2 / (2 / m + 2 * 0.25 / inertia);
        EXPECT_NEAR(system.bodies.velocity[0].x, 1 - impulse / m, 1e-12);
        EXPECT_NEAR(system.bodies.velocity[1].x, -1 + impulse / m, 1e-12);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_NEAR(system.bodies.spin[i].z, 0.5 * impulse / inertia, 1e-12);
            EXPECT_LT(std::abs(system.bodies.spin[i].x) + std::abs(system.bodies.spin[i].y), 1e-12);
        }
        EXPECT_LT(imbalance(system, before), 1e-14);
    }
}

/// A smooth rod that meets a plane with one end, at an angle: the impulse is (1 + e) v / (1/m + x^2/I), x being how far
/// beside the centre it acts.
TEST(HardGrains, ADumbbellThatFallsTiltedFollowsTheClosedForm) {
    for (const double tilt : {0.2, 0.7, 1.2}) {
        model::System system = space({0.6, 1, 0}, 0.1);
        const double speed = 2;
        add(system, 1, {0, 0, 1.2}, {0, 0, -speed}, {}, {0, tilt, 0});  // turns x to -z
        system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
        const double arm = system.grains.shapes[1].balls[0].center.x;
        GrainEngine engine(system, options_of(system), false);
        std::vector<Collision> seen;
        engine.watch(&seen);
        engine.advance_steps(2 + static_cast<int>((0.7 - std::abs(arm) * std::sin(tilt)) / speed / 0.1));
        ASSERT_GE(seen.size(), 1);
        EXPECT_NEAR(seen[0].time, (0.7 - std::abs(arm) * std::sin(tilt)) / speed, 1e-14);
        const double beside = std::abs(arm) * std::cos(tilt);
        const double m = system.bodies.mass[0];
        const double inertia = system.grains.moment[0].y;
        const double impulse = 1.6 * speed / (1 / m + beside * beside / inertia);
        if (seen.size() == 1) {  // the other end has not come down yet
            EXPECT_NEAR(system.bodies.velocity[0].z, impulse / m - speed, 1e-12);
            EXPECT_NEAR(system.bodies.spin[0].y, -impulse * beside / inertia, 1e-12);  // towards lying flat
            EXPECT_NEAR(system.walls[0].record.impulse.z, -impulse, 1e-12 * impulse);
        }
    }
}

TEST(HardGrains, ThousandsOfElasticImpactsKeepMomentaAndEnergy) {
    model::System system = closed_box(60, {1, 1, 0}, 0.02);
    const double before = mechanical(system);
    const Vec3d p = whole_momentum(system);
    const Vec3d l = whole_angular_momentum(system);
    double scale = 0;  // of the sums that cancel
    GrainEngine engine(system, options_of(system), false);
    engine.advance_steps(1200);
    EXPECT_GT(engine.measures().collisions, 5000);
    EXPECT_GT(engine.measures().wall_collisions, 500);
    for (const model::Wall& wall : system.walls) {
        scale += norm(wall.record.impulse);
    }
    EXPECT_NEAR(mechanical(system), before, 1e-12 * before);
    EXPECT_LT(norm(whole_momentum(system) - p), 1e-12 * scale);
    EXPECT_LT(norm(whole_angular_momentum(system) - l), 1e-12 * 4 * scale);
    EXPECT_LT(system.counters.largest_overlap, 1e-12);
}

TEST(HardGrains, RoughImpactsKeepMomentaAndNeverGainEnergy) {
    for (const laws::ImpactParams& rule : {laws::ImpactParams{0.8, 0, 0.3}, laws::ImpactParams{0.9, 0.3, infinite},
                                           laws::ImpactParams{1, -1, infinite}}) {
        model::System system = closed_box(30, rule, 0.02);
        const double before = mechanical(system);
        const Vec3d l = whole_angular_momentum(system);
        GrainEngine engine(system, options_of(system, {0.01, 0.001}), false);
        engine.advance_steps(500);
        double scale = 0;
        for (const model::Wall& wall : system.walls) {
            scale += norm(wall.record.impulse);
        }
        EXPECT_GT(engine.measures().collisions, 150);
        EXPECT_LT(mechanical(system), before * (1 + 1e-13));
        EXPECT_LT(imbalance(system, before), 1e-12);
        EXPECT_LT(norm(whole_angular_momentum(system) - l), 1e-12 * 4 * scale);
        EXPECT_LT(system.counters.largest_overlap, 1e-12);
    }
}

TEST(HardGrains, AnyBodyTurnsForAHundredThousandDriftsWithoutLosingEnergy) {
    model::System system = space({1, 1, 0}, 0.05);
    add(system, 0, {}, {}, {1.3, -0.4, 2}, {0.3, 1, 0});
    const double before = mechanical(system);
    const Vec3d l = analysis::angular_momentum(system, {});
    GrainEngine engine(system, options_of(system), false);
    engine.advance_steps(100'000);
    EXPECT_NEAR(mechanical(system), before, 1e-12 * before);
    EXPECT_LT(norm(analysis::angular_momentum(system, {}) - l), 1e-14 * norm(l));
}

TEST(HardGrains, AGrainOfOneSphereIsASphere) {
    for (const laws::ImpactParams& rule : {laws::ImpactParams{0.6, 1, 0}, laws::ImpactParams{0.9, 0, 0.3}}) {
        model::System spheres = space(rule, 1e-3);
        spheres.grains.shapes.push_back(model::make_grain_shape("ball", std::vector<geometry::Ball>{{{}, 0.5}}));
        spheres.gravity = {0, 0, -9.81};
        spheres.walls.push_back(wall_of(geometry::make_plane({0, 0, -1}, {0, 0, 1})));
        spheres.walls.push_back(wall_of(geometry::make_plane({-1, 0, 0}, {1, 0, 0})));
        model::System grains = spheres;
        for (model::System* system : {&spheres, &grains}) {
            const int shape = system == &grains ? 2 : -1;
            add(*system, shape, {0, 0, 0}, {1, 0.4, 0}, {1, 2, 3}, {0.1, 0.2, 0.3}, 0.5);
            add(*system, shape, {1.3, 0.2, 0.1}, {-1, 0, 0.2}, {}, {}, 0.7);
        }
        ASSERT_NEAR(grains.bodies.mass[0], spheres.bodies.mass[0], 1e-12 * spheres.bodies.mass[0]);
        BallisticEngine witness(spheres, options_of(spheres, {0.1, 0.01}));
        GrainEngine engine(grains, options_of(grains, {0.1, 0.01}), false);
        witness.advance_steps(500);
        engine.advance_steps(500);
        EXPECT_GE(engine.measures().collisions, 1);
        EXPECT_GE(engine.measures().wall_collisions, 2);
        EXPECT_EQ(engine.measures().collisions, witness.measures().collisions);
        EXPECT_EQ(engine.measures().wall_collisions, witness.measures().wall_collisions);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_LT(norm(grains.bodies.position[i] - spheres.bodies.position[i]), 1e-11);
            EXPECT_LT(norm(grains.bodies.velocity[i] - spheres.bodies.velocity[i]), 1e-11);
            EXPECT_LT(norm(grains.bodies.spin[i] - spheres.bodies.spin[i]), 1e-11);
        }
    }
}

TEST(HardGrains, ASpinningRodBetweenWallsThatCloseInTakesTheirWork) {
    model::System system = space({1, 1, 0}, 0.01);
    add(system, 1, {0, 0, 0}, {0.5, 0.1, 0}, {0, 0.3, 3}, {0.2, 0.5, 0});
    for (const double side : {-1.0, 1.0}) {
        system.walls.push_back(wall_of(geometry::make_plane({2 * side, 0, 0}, {1, 0, 0})));
        system.walls.back().motion.translations.push_back({{-0.1 * side, 0, 0}, 0});
    }
    system.walls[1].motion.oscillations.push_back({{0.1, 0, 0}, 5, 0, 0});
    const double before = mechanical(system);
    GrainEngine engine(system, options_of(system), false);
    engine.advance_steps(800);
    EXPECT_GT(engine.measures().wall_collisions, 9);
    EXPECT_GT(mechanical(system), 1.2 * before);
    EXPECT_LT(imbalance(system, before), 1e-12);
    EXPECT_LT(system.counters.largest_overlap, 1e-12);
}

TEST(HardGrains, TheLedgerClosesInAShakenBox) {
    model::System system = shaken_box(60, 1e-3);
    const double before = mechanical(system);
    GrainEngine engine(system, options_of(system, {0.05, 0.005}), false);
    engine.advance_steps(2000);
    EXPECT_GT(engine.measures().collisions, 500);
    EXPECT_GT(engine.measures().wall_collisions, 300);
    EXPECT_GT(engine.measures().held_collisions, 5);
    EXPECT_GT(engine.measures().borders, 5);
    EXPECT_LT(imbalance(system, before), 1e-11);
    EXPECT_LT(system.counters.largest_overlap, 1e-11);
}

TEST(HardGrains, ARunThatIsStoppedGoesOnWithTheSameBits) {
    model::System whole = shaken_box(40, 1e-3);
    model::System half = whole;
    const Options options = options_of(whole, {0.05, 0.005}, true);
    GrainEngine engine(whole, options, false);
    engine.advance_steps(400);
    GrainEngine first(half, options, false);
    first.advance_steps(217);
    model::System copy = half;
    GrainEngine second(copy, options, true);
    second.set_measures(first.measures());
    second.advance_steps(183);
    EXPECT_EQ(model::state_hash(copy), model::state_hash(whole));
    EXPECT_EQ(second.measures().collisions, engine.measures().collisions);
    EXPECT_GT(engine.measures().collisions, 100);
}

/// Cells are laid out anew by every engine: no prediction may depend on them, or on when it was made.
TEST(HardGrains, NoBitDependsOnCells) {
    model::System whole = shaken_box(40, 1e-3);
    model::System parts = whole;
    const Options options = options_of(whole, {0.05, 0.005}, true);
    GrainEngine engine(whole, options, false);
    engine.advance_steps(150);
    GrainEngine(parts, options, false).advance_steps(1);
    for (int n = 1; n < 150; ++n) {
        GrainEngine(parts, options, true).advance_steps(1);
    }
    EXPECT_EQ(model::state_hash(parts), model::state_hash(whole));
}

TEST(HardGrains, GrainsMeetAcrossAPeriodicBorder) {
    model::System open = space({0.7, 0, 0.3}, 1e-2);
    add(open, 0, {6.5, 2.5, 2.5}, {2, 0.2, 0}, {0.3, 0, 1}, {1, 0, 0});
    add(open, 1, {8.6, 2.4, 2.6}, {-2, 0, 0}, {}, {0, 1, 0});
    model::System periodic = open;
    periodic.domain.low = {};
    periodic.domain.high = {7, 7, 7};
    periodic.domain.periodic = {true, true, true};
    periodic.bodies.position[1].x -= 7;
    GrainEngine there(open, options_of(open), false);
    GrainEngine here(periodic, options_of(open), false);
    there.advance_steps(60);
    here.advance_steps(60);
    EXPECT_GE(there.measures().collisions, 1);
    EXPECT_EQ(here.measures().collisions, there.measures().collisions);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LT(norm(periodic.bodies.position[i] - wrapped(periodic.domain, open.bodies.position[i])), 1e-11);
        EXPECT_LT(norm(periodic.bodies.velocity[i] - open.bodies.velocity[i]), 1e-11);
        EXPECT_LT(norm(periodic.bodies.spin[i] - open.bodies.spin[i]), 1e-11);
    }
}

TEST(HardGrains, LeaveAndAreAbsorbedWithWhatTheyCarry) {
    model::System system = space({0.7, 1, 0}, 1e-2);
    system.domain.low = {-5, -5, -5};
    system.domain.high = {5, 5, 5};
    add(system, 1, {0, 0, 0}, {-8, 0, 0}, {0, 0, 2});
    add(system, 0, {0, 3, 0}, {4, 0, 0}, {1, 0, 2});
    add(system, 1, {0, -3, 0}, {}, {0, 1, 2});
    system.walls.push_back(wall_of(geometry::make_plane({4, 0, 0}, {1, 0, 0})));
    system.walls[0].behaviour = model::WallBehaviour::absorbing;
    const double before = mechanical(system);
    GrainEngine engine(system, options_of(system), false);
    engine.advance_steps(120);
    ASSERT_EQ(system.bodies.size(), 1);
    EXPECT_EQ(system.bodies.id[0], 2);
    EXPECT_EQ(system.grains.turn.size(), 1);
    EXPECT_EQ(system.counters.left_domain, 1);
    EXPECT_EQ(system.walls[0].record.absorbed, 1);
    EXPECT_LT(imbalance(system, before), 1e-13);
}

TEST(HardGrains, StickyWallsAreRefused) {
    model::System system = space({0.7, 1, 0}, 1e-2);
    add(system, 1, {0, 0, 0}, {});
    system.walls.push_back(wall_of(geometry::make_plane({4, 0, 0}, {1, 0, 0})));
    system.walls[0].behaviour = model::WallBehaviour::sticky;
    EXPECT_THAT([&] { GrainEngine(system, options_of(system), false); },
                testing::ThrowsMessage<base::RunError>(HasSubstr("sticky: hard grains of several spheres")));
}

}  // namespace
}  // namespace talus::tests
