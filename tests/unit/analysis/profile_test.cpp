// Profiles along an axis: a lattice and a shear flow with known speeds, stresses, averages.
#include "talus/analysis/profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/base/random.h"
#include "unit/analysis/table_cell.h"

namespace talus::analysis {
namespace {

using std::numbers::pi;

model::MeasureSpec vertical(int bins) {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::profile;
    spec.region.parts = {model::Box{{0, 0, -10}, {2, 2, 10}}};
    spec.grid.along = {{0, 4, bins}};
    return spec;
}

model::System lattice() {
    model::System system;
    std::int64_t id = 0;
    for (int x = 0; x < 2; ++x) {
        for (int y = 0; y < 2; ++y) {
            for (int z = 0; z < 3; ++z) {  // three layers: the fourth bin stays empty
                system.bodies.add_sphere(id++, math::Vec3d{x + 0.5, y + 0.5, z + 0.5}, 0.5, 1000, 0);
                system.bodies.velocity.back() = {1.0 * z, 0, -2.0};
            }
        }
    }
    return system;
}

TEST(Profile, OfALatticeInShear) {
    const model::System system = lattice();
    Profile profile(vertical(4), system.domain);
    profile.sample({system, {}, 0});
    const Table table = profile.tables().at(0);
    ASSERT_EQ(table.rows.size(), 4U);
    for (std::size_t k = 0; k < 3; ++k) {
        const auto shear = static_cast<double>(k);
        EXPECT_DOUBLE_EQ(cell(table, k, "middle"), shear + 0.5);
        EXPECT_EQ(cell(table, k, "grains"), 4);
        EXPECT_NEAR(cell(table, k, "packing"), pi / 6, 1e-13);
        EXPECT_DOUBLE_EQ(cell(table, k, "speed"), std::hypot(shear, 2));
        EXPECT_DOUBLE_EQ(cell(table, k, "velocity_x"), shear);
        EXPECT_DOUBLE_EQ(cell(table, k, "velocity_z"), -2);
        EXPECT_NEAR(cell(table, k, "kinetic_pressure"), 0, 1e-10);
    }
    EXPECT_EQ(cell(table, 3, "grains"), 0);
    EXPECT_EQ(cell(table, 3, "packing"), 0);
    EXPECT_TRUE(std::isnan(cell(table, 3, "speed")));
    EXPECT_EQ(cell(table, 3, "speed_samples"), 0);
    EXPECT_EQ(cell(table, 3, "stress_zz"), 0);
}

TEST(Profile, PackingOfFineBinsAddsUp) {
    const model::System system = lattice();
    Profile profile(vertical(37), system.domain);
    profile.sample({system, {}, 0});
    const Table table = profile.tables().at(0);
    double solid = 0;
    for (std::size_t k = 0; k < 37; ++k) {
        solid += cell(table, k, "packing") * 4 * 4.0 / 37;
    }
    EXPECT_NEAR(solid, 12 * pi / 6, 1e-12);
}

TEST(Profile, HydrostaticStress) {
    // Each layer carries the grains above it: sigma_zz falls linearly from bin to bin.
    const model::System system = lattice();
    std::vector<model::ContactSample> contacts;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        model::ContactSample c;
        const math::Vec3d x = system.bodies.position[i];
        const double above = 3 - std::floor(x.z);  // grains carried by the contact below
        c.a = system.bodies.id[i];
        c.force = {0, 0, above};
        c.point = x - math::Vec3d{0, 0, 0.5};
        c.b = x.z > 1 ? c.a - 1 : -1;
        c.wall = x.z > 1 ? -1 : 0;
        contacts.push_back(c);
    }
    Profile profile(vertical(4), system.domain);
    profile.sample({system, contacts, 0});
    const Table table = profile.tables().at(0);
    // A layer of four: (load below + load above) / 2 per grain of unit cross-section.
    EXPECT_NEAR(cell(table, 0, "stress_zz"), 2.5, 1e-13);
    EXPECT_NEAR(cell(table, 1, "stress_zz"), 1.5, 1e-13);
    EXPECT_NEAR(cell(table, 2, "stress_zz"), 0.5, 1e-13);
    EXPECT_NEAR(cell(table, 2, "pressure"), 0.5 / 3, 1e-13);
}

TEST(Profile, AveragesOverTimeWithErrors) {
    model::System system = lattice();
    Profile profile(vertical(4), system.domain);
    base::Random random(3, 3);
    const int samples = 2000;
    for (int k = 0; k < samples; ++k) {
        const double v = random.uniform(-1, 1);
        for (math::Vec3d& velocity : system.bodies.velocity) {
            velocity = {3 + v, 0, 0};
        }
        profile.sample({system, {}, 0.1 * k});
    }
    const Table table = profile.tables().at(0);
    const double expected = std::sqrt(1.0 / 3 / samples);
    EXPECT_NEAR(cell(table, 1, "speed"), 3, 4 * expected);
    EXPECT_NEAR(cell(table, 1, "speed_error"), expected, 0.3 * expected);
    EXPECT_EQ(cell(table, 1, "samples"), samples);
    EXPECT_NE(table.csv().find("speed [m/s],speed_error [m/s]"), std::string::npos);
}

TEST(Profile, WithoutARegionHasNoPacking) {
    model::MeasureSpec spec = vertical(4);
    spec.region = {};
    const model::System system = lattice();
    Profile profile(spec, system.domain);
    profile.sample({system, {}, 0});
    const Table table = profile.tables().at(0);
    EXPECT_TRUE(std::isnan(cell(table, 0, "packing")));
    EXPECT_DOUBLE_EQ(cell(table, 0, "speed"), 2);
}

TEST(Profile, RefusesNonsense) {
    EXPECT_THROW(Profile(vertical(0), {}), base::InputError);
    model::MeasureSpec spec = vertical(3);
    spec.grid.along[0].high = 0;
    EXPECT_THROW(Profile(spec, {}), base::InputError);
}

}  // namespace
}  // namespace talus::analysis
