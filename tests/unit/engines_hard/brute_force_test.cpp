// Every impact of the engine against an oracle without cells and queue: the same pairs at the same times to the last
// bit, over thousands of events, in all kinds of boxes. Chaos makes this sharp: one event missed or one bit off shows.
#include <gtest/gtest.h>

#include "all_pairs.h"
#include "random_fluid.h"

namespace talus::tests {
namespace {

using engines::hard::BallisticEngine;

struct Case {
    const char* name;
    FluidSpec fluid;
    laws::ImpactParams params;
    double elastic_below;
    std::size_t impacts;
    double until = 1e9;  // s
};
void PrintTo(const Case& one, std::ostream* out) {
    *out << one.name;
}

class AgainstAllPairs : public ::testing::TestWithParam<Case> {};

TEST_P(AgainstAllPairs, HasTheSameImpactsInTheSameOrder) {
    const Case& one = GetParam();
    const model::System start = random_fluid(one.fluid);
    AllPairs oracle(start, one.params, {one.elastic_below});
    const std::vector<Collision> expected = oracle.run(one.impacts, one.until);

    model::System system = start;
    engines::hard::Options options;
    options.impacts = {one.params};
    options.slow.elastic_below = one.elastic_below;
    options.epoch_collisions = 1'000'000'000;  // the oracle keeps to one epoch
    BallisticEngine engine(system, options);
    std::vector<Collision> seen;
    engine.watch(&seen);
    if (expected.size() == one.impacts) {
        engine.advance_events(static_cast<std::int64_t>(one.impacts));
    } else {
        engine.advance(one.until);
    }
    ASSERT_EQ(seen.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
        ASSERT_EQ(seen[k].a, expected[k].a) << "impact " << k;
        ASSERT_EQ(seen[k].b, expected[k].b) << "impact " << k;
        ASSERT_EQ(seen[k].time, expected[k].time) << "impact " << k;
    }
    EXPECT_LT(system.counters.largest_overlap, 1e-11);
    EXPECT_EQ(system.counters.left_domain, static_cast<std::int64_t>(oracle.left()));
    EXPECT_EQ(system.bodies.size() + oracle.left(), start.bodies.size());
    if (system.bodies.size() == start.bodies.size()) {
        for (std::size_t b = 0; b < system.bodies.size(); ++b) {
            EXPECT_EQ(system.flights.velocity[b], oracle.bodies().velocity[b]);
            EXPECT_EQ(system.bodies.spin[b], oracle.bodies().spin[b]);
        }
    }
}

constexpr laws::ImpactParams elastic{};
constexpr laws::ImpactParams inelastic{0.8};
constexpr laws::ImpactParams rough{0.9, -0.3};
constexpr laws::ImpactParams rubbing{0.9, 0.0, 0.2};

FluidSpec fluid(std::size_t count, double smallest, double largest) {
    FluidSpec out;
    out.count = count;
    out.smallest = smallest;
    out.largest = largest;
    return out;
}
FluidSpec with_gravity(FluidSpec spec, const Vec3d& g) {
    spec.gravity = g;
    return spec;
}
FluidSpec open_along(FluidSpec spec, std::array<bool, 3> periodic, bool bounded) {
    spec.periodic = periodic;
    spec.bounded = bounded;
    return spec;
}
FluidSpec spinning(FluidSpec spec) {
    spec.spin = 10;
    return spec;
}

INSTANTIATE_TEST_SUITE_P(
    Boxes, AgainstAllPairs,
    ::testing::Values(
        Case{"dense", fluid(50, 0.1, 0.1), elastic, 0, 3000}, Case{"dilute", fluid(30, 0.03, 0.03), elastic, 0, 1000},
        Case{"smallest_box", fluid(8, 0.16, 0.16), elastic, 0, 2000},
        Case{"unequal", fluid(60, 0.03, 0.12), elastic, 0, 1500},
        Case{"very_unequal", fluid(70, 0.01, 0.16), elastic, 0, 1000},
        Case{"falling", with_gravity(fluid(40, 0.1, 0.1), {0, 0, -0.5}), elastic, 0, 1500},
        Case{"falling_askew", with_gravity(fluid(40, 0.06, 0.12), {0.3, 0.1, -0.5}), elastic, 0, 1500},
        Case{"cooling", fluid(40, 0.08, 0.12), inelastic, 1e-6, 2000},
        Case{"rough", spinning(fluid(40, 0.08, 0.12)), rough, 0, 800},
        Case{"rubbing", with_gravity(spinning(fluid(40, 0.08, 0.12)), {0, -0.5, 0}), rubbing, 1e-6, 800},
        Case{"open_box", open_along(fluid(60, 0.06, 0.08), {false, false, false}, true), elastic, 0, 2000},
        Case{"open_space", open_along(fluid(60, 0.06, 0.08), {false, false, false}, false), elastic, 0, 2000},
        Case{"slot", open_along(with_gravity(fluid(60, 0.06, 0.08), {0, 0, -1}), {false, true, false}, true), elastic,
             0, 2000, 10},
        Case{"fountain", open_along(with_gravity(fluid(60, 0.06, 0.08), {0, 0, -30}), {true, true, false}, false),
             elastic, 0, 500, 0.4}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace talus::tests
