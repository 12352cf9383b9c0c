// Inelastic collapse ends with an error that names the remedy, however slowly time creeps on; slow trembling is none.
#include <gtest/gtest.h>

#include "talus/base/diagnostics.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/geometry/make_shape.h"
#include "wall_of.h"

namespace talus::tests {
namespace {

using engines::hard::BallisticEngine;
using engines::hard::Options;

model::System empty() {
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law.resize(1);
    out.clock.step = 1e-3;
    return out;
}

/// It hits the wall ever more often, until it should roll along it.
model::System ball_along_a_round_wall() {
    model::System out = empty();
    out.bodies.add_sphere(0, {0.12, 0, 0}, 0.05, 1000, 0);
    out.bodies.velocity[0] = {0.1, 0.5, 0};
    out.walls.push_back(wall_of(geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, 0.3)));
    return out;
}
/// They fall on a floor and on one another, and lie.
model::System heap(int count) {
    model::System out = empty();
    out.gravity = {0, 0, -9.81};
    for (int n = 0; n < count; ++n) {
        out.bodies.add_sphere(n, {0.001 * (n % 7), 0.001 * (n % 5), 0.1 + 0.11 * n}, 0.05, 1000, 0);
    }
    out.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    return out;
}

/// A ceiling comes down on it faster than slow impacts are, until there is no room left.
model::System ball_under_a_press() {
    model::System out = empty();
    out.bodies.add_sphere(0, {0, 0, 0.06}, 0.05, 1000, 0);
    out.bodies.velocity[0] = {0, 0, 1};
    out.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    out.walls.push_back(wall_of(geometry::make_plane({0, 0, 0.15}, {0, 0, 1})));
    out.walls[1].motion.translations.push_back({{0, 0, -0.1}, 0});
    return out;
}

Options with(double restitution, double drift, double elastic_below = 0) {
    Options out;
    out.impacts = {{restitution}};
    out.slow = {elastic_below, 0.1 * elastic_below};
    out.resting = false;
    out.step = drift;
    return out;
}

/// s, of a drift; 0: ballistic flight.
class Standstill : public testing::TestWithParam<double> {
protected:
    static void run(model::System system, const Options& options, std::int64_t steps) {
        BallisticEngine engine(system, options);
        engine.advance_steps(steps);
    }
    static void expect_collapse(const model::System& system, double restitution, double elastic_below = 0) {
        try {
            run(system, with(restitution, GetParam(), elastic_below), 5000);
            FAIL() << "it came to an end";
        } catch (const base::RunError& error) {
            EXPECT_NE(std::string(error.what()).find("inelastic collapse"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("crush"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("impacts.elastic_below"), std::string::npos) << error.what();
        }
    }
};

TEST_P(Standstill, OfABallThatHugsARoundWall) {
    expect_collapse(ball_along_a_round_wall(), 0.5);
}
TEST_P(Standstill, OfGrainsThatLie) {
    expect_collapse(heap(20), 0.3);
    if (GetParam() > 0) {  // it has no weight within a drift, and parts from the floor after one impact
        EXPECT_NO_THROW(run(heap(1), with(0.3, GetParam()), 1000));
    } else {
        expect_collapse(heap(1), 0.3);
    }
}
/// What no remedy helps against: rigid grains do not give way.
TEST_P(Standstill, OfABallThatIsCrushed) {
    expect_collapse(ball_under_a_press(), 0.5, 1e-3);
}
TEST_P(Standstill, IsNoneWhereSlowImpactsAreElastic) {
    EXPECT_NO_THROW(run(ball_along_a_round_wall(), with(0.5, GetParam(), 1e-3), 5000));
    EXPECT_NO_THROW(run(heap(1), with(0.3, GetParam(), 1e-5), 1000)) << "a million tiny bounces";
}

INSTANTIATE_TEST_SUITE_P(Hard, Standstill, testing::Values(0.0, 1e-3));

}  // namespace
}  // namespace talus::tests
