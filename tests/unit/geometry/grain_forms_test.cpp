// The built-in shapes of grains: sound, weighed right, and of the sizes asked for.
#include "talus/geometry/grain_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>
#include <ostream>
#include <stdexcept>

#include "low_discrepancy.h"

namespace talus::geometry {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

struct Case {
    const char* name;
    std::vector<Ball> balls;
    std::size_t count;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.name;
}

class GrainForms : public testing::TestWithParam<Case> {};

TEST_P(GrainForms, MakeAGrain) {
    const Case& c = GetParam();
    EXPECT_EQ(c.balls.size(), c.count);
    EXPECT_FALSE(grain_fault(c.balls)) << *grain_fault(c.balls);
}

TEST_P(GrainForms, HaveTheMassPropertiesThatCountedPointsTell) {
    const std::vector<Ball>& balls = GetParam().balls;
    const MassProperties p = mass_properties(balls, 1e-6);
    const Vec3d low = p.center - Vec3d{1, 1, 1} * p.reach;
    const Vec3d high = p.center + Vec3d{1, 1, 1} * p.reach;
    constexpr int points = 200000;
    const double share = 8 * p.reach * p.reach * p.reach / points;
    double volume = 0;
    Vec3d first;
    double trace = 0;
    for (int k = 0; k < points; ++k) {
        const Vec3d x = even_point(k, low, high);
        if (covers(balls, x)) {
            volume += share;
            first += (x - p.center) * share;
            trace += 2 * norm2(x - p.center) * share;
        }
    }
    EXPECT_NEAR(volume, p.volume, 3e-3 * p.volume);
    EXPECT_LT(norm(first), 2e-3 * p.volume * p.reach);
    EXPECT_NEAR(trace, p.moment[0] + p.moment[1] + p.moment[2], 5e-3 * trace);
}

INSTANTIATE_TEST_SUITE_P(
    Table, GrainForms,
    testing::Values(Case{"Dumbbell", dumbbell(1, 1.5), 2}, Case{"DumbbellThatHardlyTouches", dumbbell(0.5, 0.99), 2},
                    Case{"Tetrahedron", tetrahedron(1, 1), 4}, Case{"OpenTetrahedron", tetrahedron(1, 1.9), 4},
                    Case{"Cube", cube(1, 1), 8}, Case{"CubeWithACavity", cube(1, 1.3), 8}, Case{"Rod", rod(1, 6), 5},
                    Case{"RodOfThree", rod(1, 5, 3), 3}, Case{"Boomerang", boomerang(1, 4, pi / 2), 7},
                    Case{"WideBoomerang", boomerang(1, 4, pi, 2), 5}, Case{"NarrowBoomerang", boomerang(1, 4, 0.3), 7},
                    Case{"Shell", shell(1, 60), 60}, Case{"FineShell", shell(1, 200), 200}),
    [](const testing::TestParamInfo<Case>& each) { return each.param.name; });

TEST(GrainFormSizes, AreThoseAskedFor) {
    EXPECT_NEAR(mass_properties(rod(0.5, 7)).reach, 3.5, 1e-12);
    EXPECT_NEAR(mass_properties(dumbbell(1, 1.2)).reach, 1.6, 1e-12);
    EXPECT_NEAR(mass_properties(cube(1, 1)).reach, 1 + std::sqrt(0.75), 1e-9);
    const std::vector<Ball> four = tetrahedron(1, 1.3);
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NEAR(norm(four[i].center - four[j].center), 1.3, 1e-14);
        }
    }
    const std::vector<Ball> bent = boomerang(1, 4, pi / 3);
    EXPECT_NEAR(norm(bent[3].center - bent[6].center), 3, 1e-14) << "both tips and the bend make an equal triangle";
    EXPECT_NEAR(norm(bent[3].center), 3, 1e-14);
}

/// A shell keeps its promise if no direction looks out of the cavity; where it is refused, one does.
TEST(GrainShell, EnclosesACavity) {
    for (const int count : {12, 30, 60, 150}) {
        const std::vector<Ball> closed = shell(1, count);
        const double size = closed.front().radius;
        EXPECT_FALSE(covers(closed, {0, 0, 0}));
        const auto sees_out = [&](double radius) {
            std::vector<Ball> balls = closed;
            for (Ball& ball : balls) {
                ball.radius = radius;
            }
            const std::vector<Vec3d> ways = spread_directions(200000);
            return std::any_of(ways.begin(), ways.end(), [&](const Vec3d& way) { return !covers(balls, way); });
        };
        EXPECT_FALSE(sees_out(size / 1.1 * 1.001)) << count;
        EXPECT_NO_THROW(shell(1, count, size / 1.1 * 1.001)) << count;
        EXPECT_TRUE(sees_out(size / 1.1 * 0.98)) << count;
        EXPECT_THROW(shell(1, count, size / 1.1 * 0.98), std::invalid_argument) << count;
    }
}

std::string told(const std::function<void()>& make) {
    try {
        make();
    } catch (const std::invalid_argument& fault) {
        return fault.what();
    }
    return "nothing";
}

TEST(GrainFormFaults, AreTold) {
    EXPECT_THAT(told([] { rod(1, 2); }), HasSubstr("no longer than it is thick"));
    EXPECT_THAT(told([] { rod(1, 3, 1); }), HasSubstr("two spheres or more"));
    EXPECT_THAT(told([] { rod(1e-9, 3); }), HasSubstr("more than 10000 spheres"));
    EXPECT_THAT(told([] { boomerang(1, 1, 1); }), HasSubstr("do not reach beyond"));
    EXPECT_THAT(told([] { boomerang(1, 3, 4); }), HasSubstr("between 0 and 180 deg"));
    EXPECT_THAT(told([] { shell(1, 3); }), HasSubstr("needs 4 to 10000 spheres"));
    EXPECT_THAT(told([] { shell(1, 60, 0.2); }), HasSubstr("would have holes: 60 spheres close it with"));
    EXPECT_THAT(told([] { shell(1, 60, 1.5); }), HasSubstr("would enclose nothing"));
    EXPECT_THAT(*grain_fault(rod(1, 8, 3)), HasSubstr("does not hang together"));
    EXPECT_THAT(*grain_fault(dumbbell(1, 2)), HasSubstr("does not hang together"));
}

}  // namespace
}  // namespace talus::geometry
