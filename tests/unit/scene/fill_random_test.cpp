// Random places: no overlap by brute force, gaps, fractions, periods, wide sizes, and the end of the road.
#include <gtest/gtest.h>

#include "unit/scene/fill_fixture.h"

namespace talus::scene {
namespace {

using testing::HasSubstr;

const model::Box unit_box{{0, 0, 0}, {1, 1, 1}};

TEST(RandomFill, CountWithoutOverlapInsideEveryKindOfRegion) {
    const std::vector<std::vector<model::RegionPart>> regions = {
        {unit_box},
        {model::Ball{{1, 2, 3}, 0.6}},
        {model::Frustum{{0, 0, 0}, {1, 1, 1}, 0.2, 0.6}},
        {unit_box, model::HalfSpace{{1, 1, 1}, 1.0}, model::Ball{{0.5, 0.5, 0.5}, 0.6}},
    };
    for (const auto& parts : regions) {
        model::System system = bare_system();
        FillSpec spec = spec_in(parts, RandomFill{}, UniformSize{0.02, 0.04});
        spec.count = 300;
        EXPECT_EQ(fill(spec, system), "");
        EXPECT_EQ(system.bodies.size(), 300U);
        EXPECT_GE(smallest_gap(system), 0);
        EXPECT_TRUE(all_inside(system, spec.region));
    }
}

TEST(RandomFill, HonoursTheGap) {
    model::System system = bare_system();
    FillSpec spec = spec_in({unit_box}, RandomFill{.gap = 0.5}, UniformSize{0.02, 0.04});
    spec.count = 400;
    fill(spec, system);
    EXPECT_GE(smallest_gap(system), 0.5 - 1e-12);
    EXPECT_LT(smallest_gap(system), 0.6);
}

TEST(RandomFill, FractionOfTheRegion) {
    model::System system = bare_system();
    FillSpec spec = spec_in({model::Ball{{0, 0, 0}, 0.5}}, RandomFill{}, FixedSize{0.02});
    spec.fraction = 0.2;
    fill(spec, system);
    EXPECT_NEAR(static_cast<double>(system.bodies.size()), 0.2 * std::pow(25, 3), 3);
    model::System box = bare_system();
    spec.region.parts = {unit_box};
    fill(spec, box);
    EXPECT_NEAR(solid_volume(box), 0.2, 2e-5);
}

TEST(RandomFill, PeriodicDomainIsFilledAcrossItsSides) {
    model::System system = bare_system();
    system.domain = periodic_box({-0.5, 0, 1}, {0.5, 1, 2});
    FillSpec spec = spec_in({}, RandomFill{}, FixedSize{0.05});
    spec.fraction = 0.3;
    fill(spec, system);
    EXPECT_GE(smallest_gap(system), 0);
    // Places are uniform along a period, the sides included.
    int near_side = 0;
    for (const Vec3d& p : system.bodies.position) {
        EXPECT_TRUE(p.x >= -0.5 && p.x < 0.5 && p.y >= 0 && p.y < 1 && p.z >= 1 && p.z < 2);
        near_side += p.x < -0.45 || p.x >= 0.45 ? 1 : 0;
    }
    EXPECT_NEAR(near_side, 57.3, 4 * std::sqrt(57.3));
    // A region that spans the period says the same as no region.
    model::System again = bare_system();
    again.domain = system.domain;
    spec.region.parts = {model::Box{{-1, 0, 1}, {1, 1, 2}}};
    fill(spec, again);
    EXPECT_EQ(again.bodies.position, system.bodies.position);
}

TEST(RandomFill, MixedPeriods) {
    model::System system = bare_system();
    system.domain.low = {0, 0, 0};
    system.domain.high = {0.5, 0.5, model::Domain::unbounded};
    system.domain.periodic = {true, true, false};
    FillSpec spec = spec_in({model::HalfSpace{{0, 0, -1}, -0.5}}, RandomFill{}, FixedSize{0.03});
    spec.fraction = 0.3;
    fill(spec, system);
    EXPECT_GE(smallest_gap(system), 0);
    for (const Vec3d& p : system.bodies.position) {
        EXPECT_GE(p.z, 0.03);
        EXPECT_LE(p.z, 0.47);
    }
}

TEST(RandomFill, ReachesThirtyFivePercent) {
    model::System system = bare_system();
    system.domain = periodic_box({0, 0, 0}, {1, 1, 1});
    FillSpec spec = spec_in({}, RandomFill{}, FixedSize{0.03});
    spec.fraction = 0.35;
    fill(spec, system);
    EXPECT_NEAR(solid_volume(system), 0.35, 1e-3);
    EXPECT_GE(smallest_gap(system), 0);
}

TEST(RandomFill, WideSizesFillWellBeyondEqualOnes) {
    model::System system = bare_system();
    system.domain = periodic_box({0, 0, 0}, {1, 1, 1});
    FillSpec spec = spec_in({}, RandomFill{}, PowerLawSize{0.02, 0.2, 3.5});
    spec.fraction = 0.5;
    fill(spec, system);
    EXPECT_NEAR(solid_volume(system), 0.5, 2e-4);
    EXPECT_GE(smallest_gap(system), 0);
    EXPECT_GT(*std::max_element(system.bodies.radius.begin(), system.bodies.radius.end()), 0.15);
}

TEST(RandomFill, ThirtyThousandGrains) {
    model::System system = bare_system();
    FillSpec spec = spec_in({unit_box}, RandomFill{}, FixedSize{0.0125});
    spec.count = 30000;
    fill(spec, system);
    EXPECT_EQ(system.bodies.size(), 30000U);
}

TEST(RandomFill, TellsTheFractionReached) {
    FillSpec spec = spec_in({unit_box}, RandomFill{.attempts = 200}, FixedSize{0.05});
    spec.fraction = 0.6;
    const std::string text = fault_of(spec);
    EXPECT_THAT(text, HasSubstr("scene.toml:12:1: error: fill[0]: no place found for grain"));
    const auto at = text.find("the solid fraction reached is ");
    ASSERT_NE(at, std::string::npos) << text;
    const double reached = std::stod(text.substr(at + 30));
    EXPECT_GT(reached, 0.25);
    EXPECT_LT(reached, 0.5);
}

TEST(RandomFill, ARegionTooNarrowForAGrain) {
    FillSpec spec = spec_in({model::Box{{0, 0, 0}, {1, 1, 0.01}}}, RandomFill{}, FixedSize{0.05});
    spec.count = 1;
    EXPECT_THAT(fault_of(spec), HasSubstr("fraction reached is 0.0000"));
}

TEST(RandomFill, KeepsClearOfWallsAndTheirImages) {
    model::System system = bare_system();
    system.domain = periodic_box({0, 0, 0}, {1, 1, 1});
    system.walls = {wall_of({geometry::ShapeKind::plane}, {0, 0, 0.02}),
                    wall_of({geometry::ShapeKind::sphere, 0.2}, {0.95, 0.5, 0.5})};
    FillSpec spec = spec_in({}, RandomFill{}, FixedSize{0.04});
    spec.count = 500;
    EXPECT_EQ(fill(spec, system), "");
    for (const Vec3d& p : system.bodies.position) {
        EXPECT_GE(std::abs(std::remainder(p.z - 0.02, 1)), 0.04);
        const double rho = norm(Vec3d{std::remainder(p.x - 0.95, 1), p.y - 0.5, p.z - 0.5});
        EXPECT_GE(std::abs(rho - 0.2), 0.04);
    }
}

}  // namespace
}  // namespace talus::scene
