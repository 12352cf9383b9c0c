// What hard spheres must show: equipartition in a gravity field, piles that stand, and the small tests of HSDEM
// Sect. 3.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/gallery.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/geometry/make_shape.h"
#include "talus/simulation/simulation.h"

namespace talus::tests {
namespace {

using engines::hard::BallisticEngine;
using math::Vec3d;

TEST(ModelAtmosphere, HasTheScaleHeightsOfItsOwnEnergy) {
    simulation::Simulation run(gallery("atmosphere.toml", {"time.end=120", "measure.0.scale_heights.after=40"}));
    while (!run.finished()) {
        run.step(20);
        run.sample_measures();
    }
    int classes = 0;
    for (const analysis::SummaryValue& value : run.measures()[0]->summary()) {
        if (value.name.ends_with(".ratio")) {
            EXPECT_NEAR(value.value, 1, 0.05) << value.name;
            ++classes;
        }
    }
    EXPECT_EQ(classes, 3);
    EXPECT_LT(std::abs(run.balance().relative()), 1e-10);
    EXPECT_EQ(run.grains(), 991U);
}

/// Grains poured into a barrel, without friction at its wall to hang on to.
const char* const pile = R"(
engine = "hard"
seed   = 4
[gravity]
uniform = [0, 0, -9.81]
[materials.grain]
density = 2500
[materials.wall]
[[contacts]]
between                = ["*", "*"]
law                    = "impact"
restitution            = 0.5
tangential_restitution = 0
friction               = 0.5
[[walls]]
name     = "floor"
shape    = { plane = { normal = [0, 0, 1] } }
material = "wall"
[[walls]]
name     = "barrel"
shape    = { cylinder = { radius = 0.08, axis = [0, 0, 1] } }
material = "wall"
[[fill]]
material = "grain"
radius   = 0.01
random   = {}
cylinder = { from = [0, 0, 0], to = [0, 0, 0.45], radius = 0.08 }
count    = 500
[time]
end = 12
)";

class Pile : public ::testing::TestWithParam<const char*> {};

TEST_P(Pile, KeepsItsHeightAndCostsNothing) {
    simulation::Simulation run(scene::load_text(pile, "pile", {std::string("flight=") + GetParam()}));
    const auto top = [&] {
        double z = 0;
        for (const Vec3d& x : run.system().bodies.position) {
            z = std::max(z, x.z);
        }
        return z;
    };
    const auto advance_to = [&](double time) {
        while (run.time() < time && !run.finished()) {
            run.step();
        }
    };
    advance_to(2);
    const double height = top();
    const std::int64_t impacts = *run.engine().impacts();
    EXPECT_GT(height, 0.15);
    while (!run.finished()) {
        advance_to(run.time() + 1);
        EXPECT_NEAR(top(), height, 1e-2 * 0.01);
    }
    EXPECT_GE(run.time(), 12 - 1e-9);
    EXPECT_LT(*run.engine().impacts() - impacts, impacts / 10) << "10 s at rest against 2 s of settling";
    EXPECT_LT(run.system().counters.largest_overlap, 1e-9);
}
INSTANTIATE_TEST_SUITE_P(Flights, Pile, ::testing::Values("ballistic", "drift"),
                         [](const auto& flight) { return std::string(flight.param); });

TEST(Pile, WakesWhenSomethingFallsOnItOrItsFloorGoes) {
    simulation::Simulation run(scene::load_text(std::string(pile) + R"(
[[stages]]
name  = "settle"
until = { duration = 2 }
[[stages]]
name  = "fall"
do    = [ { remove_wall = "floor" } ]
until = { duration = 0.3 }
)",
                                                "pile", {"flight=ballistic", "time={}"}));
    while (run.time() < 2.29) {
        run.step();
    }
    // All of them fall freely.
    for (const Vec3d& v : run.system().bodies.velocity) {
        EXPECT_LT(v.z, -1);
    }
}

model::System with_walls(const std::vector<geometry::Placed>& walls) {
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law.resize(1);
    out.gravity = {0, 0, -9.81};
    for (const geometry::Placed& placed : walls) {
        model::Wall wall;
        wall.shape = placed.shape;
        wall.base.position = placed.position;
        wall.base.rotation = placed.rotation;
        wall.pose = wall.base;
        out.walls.push_back(wall);
    }
    return out;
}

TEST(SmallTests, ASphereSlidesOnTheInnerEdgeOfAVerticalRing) {
    constexpr double R = 1;
    constexpr double s = 0.2;
    model::System system = with_walls({geometry::make_ring({0, 0, 0}, {0, 1, 0}, R)});
    const double angle = 0.5;
    system.bodies.add_sphere(0, {(R - s) * std::sin(angle), 0, -(R - s) * std::cos(angle)}, s, 1000, 0);
    engines::hard::Options options;
    options.impacts = {{0.5}};
    options.slow = {1e-3, 1e-4};
    BallisticEngine engine(system, options);
    double fastest = 0;
    double farthest = 0;
    for (int n = 1; n <= 2000; ++n) {
        engine.advance(n * 2e-3);
        const Vec3d& x = system.bodies.position[0];
        EXPECT_EQ(x.y, 0) << "balanced";
        EXPECT_LT(std::hypot(x.x, x.z), R - s + 1e-12);
        EXPECT_GT(std::hypot(x.x, x.z), R - s - 1e-3);
        fastest = std::max(fastest, norm(system.bodies.velocity[0]));
        farthest = std::max(farthest, -x.x);
    }
    EXPECT_NEAR(fastest / std::sqrt(2 * 9.81 * (R - s) * (1 - std::cos(angle))), 1, 0.01);
    EXPECT_NEAR(farthest / ((R - s) * std::sin(angle)), 1, 0.02) << "the other side";
    EXPECT_GT(engine.measures().wall_collisions, 1000);
    EXPECT_LT(system.counters.largest_overlap, 1e-12);
}

TEST(SmallTests, NothingLeaksFromACylinderOverAShakingDisk) {
    model::System system =
        with_walls({geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, 1), geometry::make_disk({0, 0, 0}, {0, 0, 1}, 1)});
    system.walls[1].motion.oscillations.push_back({{0, 0, 0.05}, 40, 0, 0});
    constexpr double s = 0.06;
    for (int n = 0; n < 300; ++n) {
        const Vec3d at{-0.6 + 0.15 * (n % 9), -0.6 + 0.15 * (n / 9 % 9), 0.2 + 0.15 * (n / 81)};
        system.bodies.add_sphere(n, at, s, 1000, 0);
        system.bodies.velocity.back() = {0.1 * (n % 3 - 1), 0.1 * (n % 5 - 2), 0};
    }
    system.clock.step = 0.01;
    engines::hard::Options options;
    options.impacts = {{0.9, 0.5, 0.3}};
    options.slow = {1e-3, 1e-4};
    BallisticEngine engine(system, options);
    while (engine.measures().impacts() < 1'000'000) {
        engine.advance_steps(50);
        const double floor = 0.05 * std::sin(40 * engine.time());
        for (const Vec3d& x : system.bodies.position) {
            ASSERT_LT(std::hypot(x.x, x.y), 1 - s + 1e-12);
            ASSERT_GT(x.z, floor + s - 1e-11);
        }
    }
    EXPECT_GT(engine.measures().wall_collisions, 100'000);
}

/// Elastic and rough, so that a million impacts take little time and spread grains through all of a vessel.
engines::hard::Options lively() {
    engines::hard::Options options;
    options.impacts = {{0.98, 0.8, 0.3}};
    options.slow = {1e-3, 1e-4};
    return options;
}
/// Spheres of radius s on a lattice wherever `fits` says that there is room for one.
template <class Fits>
void fill(model::System& system, double s, std::int64_t most, const Fits& fits) {
    const auto n = static_cast<int>(3 / (2.2 * s));
    for (int k = 0; k < n * n * n && static_cast<std::int64_t>(system.bodies.size()) < most; ++k) {
        const Vec3d at = Vec3d{k % n - 0.5 * n, k / n % n - 0.5 * n, k / n / n - 0.5 * n} * (2.2 * s);
        if (fits(at)) {
            system.bodies.add_sphere(k, at, s, 1000, 0);
            system.bodies.velocity.back() = {0.1 * (k % 3 - 1), 0.1 * (k % 5 - 2), 0.1 * (k % 7 - 3)};
        }
    }
}

TEST(SmallTests, NothingLeaksFromACylinderCutByAnInclinedPlane) {
    constexpr double s = 0.07;
    const double length = std::sqrt(1.09);
    const Vec3d up{0.3 / length, 0, 1 / length};
    model::System system =
        with_walls({geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, 1), geometry::make_plane({0, 0, 0}, up),
                    geometry::make_plane({0, 0, 1.4}, {0, 0, 1})});
    const auto inside = [&](const Vec3d& x, double radius) {
        return std::hypot(x.x, x.y) < 1 - radius && dot(x, up) > radius && x.z < 1.4 - radius;
    };
    fill(system, s, 400, [&](const Vec3d& at) { return inside(at, 1.05 * s); });
    ASSERT_GE(system.bodies.size(), 300U);
    system.clock.step = 0.02;
    BallisticEngine engine(system, lively());
    while (engine.measures().impacts() < 1'000'000) {
        engine.advance_steps(5);
        for (const Vec3d& x : system.bodies.position) {
            ASSERT_TRUE(inside(x, s - 1e-12)) << x.x << " " << x.y << " " << x.z;
        }
    }
    EXPECT_GT(engine.measures().wall_collisions, 50'000);
    EXPECT_LT(system.counters.largest_overlap, 1e-10);
}

TEST(SmallTests, NothingGoesThroughARingAmongHundreds) {
    constexpr double s = 0.07;
    constexpr double R = 0.6;
    model::System system = with_walls({geometry::make_ring({0, 0, 0}, {0, 1, 0}, R), geometry::make_sphere({}, 1)});
    const auto from_ring = [](const Vec3d& x) { return std::hypot(std::hypot(x.x, x.z) - R, x.y); };
    fill(system, s, 400, [&](const Vec3d& at) { return norm(at) < 1 - 1.05 * s && from_ring(at) > 1.05 * s; });
    ASSERT_GE(system.bodies.size(), 300U);
    system.clock.step = 0.02;
    BallisticEngine engine(system, lively());
    while (engine.measures().impacts() < 1'000'000) {
        engine.advance_steps(5);
        for (const Vec3d& x : system.bodies.position) {
            ASSERT_LT(norm(x), 1 - s + 1e-12);
            ASSERT_GT(from_ring(x), s - 1e-12);
        }
    }
    EXPECT_GT(engine.measures().wall_impulse[0], 0.01 * engine.measures().wall_impulse[1]) << "the ring was hit";
    EXPECT_LT(system.counters.largest_overlap, 1e-10);
}

TEST(Tumbler, RaisesItsSurfaceAndCarriesItsRoughWall) {
    // The gallery's scene, smaller and shorter: a drum of 12 mm with 850 grains at Froude number 0.3.
    const std::vector<std::string> overrides = {"walls.barrel.shape.cylinder.radius='12 mm'",
                                                "fill.0.cylinder.radius='11 mm'",
                                                "fill.0.count=450",
                                                "impacts.elastic_below='6 cm/s'",
                                                "stages.stick.until.duration=0.25",
                                                "stages.refill.do.1.fill.cylinder.radius='10.4 mm'",
                                                "stages.refill.do.1.fill.above=0",
                                                "stages.refill.do.1.fill.count=400",
                                                "stages.refill.until.duration=0.06",
                                                "stages.settle.until.duration=0.05",
                                                "stages.tumble.until.duration=0.25",
                                                "stages.tumble.do.0.motion=[ { spin = { rate = '16.4 rad/s' } } ]",
                                                "measure.0.surface_slope.after=0.45"};
    simulation::Simulation run(gallery("tumbler.toml", overrides));
    while (!run.finished()) {
        run.step(20);
        run.sample_measures();
    }
    const model::System& system = run.system();
    const auto stuck = std::count(system.bodies.stuck_to.begin(), system.bodies.stuck_to.end(), 0);
    EXPECT_GT(stuck, 120) << "rough all round";
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        const Vec3d& x = system.bodies.position[b];
        EXPECT_LT(std::hypot(x.x, x.z), 0.012 - 0.00053 + 1e-12);
        EXPECT_GT(x.y, 0.00053 - 1e-12);
        EXPECT_LT(x.y, 0.005 - 0.00053 + 1e-12);
    }
    double angle = 0;
    for (const analysis::SummaryValue& value : run.measures()[0]->summary()) {
        if (value.name.ends_with(".angle")) {
            angle = value.value;
        }
    }
    EXPECT_GT(std::abs(angle), 10) << "degrees";
    EXPECT_LT(std::abs(angle), 60);
    EXPECT_LT(std::abs(run.balance().relative()), 1e-9);
}

}  // namespace
}  // namespace talus::tests
