// The order of the leapfrog, from runs with ever shorter steps.
#include "talus/simulation/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "talus/base/diagnostics.h"

namespace talus::simulation {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A grain is put down on a springy floor and swings; it does not come free.
std::string swinging(const std::string& top) {
    return top + R"(
[gravity]
uniform = [0, 0, -9.81]
[materials.grain]
density = 1000
[[contacts]]
between = ["grain", "grain"]
law = "hooke"
kn = 1000
restitution = 1
[[walls]]
name = "floor"
shape = { plane = {} }
material = "grain"
[[fill]]
material = "grain"
radius = 0.01
lattice = {}
count = 1
box = { low = [0, 0, 0], high = [0.02, 0.02, 0.02] }
)";
}

OrderStudy study(const std::string& text, const OrderOptions& options) {
    return study_order([&](const std::vector<std::string>& more) { return scene::load_text(text, "s", more); },
                       options);
}

TEST(Order, OfTheLeapfrogIsTwo) {
    OrderOptions options;
    options.halvings = 5;
    const OrderStudy found = study(swinging("time = { end = 0.01, step = 1e-4 }"), options);
    ASSERT_EQ(found.step.size(), 6U);
    ASSERT_EQ(found.distance.size(), 5U);
    EXPECT_EQ(found.time.size(), 40U);
    EXPECT_DOUBLE_EQ(found.step[5], 1e-4 / 32);
    EXPECT_NEAR(found.trajectory_order, 2, 0.01);
    EXPECT_NEAR(found.energy_order, 2, 0.01);
    EXPECT_GT(found.apart[0], 1e-9);
    EXPECT_GT(found.wrong[5], 0);
    const std::string csv = as_csv(found);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 41);
    EXPECT_THAT(csv, HasSubstr("energy error at 0.0001 s [J]"));
}

TEST(Order, OfASceneWithoutStepsOrEndIsRefused) {
    EXPECT_THAT([] { study(swinging("time = { end = 0.02, step = 1e-3 }"), {}); },
                ThrowsMessage<base::InputError>(HasSubstr("fewer than 40 steps")));
    std::string flight = swinging("engine = \"hard\"\nflight = \"ballistic\"\ntime = { end = 1 }");
    const std::string spring = "law = \"hooke\"\nkn = 1000";
    flight.replace(flight.find(spring), spring.size(), "law = \"impact\"");
    EXPECT_THAT([&] { study(flight, {}); }, ThrowsMessage<base::InputError>(HasSubstr("has no time step")));
}

}  // namespace
}  // namespace talus::simulation
