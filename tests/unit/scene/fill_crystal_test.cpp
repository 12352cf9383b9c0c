// Crystals and blocks of crystals: packing fractions, neighbour distances, clipping, counts.
#include <gtest/gtest.h>

#include <set>

#include "talus/math/rotation.h"
#include "talus/scene/lattice.h"
#include "unit/scene/fill_fixture.h"

namespace talus::scene {
namespace {

using testing::HasSubstr;

const Lattice all_lattices[] = {Lattice::fcc, Lattice::hcp, Lattice::cubic};

double closest(const model::System& system) {
    return 2 * system.bodies.radius[0] + smallest_gap(system) * system.bodies.radius[0];
}

TEST(LatticeFill, PackingFractionsInWholePeriodsAreExact) {
    // A periodic box of whole unit cells holds every site once: the fraction is that of the endless crystal.
    const double fraction[] = {std::numbers::pi / std::sqrt(18.0), std::numbers::pi / std::sqrt(18.0),
                               std::numbers::pi / 6};
    const double radius = 0.01;
    for (const Lattice lattice : all_lattices) {
        const UnitCell cell = unit_cell(lattice, 2 * radius);
        model::System system = bare_system();
        system.domain = periodic_box({0.3, -0.2, 0}, Vec3d{0.3, -0.2, 0} + 7.0 * cell.edge);
        EXPECT_EQ(fill(spec_in({}, LatticeFill{.lattice = lattice}, FixedSize{radius}), system), "");
        EXPECT_EQ(system.bodies.size(), 343 * cell.site.size());
        EXPECT_NEAR(solid_volume(system) / (343 * cell.volume()), fraction[static_cast<int>(lattice)], 1e-12);
        EXPECT_NEAR(closest(system), 2 * radius, 1e-15);
    }
}

TEST(LatticeFill, PackingFractionsInALargeOpenBox) {
    const double fraction[] = {0.7405, 0.7405, 0.5236};
    for (const Lattice lattice : all_lattices) {
        for (const Vec3d& rotation : {Vec3d{}, Vec3d{0.3, -0.5, 1.1}}) {
            model::System system = bare_system();
            fill(spec_in({model::Box{{0, 0, 0}, {1, 1, 1}}}, LatticeFill{.lattice = lattice, .rotation = rotation},
                         FixedSize{0.01}),
                 system);
            // Centres in an inner ball, away from the clipped sides.
            const model::Region inner{{model::Ball{{0.5, 0.5, 0.5}, 0.45}}};
            double count = 0;
            for (const Vec3d& p : system.bodies.position) {
                count += inner.contains(p) ? 1 : 0;
            }
            EXPECT_NEAR(count * std::pow(0.01 / 0.45, 3), fraction[static_cast<int>(lattice)], 0.003);
        }
    }
}

TEST(LatticeFill, NeighbourDistanceIsSpacingTimesTheLargestDiameter) {
    for (const Lattice lattice : all_lattices) {
        model::System system = bare_system();
        const FillSpec spec =
            spec_in({model::Box{{0, 0, 0}, {0.5, 0.4, 0.3}}},
                    LatticeFill{.lattice = lattice, .rotation = {1, 2, 3}, .spacing = 1.25}, FixedSize{0.025});
        fill(spec, system);
        ASSERT_GT(system.bodies.size(), 100U);
        EXPECT_NEAR(closest(system), 1.25 * 0.05, 1e-14);
        EXPECT_TRUE(all_inside(system, spec.region, 1e-9));
        // Every grain away from the sides has as many nearest neighbours as its lattice says.
        std::size_t most = 0;
        for (const Vec3d& a : system.bodies.position) {
            std::size_t neighbours = 0;
            for (const Vec3d& b : system.bodies.position) {
                neighbours += norm(a - b) < 1.2501 * 0.05 ? 1U : 0U;
            }
            most = std::max(most, neighbours - 1);
        }
        EXPECT_EQ(most, lattice == Lattice::cubic ? 6U : 12U);
    }
}

TEST(LatticeFill, ABoxOfTenDiametersHoldsTenRows) {
    model::System system = bare_system();
    fill(spec_in({model::Box{{0.1, 0.2, 0.3}, {0.3, 0.4, 0.5}}}, LatticeFill{.lattice = Lattice::cubic},
                 FixedSize{0.01}),
         system);
    EXPECT_EQ(system.bodies.size(), 1000U);
}

TEST(LatticeFill, RotationTurnsTheCrystal) {
    model::System system = bare_system();
    const Vec3d turn{0, 0, 0.4};
    fill(spec_in({model::Box{{0, 0, 0}, {1, 1, 1}}}, LatticeFill{.lattice = Lattice::cubic, .rotation = turn},
                 FixedSize{0.05}),
         system);
    const Vec3d first{0.05, 0.05, 0.05};  // a site stays at the corner about which the crystal turns
    for (const Vec3d& p : system.bodies.position) {
        const Vec3d q = math::transpose_times(math::rotation_matrix(turn), p - first) / 0.1;
        for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(q[i], std::round(q[i]), 1e-12);
        }
    }
}

TEST(LatticeFill, JitterMovesGrainsWithinItsLimitAndWithoutOverlap) {
    const model::Box box{{0, 0, 0}, {0.3, 0.3, 0.3}};
    model::System system = bare_system();
    fill(spec_in({box}, LatticeFill{.lattice = Lattice::cubic, .spacing = 1.5, .jitter = 0.25}, FixedSize{0.01}),
         system);
    EXPECT_EQ(system.bodies.size(), 1000U);
    EXPECT_GE(smallest_gap(system), 0);
    double largest = 0;
    for (const Vec3d& p : system.bodies.position) {
        for (int i = 0; i < 3; ++i) {
            largest = std::max(largest, std::abs(std::remainder(p[i] - 0.01, 0.03)));
        }
    }
    EXPECT_LE(largest, 0.0025 + 1e-15);
    EXPECT_GT(largest, 0.0024);
    // More jitter than there is room for: still no overlap; sites without a place are left out and counted.
    model::System tight = bare_system();
    const std::string warning = fill(
        spec_in({box}, LatticeFill{.lattice = Lattice::fcc, .spacing = 1.02, .jitter = 1}, FixedSize{0.02}), tight);
    EXPECT_GE(smallest_gap(tight), -1e-9);
    EXPECT_THAT(warning, HasSubstr("left out that would overlap"));
}

TEST(LatticeFill, CountFillsFromTheBottom) {
    for (const double g : {-9.81, 9.81}) {
        model::System system = bare_system();
        system.gravity = {0, 0, g};
        FillSpec spec =
            spec_in({model::Box{{0, 0, 0}, {0.2, 0.2, 0.2}}}, LatticeFill{.lattice = Lattice::cubic}, FixedSize{0.01});
        spec.count = 250;
        fill(spec, system);
        ASSERT_EQ(system.bodies.size(), 250U);
        for (const Vec3d& p : system.bodies.position) {
            EXPECT_LT(g < 0 ? p.z : 0.2 - p.z, 0.06);
        }
    }
}

TEST(LatticeFill, SizesFitTheSitesOfTheLargest) {
    model::System system = bare_system();
    FillSpec spec = spec_in({model::Ball{{0, 0, 0}, 0.3}}, LatticeFill{}, UniformSize{0.01, 0.03});
    fill(spec, system);
    ASSERT_GT(system.bodies.size(), 400U);
    EXPECT_GE(smallest_gap(system), -1e-9);
    EXPECT_TRUE(all_inside(system, spec.region, 1e-9));
    EXPECT_LT(*std::min_element(system.bodies.radius.begin(), system.bodies.radius.end()), 0.011);
}

TEST(BlockFill, BlocksFillAFunnelWithoutOverlap) {
    for (const Lattice lattice : all_lattices) {
        model::System system = bare_system();
        FillSpec spec =
            spec_in({model::Frustum{{0, 0, 1}, {0, 0, 2}, 0.25, 0.6}}, BlockFill{.lattice = lattice}, FixedSize{0.02});
        fill(spec, system);
        EXPECT_GE(smallest_gap(system), 0.0019);  // the blocks' own spacing of 1.001
        EXPECT_TRUE(all_inside(system, spec.region, 1e-9));
        const double volume = std::numbers::pi / 3 * (0.25 * 0.25 + 0.25 * 0.6 + 0.6 * 0.6);
        EXPECT_GT(solid_volume(system) / volume, lattice == Lattice::cubic ? 0.11 : 0.15);
    }
}

TEST(BlockFill, BlocksAreTurnedEachItsOwnWay) {
    // Directions between touching neighbours: a single crystal has few, turned blocks have many.
    const auto directions = [](bool random) {
        model::System system = bare_system();
        fill(
            spec_in({model::Box{{0, 0, 0}, {0.5, 0.5, 0.5}}}, BlockFill{.random_orientation = random}, FixedSize{0.02}),
            system);
        std::set<long> seen;
        const std::vector<Vec3d>& p = system.bodies.position;
        for (std::size_t i = 0; i < p.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (norm(p[i] - p[j]) < 0.0401) {
                    seen.insert(std::lround(std::abs(p[i].z - p[j].z) / 0.04 * 1000));
                }
            }
        }
        return seen.size();
    };
    EXPECT_LE(directions(false), 3U);
    EXPECT_GT(directions(true), 50U);
}

TEST(BlockFill, CountIsPlacedFromTheBottomUp) {
    model::System system = bare_system();
    system.gravity = {0, 0, -9.81};
    FillSpec spec = spec_in({model::Frustum{{0, 0, 0}, {0, 0, 4}, 0.5, 0.5}}, BlockFill{}, FixedSize{0.02});
    spec.count = 5000;
    EXPECT_EQ(fill(spec, system), "");
    ASSERT_EQ(system.bodies.size(), 5000U);
    double top = 0;
    for (const Vec3d& p : system.bodies.position) {
        top = std::max(top, p.z);
    }
    EXPECT_LT(top, 1.3);  // 5000 grains at a fraction of 0.2 make a column of 1.07 m
    spec.count = 50000;
    EXPECT_THAT(fault_of(spec), HasSubstr("of the 50000 grains wanted"));
}

TEST(BlockFill, PeriodicImagesDoNotOverlap) {
    model::System system = bare_system();
    system.domain = periodic_box({0, 0, 0}, {0.7, 0.6, 0.5});
    fill(spec_in({}, BlockFill{}, FixedSize{0.02}), system);
    ASSERT_GT(system.bodies.size(), 500U);
    EXPECT_GE(smallest_gap(system), -1e-9);
}

}  // namespace
}  // namespace talus::scene
