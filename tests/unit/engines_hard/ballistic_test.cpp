// What a run must keep: energy, momentum, distance, its bits when it is stopped or vectorised otherwise, and the known
// mean free time, pressure and cooling of hard spheres.
#include "talus/engines/hard/ballistic_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "all_pairs.h"
#include "random_fluid.h"
#include "talus/base/diagnostics.h"

namespace talus::tests {
namespace {

using engines::hard::BallisticEngine;
using engines::hard::Options;
using engines::hard::PredictKernels;

/// Equal spheres of unit mass and diameter on a simple cubic lattice, thermal speed one.
model::System lattice_gas(int edge, double packing, std::uint64_t seed) {
    const int count = edge * edge * edge;
    const double length = std::cbrt(count * std::numbers::pi / 6 / packing);
    model::System out;
    out.materials.list.push_back({"grain", 6 / std::numbers::pi});
    out.materials.pair_law.resize(1);
    out.domain = {{0, 0, 0}, {length, length, length}, {true, true, true}};
    base::Random random(seed, 3);
    Vec3d mean;
    for (int n = 0; n < count; ++n) {
        const Vec3d at{n % edge + 0.5, n / edge % edge + 0.5, n / (edge * edge) + 0.5};
        out.bodies.add_sphere(n, at * (length / edge), 0.5, 6 / std::numbers::pi, 0);
        const double v = std::sqrt(3.0);
        out.bodies.velocity.back() = {random.uniform(-v, v), random.uniform(-v, v), random.uniform(-v, v)};
        mean += out.bodies.velocity.back() / static_cast<double>(count);
    }
    double square = 0;
    for (Vec3d& v : out.bodies.velocity) {
        v -= mean;
        square += norm2(v) / (3 * count);
    }
    for (Vec3d& v : out.bodies.velocity) {
        v = v / std::sqrt(square);
    }
    return out;
}

double kinetic_energy(const model::System& system) {
    double out = 0;
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        out += 0.5 * system.bodies.mass[b] * norm2(system.bodies.velocity[b]);
        out += 0.5 * system.bodies.inertia[b] * norm2(system.bodies.spin[b]);
    }
    return out;
}

Vec3d momentum(const model::System& system) {
    Vec3d out;
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        out += system.bodies.velocity[b] * system.bodies.mass[b];
    }
    return out;
}

Options with(const laws::ImpactParams& params, double elastic_below = 0) {
    Options out;
    out.impacts = {params};
    out.slow.elastic_below = elastic_below;
    return out;
}

TEST(Ballistic, KeepsEnergyMomentumAndDistanceOfAnElasticGas) {
    model::System system = lattice_gas(10, 0.3, 1);
    const double energy = kinetic_energy(system);
    BallisticEngine engine(system, Options{});
    EXPECT_EQ(engine.advance_events(200'000), 200'000);
    EXPECT_NEAR(kinetic_energy(system) / energy, 1, 2e-13);  // 1e-12 in a million
    EXPECT_LT(norm(momentum(system)), 1e-11);
    EXPECT_LT(system.counters.largest_overlap, 1e-12);
    EXPECT_EQ(engine.measures().collisions, 200'000);
    EXPECT_GT(engine.measures().crossings, 50'000);
    EXPECT_GT(engine.measures().epochs, 5);
}

TEST(Ballistic, KeepsEnergyUnderGravity) {
    FluidSpec spec;
    spec.gravity = {0.2, 0, -1};
    spec.smallest = 0.05;
    model::System system = random_fluid(spec);
    const double energy = kinetic_energy(system);
    BallisticEngine engine(system, Options{});
    engine.advance_events(5000);
    EXPECT_GT(engine.measures().borders, 1000);
    EXPECT_NEAR((kinetic_energy(system) - model::gravity_work(system)) / energy, 1,
                1e-11 * kinetic_energy(system) / energy);
}

TEST(Ballistic, HasTheMeanFreeTimeAndPressureOfCarnahanAndStarling) {
    model::System system = lattice_gas(12, 0.3, 2);
    BallisticEngine engine(system, Options{});
    engine.advance_events(20'000);
    engine.set_measures({});
    engine.advance_events(200'000);
    const double phi = 0.3;
    const double contact = (1 - phi / 2) / std::pow(1 - phi, 3);
    const double expected = std::sqrt(std::numbers::pi) / (24 * phi * contact);  // Enskog
    EXPECT_NEAR(engine.measures().mean_free_time() / expected, 1, 0.012);
    const double volume = std::pow(system.domain.high.x, 3);
    const double energy = kinetic_energy(system);
    const double factor = engine.measures().pressure(volume, energy) * volume / (2.0 / 3.0 * energy);
    EXPECT_NEAR(factor / (1 + 4 * phi * contact), 1, 0.015);
}

TEST(Ballistic, CoolsAfterHaff) {
    // An impact takes (1 - e^2) k T on average, and E = 3/2 N k T: log T falls by 2/3 (1 - e^2) for every N impacts.
    constexpr double e = 0.95;
    model::System system = lattice_gas(10, 0.1, 3);
    BallisticEngine engine(system, with({e}));
    engine.advance_events(10'000);
    const double before = kinetic_energy(system);
    const double lost_before = system.ledger.dissipated[0];
    engine.advance_events(20'000);  // 40 a sphere
    const double cooled = kinetic_energy(system) / before;
    EXPECT_NEAR(std::log(cooled) / (-2.0 / 3.0 * (1 - e * e) * 20), 1, 0.05);
    EXPECT_NEAR(before - kinetic_energy(system), system.ledger.dissipated[0] - lost_before, 1e-10 * before);
}

TEST(Ballistic, GivesTheSameBitsWhateverTheWidthOfPacks) {
    FluidSpec spec;
    spec.smallest = 0.05;
    spec.gravity = {0, 0.1, -0.3};
    spec.spin = 5;
    std::vector<const PredictKernels*> all = {&engines::hard::scalar_predict_kernels(),
                                              &engines::hard::packed_predict_kernels()};
    if (&engines::hard::predict_kernels() == &engines::hard::wide_predict_kernels()) {
        all.push_back(&engines::hard::wide_predict_kernels());
    }
    std::vector<std::uint64_t> hashes;
    for (const PredictKernels* kernels : all) {
        for (model::System system : {lattice_gas(8, 0.3, 4), random_fluid(spec)}) {
            Options options = with({0.95, 0.5, 0.3}, 1e-5);
            options.kernels = kernels;
            BallisticEngine engine(system, options);
            engine.advance_events(500);
            hashes.push_back(model::state_hash(system));
        }
    }
    for (std::size_t k = 2; k < hashes.size(); ++k) {
        EXPECT_EQ(hashes[k], hashes[k - 2]);
    }
}

TEST(Ballistic, GoesOnBitForBitAfterAStop) {
    FluidSpec spec;
    spec.smallest = 0.05;
    spec.gravity = {0, 0, -0.3};
    spec.periodic = {true, true, false};
    const model::System start = random_fluid(spec);
    Options options = with({0.98}, 1e-5);
    options.epoch_collisions = 1;  // some epochs on the way
    model::System whole = start;
    {
        BallisticEngine engine(whole, options);
        engine.advance(0.9);
        EXPECT_GT(engine.measures().epochs, 0);
    }
    EXPECT_GT(whole.counters.left_domain, 3);
    EXPECT_GT(whole.bodies.size(), 3U);
    model::System looked_at = start;
    {
        BallisticEngine engine(looked_at, options);
        for (int k = 1; k <= 9; ++k) {
            engine.advance(0.1 * k);
        }
        engine.advance(0.9);
    }
    EXPECT_EQ(model::state_hash(looked_at), model::state_hash(whole));
    model::System stopped = start;
    for (const double until : {0.05, 0.21, 0.22, 0.6, 0.9}) {
        const model::System kept = stopped;  // nothing but the system goes from one to the next
        stopped = kept;
        BallisticEngine engine(stopped, options);
        engine.advance(until);
    }
    EXPECT_EQ(model::state_hash(stopped), model::state_hash(whole));
}

TEST(Ballistic, TakesEventsAtTheSameTimeInOrderOfIds) {
    // Rows of spheres that all meet their neighbours at once, in exact numbers.
    model::System start;
    start.materials.list.push_back({"grain", 1000});
    start.materials.pair_law.resize(1);
    start.domain = {{0, 0, 0}, {16, 16, 16}, {true, true, true}};
    for (int n = 0; n < 64; ++n) {
        const Vec3d at{n % 4 * 4 + 2.0, n / 4 % 4 * 4 + 2.0, n / 16 * 4 + 2.0};
        start.bodies.add_sphere(n, at, 1, 1000, 0);
        start.bodies.velocity.back() = {n % 2 == 0 ? 1.0 : -1.0, n / 4 % 2 == 0 ? 1.0 : -1.0,
                                        n / 16 % 2 == 0 ? 1.0 : -1.0};
    }
    AllPairs oracle(start, {}, {});
    const std::vector<Collision> expected = oracle.run(400, never);
    model::System system = start;
    BallisticEngine engine(system, Options{});
    std::vector<Collision> seen;
    engine.watch(&seen);
    engine.advance_events(400);
    ASSERT_EQ(seen.size(), expected.size());
    int ties = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        ASSERT_EQ(seen[k].a, expected[k].a) << k;
        ASSERT_EQ(seen[k].b, expected[k].b) << k;
        ties += k > 0 && seen[k].time == seen[k - 1].time ? 1 : 0;
    }
    EXPECT_GT(ties, 100);
}

TEST(Ballistic, LetsOverlappingSpheresPartAndReportsIt) {
    model::System system;
    system.materials.list.push_back({"grain", 1000});
    system.materials.pair_law.resize(1);
    system.bodies.add_sphere(5, {0, 0, 0}, 1, 1000, 0);
    system.bodies.add_sphere(9, {1.9, 0, 0}, 1, 1000, 0);
    system.bodies.velocity[0] = {1, 0, 0};
    BallisticEngine engine(system, Options{});
    std::vector<Collision> seen;
    engine.watch(&seen);
    engine.advance(1);
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen[0].time, 0);
    EXPECT_EQ(system.bodies.velocity[1], (Vec3d{1, 0, 0}));
    EXPECT_NEAR(system.bodies.position[1].x, 2.9, 1e-15);
    EXPECT_NEAR(system.counters.largest_overlap, 0.1, 1e-15);
    EXPECT_EQ(system.counters.largest_overlap_id, 5);
    EXPECT_EQ(system.clock.time(), 1);
}

/// Three spheres in a row, of which the outer ones squeeze the middle one.
model::System squeezed_row() {
    model::System system;
    system.materials.list.push_back({"grain", 1000});
    system.materials.pair_law.resize(1);
    for (int n = 0; n < 3; ++n) {
        system.bodies.add_sphere(n, {2.5 * n, 0, 0}, 1, 1000, 0);
    }
    system.bodies.velocity[0] = {1, 0, 0};
    system.bodies.velocity[2] = {-1, 0, 0};
    return system;
}

TEST(Ballistic, EndsInelasticCollapseByTheRemedy) {
    // Below a restitution of 7 - 4 sqrt(3) three spheres collapse: impacts follow one another in a geometric series.
    model::System collapsed = squeezed_row();
    BallisticEngine engine(collapsed, with({0.05}));
    engine.advance(10);
    EXPECT_GT(engine.measures().collisions, 500);  // until numbers underflow
    model::System remedied = squeezed_row();
    BallisticEngine other(remedied, with({0.05}, 1e-4));
    other.advance(10);
    EXPECT_LT(other.measures().collisions, 30);
    EXPECT_GT(remedied.bodies.velocity[2].x - remedied.bodies.velocity[0].x, 1e-5);
    EXPECT_EQ(remedied.clock.time(), 10);
}

TEST(Ballistic, RefusesWhatItCannotDo) {
    const auto refusal = [](model::System system, const char* what) {
        EXPECT_THAT([&] { BallisticEngine(system, Options{}); },
                    ::testing::ThrowsMessage<base::InputError>(::testing::HasSubstr(what)));
    };
    model::System narrow = squeezed_row();
    narrow.domain = {{-1, -1, -1}, {9, 9, 4.9}, {true, true, true}};
    refusal(narrow, "along z");
}

}  // namespace
}  // namespace talus::tests
