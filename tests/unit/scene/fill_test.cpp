// What all fills share: what a grain gets, order in space, seeds, neighbours already there, and every refusal.
#include <gtest/gtest.h>

#include <limits>

#include "unit/scene/fill_fixture.h"

namespace talus::scene {
namespace {

using testing::HasSubstr;

const model::Box unit_box{{0, 0, 0}, {1, 1, 1}};

FillSpec random_spec(std::int64_t count, double radius = 0.03) {
    FillSpec spec = spec_in({unit_box}, RandomFill{}, FixedSize{radius});
    spec.count = count;
    return spec;
}

TEST(Fill, GrainsGetWhatTheEntrySays) {
    model::System system = bare_system();
    system.counters.next_id = 40;
    FillSpec spec = random_spec(50);
    spec.materials = {1};
    spec.velocity = {1, 2, 3};
    spec.spin = {4, 5, 6};
    spec.hold_rotation = true;
    fill(spec, system);
    EXPECT_EQ(system.counters.next_id, 90);
    for (std::size_t i = 0; i < 50; ++i) {
        EXPECT_EQ(system.bodies.id[i], static_cast<std::int64_t>(40 + i));
        EXPECT_EQ(system.bodies.material[i], 1);
        EXPECT_EQ(system.bodies.velocity[i], (Vec3d{1, 2, 3}));
        EXPECT_EQ(system.bodies.spin[i], (Vec3d{4, 5, 6}));
        EXPECT_EQ(system.bodies.flags[i], model::rotation_held);
        EXPECT_NEAR(system.bodies.mass[i], 500 * 4.0 / 3.0 * std::numbers::pi * 2.7e-5, 1e-12);
    }
    spec.hold_rotation = false;
    spec.hold_position = true;
    fill(spec, system);
    EXPECT_EQ(system.bodies.flags.back(), model::position_held);
    EXPECT_EQ(system.bodies.id.back(), 139);
}

TEST(Fill, VelocitySpreadIsNormalAboutTheVelocity) {
    model::System system = bare_system();
    FillSpec spec = random_spec(4000, 0.01);
    spec.velocity = {1, 0, -2};
    spec.velocity_spread = 0.5;
    fill(spec, system);
    for (int k = 0; k < 3; ++k) {
        double mean = 0;
        double square = 0;
        for (const Vec3d& v : system.bodies.velocity) {
            mean += v[k] / 4000;
            square += (v[k] - spec.velocity[k]) * (v[k] - spec.velocity[k]) / 4000;
        }
        EXPECT_NEAR(mean, spec.velocity[k], 4 * 0.5 / std::sqrt(4000.0));
        EXPECT_NEAR(std::sqrt(square), 0.5, 4 * 0.5 / std::sqrt(8000.0));
    }
}

TEST(Fill, SameSeedSameBitsOtherSeedOthers) {
    const std::vector<FillSpec> specs = {
        random_spec(500, 0.02), spec_in({unit_box}, BlockFill{}, UniformSize{0.02, 0.03}),
        spec_in({unit_box}, LatticeFill{.spacing = 1.2, .jitter = 0.1}, UniformSize{0.03, 0.04})};
    for (FillSpec spec : specs) {
        spec.velocity_spread = 1;
        model::System first = bare_system();
        model::System second = bare_system();
        model::System third = bare_system();
        fill(spec, first);
        fill(spec, second);
        spec.seed = 100;
        fill(spec, third);
        EXPECT_EQ(first.bodies.position, second.bodies.position);
        EXPECT_EQ(first.bodies.radius, second.bodies.radius);
        EXPECT_EQ(first.bodies.velocity, second.bodies.velocity);
        EXPECT_NE(first.bodies.position, third.bodies.position);
        EXPECT_NE(first.bodies.velocity, third.bodies.velocity);
    }
}

TEST(Fill, NeighboursInSpaceAreNeighboursInMemory) {
    model::System system = bare_system();
    fill(random_spec(8000, 0.012), system);
    double step = 0;
    for (std::size_t i = 1; i < system.bodies.size(); ++i) {
        step += norm(system.bodies.position[i] - system.bodies.position[i - 1]);
    }
    // Random order would give 0.66 on average, a Z curve about 1.6 times the mean spacing of 0.05.
    EXPECT_LT(step / static_cast<double>(system.bodies.size()), 0.1);
}

TEST(Fill, LaterFillsKeepClearOfEarlierOnes) {
    model::System system = bare_system();
    fill(random_spec(150, 0.05), system);
    fill(random_spec(300, 0.02), system);
    EXPECT_EQ(system.bodies.size(), 450U);
    EXPECT_GE(smallest_gap(system), 0);
    const std::string warning =
        fill(spec_in({unit_box}, LatticeFill{.lattice = Lattice::cubic}, FixedSize{0.05}), system);
    const std::size_t added = system.bodies.size() - 450;
    EXPECT_LT(added, 1000U);
    EXPECT_THAT(warning, HasSubstr("scene.toml:12:1: warning: fill[0]: " + std::to_string(1000 - added) +
                                   " grains were left out that would overlap others"));
    EXPECT_GE(smallest_gap(system), -1e-9);
}

TEST(Fill, EarlierGrainsAcrossAPeriodCount) {
    model::System system = bare_system();
    system.domain = periodic_box({0, 0, 0}, {1, 1, 1});
    system.bodies.add_sphere(system.counters.next_id++, {0.95, 0.5, 0.5}, 0.1, 1000, 0);
    fill(spec_in({model::Box{{0, 0, 0}, {0.2, 1, 1}}}, LatticeFill{.lattice = Lattice::cubic}, FixedSize{0.05}),
         system);
    EXPECT_GT(system.bodies.size(), 150U);
    EXPECT_LT(system.bodies.size(), 201U);
    EXPECT_GE(smallest_gap(system), -1e-9);
}

TEST(Fill, CrystalsLeaveOutGrainsOnWalls) {
    model::System system = bare_system();
    system.walls = {wall_of({geometry::ShapeKind::plane}, {0, 0, 0.5}),
                    wall_of({geometry::ShapeKind::plane}, {0, 0, 0.15})};
    system.walls[1].present = false;
    const std::string warning =
        fill(spec_in({unit_box}, LatticeFill{.lattice = Lattice::cubic}, FixedSize{0.05}), system);
    EXPECT_EQ(system.bodies.size(), 1000U);  // rows touch the wall at z = 0.5 from both sides, just
    EXPECT_EQ(warning, "");
    model::System cut = bare_system();
    cut.walls = {wall_of({geometry::ShapeKind::plane}, {0, 0, 0.53})};
    EXPECT_THAT(fill(spec_in({unit_box}, LatticeFill{.lattice = Lattice::cubic}, FixedSize{0.05}), cut),
                HasSubstr("100 grains were left out that would touch a wall"));
    EXPECT_EQ(cut.bodies.size(), 900U);
}

TEST(Fill, WallsAreTakenWhereTheirMotionPutsThem) {
    model::System system = bare_system();
    system.walls = {wall_of({geometry::ShapeKind::plane}, {0, 0, -5})};
    system.walls[0].motion.translations = {{{0, 0, 2}, 0}};
    system.clock.step = 0.1;
    system.clock.steps = 28;  // t = 2.8 s: the wall is at z = 0.6
    fill(random_spec(200, 0.03), system);
    for (const Vec3d& p : system.bodies.position) {
        EXPECT_GE(std::abs(p.z - 0.6), 0.03 - 1e-12);
    }
}

TEST(Fill, DomainBoundsConfineToo) {
    model::System system = bare_system();
    system.domain.low = {0.2, 0, 0};
    system.domain.high = {0.7, 1, 1};
    fill(spec_in({model::Ball{{0.5, 0.5, 0.5}, 0.6}}, LatticeFill{}, FixedSize{0.04}), system);
    for (const Vec3d& p : system.bodies.position) {
        EXPECT_GE(p.x, 0.24 - 1e-9);
        EXPECT_LE(p.x, 0.66 + 1e-9);
    }
}

TEST(Fill, UnboundedRegionsAreNamedByAxis) {
    FillSpec spec =
        spec_in({model::HalfSpace{{0, 0, 1}, 0}, model::HalfSpace{{0, 0, -1}, -1}}, LatticeFill{}, FixedSize{0.05});
    EXPECT_THAT(fault_of(spec), HasSubstr("nothing bounds the region along x and y"));
    spec.placement = BlockFill{};
    EXPECT_THAT(fault_of(spec), HasSubstr("nothing bounds the region along x and y"));
    model::System slab = bare_system();
    slab.domain.low = {0, 0, -model::Domain::unbounded};
    slab.domain.high = {1, 1, model::Domain::unbounded};
    EXPECT_EQ(fill(spec, slab), "");
    spec.region.parts = {unit_box, model::Ball{{5, 5, 5}, 1}};
    EXPECT_THAT(fault_of(spec), HasSubstr("the region is empty"));
}

TEST(Fill, RefusesWhatMakesNoSense) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const FillSpec good = random_spec(10);
    const auto refused = [&good](auto change) {
        FillSpec spec = good;
        change(spec);
        return fault_of(spec);
    };
    EXPECT_THAT(refused([](FillSpec& s) { s.materials = {7}; }), HasSubstr("no material number 7"));
    EXPECT_THAT(refused([](FillSpec& s) { s.sizes = FixedSize{-1}; }), HasSubstr("radius must be positive"));
    EXPECT_THAT(refused([](FillSpec& s) { s.sizes = NormalSize{0.1, 0.001, 0.2, 0.3}; }), HasSubstr("cuts"));
    EXPECT_THAT(refused([](FillSpec& s) { s.count = -1; }), HasSubstr("count must not be negative"));
    EXPECT_THAT(refused([](FillSpec& s) { s.count.reset(); }), HasSubstr("needs count or fraction"));
    EXPECT_THAT(refused([](FillSpec& s) { s.fraction = 0.1; }), HasSubstr("in place of count"));
    EXPECT_THAT(refused([](FillSpec& s) { s.count.reset(), s.fraction = 1.5; }), HasSubstr("between 0 and 1"));
    EXPECT_THAT(refused([&](FillSpec& s) { s.velocity.y = nan; }), HasSubstr("must be finite"));
    EXPECT_THAT(refused([](FillSpec& s) { s.velocity_spread = -1; }), HasSubstr("velocity_spread"));
    EXPECT_THAT(refused([](FillSpec& s) { s.placement = RandomFill{.gap = -0.1}; }), HasSubstr("gap"));
    EXPECT_THAT(refused([](FillSpec& s) { s.placement = RandomFill{.attempts = 0}; }), HasSubstr("attempts"));
    EXPECT_THAT(refused([](FillSpec& s) { s.placement = LatticeFill{.spacing = 0.9}; }), HasSubstr("spacing"));
    EXPECT_THAT(refused([](FillSpec& s) { s.placement = LatticeFill{.jitter = -1}; }), HasSubstr("jitter"));
    EXPECT_THAT(refused([&](FillSpec& s) {
                    s.placement = LatticeFill{.rotation = {nan, 0, 0}};
                }),
                HasSubstr("rotation"));
    EXPECT_THAT(refused([](FillSpec& s) { s.placement = BlockFill{.cells = 0}; }), HasSubstr("cells"));
    EXPECT_THAT(refused([&](FillSpec& s) { s.placement = BlockFill{.spacing = nan}; }), HasSubstr("spacing"));
    EXPECT_THAT(refused([](FillSpec& s) { s.sizes = FixedSize{1e-5}, s.placement = LatticeFill{}, s.count.reset(); }),
                HasSubstr("sites; the most is"));
    EXPECT_THAT(refused([](FillSpec& s) { s.sizes = FixedSize{1e-5}, s.placement = BlockFill{}, s.count.reset(); }),
                HasSubstr("sites; the most is"));
    EXPECT_THAT(refused([](FillSpec& s) { s.sizes = FixedSize{0.6}, s.placement = LatticeFill{}, s.count.reset(); }),
                HasSubstr("not a single grain fits"));
    EXPECT_THAT(refused([](FillSpec& s) { s.placement = LatticeFill{}, s.count = 100000; }),
                HasSubstr("of the 100000 grains wanted"));
    // All faults at once.
    const std::string all = refused([](FillSpec& s) { s.materials = {-1}, s.count = -3; });
    EXPECT_THAT(all, HasSubstr("material"));
    EXPECT_THAT(all, HasSubstr("count"));
}

TEST(Fill, APeriodShorterThanAGrain) {
    model::System system = bare_system();
    system.domain = periodic_box({0, 0, 0}, {1, 0.05, 1});
    FillSpec spec = random_spec(1);
    spec.region.parts.clear();
    EXPECT_THAT(fault_of(spec, system), HasSubstr("the period along y"));
}

}  // namespace
}  // namespace talus::scene
