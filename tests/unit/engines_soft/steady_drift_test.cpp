// Neighbours drift alike: by how much they may drift apart is never told too small, and what flows as a whole strays
// little.
#include "talus/engines/soft/steady_drift.h"

#include <gtest/gtest.h>

#include <cmath>

#include "talus/base/random.h"
namespace talus::tests {
namespace {

using math::Vec3d;
namespace cpu = backends::cpu;

constexpr double radius = 0.005;  // m
constexpr double step = 1e-5;     // s

/// Grains in a box that is periodic along x, with a velocity that follows from the place and some noise.
struct Flow {
    model::System system;
    cpu::Workspace work;

    template <class Velocity>
    Flow(std::size_t count, double noise, const Velocity& velocity) {
        system.clock.step = step;
        system.domain.low = {0, -1, -1};
        system.domain.high = {0.2, 1, 1};
        system.domain.periodic = {true, false, false};
        base::Random random(11, 0);
        work.body_at.resize(count);
        work.record.resize(count + 2);
        work.motion.resize(count);
        work.flow.resize(count + 2);
        for (std::size_t s = 0; s < count; ++s) {
            const Vec3d x{random.uniform(0, 0.2), random.uniform(0, 0.1), random.uniform(0, 0.1)};
            work.body_at[s] = static_cast<std::uint32_t>(s);
            work.record[s] = {{}, 1, {}, 1, x, radius, x, 0};
            work.motion[s] = {velocity(x) + Vec3d{random.uniform(-noise, noise), random.uniform(-noise, noise),
                                                  random.uniform(-noise, noise)},
                              0,
                              {},
                              1};
        }
    }
    engines::soft::SteadyDrift find() { return engines::soft::find_steady_drift(system, work, radius, radius); }
    Vec3d drift(std::size_t s) const { return cpu::as_doubles(work.flow[s].drift); }
    Vec3d way(std::size_t s) const { return work.motion[s].velocity * step; }
};

Vec3d sheared(const Vec3d& x) {
    return {3 + 30 * x.z, 0, -2 * x.y};
}

TEST(SteadyDrift, NeighboursNeverDriftApartFasterThanTheySay) {
    Flow flow(3000, 0.1, sheared);
    const engines::soft::SteadyDrift found = flow.find();
    ASSERT_TRUE(found.any);
    ASSERT_GE(found.widest_reach, 4 * radius);
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < 3000; ++a) {
        for (std::size_t b = a + 1; b < 3000; ++b) {
            Vec3d d = flow.work.record[b].position - flow.work.record[a].position;
            d.x -= 0.2 * std::rint(d.x / 0.2);
            if (norm(d) < found.widest_reach) {
                const double told =
                    static_cast<double>(flow.work.apart_drift[a]) + static_cast<double>(flow.work.apart_drift[b]);
                ASSERT_LE(norm(flow.drift(a) - flow.drift(b)), told);
                ++pairs;
            }
        }
    }
    EXPECT_GT(pairs, 10000U);
}

TEST(SteadyDrift, IsTheFlowOfTheNeighbourhood) {
    Flow flow(3000, 0.1, sheared);
    ASSERT_TRUE(flow.find().any);
    double strayed = 0;
    double moved = 0;
    for (std::size_t s = 0; s < 3000; ++s) {
        strayed += norm(flow.way(s) - flow.drift(s));
        moved += norm(flow.way(s));
    }
    EXPECT_LT(strayed, 0.1 * moved);
}

TEST(SteadyDrift, IsNothingWhereNothingFlows) {
    Flow gas(3000, 1, [](const Vec3d&) { return Vec3d{}; });
    EXPECT_FALSE(gas.find().any);
    Flow still(500, 0, [](const Vec3d&) { return Vec3d{}; });
    EXPECT_FALSE(still.find().any);
    for (std::size_t s = 0; s < 500; ++s) {
        EXPECT_EQ(norm(still.drift(s)), 0);
    }
    Flow nobody(0, 0, [](const Vec3d&) { return Vec3d{}; });
    EXPECT_FALSE(nobody.find().any);
}

TEST(SteadyDrift, ScatteredBodiesTakeNoMoreCellsThanThereAreBodies) {
    Flow flow(40, 0.1, sheared);
    flow.work.record[7].position = {0.1, 1e5, -1e5};
    EXPECT_TRUE(flow.find().any);
}

TEST(Flow, IsNeverFasterThanItSays) {
    base::Random random(3, 0);
    for (int k = 0; k < 1000; ++k) {
        const Vec3d way{random.uniform(-1e-4, 1e-4), random.uniform(-1e-9, 1e-9), random.uniform(-1, 1) * 1e-6};
        const cpu::Flow flow{{static_cast<float>(way.x), static_cast<float>(way.y), static_cast<float>(way.z)}};
        ASSERT_GE(flow.speed(), norm(cpu::as_doubles(flow.drift)));
        ASSERT_LE(flow.speed(), norm(way) * (1 + 1e-5));
    }
}

}  // namespace
}  // namespace talus::tests
