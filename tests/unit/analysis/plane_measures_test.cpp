// Areas of discs in regions of the plane against counting, and measures of discs against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "talus/analysis/bulk.h"
#include "talus/analysis/disc_area.h"
#include "talus/analysis/grid.h"
#include "talus/analysis/region_volume.h"
#include "talus/analysis/stress.h"

namespace talus::analysis {
namespace {

using std::numbers::pi;

model::Domain plane() {
    model::Domain domain;
    domain.dimensions = 2;
    return domain;
}

/// The part of the disc that lies in the region, counted on a grid.
double counted(const model::Region& region, const Vec3d& center, double radius) {
    constexpr int n = 1500;
    int inside = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const Vec3d u{2 * (i + 0.5) / n - 1, 2 * (j + 0.5) / n - 1, 0};
            inside += math::norm2(u) <= 1 && region.contains(center + u * radius) ? 1 : 0;
        }
    }
    return 4 * radius * radius * inside / (double{n} * n);
}

TEST(DiscArea, InABoxAgreesWithCounting) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_DOUBLE_EQ(disc_in_box(2, {}, {}), 4 * pi);
    EXPECT_NEAR(disc_in_box(2, {0, infinity}, {0, infinity}), pi, 1e-14);
    for (const auto& [x, y] : {std::pair<Bounds, Bounds>{{-0.3, 0.4}, {}},
                               {{0.2, 5}, {-0.4, 5}},
                               {{-0.3, 0.9}, {-0.8, 0.1}},
                               {{-0.1, 0.1}, {-0.2, 0.3}},
                               {{0.8, 2}, {0.8, 2}}}) {
        const model::Region box{{model::Box{{x.low, y.low, -1}, {x.high, y.high, 1}}}};
        EXPECT_NEAR(disc_in_box(1, x, y), counted(box, {}, 1), 2e-4);
    }
}

TEST(DiscArea, InAnotherDiscAgreesWithCounting) {
    for (const double distance : {0.0, 0.3, 0.9, 1.2, 1.69, 1.8}) {
        const model::Region other{{model::Ball{{distance, 0, 0}, 0.7}}};
        EXPECT_NEAR(disc_in_disc(1, 0.7, distance), counted(other, {}, 1), 2e-4) << distance;
    }
}

TEST(PlaneRegion, HasAnArea) {
    const double all = std::numeric_limits<double>::infinity();
    EXPECT_DOUBLE_EQ(RegionVolume({{model::Box{{0, 0, -all}, {2, 3, all}}}}, plane()).volume(), 6);
    EXPECT_DOUBLE_EQ(RegionVolume({{model::Ball{{1, 2, 0}, 3}}}, plane()).volume(), 9 * pi);
    const model::Region ring{{model::Ball{{}, 3}, model::Outside{{}, {0, 0, 1}, 1}}};
    EXPECT_NEAR(RegionVolume(ring, plane()).volume(), 8 * pi, 1e-12);
    const model::Region half{{model::Ball{{}, 3}, model::HalfSpace{{0, 1, 0}, 0}}};
    EXPECT_NEAR(RegionVolume(half, plane()).volume(), 4.5 * pi, 1e-12);
    const model::Region cut{{model::Ball{{}, 3}, model::HalfSpace{{0, 1, 0}, 0}, model::Outside{{}, {}, 1}}};
    EXPECT_NEAR(RegionVolume(cut, plane()).volume(), 4 * pi, 0.01);
    EXPECT_FALSE(RegionVolume({{model::HalfSpace{{0, 1, 0}, 0}}}, plane()).bounded());
}

TEST(PlaneRegion, KnowsHowMuchOfADiscIsInside) {
    const model::Region ring{{model::Ball{{}, 3}, model::Outside{{}, {0, 0, 1}, 1}}};
    const RegionVolume volume(ring, plane());
    for (const Vec3d& at : {Vec3d{2, 0, 0}, Vec3d{0.9, 0.7, 0}, Vec3d{-2.9, 0.3, 0}, Vec3d{0, 0, 0}, Vec3d{4, 0, 0}}) {
        EXPECT_NEAR(volume.ball_inside(at, 0.5), counted(ring, at, 0.5), 1e-4) << at.x;
    }
    model::Domain periodic = plane();
    periodic.low = {0, -1e9, -1e9};
    periodic.high = {4, 1e9, 1e9};
    periodic.periodic = {true, false, false};
    const model::Region strip{{model::HalfSpace{{0, 1, 0}, 0}, model::HalfSpace{{0, -1, 0}, -2}}};
    EXPECT_NEAR(RegionVolume(strip, periodic).ball_inside({0.1, 1, 0}, 0.5), 0.25 * pi, 1e-12);
    EXPECT_NEAR(RegionVolume(strip, periodic).volume(), 8, 1e-12);
}

model::System discs() {
    model::System system;
    system.domain.dimensions = 2;
    system.materials.list.push_back({"grain", 1000});
    for (int i = 0; i < 3; ++i) {
        system.bodies.add_sphere(i, {2.5 + 2.0 * i, 0, 0}, 1, 1000, 0, 2);
    }
    return system;
}

TEST(PlaneMeasures, PackingIsAFractionOfArea) {
    const model::System system = discs();
    const RegionVolume box({{model::Box{{0, -2, -1e300}, {6.5, 2, 1e300}}}}, system.domain);
    EXPECT_NEAR(packing(system, box), 2.5 * pi / 26, 1e-12);
}

TEST(PlaneMeasures, RingsShareDiscsOut) {
    const model::System system = discs();
    model::ProfileGrid grid;
    grid.kind = model::ProfileGrid::Kind::rings;
    grid.along = {{1, 8, 7}, {-0.5, 0.5, 1}};
    const auto rings = make_grid(grid, {}, system.domain);
    EXPECT_EQ(rings->coordinates(), std::vector<std::string>{"r"});
    double area = 0;
    double solid = 0;
    std::vector<Grid::Share> shares;
    for (std::size_t k = 0; k < rings->cells(); ++k) {
        area += rings->volume(k);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        rings->share_out(system.bodies.position[i], 1, shares);
        for (const Grid::Share& share : shares) {
            solid += share.volume;
        }
    }
    EXPECT_NEAR(area, 63 * pi, 1e-11);
    EXPECT_NEAR(solid, 3 * pi, 1e-12);
    EXPECT_EQ(rings->cell_of({0, 2.5, 0}), std::optional<std::size_t>(1));
}

TEST(PlaneMeasures, PressureIsHalfOfTheTrace) {
    EXPECT_EQ(pressure({3, 5, 0, 0, 0, 1}, 2), 4);
    model::System system = discs();
    for (int i = 0; i < 3; ++i) {
        system.bodies.velocity[static_cast<std::size_t>(i)] = {i - 1.0, 0, 0};
    }
    StressSum sum(2);
    for (std::size_t i = 0; i < 3; ++i) {
        sum.add(system.bodies, i, {});
    }
    EXPECT_DOUBLE_EQ(sum.solid_volume(), 3 * pi);
    EXPECT_NEAR(sum.temperature(), 2.0 / (2 * 2), 1e-12);  // sum v'^2 / (d (n - 1))
}

}  // namespace
}  // namespace talus::analysis
