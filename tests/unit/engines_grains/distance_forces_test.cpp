// Masses, charges and dipoles that act on one another: the textbook's formulas, forces as slopes of the energy,
// conserved momenta, and the same bits for any width and number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/engines/grains/distance_sums.h"
#include "talus/model/point_sources.h"
#include "unit/engines_grains/field_systems.h"

namespace talus::tests {
namespace {

using engines::grains::DistanceKernels;
using engines::grains::DistanceTask;
using engines::grains::Motion;
using engines::grains::Wrench;

std::vector<Wrench> wrenches(model::System& system, int threads = 1) {
    Options options;
    options.threads = threads;
    Engine engine(system, options, false);
    return engine.wrenches(engine.motions(), 0, system.clock.step);
}

struct TwoDipoles {
    const char* name;
    Vec3d first, second;  // C m or A m2
    double energy;        // of k / d^3
    double torque;        // on the first about y, of the same
};

/// The second lies at a distance d along x of the first.
constexpr double strength = 2e-3;
constexpr double far = 0.25;
const TwoDipoles geometries[] = {
    {"in line", {strength, 0, 0}, {strength, 0, 0}, -2, 0},
    {"in line, opposed", {strength, 0, 0}, {-strength, 0, 0}, 2, 0},
    {"side by side", {0, 0, strength}, {0, 0, strength}, 1, 0},
    {"side by side, opposed", {0, 0, strength}, {0, 0, -strength}, -1, 0},
    {"crosswise", {0, 0, strength}, {strength, 0, 0}, 0, 2},
    {"crosswise, the other way", {strength, 0, 0}, {0, 0, strength}, 0, 1},
};

class Dipoles : public testing::TestWithParam<bool> {};

TEST_P(Dipoles, HaveTheEnergyAndTorqueOfTheFormulas) {
    const bool electric = GetParam();
    for (const TwoDipoles& of : geometries) {
        model::System system = space(smooth(), 1e-4);
        (electric ? system.fields.electric_moments : system.fields.magnetic_moments) = true;
        const auto moments = [&](const Vec3d& p) { return electric ? Moments{0, p, {}} : Moments{0, {}, p}; };
        put(system, {0, 0, 0}, {}, moments(of.first));
        put(system, {far, 0, 0}, {}, moments(of.second));
        // Nature's constants, written down once more.
        const double constant =
            electric ? 1 / (4 * std::numbers::pi * 8.8541878128e-12) : 1.25663706212e-6 / (4 * std::numbers::pi);
        const double unit = constant * strength * strength / (far * far * far);
        const model::MutualEnergy energy = model::mutual_energy(system);
        EXPECT_NEAR(electric ? energy.electric : energy.magnetic, of.energy * unit, 1e-9 * unit) << of.name;
        EXPECT_EQ(electric ? energy.magnetic : energy.electric, 0);
        const std::vector<Wrench> by = wrenches(system);
        EXPECT_NEAR(by[0].torque.y, of.torque * unit, 1e-9 * unit) << of.name;
        EXPECT_NEAR(by[0].torque.x, 0, 1e-9 * unit);
        EXPECT_NEAR(by[0].torque.z, 0, 1e-9 * unit);
        // The force along the line between them is three times the energy over the distance.
        EXPECT_NEAR(by[1].force.x, 3 * of.energy * unit / far, 1e-8 * unit / far) << of.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Dipoles, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "electric" : "magnetic"; });

TEST(DistanceForces, ADipolePushesAChargeAndIsPushedBack) {
    model::System system = space(smooth(), 1e-4);
    system.fields.electric_moments = true;
    const double q = 3e-6;
    put(system, {0, 0, 0}, {}, {q, {}, {}});
    put(system, {0, 0, far}, {}, {0, {0, 0, strength}, {}});
    const double k = system.fields.electric_constant;
    EXPECT_NEAR(model::mutual_energy(system).electric, -k * q * strength / (far * far), 1e-9 * k * q * strength);
    const std::vector<Wrench> by = wrenches(system);
    EXPECT_NEAR(by[0].force.z, 2 * k * q * strength / (far * far * far), 1e-9 * k * q * strength);
    EXPECT_NEAR(by[1].force.z, -by[0].force.z, 1e-12 * std::abs(by[0].force.z));
}

TEST(DistanceForces, MassesAttractAsNewtonSays) {
    model::System system = space(smooth(), 1e-4);
    system.fields.masses = true;
    put(system, {0, 0, 0}, {}, {});
    put(system, {0, 2, 0}, {}, {});
    system.bodies.mass = {1e6, 3e6};
    const std::vector<Wrench> by = wrenches(system);
    EXPECT_NEAR(by[0].force.y, 6.6743e-11 * 3e12 / 4, 1e-12 * 50);
    EXPECT_NEAR(model::mutual_energy(system).gravity, -6.6743e-11 * 3e12 / 2, 1e-12 * 100);
}

TEST(DistanceForces, AreTheSlopesOfTheEnergy) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        model::System system = cloud(9, seed);
        const std::vector<Wrench> by = wrenches(system);
        const auto energy = [&] { return model::mutual_energy(system).total(); };
        constexpr double little = 1e-5;
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                Vec3d& x = system.bodies.position[i];
                const Vec3d before = x;
                x[axis] = before[axis] + little;
                const double above = energy();
                x[axis] = before[axis] - little;
                const double below = energy();
                x = before;
                EXPECT_NEAR(by[i].force[axis], (below - above) / (2 * little), 2e-6 * (1 + norm(by[i].force)));

                Quaterniond& turn = system.grains.turn[i];
                const Quaterniond was = turn;
                Vec3d about;
                about[axis] = little;
                turn = quaternion_from_rotation_vector(about) * was;
                const double one_way = energy();
                turn = quaternion_from_rotation_vector(-about) * was;
                const double other_way = energy();
                turn = was;
                EXPECT_NEAR(by[i].torque[axis], (other_way - one_way) / (2 * little), 2e-6 * (1 + norm(by[i].torque)));
            }
        }
    }
}

TEST(DistanceForces, KeepMomentumAndAngularMomentumToRounding) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        model::System system = cloud(40, seed);
        const std::vector<Wrench> by = wrenches(system);
        Vec3d force;
        Vec3d torque;
        double size = 0;
        double turning = 0;
        for (std::size_t i = 0; i < by.size(); ++i) {
            const Vec3d moment = cross(system.bodies.position[i], by[i].force);
            force += by[i].force;
            torque += moment + by[i].torque;
            size += norm(by[i].force);
            turning += norm(moment) + norm(by[i].torque);
        }
        EXPECT_LT(norm(force), 1e-14 * size);
        EXPECT_LT(norm(torque), 1e-14 * turning);
    }
}

TEST(DistanceForces, KeepMomentaWhileGrainsMove) {
    model::System system = cloud(20, 3);
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        system.bodies.inertia[i] = 0.02;
        system.grains.moment[i] = Vec3d{1, 1, 1} * 0.02;
    }
    Engine engine(system, {}, false);
    const Vec3d before = analysis::angular_momentum(system, {});
    engine.advance(2000);
    const analysis::Energies energies = analysis::measure_energies(system);
    EXPECT_GT(energies.kinetic(), 1);
    EXPECT_LT(norm(analysis::momentum(system)), 1e-12);
    EXPECT_LT(norm(analysis::angular_momentum(system, {}) - before), 1e-12);
}

/// All sums, of all kinds, by one set of kernels.
std::vector<double> sums(const DistanceKernels& kernels, const model::PointSources& sources) {
    std::vector<double> out;
    for (const auto& by_masses : kernels.sum) {
        for (const auto& by_charges : by_masses) {
            for (const DistanceKernels::Sum sum : by_charges) {
                std::vector<double> of(sources.size() * engines::grains::distance::numbers);
                sum(DistanceTask{sources.columns(), sources.padded(), of.data()}, 0, sources.size());
                out.insert(out.end(), of.begin(), of.end());
            }
        }
    }
    return out;
}

TEST(DistanceForces, HaveTheSameBitsForEveryWidth) {
    base::Random random(7, 0);
    model::PointSources sources;
    sources.resize(43);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        sources.set(i, random_vector(random, 1), random.uniform(1, 2), random.uniform(-1, 1), random_vector(random, 1),
                    random_vector(random, 1));
    }
    const std::vector<double> expected = sums(engines::grains::scalar_distance_kernels(), sources);
    EXPECT_EQ(sums(engines::grains::packed_distance_kernels(), sources), expected);
    if (engines::grains::wide_distance_kernels().sum[0][0][0] != nullptr && __builtin_cpu_supports("avx512f")) {
        EXPECT_EQ(sums(engines::grains::wide_distance_kernels(), sources), expected);
    }
}

TEST(DistanceForces, HaveTheSameBitsForAnyNumberOfThreads) {
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 3}) {
        model::System system = cloud(300, 5);
        Options options;
        options.threads = threads;
        Engine engine(system, options, false);
        engine.advance(20);
        expected = threads == 1 ? model::state_hash(system) : expected;
        EXPECT_EQ(model::state_hash(system), expected);
    }
}

TEST(DistanceForces, EnergyGoesAlongWithGrainsThatLeave) {
    model::System system = cloud(30, 4);
    system.fields.electric.value = {1, 2, 3};
    system.domain.low = {-1, -1, -1};
    system.domain.high = {4, 4, 4};
    system.clock.step = 2.5e-5;
    for (Vec3d& v : system.bodies.velocity) {
        v = {20, 0, 0};
    }
    const double before = mechanical(system);
    Engine engine(system, {}, false);
    engine.advance(8000);
    EXPECT_GT(system.counters.left_domain, 5);
    EXPECT_LT(imbalance(system, before), 1e-4);
}

}  // namespace
}  // namespace talus::tests
