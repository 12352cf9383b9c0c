// Rings about an axis: rigid rotation, areas that add up, impulses over a window, and a state that is saved exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/analysis/radial_profile.h"
#include "talus/base/random.h"

namespace talus::tests {
namespace {

using analysis::RadialProfile;
using analysis::Snapshot;
using math::Vec3d;

constexpr double rate = 0.7;  // rad/s

model::System rotating_discs() {
    model::System system;
    system.domain.dimensions = 2;
    base::Random random(4, 2);
    for (int n = 0; n < 400; ++n) {
        const double r = 2 + 6 * (n + 0.5) / 400;
        const double angle = random.uniform(0, 2 * std::numbers::pi);
        const Vec3d x{r * std::cos(angle), r * std::sin(angle), 0};
        system.bodies.add_sphere(n, x, 0.05 + 0.05 * random.uniform(), 1, 0, 2);
        system.bodies.velocity.back() = cross(Vec3d{0, 0, rate}, x);
        system.bodies.spin.back() = {0, 0, rate};
    }
    return system;
}

/// All turned on by rate * time.
void turn(model::System& system, double time) {
    const double c = std::cos(rate * time);
    const double s = std::sin(rate * time);
    for (auto* vectors : {&system.bodies.position, &system.bodies.velocity}) {
        for (Vec3d& x : *vectors) {
            x = {c * x.x - s * x.y, s * x.x + c * x.y, 0};
        }
    }
}

model::MeasureSpec rings(double inner, double outer, int bins) {
    model::MeasureSpec spec;
    spec.name = "radial";
    spec.kind = model::MeasureKind::radial;
    spec.grid.kind = model::ProfileGrid::Kind::rings;
    spec.grid.along = {{inner, outer, bins}, {0, 1, 1}};
    return spec;
}

double at(const analysis::Table& table, std::size_t row, const std::string& name) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (table.columns[k].name == name) {
            return table.rows[row][k];
        }
    }
    ADD_FAILURE() << "no column " << name;
    return 0;
}

TEST(RadialProfile, SeesARigidRotation) {
    model::System system = rotating_discs();
    RadialProfile measure(rings(1, 9, 8), system.domain);
    for (int k = 0; k < 4; ++k) {
        measure.sample({system, {}, 0.5 * k});
        turn(system, 0.5);
    }
    const analysis::Table table = measure.tables()[0];
    double solid = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (at(table, row, "grains") > 0) {
            EXPECT_NEAR(at(table, row, "angular_velocity"), rate, 1e-12);
            EXPECT_NEAR(at(table, row, "angular_velocity_moved"), rate, 1e-12);
            EXPECT_NEAR(at(table, row, "spin"), rate, 1e-12);
        }
        const double low = at(table, row, "low");
        const double high = at(table, row, "high");
        solid += at(table, row, "packing") * std::numbers::pi * (high * high - low * low);
    }
    double expected = 0;
    for (const double r : system.bodies.radius) {
        expected += std::numbers::pi * r * r;
    }
    EXPECT_NEAR(solid / expected, 1, 1e-12);
}

TEST(RadialProfile, TakesImpulsesBetweenTwoSamples) {
    model::System system = rotating_discs();
    system.impulses.virial.assign(system.bodies.size(), {1, 1, 0, 0, 0, 0});  // from before
    RadialProfile measure(rings(1, 9, 4), system.domain);
    measure.sample({system, {}, 1});
    EXPECT_TRUE(std::isnan(measure.values()[0]));
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {  // along the radius 3, across it 1
        const Vec3d e = system.bodies.position[i] / norm(system.bodies.position[i]);
        system.impulses.virial[i][0] += 3 * e.x * e.x + e.y * e.y;
        system.impulses.virial[i][1] += 3 * e.y * e.y + e.x * e.x;
        system.impulses.virial[i][5] += 2 * e.x * e.y;
    }
    measure.sample({system, {}, 3});
    EXPECT_NEAR(measure.values()[0], 2, 1e-12);  // (3 + 1) over two seconds
    const analysis::Table table = measure.tables()[0];
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const double low = at(table, row, "low");
        const double high = at(table, row, "high");
        const double per_area = at(table, row, "grains") / (std::numbers::pi * (high * high - low * low));
        EXPECT_NEAR(at(table, row, "stress_rr"), 1.5 * per_area, 1e-12);
        EXPECT_NEAR(at(table, row, "stress_tt"), 0.5 * per_area, 1e-12);
        EXPECT_NEAR(at(table, row, "stress_rt"), 0, 1e-12);
        EXPECT_NEAR(at(table, row, "proxy_stress"), 2, 1e-12);
    }
}

TEST(RadialProfile, GoesOnExactlyWhereItWasSaved) {
    model::System system = rotating_discs();
    system.impulses.virial.assign(system.bodies.size(), {});
    RadialProfile whole(rings(1, 9, 4), system.domain);
    RadialProfile first(rings(1, 9, 4), system.domain);
    RadialProfile second(rings(1, 9, 4), system.domain);
    for (int k = 0; k < 6; ++k) {
        if (k == 3) {
            second.load(first.save());
        }
        whole.sample({system, {}, 0.1 * k});
        (k < 3 ? first : second).sample({system, {}, 0.1 * k});
        turn(system, 0.1);
        for (auto& virial : system.impulses.virial) {
            virial[0] += 0.1 * k;
        }
    }
    EXPECT_EQ(second.tables()[0].csv(), whole.tables()[0].csv());
    EXPECT_EQ(second.save(), whole.save());
}

}  // namespace
}  // namespace talus::tests
