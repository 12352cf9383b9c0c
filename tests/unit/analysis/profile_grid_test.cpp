// Profiles on boxes and rings: flows with known fields, sums over cells that must be the totals, periodic axes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "talus/analysis/ball_volume.h"
#include "talus/analysis/profile.h"
#include "talus/analysis/stress.h"
#include "talus/base/random.h"
#include "unit/analysis/table_cell.h"

namespace talus::analysis {
namespace {

using Kind = model::ProfileGrid::Kind;

model::MeasureSpec on_boxes(const Vec3d& low, const Vec3d& high, int nx, int ny, int nz) {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::profile;
    spec.grid.kind = Kind::boxes;
    spec.grid.along = {{low.x, high.x, nx}, {low.y, high.y, ny}, {low.z, high.z, nz}};
    return spec;
}

model::MeasureSpec on_rings(const Vec3d& origin, const Vec3d& axis, double radius, double length, int nr, int nz) {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::profile;
    spec.grid.kind = Kind::rings;
    spec.grid.origin = origin;
    spec.grid.axis = axis;
    spec.grid.along = {{0, radius, nr}, {0, length, nz}};
    return spec;
}

/// Grains of different sizes anywhere in the box, with contacts between random neighbours in number.
struct Mixture {
    model::System system;
    std::vector<model::ContactSample> contacts;
    base::Random random{12, 5};

    Mixture(const Vec3d& low, const Vec3d& high, int count) {
        for (int i = 0; i < count; ++i) {
            system.bodies.add_sphere(i, between(low, high), random.uniform(0.02, 0.15), 1500, 0);
            system.bodies.velocity.back() = between({-2, -1, 0}, {1, 3, 4});
        }
        for (int i = 0; i + 1 < count; i += 2) {
            model::ContactSample c;
            c.a = i;
            c.b = i + 1;
            c.force = between({-5, -5, -5}, {5, 5, 5});
            c.point = between(low, high);
            contacts.push_back(c);
        }
    }
    Vec3d between(const Vec3d& low, const Vec3d& high) {
        return {random.uniform(low.x, high.x), random.uniform(low.y, high.y), random.uniform(low.z, high.z)};
    }
};

Table sampled(const model::MeasureSpec& spec, const model::System& system,
              const std::vector<model::ContactSample>& contacts = {}) {
    Profile profile(spec, system.domain);
    profile.sample({system, contacts, 0});
    return profile.tables().at(0);
}

TEST(ProfileGrid, UniformFlow) {
    Mixture mixture({-1, -1, -1}, {1, 1, 1}, 400);
    const Vec3d flow{0.3, -2, 1.5};
    std::fill(mixture.system.bodies.velocity.begin(), mixture.system.bodies.velocity.end(), flow);
    const Table table = sampled(on_boxes({-1, -1, -1}, {1, 1, 1}, 2, 3, 4), mixture.system);
    ASSERT_EQ(table.rows.size(), 24U);
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        ASSERT_GT(cell(table, k, "grains"), 1);
        EXPECT_NEAR(cell(table, k, "velocity_x"), flow.x, 1e-13);
        EXPECT_NEAR(cell(table, k, "velocity_y"), flow.y, 1e-13);
        EXPECT_NEAR(cell(table, k, "velocity_z"), flow.z, 1e-13);
        EXPECT_NEAR(cell(table, k, "speed"), norm(flow), 1e-13);
        EXPECT_NEAR(cell(table, k, "temperature"), 0, 1e-13);
        EXPECT_NEAR(cell(table, k, "kinetic_pressure"), 0, 1e-9);
        EXPECT_NEAR(cell(table, k, "kinetic_xy"), 0, 1e-9);
    }
}

TEST(ProfileGrid, RigidRotation) {
    Mixture mixture({-1, -1, 0}, {1, 1, 2}, 3000);
    model::Bodies& bodies = mixture.system.bodies;
    const Vec3d omega{0, 0, 2.5};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies.velocity[i] = cross(omega, bodies.position[i]) + Vec3d{0, 0, 0.7};
    }
    // In boxes: the velocity of the cell's centre of mass.
    const model::MeasureSpec spec = on_boxes({-1, -1, 0}, {1, 1, 2}, 4, 4, 2);
    const Table boxes = sampled(spec, mixture.system);
    for (std::size_t k = 0; k < boxes.rows.size(); ++k) {
        Vec3d moment;
        double mass = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const Vec3d d = bodies.position[i] - Vec3d{cell(boxes, k, "x"), cell(boxes, k, "y"), cell(boxes, k, "z")};
            if (std::abs(d.x) < 0.25 && std::abs(d.y) < 0.25 && std::abs(d.z) < 0.5) {
                moment += bodies.position[i] * bodies.mass[i];
                mass += bodies.mass[i];
            }
        }
        const Vec3d expected = cross(omega, moment / mass) + Vec3d{0, 0, 0.7};
        EXPECT_NEAR(cell(boxes, k, "velocity_x"), expected.x, 1e-12);
        EXPECT_NEAR(cell(boxes, k, "velocity_y"), expected.y, 1e-12);
        EXPECT_NEAR(cell(boxes, k, "velocity_z"), 0.7, 1e-12);
    }
    // In rings: omega r about the axis, nothing outwards, and only the spread of r within a ring.
    const int rings = 20;
    const Table about = sampled(on_rings({0, 0, 0}, {0, 0, 1}, 1, 2, rings, 1), mixture.system);
    ASSERT_EQ(about.rows.size(), 20U);
    for (std::size_t k = 2; k < about.rows.size(); ++k) {
        EXPECT_NEAR(cell(about, k, "velocity_t"), 2.5 * cell(about, k, "r"), 2.5 * 0.5 / rings);
        EXPECT_NEAR(cell(about, k, "velocity_r"), 0, 1e-12);
        EXPECT_NEAR(cell(about, k, "velocity_z"), 0.7, 1e-12);
        EXPECT_LT(cell(about, k, "temperature"), 2.5 * 2.5 / (12.0 * rings * rings) / 3 * 2);
        EXPECT_NEAR(cell(about, k, "kinetic_rr"), 0, 1e-9);
        EXPECT_NEAR(cell(about, k, "kinetic_rt"), 0, 1e-9);
    }
}

TEST(ProfileGrid, SumsOverCellsAreTheTotals) {
    const Mixture mixture({-1, -1, -1}, {1, 1, 1}, 600);
    const model::Bodies& bodies = mixture.system.bodies;
    const std::vector<Tensor6> virial = grain_virial(mixture.system, mixture.contacts);
    Tensor6 all_virial{};
    Tensor6 all_motion{};
    double solid = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        all_virial = all_virial + virial[i];
        all_motion = all_motion + symmetric_product(bodies.velocity[i], bodies.velocity[i]) * bodies.mass[i];
        solid += ball_volume(bodies.radius[i]);
    }
    // All grains lie wholly in the boxes.
    const Table table =
        sampled(on_boxes({-1.2, -1.2, -1.2}, {1.2, 1.2, 1.2}, 5, 6, 7), mixture.system, mixture.contacts);
    double grains = 0;
    double packed = 0;
    double volume = 0;
    Tensor6 stress{};
    Tensor6 kinetic{};
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        const double v = cell(table, k, "volume");
        volume += v;
        grains += cell(table, k, "grains");
        packed += cell(table, k, "packing") * v;
        Vec3d u;
        double mass = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const Vec3d d = bodies.position[i] - Vec3d{cell(table, k, "x"), cell(table, k, "y"), cell(table, k, "z")};
            const bool inside = std::abs(d.x) < 0.24 && std::abs(d.y) < 0.2 && std::abs(d.z) < 1.2 / 7;
            mass += inside ? bodies.mass[i] : 0;
        }
        if (mass > 0) {
            u = {cell(table, k, "velocity_x"), cell(table, k, "velocity_y"), cell(table, k, "velocity_z")};
        }
        const Tensor6 flow = symmetric_product(u, u) * mass;
        for (std::size_t c = 0; c < 6; ++c) {
            stress[c] += cell(table, k, std::string("stress_") + tensor_names[c]) * v;
            kinetic[c] += cell(table, k, std::string("kinetic_") + tensor_names[c]) * v + flow[c];
        }
    }
    EXPECT_NEAR(volume, 2.4 * 2.4 * 2.4, 1e-12);
    EXPECT_EQ(grains, 600);
    EXPECT_NEAR(packed, solid, 1e-12);
    for (std::size_t c = 0; c < 6; ++c) {
        EXPECT_NEAR(stress[c], all_virial[c], 1e-10) << tensor_names[c];
        EXPECT_NEAR(kinetic[c], all_motion[c], 1e-9 * std::abs(all_motion[0])) << tensor_names[c];
    }
}

TEST(ProfileGrid, RingsSumToTheTotalsToo) {
    const Mixture mixture({-1, -1, -1}, {1, 1, 1}, 300);
    const Table table = sampled(on_rings({0, 0, -1.3}, {0, 0, 1}, 1.8, 2.6, 6, 5), mixture.system, mixture.contacts);
    const std::vector<Tensor6> virial = grain_virial(mixture.system, mixture.contacts);
    double trace = 0;
    double axial = 0;
    double solid = 0;
    for (std::size_t i = 0; i < virial.size(); ++i) {
        trace += 3 * pressure(virial[i]);
        axial += virial[i][2];
        solid += ball_volume(mixture.system.bodies.radius[i]);
    }
    double grains = 0;
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        const double v = cell(table, k, "volume");
        grains += cell(table, k, "grains");
        solid -= cell(table, k, "packing") * v;
        trace -= (cell(table, k, "stress_rr") + cell(table, k, "stress_tt") + cell(table, k, "stress_zz")) * v;
        axial -= cell(table, k, "stress_zz") * v;
    }
    EXPECT_EQ(grains, 300);
    EXPECT_NEAR(solid, 0, 1e-6);
    EXPECT_NEAR(trace, 0, 1e-10);
    EXPECT_NEAR(axial, 0, 1e-10);
}

TEST(ProfileGrid, PeriodicAxesLoseNothing) {
    Mixture mixture({0, 0, 0}, {1, 2, 3}, 200);
    mixture.system.domain.low = {0, 0, 0};
    mixture.system.domain.high = {1, 2, 3};
    mixture.system.domain.periodic = {true, true, true};
    double solid = 0;
    for (const double r : mixture.system.bodies.radius) {
        solid += ball_volume(r);
    }
    model::MeasureSpec slices;
    slices.kind = model::MeasureKind::profile;
    slices.grid.axis = {0, 1, 0};
    slices.grid.along = {{0, 2, 7}};
    for (const model::MeasureSpec& spec : {on_boxes({0, 0, 0}, {1, 2, 3}, 3, 4, 5), slices}) {
        const Table table = sampled(spec, mixture.system, mixture.contacts);
        double packed = 0;
        double grains = 0;
        for (std::size_t k = 0; k < table.rows.size(); ++k) {
            packed += cell(table, k, "packing") * cell(table, k, "volume");
            grains += cell(table, k, "grains");
        }
        EXPECT_NEAR(packed, solid, 1e-12);
        EXPECT_EQ(grains, 200);
    }
}

TEST(ProfileGrid, TableTellsHowManyInstantsAreBehindEachNumber) {
    Mixture mixture({0, 0, 0}, {0.1, 0.1, 0.1}, 2);
    Profile profile(on_boxes({0, 0, 0}, {1, 1, 1}, 1, 1, 2), {});
    for (int k = 0; k < 6; ++k) {
        profile.sample({mixture.system, {}, 0.1 * k});
        if (k == 1) {  // one of the two leaves the lower cell
            mixture.system.bodies.position[1] = {0.5, 0.5, 0.75};
        }
        if (k == 3) {  // and the other as well
            mixture.system.bodies.position[0] = {2, 2, 2};
        }
    }
    const Table table = profile.tables().at(0);
    EXPECT_EQ(cell(table, 0, "samples"), 6);
    EXPECT_EQ(cell(table, 0, "speed_samples"), 4);
    EXPECT_EQ(cell(table, 0, "temperature_samples"), 2);
    EXPECT_DOUBLE_EQ(cell(table, 0, "grains"), (2 + 2 + 1 + 1) / 6.0);
    EXPECT_EQ(cell(table, 1, "speed_samples"), 4);
    EXPECT_EQ(cell(table, 1, "temperature_samples"), 0);
    EXPECT_TRUE(std::isnan(cell(table, 1, "temperature")));
    EXPECT_EQ(profile.text(), "profile: 2 cells, averaged over 6 samples");
    EXPECT_EQ(table.csv().substr(0, 22), "x [m],y [m],z [m],volu");
}

}  // namespace
}  // namespace talus::analysis
