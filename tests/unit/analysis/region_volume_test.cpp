// Volumes of cut balls: closed forms against numerical integration, tilings that must add up, and sampling.
#include "talus/analysis/region_volume.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "talus/analysis/ball_volume.h"
#include "talus/base/random.h"

namespace talus::analysis {
namespace {

using std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The area of a disc of radius s within [x0, x1] x [y0, y1], by integrating chords.
double disc_area(double s, double x0, double x1, double y0, double y1) {
    constexpr int steps = 400;
    const double low = std::max(x0, -s);
    const double high = std::min(x1, s);
    double sum = 0;
    for (int i = 0; i < steps && high > low; ++i) {
        const double x = low + (high - low) * (i + 0.5) / steps;
        const double half = std::sqrt(std::max(0.0, s * s - x * x));
        sum += std::max(0.0, std::min(y1, half) - std::max(y0, -half)) * (high - low) / steps;
    }
    return sum;
}

double integrated(double r, const std::array<Bounds, 3>& b) {
    constexpr int steps = 400;
    const double low = std::max(b[2].low, -r);
    const double high = std::min(b[2].high, r);
    double sum = 0;
    for (int i = 0; i < steps && high > low; ++i) {
        const double z = low + (high - low) * (i + 0.5) / steps;
        sum += disc_area(std::sqrt(std::max(0.0, r * r - z * z)), b[0].low, b[0].high, b[1].low, b[1].high) *
               (high - low) / steps;
    }
    return sum;
}

TEST(BallVolume, Caps) {
    EXPECT_DOUBLE_EQ(cap_volume(2, 0), ball_volume(2) / 2);
    EXPECT_DOUBLE_EQ(cap_volume(2, -2), ball_volume(2));
    EXPECT_DOUBLE_EQ(cap_volume(2, 2), 0);
    EXPECT_DOUBLE_EQ(cap_volume(2, 5), 0);
    EXPECT_DOUBLE_EQ(cap_volume(2, -5), ball_volume(2));
    EXPECT_DOUBLE_EQ(cap_volume(1, 0.5), pi * 0.25 * (3 - 0.5) / 3);  // pi h^2 (3 r - h) / 3
}

TEST(BallVolume, OctantsAndQuarters) {
    const Bounds all;
    const Bounds half{0, infinity};
    EXPECT_NEAR(ball_in_box(1, {all, all, all}), 4 * pi / 3, 1e-14);
    EXPECT_NEAR(ball_in_box(1, {half, all, all}), 2 * pi / 3, 1e-14);
    EXPECT_NEAR(ball_in_box(1, {half, all, half}), pi / 3, 1e-14);
    EXPECT_NEAR(ball_in_box(1, {half, half, half}), pi / 6, 1e-14);
    EXPECT_NEAR(ball_in_box(1, {Bounds{-0.1, 0.1}, Bounds{-0.1, 0.1}, Bounds{-0.1, 0.1}}), 0.008, 1e-14);
    EXPECT_EQ(ball_in_box(1, {Bounds{0.8, 2}, Bounds{0.8, 2}, all}), 0);
    EXPECT_EQ(ball_in_box(1, {Bounds{0.3, 0.2}, all, all}), 0);
}

TEST(BallVolume, BoxesAgainstIntegration) {
    base::Random random(4, 0);
    for (int i = 0; i < 60; ++i) {
        std::array<Bounds, 3> b;
        for (Bounds& bound : b) {
            bound.low = random.uniform(-1.3, 0.9);
            bound.high = bound.low + random.uniform(0.05, 1.5);
        }
        EXPECT_NEAR(ball_in_box(1, b), integrated(1, b), 2e-4);
    }
}

TEST(BallVolume, TilesAddUpToTheBall) {
    // Any grid of boxes cuts the ball into parts that must add up exactly: corners inside and outside the ball.
    base::Random random(4, 1);
    for (int i = 0; i < 300; ++i) {
        std::array<double, 3> cut{random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2)};
        double sum = 0;
        for (unsigned k = 0; k < 8; ++k) {
            std::array<Bounds, 3> b;
            for (unsigned d = 0; d < 3; ++d) {
                b[d] = ((k >> d) & 1U) != 0 ? Bounds{cut[d], infinity} : Bounds{-infinity, cut[d]};
            }
            sum += ball_in_box(0.7, b);
        }
        ASSERT_NEAR(sum, ball_volume(0.7), 1e-13);
    }
}

TEST(BallVolume, BallInBall) {
    EXPECT_EQ(ball_in_ball(1, 2, 3), 0);
    EXPECT_DOUBLE_EQ(ball_in_ball(1, 2, 0.5), ball_volume(1));
    EXPECT_DOUBLE_EQ(ball_in_ball(2, 1, 0.5), ball_volume(1));
    EXPECT_NEAR(ball_in_ball(1, 1, 1), 5 * pi / 12, 1e-14);  // two caps of height one half
    EXPECT_NEAR(ball_in_ball(1, 1e6, 1e6), ball_volume(1) / 2, 1e-5);
}

model::Region region_of(std::initializer_list<model::RegionPart> parts) {
    return {{parts}};
}

TEST(RegionVolume, ClosedVolumes) {
    const model::Domain open;
    EXPECT_EQ(RegionVolume({}, open).volume(), infinity);
    EXPECT_EQ(RegionVolume(region_of({model::HalfSpace{{0, 0, 1}, 0}}), open).volume(), infinity);
    const model::Box box{{0, 0, 0}, {1, 2, 3}};
    EXPECT_DOUBLE_EQ(RegionVolume(region_of({box}), open).volume(), 6);
    EXPECT_DOUBLE_EQ(RegionVolume(region_of({box, model::HalfSpace{{0, 0, -2}, -4}}), open).volume(), 4);  // z <= 2
    EXPECT_DOUBLE_EQ(RegionVolume(region_of({box, model::HalfSpace{{0, 0, 1}, 4}}), open).volume(), 0);
    EXPECT_DOUBLE_EQ(RegionVolume(region_of({model::Ball{{1, 1, 1}, 2}}), open).volume(), ball_volume(2));
    const model::Region half_ball = region_of({model::Ball{{1, 1, 1}, 2}, model::HalfSpace{{1, 0, 0}, 1}});
    EXPECT_DOUBLE_EQ(RegionVolume(half_ball, open).volume(), ball_volume(2) / 2);
    const model::Frustum cylinder{{0, 0, 0}, {0, 0, 2}, 0.5, 0.5};
    EXPECT_DOUBLE_EQ(RegionVolume(region_of({cylinder}), open).volume(), pi * 0.25 * 2);
    EXPECT_DOUBLE_EQ(RegionVolume(region_of({cylinder, model::HalfSpace{{0, 0, 1}, 1.5}}), open).volume(),
                     pi * 0.25 * 0.5);
    const model::Frustum cone{{0, 0, 0}, {3, 0, 0}, 1, 0};
    EXPECT_NEAR(RegionVolume(region_of({cone}), open).volume(), pi, 1e-14);
}

TEST(RegionVolume, SampledVolumes) {
    const model::Domain open;
    // A cylinder halved along its axis, and a box cut by an oblique plane through its centre.
    const model::Frustum cylinder{{0, 0, 0}, {0, 0, 2}, 0.5, 0.5};
    EXPECT_NEAR(RegionVolume(region_of({cylinder, model::HalfSpace{{1, 0, 0}, 0}}), open).volume(), pi * 0.25, 1e-3);
    const model::Box box{{-1, -1, -1}, {1, 1, 1}};
    EXPECT_NEAR(RegionVolume(region_of({box, model::HalfSpace{{1, 2, 3}, 0}}), open).volume(), 4, 4e-3);
}

TEST(RegionVolume, DomainBordersCloseARegion) {
    model::Domain domain;
    domain.low = {0, 0, 0};
    domain.high = {1, 1, 4};
    EXPECT_DOUBLE_EQ(RegionVolume({}, domain).volume(), 4);
    EXPECT_DOUBLE_EQ(RegionVolume(region_of({model::HalfSpace{{0, 0, -1}, -1}}), domain).volume(), 1);
}

TEST(RegionVolume, BallsAtFacesEdgesAndCorners) {
    const RegionVolume box(region_of({model::Box{{0, 0, 0}, {10, 10, 10}}}), {});
    EXPECT_DOUBLE_EQ(box.ball_inside({5, 5, 5}, 1), ball_volume(1));
    EXPECT_DOUBLE_EQ(box.ball_inside({0, 5, 5}, 1), ball_volume(1) / 2);
    EXPECT_NEAR(box.ball_inside({0, 10, 5}, 1), ball_volume(1) / 4, 1e-14);
    EXPECT_NEAR(box.ball_inside({0, 10, 0}, 1), ball_volume(1) / 8, 1e-14);
    EXPECT_EQ(box.ball_inside({-1, 5, 5}, 1), 0);
    EXPECT_DOUBLE_EQ(box.ball_inside({-0.5, 5, 5}, 1), cap_volume(1, 0.5));
    const RegionVolume ball(region_of({model::Ball{{0, 0, 0}, 3}}), {});
    EXPECT_DOUBLE_EQ(ball.ball_inside({3, 0, 0}, 1), ball_in_ball(1, 3, 3));
    EXPECT_DOUBLE_EQ(ball.ball_inside({0, 1, 0}, 1), ball_volume(1));
}

TEST(RegionVolume, ObliqueSlabIsClosedToo) {
    const Vec3d n{1, 2, 2};                                                                      // length 3
    const RegionVolume slab(region_of({model::HalfSpace{n, 0}, model::HalfSpace{-n, -3}}), {});  // 0 <= n.x/3 <= 1
    EXPECT_DOUBLE_EQ(slab.ball_inside({0, 0, 0}, 0.5), ball_volume(0.5) / 2);
    EXPECT_NEAR(slab.ball_inside({0, 0, 0}, 2), cap_volume(2, 0) - cap_volume(2, 1), 1e-14);
}

TEST(RegionVolume, BallsAcrossACylinderAreSampled) {
    // A cylinder so wide that its side is nearly a plane.
    const RegionVolume wide(region_of({model::Frustum{{0, 0, 0}, {0, 0, 20}, 1000, 1000}}), {});
    EXPECT_NEAR(wide.ball_inside({999.5, 0, 10}, 1) / ball_volume(1), 1 - cap_volume(1, 0.5) / ball_volume(1), 0.01);
    EXPECT_DOUBLE_EQ(wide.ball_inside({998, 0, 10}, 1), ball_volume(1));
    EXPECT_DOUBLE_EQ(wide.ball_inside({0, 0, 0}, 1), ball_volume(1) / 2);
    EXPECT_EQ(wide.ball_inside({1001.1, 0, 10}, 1), 0);
}

TEST(RegionVolume, PeriodicImagesCount) {
    model::Domain domain;
    domain.low = {0, 0, 0};
    domain.high = {4, 4, 4};
    domain.periodic = {true, true, false};
    const RegionVolume all({}, domain);
    EXPECT_NEAR(all.ball_inside({0, 4, 2}, 1), ball_volume(1), 1e-14);      // whole, spread over four corners
    EXPECT_NEAR(all.ball_inside({2, 2, 4}, 1), ball_volume(1) / 2, 1e-14);  // an open border cuts
    const RegionVolume half(region_of({model::Box{{0, 0, 0}, {2, 4, 4}}}), domain);
    EXPECT_NEAR(half.ball_inside({4, 2, 2}, 1), ball_volume(1) / 2, 1e-14);
}

TEST(BallVolume, InACylinder) {
    // A cylinder far wider, or far from the ball, or through its middle: the napkin ring that is left over.
    EXPECT_NEAR(ball_in_cylinder(2, 50, 3, {}), ball_volume(2), 1e-13);
    EXPECT_NEAR(ball_in_cylinder(2, 50, 3, {0.5, infinity}), cap_volume(2, 0.5), 1e-13);
    EXPECT_EQ(ball_in_cylinder(2, 1, 3.1, {}), 0);
    EXPECT_EQ(ball_in_cylinder(2, 0, 1, {}), 0);
    const double half_height = std::sqrt(1 - 0.36);
    EXPECT_NEAR(ball_in_cylinder(1, 0.6, 0, {}), 4 * pi / 3 * (1 - half_height * half_height * half_height), 1e-9);
    EXPECT_NEAR(ball_in_cylinder(1, 0.6, 0, {-0.3, 0.2}), 0.5 * pi * 0.36, 1e-10);
    EXPECT_NEAR(ball_in_cylinder(1, 1e4, 1e4, {}), ball_volume(1) / 2, 1e-4) << "all but a plane through the centre";
}

TEST(BallVolume, InACylinderAgreesWithChords) {
    base::Random random(5, 6);
    for (int k = 0; k < 200; ++k) {
        const double side = random.uniform(0.05, 2.5);
        const double off = random.uniform(0, 2.5);
        const double low = random.uniform(-1.2, 1.2);
        const double high = low + random.uniform(0, 1.5);
        // Chords of the ball along the axis, summed over the circle of the cylinder.
        constexpr int steps = 1000;
        double sum = 0;
        for (int i = 0; i < steps; ++i) {
            const double x = side * std::cos(pi * (i + 0.5) / steps);
            const double half = side * std::sin(pi * (i + 0.5) / steps);
            for (int j = 0; j < steps; ++j) {
                const double y = half * (2 * (j + 0.5) / steps - 1);
                const double reach = std::sqrt(std::max(0.0, 1 - (x - off) * (x - off) - y * y));
                sum += std::max(0.0, std::min(high, reach) - std::max(low, -reach)) * half * half;
            }
        }
        const double expected = sum * (pi / steps) * (2.0 / steps);
        EXPECT_NEAR(ball_in_cylinder(1, side, off, {low, high}), expected, 5e-5) << side << " " << off;
        // The quadrature itself is far better: parts along the axis add up.
        const double third = low + (high - low) / 3;
        EXPECT_NEAR(ball_in_cylinder(1, side, off, {low, third}) + ball_in_cylinder(1, side, off, {third, high}),
                    ball_in_cylinder(1, side, off, {low, high}), 2e-7);
    }
}

TEST(RegionVolume, ABoxWhollyInsideACylinderIsNotSampled) {
    const model::Region region{{model::Frustum{{0, 0, -1}, {0, 0, 3}, 1, 1}, model::Box{{0.1, 0.2, 0}, {0.4, 0.7, 1}}}};
    EXPECT_DOUBLE_EQ(RegionVolume(region, {}).volume(), 0.3 * 0.5);
    const model::Region cut{{model::Frustum{{0, 0, -1}, {0, 0, 3}, 1, 1}, model::Box{{0, 0, 0}, {2, 2, 1}}}};
    EXPECT_NEAR(RegionVolume(cut, {}, 1 << 14).volume(), pi / 4, 0.005) << "a quarter of the cylinder";
}

}  // namespace
}  // namespace talus::analysis
