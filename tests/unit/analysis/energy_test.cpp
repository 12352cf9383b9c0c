// Energies and momenta of a few grains worked out by hand, and the ledger's balance.
#include "talus/analysis/energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "talus/base/random.h"

namespace talus::analysis {
namespace {

model::System two_grains() {
    model::System system;
    system.bodies.add_sphere(0, {1, 0, 0}, 0.5, 1000, 0);
    system.bodies.add_sphere(3, {0, 2, 0}, 0.5, 1000, 0);
    system.bodies.mass = {2, 3};
    system.bodies.inertia = {0.5, 0.25};
    system.bodies.velocity = {{0, 4, 0}, {1, 0, -2}};
    system.bodies.spin = {{0, 0, 2}, {4, 0, 0}};
    system.gravity = {0, -10, 0};
    return system;
}

TEST(Energies, OfTwoGrains) {
    model::System system = two_grains();
    system.ledger.stored = {0.7, 0.2};
    const Energies e = measure_energies(system);
    EXPECT_DOUBLE_EQ(e.translational, 0.5 * 2 * 16 + 0.5 * 3 * 5);
    EXPECT_DOUBLE_EQ(e.rotational, 0.5 * 0.5 * 4 + 0.5 * 0.25 * 16);
    EXPECT_DOUBLE_EQ(e.potential, 3 * 10 * 2);
    EXPECT_DOUBLE_EQ(e.stored.normal, 0.7);
    EXPECT_DOUBLE_EQ(e.stored.tangential, 0.2);
    EXPECT_DOUBLE_EQ(e.stored_total(), 0.9);
    EXPECT_DOUBLE_EQ(e.mechanical(), e.translational + e.rotational + 0.9);
}

TEST(Energies, DissipationIsReadAtTheInstant) {
    model::System system = two_grains();
    system.clock.step = 0.1;
    const auto sliding = static_cast<std::size_t>(model::Mechanism::sliding);
    const auto rolling = static_cast<std::size_t>(model::Mechanism::rolling);
    const auto time_step = static_cast<std::size_t>(model::Mechanism::time_step);
    system.ledger.dissipated[sliding] = 16;
    system.ledger.power[sliding] = 4;
    system.ledger.dissipated[rolling] = 2;
    system.ledger.dissipated[time_step] = -1;  // the step may give as well as take
    system.ledger.power[time_step] = -20;
    const Energies e = measure_energies(system);
    EXPECT_DOUBLE_EQ(e.dissipated[sliding], 16 - 4 * 0.05);
    EXPECT_DOUBLE_EQ(e.dissipated[rolling], 2);
    EXPECT_DOUBLE_EQ(e.dissipated[time_step], -1 + 20 * 0.05);
    EXPECT_DOUBLE_EQ(e.dissipated_total(), 17.8);
}

TEST(Energies, WorksAndTotals) {
    model::System system = two_grains();
    system.ledger.gravity_reference = -70;
    system.ledger.held_work = 2.5;
    system.ledger.held_power = 4;  // booked until half a step ahead, as dissipation is
    system.ledger.removed = 6;
    system.ledger.injected = 7;
    system.walls.resize(2);
    system.clock.step = 0.1;
    system.walls[0].record.work = 8.1;
    system.walls[0].record.power = 2;
    system.walls[1].record.work = -3;
    system.walls[1].present = false;  // what a removed wall did stays on the books
    const Energies e = measure_energies(system);
    EXPECT_DOUBLE_EQ(e.gravity_work, 3 * -10 * 2 + 70);  // m g.x of the second grain, less the reference
    EXPECT_DOUBLE_EQ(e.wall_work, 5);
    EXPECT_DOUBLE_EQ(e.held_work, 2.3);
    EXPECT_DOUBLE_EQ(e.removed, 6);
    EXPECT_DOUBLE_EQ(e.injected, 7);
}

TEST(EnergyBalance, EveryEntryHasItsSign) {
    // One joule more of each entry must move the residual by one joule in its direction.
    Energies e;
    e.translational = 10;
    e.rotational = 5;
    e.stored = {2, 1};
    e.dissipated = {1, 2, 3, 4, 6, -1};
    e.removed = 7;
    e.gravity_work = 20;
    e.wall_work = 8;
    e.held_work = 3;
    e.injected = 4;
    const double initial = 10 + 5 + 3 + 15 + 7 - 20 - 8 - 3 - 4;
    EXPECT_NEAR(energy_balance(e, initial).residual, 0, 1e-14);
    EXPECT_DOUBLE_EQ(energy_balance(e, initial).largest, 20);
    EXPECT_NEAR(energy_balance(e, initial - 1).residual, 1, 1e-14);
    const auto moved = [&](double Energies::*entry) {
        Energies other = e;
        other.*entry += 1;
        return energy_balance(other, initial).residual;
    };
    EXPECT_NEAR(moved(&Energies::translational), 1, 1e-14);
    EXPECT_NEAR(moved(&Energies::rotational), 1, 1e-14);
    EXPECT_NEAR(moved(&Energies::removed), 1, 1e-14);
    EXPECT_NEAR(moved(&Energies::gravity_work), -1, 1e-14);
    EXPECT_NEAR(moved(&Energies::wall_work), -1, 1e-14);
    EXPECT_NEAR(moved(&Energies::held_work), -1, 1e-14);
    EXPECT_NEAR(moved(&Energies::injected), -1, 1e-14);
    EXPECT_NEAR(moved(&Energies::potential), 0, 1e-14);
    Energies stores = e;
    stores.stored.normal += 0.25;
    stores.stored.tangential += 0.75;
    EXPECT_NEAR(energy_balance(stores, initial).residual, 1, 1e-14);
    e.dissipated[5] += 1;
    EXPECT_NEAR(energy_balance(e, initial).residual, 1, 1e-14);
    EXPECT_NEAR(energy_balance(e, initial).relative(), 1.0 / 20, 1e-14);
    EXPECT_EQ(energy_balance(Energies{}, 0).relative(), 0);
}

TEST(EnergyBalance, ClosesForAFallingGrain) {
    model::System system;
    system.gravity = {0, 0, -9.81};
    system.bodies.add_sphere(0, {0, 0, 0}, 0.01, 2500, 0);
    system.ledger.gravity_reference = model::gravity_lift(system);
    const double t = 0.7;
    system.bodies.velocity[0] = {0, 0, -9.81 * t};
    system.bodies.position[0] = {0, 0, -0.5 * 9.81 * t * t};
    const Energies e = measure_energies(system);
    EXPECT_NEAR(energy_balance(e, 0).relative(), 0, 1e-15);
    EXPECT_NEAR((e.potential + e.kinetic()) / e.kinetic(), 0, 1e-15);
}

TEST(Momenta, OfTwoGrains) {
    const model::System system = two_grains();
    EXPECT_EQ(momentum(system), (Vec3d{3, 8, -6}));
    // x cross m v plus the spins: (1,0,0)x(0,8,0) = (0,0,8); (0,2,0)x(3,0,-6) = (-12,0,-6); spins (0,0,1) and (1,0,0).
    EXPECT_EQ(angular_momentum(system), (Vec3d{-11, 0, 3}));
    // About another point it changes by -about x P.
    const Vec3d about{1, 2, 3};
    const Vec3d shifted = angular_momentum(system) - math::cross(about, momentum(system));
    EXPECT_EQ(angular_momentum(system, about), shifted);
    EXPECT_DOUBLE_EQ(total_mass(system), 5);
}

TEST(Momenta, DoNotDependOnTheOrderOfGrains) {
    model::System system;
    base::Random random(1, 1);
    for (int i = 0; i < 500; ++i) {
        system.bodies.add_sphere(i, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                                 random.uniform(0.001, 1), 1000, 0);
        system.bodies.velocity.back() = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    }
    model::System turned;
    for (std::size_t i = 500; i-- > 0;) {
        turned.bodies.add_sphere(499 - static_cast<std::int64_t>(i), system.bodies.position[i], system.bodies.radius[i],
                                 1000, 0);
        turned.bodies.velocity.back() = system.bodies.velocity[i];
    }
    EXPECT_EQ(momentum(system), momentum(turned));
    EXPECT_EQ(angular_momentum(system), angular_momentum(turned));
    EXPECT_EQ(measure_energies(system).translational, measure_energies(turned).translational);
}

}  // namespace
}  // namespace talus::analysis
