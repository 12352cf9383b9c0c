// Stress of two spheres with a known force, of a loaded crystal, and across a periodic border.
#include "talus/analysis/stress.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "talus/analysis/ball_volume.h"
#include "talus/base/random.h"

namespace talus::analysis {
namespace {

using math::Vec3d;

TEST(GrainStress, OfTwoPressedSpheres) {
    // Radii 1 and 2 at a distance of 2.9 along x; force 7 along the line and 3 across, on the left one.
    model::System system;
    system.bodies.add_sphere(4, {0, 0, 0}, 1, 1000, 0);
    system.bodies.add_sphere(9, {2.9, 0, 0}, 2, 1000, 0);
    model::ContactSample c;
    c.a = 4;
    c.b = 9;
    c.force = {-7, 3, 0};
    c.point = {0.95, 0, 0};
    const std::vector<model::ContactSample> contacts = {c};
    const std::vector<Tensor6> virial = grain_virial(system, contacts);
    EXPECT_DOUBLE_EQ(virial[0][0], 7 * 0.95);
    EXPECT_DOUBLE_EQ(virial[1][0], 7 * 1.95);
    EXPECT_DOUBLE_EQ(virial[0][0] + virial[1][0], 7 * 2.9);  // force times branch
    EXPECT_DOUBLE_EQ(virial[0][5] + virial[1][5], 0.5 * -3 * 2.9);
    EXPECT_EQ(virial[0][1], 0);
    const std::vector<Tensor6> stress = grain_stress(system, contacts);
    EXPECT_DOUBLE_EQ(stress[1][0], 7 * 1.95 / ball_volume(2));
    EXPECT_DOUBLE_EQ(pressure(stress[1]), 7 * 1.95 / ball_volume(2) / 3);
}

TEST(GrainStress, WallContactsCount) {
    // A grain squeezed between floor and ceiling by 5 N: sigma_zz = 5 * 2 r / V.
    model::System system;
    system.bodies.add_sphere(0, {0, 0, 1}, 1, 1000, 0);
    model::ContactSample floor;
    floor.a = 0;
    floor.wall = 0;
    floor.force = {0, 0, 5};
    floor.point = {0, 0, 0};
    model::ContactSample ceiling = floor;
    ceiling.wall = 1;
    ceiling.force = {0, 0, -5};
    ceiling.point = {0, 0, 2};
    const std::vector<Tensor6> stress = grain_stress(system, std::vector{floor, ceiling});
    EXPECT_DOUBLE_EQ(stress[0][2], 10 / ball_volume(1));
    EXPECT_EQ(stress[0][0], 0);
}

TEST(GrainStress, AcrossAPeriodicBorder) {
    model::System system;
    system.domain.low = {0, 0, 0};
    system.domain.high = {10, 10, 10};
    system.domain.periodic = {true, false, false};
    system.bodies.add_sphere(0, {0.5, 5, 5}, 1, 1000, 0);
    system.bodies.add_sphere(1, {8.6, 5, 5}, 1, 1000, 0);
    model::ContactSample c;
    c.a = 0;
    c.b = 1;
    c.force = {2, 0, 0};
    c.point = {-0.45, 5, 5};
    const std::vector<Tensor6> virial = grain_virial(system, std::vector{c});
    EXPECT_NEAR(virial[0][0] + virial[1][0], 2 * 1.9, 1e-14);
}

TEST(GrainStress, CubicCrystalUnderPressure) {
    // Spheres of radius 1/2 on a periodic cubic lattice of spacing 1, each contact with force f: sigma = f / spacing^2.
    model::System system;
    const int n = 3;
    system.domain.low = {0, 0, 0};
    system.domain.high = {3, 3, 3};
    system.domain.periodic = {true, true, true};
    std::vector<model::ContactSample> contacts;
    const auto id = [n](int x, int y, int z) { return ((x + n) % n * n + (y + n) % n) * n + (z + n) % n; };
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            for (int z = 0; z < n; ++z) {
                system.bodies.add_sphere(id(x, y, z), Vec3d{x + 0.5, y + 0.5, z + 0.5}, 0.5, 1000, 0);
                for (int k = 0; k < 3; ++k) {
                    Vec3d step;
                    step[k] = 1;
                    model::ContactSample c;
                    c.a = id(x, y, z);
                    c.b = id(x + (k == 0), y + (k == 1), z + (k == 2));
                    c.force = step * -4.0;
                    c.point = system.bodies.position.back() + step * 0.5;
                    contacts.push_back(c);
                }
            }
        }
    }
    const std::vector<Tensor6> virial = grain_virial(system, contacts);
    StressSum sum;
    for (std::size_t i = 0; i < virial.size(); ++i) {
        sum.add(system.bodies, i, virial[i]);
    }
    const Tensor6 stress = sum.contact(27);
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_NEAR(stress[k], k < 3 ? 4 : 0, 1e-13);
    }
    EXPECT_NEAR(pressure(stress), 4, 1e-13);
    EXPECT_NEAR(sum.solid_volume() / 27, std::numbers::pi / 6, 1e-14);
}

TEST(StressSum, KineticPartIgnoresTheCommonVelocity) {
    model::System system;
    system.bodies.add_sphere(0, {0, 0, 0}, 1, 1000, 0);
    system.bodies.add_sphere(1, {5, 0, 0}, 1, 1000, 0);
    system.bodies.mass = {2, 2};
    system.bodies.velocity = {{103, 50, 0}, {97, 50, 0}};
    StressSum sum;
    EXPECT_TRUE(sum.empty());
    sum.add(system.bodies, 0, {});
    sum.add(system.bodies, 1, {});
    EXPECT_NEAR(sum.kinetic(4)[0], 2 * 2 * 9 / 4.0, 1e-9);
    EXPECT_NEAR(sum.kinetic(4)[1], 0, 1e-9);
    EXPECT_EQ(sum.mean_velocity(), (Vec3d{100, 50, 0}));
}

TEST(StressSum, IdealGasPressure) {
    // Many independent grains with variance s^2 a component: p = n m s^2 / V.
    model::System system;
    base::Random random(6, 0);
    StressSum sum;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
        system.bodies.add_sphere(i, {}, 0.1, 1000, 0);
        system.bodies.mass.back() = 1;
        const double half_width = std::sqrt(3.0);  // uniform with unit variance
        system.bodies.velocity.back() = {7 + random.uniform(-half_width, half_width),
                                         random.uniform(-half_width, half_width),
                                         random.uniform(-half_width, half_width)};
        sum.add(system.bodies, static_cast<std::size_t>(i), {});
    }
    EXPECT_NEAR(pressure(sum.kinetic(2)), n / 2.0, 0.02 * n / 2.0);
}

TEST(StressSum, TemperatureOfFewGrainsIsNotTooLow) {
    // The mean over many pairs and triples, of different masses, drawn with variance 4 a component.
    base::Random random(8, 1);
    for (const std::vector<double>& masses : {std::vector<double>{1, 1}, {1, 1, 1}, {1, 5}, {1, 2, 3}}) {
        double mean = 0;
        const int groups = 20000;
        for (int g = 0; g < groups; ++g) {
            model::System system;
            StressSum sum;
            for (std::size_t i = 0; i < masses.size(); ++i) {
                const double w = 2 * std::sqrt(3.0);
                system.bodies.add_sphere(static_cast<std::int64_t>(i), {}, 0.1, 1000, 0);
                system.bodies.mass.back() = masses[i];
                system.bodies.velocity.back() = {random.uniform(-w, w), 3 + random.uniform(-w, w),
                                                 random.uniform(-w, w)};
                sum.add(system.bodies, i, {});
            }
            mean += sum.temperature() / groups;
        }
        EXPECT_NEAR(mean, 4, 0.06) << masses.size() << " grains";
    }
    model::System one;
    one.bodies.add_sphere(0, {}, 1, 1000, 0);
    StressSum sum;
    EXPECT_TRUE(std::isnan(sum.temperature()));
    sum.add(one.bodies, 0, {});
    EXPECT_TRUE(std::isnan(sum.temperature()));
}

TEST(Tensor, AlongTurnedAxes) {
    const Vec3d a{1, -2, 3};
    const Vec3d b{0.5, 4, -1};
    const double c = std::cos(0.7);
    const double s = std::sin(0.7);
    const math::Mat3d basis = {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    const Tensor6 turned = along(basis, symmetric_product(a, b));
    const Tensor6 expected = symmetric_product(basis * a, basis * b);
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_NEAR(turned[k], expected[k], 1e-14);
    }
    EXPECT_EQ(along(math::Mat3d::identity(), expected), expected);
}

}  // namespace
}  // namespace talus::analysis
