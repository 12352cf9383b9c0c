// Every impact of the engine against an oracle without cells and queue, over thousands of events and several epochs, in
// all kinds of boxes.
#include <gtest/gtest.h>

#include "against_all_pairs.h"
#include "random_fluid.h"

namespace talus::tests {
namespace {

struct Case {
    const char* name;
    FluidSpec fluid;
    Comparison how;
};
void PrintTo(const Case& one, std::ostream* out) {
    *out << one.name;
}

class AgainstAllPairs : public ::testing::TestWithParam<Case> {};

TEST_P(AgainstAllPairs, HasTheSameImpactsInTheSameOrder) {
    compare_with_all_pairs(random_fluid(GetParam().fluid), GetParam().how);
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

FluidSpec roomy(FluidSpec spec, double side) {
    spec.box = {side, side, side};
    return spec;
}
/// An epoch is 64 impacts a sphere: 32 times their number. Grains that cool, or fall across periodic borders, do hardly
/// anything but cross borders in the end.
Comparison closed(const laws::ImpactParams& params, double elastic_below, std::size_t impacts, std::int64_t epochs) {
    return {params, {elastic_below}, 0, impacts, 1e9, impacts, epochs};
}
/// Where spheres leave there is an end to impacts.
Comparison opened(double until, std::size_t at_least) {
    return {elastic, {}, 0, 100'000, until, at_least, 0};
}
Comparison in_drifts(const laws::ImpactParams& params, double elastic_below, std::size_t impacts) {
    return {params, {elastic_below}, 5e-3, impacts, 1e9, impacts, 0};
}

INSTANTIATE_TEST_SUITE_P(
    Boxes, AgainstAllPairs,
    ::testing::Values(
        Case{"dense", fluid(50, 0.1, 0.1), closed(elastic, 0, 8000, 5)},
        Case{"dilute", fluid(30, 0.03, 0.03), closed(elastic, 0, 3000, 3)},
        Case{"smallest_box", fluid(8, 0.16, 0.16), closed(elastic, 0, 20'000, 70)},
        Case{"unequal", fluid(60, 0.03, 0.12), closed(elastic, 0, 6000, 3)},
        Case{"very_unequal", fluid(70, 0.01, 0.16), closed(elastic, 0, 5000, 2)},
        Case{"falling", with_gravity(fluid(40, 0.1, 0.1), {0, 0, -0.5}), closed(elastic, 0, 6000, 4)},
        Case{"falling_askew", with_gravity(fluid(40, 0.06, 0.12), {0.3, 0.1, -0.5}), closed(elastic, 0, 4000, 3)},
        Case{"cooling", fluid(40, 0.08, 0.12), closed(inelastic, 1e-6, 2000, 1)},
        Case{"rough", spinning(fluid(40, 0.08, 0.12)), closed(rough, 0, 1600, 1)},
        Case{"rubbing", with_gravity(spinning(fluid(40, 0.08, 0.12)), {0, -0.5, 0}), closed(rubbing, 1e-6, 800, 0)},
        Case{"in_drifts", with_gravity(fluid(40, 0.08, 0.12), {0, 0.02, -0.05}), in_drifts(elastic, 0, 1500)},
        Case{"open_box", open_along(roomy(fluid(300, 0.06, 0.08), 1.4), {false, false, false}, true), opened(10, 300)},
        Case{"open_space", open_along(roomy(fluid(300, 0.06, 0.08), 1.4), {false, false, false}, false),
             opened(1e9, 300)},
        Case{"slot",
             open_along(with_gravity(roomy(fluid(200, 0.06, 0.08), 1.2), {0, 0, -1}), {false, true, false}, true),
             opened(10, 200)},
        Case{"fountain",
             open_along(with_gravity(roomy(fluid(200, 0.06, 0.08), 1.2), {0, 0, -30}), {true, true, false}, false),
             opened(0.4, 300)}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace talus::tests
