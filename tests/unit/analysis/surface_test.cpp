// Free surfaces with known angles; neighbours against brute force.
#include "talus/analysis/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/analysis/surface_slope.h"
#include "talus/base/random.h"

namespace talus::analysis {
namespace {

constexpr double radius = 0.5;  // m
constexpr double degree = std::numbers::pi / 180;

TEST(NearCount, AgreesWithBruteForce) {
    base::Random random(3, 0);
    model::Domain domain;
    domain.low = {-2, -3, -4};
    domain.high = {2, 3, 4};
    domain.periodic = {true, false, true};
    std::vector<Ball> balls;
    for (int i = 0; i < 300; ++i) {
        const Vec3d x = {random.uniform(-2, 2), random.uniform(-3, 3), random.uniform(-4, 4)};
        balls.push_back({x, random.uniform(0.1, 0.3)});
    }
    const double gap = 0.2;
    const std::vector<int> counts = count_near(balls, gap, domain);
    int total = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        int expected = 0;
        for (std::size_t j = 0; j < balls.size(); ++j) {
            Vec3d way = balls[j].position - balls[i].position;
            way.x -= 4 * std::round(way.x / 4);
            way.z -= 8 * std::round(way.z / 8);
            expected += j != i && math::norm(way) <= balls[i].radius + balls[j].radius + gap ? 1 : 0;
        }
        EXPECT_EQ(counts[i], expected) << i;
        total += expected;
    }
    EXPECT_GT(total, 300);
    EXPECT_TRUE(count_near({}, gap, domain).empty());
}

/// A cubic bed of grains in 0 < x < 60, 0 < y < 4 below a plane that rises along x, on a lattice with a random origin.
struct Bed {
    model::System system;
    base::Random random{11, 0};

    void add(const Vec3d& at) {
        system.bodies.add_sphere(static_cast<std::int64_t>(system.bodies.size()), at, radius, 1000, 0);
    }
    void fill(double angle) {
        system.bodies = {};
        const Vec3d origin = {random.uniform(), random.uniform(), random.uniform()};
        for (int i = 0; i < 60; ++i) {
            for (int j = 0; j < 4; ++j) {
                for (int k = 0; k < 60; ++k) {
                    const Vec3d x = origin + Vec3d{double(i), double(j), double(k)};
                    if (x.z < 8 + std::tan(angle) * x.x) {
                        add(x);
                    }
                }
            }
        }
    }
};

model::MeasureSpec spec_of_slope() {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::surface_slope;
    return spec;
}

TEST(SurfaceSlope, OfATiltedBed) {
    for (const double angle : {0.0, 12.0, 27.0, 40.0}) {
        Bed bed;
        SurfaceSlope measure(spec_of_slope());
        for (int k = 0; k < 20; ++k) {
            bed.fill(angle * degree);
            measure.sample({bed.system, {}, double(k)});
        }
        const std::vector<SummaryValue> summary = measure.summary();
        EXPECT_EQ(summary.front().name, "surface_slope.angle");
        EXPECT_NEAR(summary.front().value, angle, 0.7) << angle;
        EXPECT_EQ(summary.back().name, "surface_slope.angle_deviation");
        EXPECT_LT(summary.back().value, 2);
        EXPECT_LT(measure.values().at(1), 0.6) << "diameters off the line";
        EXPECT_NEAR(measure.values().at(3), 15, 1) << "bins of two diameters in the middle half";
    }
}

TEST(SurfaceSlope, DirectionAndEndsAreThoseOfTheSpec) {
    Bed bed;
    bed.fill(20 * degree);
    // A valley: another bed that falls towards x = 0 from the other side.
    const std::size_t half = bed.system.bodies.size();
    for (std::size_t i = 0; i < half; ++i) {
        const Vec3d& x = bed.system.bodies.position[i];
        bed.add({-x.x - 0.5, x.y, x.z});
    }
    model::MeasureSpec right = spec_of_slope();
    right.surface.from = 2;
    right.surface.to = 58;
    model::MeasureSpec left = right;
    left.surface.from = -58;
    left.surface.to = -2;
    model::MeasureSpec mirrored = left;
    mirrored.surface.along = {-1, 0, 0};
    mirrored.surface.from = 2;
    mirrored.surface.to = 58;
    const auto angle = [&](const model::MeasureSpec& spec) {
        SurfaceSlope measure(spec);
        measure.sample({bed.system, {}, 0});
        return measure.values().at(0);
    };
    EXPECT_NEAR(angle(right), 20, 1);
    EXPECT_NEAR(angle(left), -20, 1);
    EXPECT_NEAR(angle(mirrored), 20, 1);
}

TEST(SurfaceSlope, FlyingStuckAndHangingGrainsAreNoSurface) {
    Bed bed;
    bed.fill(20 * degree);
    SurfaceSlope plain(spec_of_slope());
    plain.sample({bed.system, {}, 0});
    const auto loose = bed.system.bodies.size();
    for (int i = 0; i < 60; ++i) {
        bed.add({i + 0.3, 2, 33 + 0.4 * (i % 7)});  // one above the other flies
    }
    for (int i = 0; i < 180; ++i) {
        bed.add({30.0 + i % 6, 0.5 + i / 6 % 3, 45.0 + i / 18});  // a clump that hangs under the ceiling
    }
    for (int i = 0; i < 60; ++i) {
        bed.add({double(i), 1, 8.6 + std::tan(20 * degree) * i});  // stuck just above the surface
        bed.system.bodies.flags.back() = model::position_held;
    }
    EXPECT_EQ(loose_grains(bed.system, {}).balls.size(), loose + 240);
    SurfaceSlope disturbed(spec_of_slope());
    disturbed.sample({bed.system, {}, 0});
    EXPECT_EQ(disturbed.values(), plain.values());
}

TEST(SurfaceSlope, TooFewGrainsHaveNoSurface) {
    Bed bed;
    bed.add({0, 0, 0});
    bed.add({3, 0, 0});
    SurfaceSlope measure(spec_of_slope());
    measure.sample({bed.system, {}, 0});
    EXPECT_TRUE(std::isnan(measure.values().at(0)));
    EXPECT_EQ(measure.text(), "surface_slope: nothing to measure");
    model::System empty;
    measure.sample({empty, {}, 1});
    EXPECT_TRUE(std::isnan(measure.values().at(3)));
}

/// A drum about the y axis, its inner radius 20 m, with grains wherever `there` says so.
template <class There>
model::System drum(There there) {
    model::System system;
    model::Wall wall;
    wall.name = "drum";
    wall.shape = {geometry::ShapeKind::tube, 20, 20, 6};
    wall.pose.rotation = math::Mat3d::from_columns({0, 0, 1}, {1, 0, 0}, {0, 1, 0});
    system.walls.push_back(wall);
    std::int64_t id = 0;
    for (int i = -20; i <= 20; ++i) {
        for (int j = -2; j <= 2; ++j) {
            for (int k = -20; k <= 20; ++k) {
                const Vec3d x = {double(i), double(j), double(k)};
                const double from_axis = std::hypot(x.x, x.z);
                if (from_axis < 19.5 && there(x, from_axis)) {
                    system.bodies.add_sphere(id++, x, radius, 1000, 0);
                }
            }
        }
    }
    return system;
}

TEST(SurfaceSlope, TheRimTellsWhetherADrumCentrifuges) {
    model::MeasureSpec spec = spec_of_slope();
    spec.surface.drum = "drum";
    const model::System half = drum([](const Vec3d& x, double) { return x.z < 0.25 * x.x; });
    SurfaceSlope slow(spec);
    slow.sample({half, {}, 0});
    EXPECT_NEAR(slow.values().at(0), std::atan(0.25) / degree, 1.5);
    EXPECT_NEAR(slow.values().at(4), 0.5, 0.04);
    EXPECT_EQ(slow.text().find("centrifuging"), std::string::npos) << slow.text();
    const model::System ring = drum([](const Vec3d&, double from_axis) { return from_axis > 14; });
    SurfaceSlope fast(spec);
    fast.sample({ring, {}, 0});
    EXPECT_EQ(fast.values().at(4), 1);
    EXPECT_GT(fast.values().at(1), 2 * slow.values().at(1)) << "the inside of the ring is not straight";
    EXPECT_NE(fast.text().find("rim covered to 100 % (centrifuging)"), std::string::npos) << fast.text();
}

TEST(SurfaceSlope, ResumesExactly) {
    Bed bed;
    SurfaceSlope whole(spec_of_slope());
    SurfaceSlope first(spec_of_slope());
    SurfaceSlope second(spec_of_slope());
    for (int k = 0; k < 12; ++k) {
        bed.fill((20 + 5 * bed.random.uniform()) * degree);
        const Snapshot snapshot{bed.system, {}, double(k)};
        whole.sample(snapshot);
        (k < 5 ? first : second).sample(snapshot);
        if (k == 4) {
            second.load(first.save());
        }
    }
    EXPECT_EQ(whole.save(), second.save());
    EXPECT_EQ(whole.text(), second.text());
}

}  // namespace
}  // namespace talus::analysis
