// Height, centre of mass and packing of arrangements with known answers.
#include "talus/analysis/bulk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace talus::analysis {
namespace {

using std::numbers::pi;

model::System cubic_lattice(int nx, int ny, int nz) {
    model::System system;
    std::int64_t id = 0;
    for (int x = 0; x < nx; ++x) {
        for (int y = 0; y < ny; ++y) {
            for (int z = 0; z < nz; ++z) {
                system.bodies.add_sphere(id++, Vec3d{x + 0.5, y + 0.5, z + 0.5}, 0.5, 1000, 0);
            }
        }
    }
    return system;
}

TEST(Height, OfAHundredGrainsInAColumn) {
    model::System system;
    for (int i = 0; i < 100; ++i) {
        system.bodies.add_sphere(i, Vec3d{0, 0, 1.0 * i}, 0.25, 1000, 0);
    }
    const Height h = height(system, {0, 0, 1});
    EXPECT_DOUBLE_EQ(h.highest, 99.25);
    EXPECT_DOUBLE_EQ(h.most, 98.25);  // 99 of 100 tops lie at or below
    const Height down = height(system, {0, 0, -1});
    EXPECT_DOUBLE_EQ(down.highest, 0.25);
    const model::Region low{{model::HalfSpace{{0, 0, -1}, -10}}};
    EXPECT_DOUBLE_EQ(height(system, {0, 0, 1}, low).highest, 10.25);
    EXPECT_TRUE(std::isnan(height(model::System{}, {0, 0, 1}).highest));
}

TEST(CenterOfMass, WeighsByMass) {
    model::System system;
    system.bodies.add_sphere(0, {0, 0, 0}, 1, 1000, 0);
    system.bodies.add_sphere(1, {3, 6, 9}, 1, 2000, 0);
    const Vec3d c = center_of_mass(system);
    EXPECT_NEAR(c.x, 2, 1e-15);
    EXPECT_NEAR(c.y, 4, 1e-15);
    EXPECT_NEAR(c.z, 6, 1e-15);
    const model::Region right{{model::HalfSpace{{1, 0, 0}, 1}}};
    EXPECT_NEAR(center_of_mass(system, right).x, 3, 1e-15);
    EXPECT_TRUE(std::isnan(center_of_mass(model::System{}).x));
}

TEST(Packing, OfACubicLattice) {
    const model::System system = cubic_lattice(4, 4, 4);
    const auto in = [&](const model::Box& box) {
        return packing(system, RegionVolume(model::Region{{box}}, system.domain));
    };
    EXPECT_NEAR(in({{0, 0, 0}, {4, 4, 4}}), pi / 6, 1e-14);
    EXPECT_NEAR(in({{1, 1, 1}, {3, 3, 3}}), pi / 6, 1e-14);
    // A box of whole periods cuts balls but holds the same solid wherever it starts.
    EXPECT_NEAR(in({{0.3, 0.7, 0.1}, {2.3, 3.7, 3.1}}), pi / 6, 1e-13);
    EXPECT_NEAR(in({{0.5, 0.5, 0.5}, {3.5, 3.5, 3.5}}), pi / 6, 1e-14);
}

TEST(Packing, OfAPeriodicLattice) {
    model::System system = cubic_lattice(3, 3, 3);
    system.domain.low = {0, 0, 0};
    system.domain.high = {3, 3, 3};
    system.domain.periodic = {true, true, true};
    for (Vec3d& x : system.bodies.position) {
        x -= Vec3d{0.4, 0.4, 0.4};  // now cut by the borders
    }
    EXPECT_NEAR(packing(system, RegionVolume({}, system.domain)), pi / 6, 1e-13);
}

TEST(Packing, OfALatticeInACylinder) {
    // Cut balls at the side are sampled; the fraction in a wide cylinder comes close to the lattice's.
    const model::System system = cubic_lattice(21, 21, 4);
    const model::Region cylinder{{model::Frustum{{10.5, 10.5, 0}, {10.5, 10.5, 4}, 9, 9}}};
    EXPECT_NEAR(packing(system, RegionVolume(cylinder, system.domain)), pi / 6, 0.01);
}

TEST(Packing, AtTheHeart) {
    const model::System system = cubic_lattice(16, 16, 30);
    const double phi = packing_at_heart(system, {0, 0, 1}, 0);
    EXPECT_NEAR(phi, pi / 6, 0.03);  // the ball has a radius of nine grain radii and cuts grains at its border
    EXPECT_EQ(packing_at_heart(cubic_lattice(3, 3, 3), {0, 0, 1}, 0), 0);
    EXPECT_EQ(packing_at_heart(system, {0, 0, 1}, 100), 0);
}

}  // namespace
}  // namespace talus::analysis
