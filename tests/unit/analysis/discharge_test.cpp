// Grains that fall through a plane: counted once, also when they vanish, bounce, come round or are taken away.
#include "talus/analysis/discharge.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace talus::analysis {
namespace {

model::System grains_at_heights(const std::vector<double>& z) {
    model::System system;
    system.gravity = {0, 0, -9.81};
    for (std::size_t i = 0; i < z.size(); ++i) {
        system.bodies.add_sphere(static_cast<std::int64_t>(i), {0, 0, z[i]}, 0.01, 1000, 0);
    }
    return system;
}

void keep(model::System& system, const std::vector<char>& which) {
    system.bodies.compact(which);
}

CrossingCounter plane_at_zero() {
    return {{0, 0, 1}, 0, {}};
}

TEST(Beverloo, ReproducesSsdemTable) {
    // Sims. 27-30, 53, 59-61 of SSDEM Table 1: hole radius in m, rate in kg/s.
    const std::vector<std::array<double, 2>> table = {{0.15, 44.00}, {0.20, 100.6}, {0.25, 188.6}, {0.30, 304.7},
                                                      {0.35, 461.0}, {0.40, 661.3}, {0.45, 902.7}, {0.50, 1192}};
    for (const auto& [radius, rate] : table) {
        EXPECT_NEAR(beverloo_rate(2 * radius, 0.02, 1000, 0.61, 9.80665) / rate, 1, 0.025);
    }
    EXPECT_NEAR(beverloo_rate(0.20, 0.02, 1000, 0.61, 9.80665) / 13.10, 0.94, 0.005);  // Sim. 7: 6 % low
    EXPECT_EQ(beverloo_rate(0.04, 0.02, 1000, 0.61, 9.81), 0);
}

TEST(CrossingCounter, CountsFromAboveToBelow) {
    CrossingCounter counter = plane_at_zero();
    model::System system = grains_at_heights({0.5, 0.2, -0.1, 0.0});
    counter.look(system, 0);
    EXPECT_EQ(counter.count(), 0);
    system.bodies.position[1].z = -0.01;
    system.bodies.position[2].z = -0.5;  // was below from the start
    counter.look(system, 0.1);
    EXPECT_EQ(counter.count(), 1);
    EXPECT_DOUBLE_EQ(counter.mass(), system.bodies.mass[1]);
    system.bodies.position[3].z = -1e-9;
    counter.look(system, 0.2);
    EXPECT_EQ(counter.count(), 2);
    EXPECT_DOUBLE_EQ(counter.mean_diameter(), 0.02);
    EXPECT_NEAR(counter.grain_density(), 1000, 1e-9);
}

TEST(CrossingCounter, CountsAGrainOnce) {
    CrossingCounter counter = plane_at_zero();
    model::System system = grains_at_heights({0.1});
    double time = 0;
    for (const double z : {0.1, -0.1, 0.1, -0.1, 0.2, -0.3}) {
        system.bodies.position[0].z = z;
        counter.look(system, time += 0.1);
    }
    EXPECT_EQ(counter.count(), 1);
    // One that starts below, is thrown up and falls counts when it falls.
    CrossingCounter other = plane_at_zero();
    for (const double z : {-0.1, 0.1, -0.1}) {
        system.bodies.position[0].z = z;
        other.look(system, time += 0.1);
    }
    EXPECT_EQ(other.count(), 1);
}

TEST(CrossingCounter, GrainsThatVanish) {
    CrossingCounter counter = plane_at_zero();
    // 0: falling just above the plane; 1: at rest high above; 2: has passed and leaves later; 3: rising fast.
    model::System system = grains_at_heights({0.02, 1.0, 0.01, 0.02});
    system.bodies.velocity[0] = {0, 0, -1};
    system.bodies.velocity[3] = {0, 0, 2};
    counter.look(system, 0);
    system.bodies.position[2].z = -0.1;
    counter.look(system, 0.001);
    EXPECT_EQ(counter.count(), 1);
    keep(system, {0, 0, 0, 0});  // all gone within 50 ms, in which free fall covers 12 mm
    counter.look(system, 0.051);
    EXPECT_EQ(counter.count(), 2);
    counter.look(system, 1);
    EXPECT_EQ(counter.count(), 2);
}

TEST(CrossingCounter, NewGrainsBetweenOldOnes) {
    CrossingCounter counter = plane_at_zero();
    model::System system;
    system.bodies.add_sphere(3, {0, 0, 1}, 0.01, 1000, 0);
    system.bodies.add_sphere(8, {0, 0, 1}, 0.01, 1000, 0);
    counter.look(system, 0);
    model::System later;
    later.bodies.add_sphere(8, {0, 0, -1}, 0.01, 1000, 0);
    later.bodies.add_sphere(9, {0, 0, -1}, 0.01, 1000, 0);  // born below
    later.bodies.add_sphere(12, {0, 0, 1}, 0.01, 1000, 0);
    counter.look(later, 0.1);
    EXPECT_EQ(counter.count(), 1);
    later.bodies.position[2].z = -1;
    counter.look(later, 0.2);
    EXPECT_EQ(counter.count(), 2);
}

TEST(CrossingCounter, OnlyThroughTheRegion) {
    CrossingCounter counter({0, 0, 1}, 0, model::Region{{model::Ball{{0, 0, 0}, 0.1}}});
    model::System system = grains_at_heights({0.5, 0.5});
    counter.look(system, 0);
    system.bodies.position[0] = {0.1, 0, -0.5};  // crosses at x = 0.05
    system.bodies.position[1] = {0.3, 0, -0.5};  // crosses at x = 0.15
    counter.look(system, 0.1);
    EXPECT_EQ(counter.count(), 1);
}

TEST(CrossingCounter, ComesRoundThroughAPeriodicBorder) {
    CrossingCounter counter = plane_at_zero();
    model::System system = grains_at_heights({0.2});
    system.domain.low = {-1, -1, -1};
    system.domain.high = {1, 1, 1};
    system.domain.periodic = {false, false, true};
    double z = 0.2;
    for (int k = 0; k <= 60; ++k) {  // falls 6 m, three times round: passes zero at 0.2, 2.2 and 4.2 m
        system.bodies.position[0].z = z - 2 * std::floor((z + 1) / 2);
        counter.look(system, 0.1 * k);
        z -= 0.1;
    }
    EXPECT_EQ(counter.count(), 3);
}

TEST(CrossingCounter, ObliquePlane) {
    CrossingCounter counter({2, 0, 0}, 1, {});  // the axis is normalised: the plane x = 1
    model::System system = grains_at_heights({0});
    system.bodies.position[0] = {1.5, 0, 0};
    counter.look(system, 0);
    system.bodies.position[0] = {0.8, 0, 0};
    counter.look(system, 0.1);
    EXPECT_EQ(counter.count(), 1);
}

/// A stream of grains a distance apart that falls at constant speed and leaves the domain well below the plane.
class Stream {
public:
    explicit Stream(double speed) : speed_(speed) {
        for (int i = 0; i < 2000; ++i) {
            system_.bodies.add_sphere(i, {0, 0, 0.1 + 0.02 * i}, 0.01, 2500, 0);
            system_.bodies.velocity.back() = {0, 0, -speed};
        }
    }
    Snapshot at(double time) {
        std::vector<char> keep;
        for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
            system_.bodies.position[i].z -= speed_ * (time - time_);
            keep.push_back(system_.bodies.position[i].z > -0.03 ? 1 : 0);
        }
        system_.bodies.compact(keep);
        time_ = time;
        return {system_, {}, time};
    }

private:
    model::System system_;
    double speed_;
    double time_ = 0;
};

TEST(Discharge, RateOfAStream) {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::discharge;
    spec.hole_diameter = 0.2;
    Discharge measure(spec);
    EXPECT_TRUE(std::isnan(measure.values().at(0)));
    Stream stream(2);
    for (int k = 0; k <= 500; ++k) {
        measure.sample(stream.at(0.03 * k));  // between samples grains fall 6 cm, out of the domain
    }
    const double grain = 2500 * 4.0 / 3 * std::numbers::pi * 1e-6;
    EXPECT_EQ(measure.values().at(1), 1495);  // 30 m of the stream, less the 10 cm before it, one every 2 cm
    const SteadyFlow flow = measure.steady_flow();
    ASSERT_TRUE(flow.found);
    EXPECT_NEAR(flow.rate.value, 100 * grain, 0.01 * 100 * grain);
    EXPECT_NEAR(measure.beverloo(), beverloo_rate(0.2, 0.02, 2500, 0.61, 0), 1e-12);
    const std::string text = measure.text();
    EXPECT_NE(text.find("discharge: 1.0"), std::string::npos) << text;
    bool has_error = false;
    for (const SummaryValue& value : measure.summary()) {
        has_error = has_error || (value.name == "discharge.rate" && value.error.has_value() && value.samples > 100);
    }
    EXPECT_TRUE(has_error);
}

TEST(Discharge, GoesOnExactlyAfterSaving) {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::discharge;
    Discharge whole(spec);
    Discharge first(spec);
    Discharge second(spec);
    Stream stream(1.7);
    for (int k = 0; k < 100; ++k) {
        const Snapshot snapshot = stream.at(0.05 * k);
        whole.sample(snapshot);
        if (k < 40) {
            first.sample(snapshot);
        } else {
            if (k == 40) {
                second.load(first.save());
            }
            second.sample(snapshot);
        }
    }
    EXPECT_EQ(whole.save(), second.save());
    EXPECT_GT(whole.values()[1], 100);
    EXPECT_THROW(second.load(std::vector<double>{1, 2, 3}), base::RunError);
}

TEST(Discharge, OfNothing) {
    model::MeasureSpec spec;
    spec.name = "below";
    Discharge measure(spec);
    EXPECT_EQ(measure.text(), "below: nothing has passed");
    EXPECT_EQ(measure.summary().front().name, "below.mass");
}

}  // namespace
}  // namespace talus::analysis
