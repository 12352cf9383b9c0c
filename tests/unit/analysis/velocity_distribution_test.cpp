// Velocities drawn from Maxwell's distribution, and some that are not.
#include "talus/analysis/velocity_distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "normal_numbers.h"

namespace talus::analysis {
namespace {

constexpr double kt = 0.3;  // J
const math::Vec3d wind = {5, -2, 1};

model::MeasureSpec spec_of_velocities(int bins = 20) {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::velocity_distribution;
    spec.histogram.bins = bins;
    spec.histogram.reach = 4;
    return spec;
}

/// Two masses in equipartition, blown along together.
struct Gas {
    model::System system;
    base::Random random{41, 0};

    explicit Gas(int grains = 500) {
        for (int i = 0; i < grains; ++i) {
            system.bodies.add_sphere(i, {}, 0.1, 1000, 0);
            system.bodies.mass.back() = i % 2 == 0 ? 1 : 7;
        }
    }
    Snapshot at(double time) {
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            system.bodies.velocity[i] = wind + normal_vector(random) * std::sqrt(kt / system.bodies.mass[i]);
        }
        return {system, {}, time};
    }
};

TEST(VelocityDistribution, OfAGasInEquilibrium) {
    Gas gas;
    VelocityDistribution measure(spec_of_velocities());
    const int samples = 200;
    for (int k = 0; k < samples; ++k) {
        measure.sample(gas.at(k));
    }
    const std::vector<SummaryValue> summary = measure.summary();
    ASSERT_EQ(summary.size(), 5U);
    EXPECT_EQ(summary[1].name, "velocity_distribution.temperature");
    const double error = kt * std::sqrt(2.0 / (3 * 500 * samples));
    EXPECT_NEAR(summary[1].value, kt, 4 * error);
    EXPECT_NEAR(summary[2].value, 0, 4 * *summary[2].error + 2.0 / 500) << "a2";
    EXPECT_LT(*summary[2].error, 0.01);
    EXPECT_NEAR(summary[3].value, 0, 4 * *summary[3].error + 6.0 / 500) << "kurtosis";
    // Mean and temperature come from the same grains, which brings the distributions nearer than chance.
    EXPECT_GT(summary[4].value, 0.5);
    EXPECT_LT(summary[4].value, 0.9);
    double within = 0;
    const Table table = measure.tables().at(0);
    ASSERT_EQ(table.rows.size(), 20U);
    for (const std::vector<double>& row : table.rows) {
        EXPECT_NEAR(row[0], 0.5 * (row[1] + row[2]), 1e-12);
        EXPECT_EQ(row[3], samples);
        EXPECT_NEAR(row[4], row[6], 4.5 * row[5] + 1e-4);
        within += row[4] * (row[2] - row[1]);
    }
    EXPECT_NEAR(within, std::erf(4 / std::numbers::sqrt2), 1e-4);
    // Maxwell's own column is the normal density averaged over the bin.
    EXPECT_NEAR(table.rows[10][6], std::erf(0.4 / std::numbers::sqrt2) / 2 / 0.4, 1e-12);
}

TEST(VelocityDistribution, MeanSpeedIsNotTakenAgainstTheMean) {
    Gas gas(2);
    gas.system.bodies.mass = {1, 1};
    gas.system.bodies.velocity = {{3, 4, 0}, {3, 4, 0}};
    VelocityDistribution measure(spec_of_velocities());
    measure.sample({gas.system, {}, 0});
    EXPECT_DOUBLE_EQ(measure.values()[0], 5);
    EXPECT_EQ(measure.values()[1], 0);
    EXPECT_TRUE(std::isnan(measure.values()[2])) << "cold grains have no distribution";
}

TEST(VelocityDistribution, TwoSpeedsByHand) {
    // Every component is plus or minus one thermal speed: <c^4> = 9 for the vector, 1 for a component.
    Gas gas(64);
    for (std::size_t i = 0; i < 64; ++i) {
        gas.system.bodies.mass[i] = 2;
        gas.system.bodies.velocity[i] = {(i & 1U) != 0 ? 0.5 : -0.5, (i & 2U) != 0 ? 0.5 : -0.5,
                                         (i & 4U) != 0 ? 0.5 : -0.5};
    }
    VelocityDistribution measure(spec_of_velocities(8));
    measure.sample({gas.system, {}, 0});
    EXPECT_NEAR(measure.values()[1], 2 * 0.25 * 64 / 63, 1e-12);
    EXPECT_NEAR(measure.values()[2], 9.0 / 15 - 1, 1e-12);
    EXPECT_NEAR(measure.values()[3], -2, 1e-12);
    EXPECT_LT(measure.values()[4], 1e-6);
    const Table table = measure.tables().at(0);
    EXPECT_NEAR(table.rows[2][4] + table.rows[3][4], 0.5, 1e-12) << "-1 is a border";
    EXPECT_EQ(table.rows[0][4], 0);
}

TEST(VelocityDistribution, HeldGrainsDoNotCount) {
    Gas gas(50);
    gas.at(0);
    gas.system.bodies.add_sphere(50, {}, 0.1, 1000, 0);
    gas.system.bodies.velocity.back() = {1000, 0, 0};
    gas.system.bodies.stuck_to.back() = 0;
    VelocityDistribution with(spec_of_velocities());
    with.sample({gas.system, {}, 0});
    std::vector<char> keep(51, 1);
    keep.back() = 0;
    gas.system.bodies.compact(keep);
    VelocityDistribution without(spec_of_velocities());
    without.sample({gas.system, {}, 0});
    EXPECT_EQ(with.values(), without.values());
}

}  // namespace
}  // namespace talus::analysis
