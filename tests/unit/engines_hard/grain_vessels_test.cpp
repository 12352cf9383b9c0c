// Hard grains of many spheres in vessels of every kind, at rest and moving: nothing leaks, nothing overlaps, and what
// walls take and give is in the books.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "grain_systems.h"
#include "talus/engines/hard/grain_engine.h"
#include "talus/geometry/nearest.h"

namespace talus::tests {
namespace {

using engines::hard::GrainEngine;
using engines::hard::Options;

struct Vessel {
    std::string name;
    std::function<void(std::vector<model::Wall>&)> build;
    std::function<bool(const Vec3d&)> inside;  // with room for all that the walls move

    friend std::ostream& operator<<(std::ostream& out, const Vessel& vessel) { return out << vessel.name; }
};

void lids(std::vector<model::Wall>& walls) {
    walls.push_back(wall_of(geometry::make_disk({0, 0, -3}, {0, 0, 1}, 3.2)));
    walls.push_back(wall_of(geometry::make_disk({0, 0, 3}, {0, 0, 1}, 3.2)));
}
bool in_drum(const Vec3d& x) {
    return x.x * x.x + x.y * x.y < 9 && x.z > -3.3 && x.z < 3.3;
}

const std::vector<Vessel> vessels = {
    {"drum",
     [](std::vector<model::Wall>& walls) {
         walls.push_back(wall_of(geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, 3)));
         walls.back().motion.spins.push_back({{0, 0, 1}, {0, 0, 0}, 3, 0});
         lids(walls);
     },
     in_drum},
    {"shaken_drum",
     [](std::vector<model::Wall>& walls) {
         walls.push_back(wall_of(geometry::make_tube({0, 0, -3.4}, {0, 0, 3.4}, 3, 3)));
         lids(walls);
         for (model::Wall& wall : walls) {
             wall.motion.oscillations.push_back({{0, 0, 0.1}, 15, 0, 0});
         }
     },
     in_drum},
    {"tilting_cup",
     [](std::vector<model::Wall>& walls) {
         walls.push_back(wall_of(geometry::make_tube({0, 0, -3}, {0, 0, 3}, 2.5, 3)));
         lids(walls);
         for (model::Wall& wall : walls) {
             wall.motion.spins.push_back({{1, 0, 0}, {0, 0, 0}, 0.4, 0});
         }
     },
     [](const Vec3d& x) { return norm(x) < 4.5; }},
    {"ball",
     [](std::vector<model::Wall>& walls) {
         walls.push_back(wall_of(geometry::make_sphere({0, 0, 0}, 3.5)));
     },
     [](const Vec3d& x) { return norm(x) < 3.5; }},
    {"ball_with_spikes",
     [](std::vector<model::Wall>& walls) {
         walls.push_back(wall_of(geometry::make_sphere({0, 0, 0}, 3.5)));
         walls.push_back(wall_of(geometry::make_segment({0, 0, -3}, {0, 0, -1.5})));
         walls.push_back(wall_of(geometry::make_ring({0, 0, -2}, {0, 0, 1}, 2)));
         walls.push_back(wall_of(geometry::make_triangle({-2, -2, 0}, {-1, -2, 0}, {-2, -1, 0.5})));
         walls.push_back(wall_of(geometry::make_rectangle({1, 1, -1}, {1, 0, 0}, {0, 1, 0.3})));
         walls.push_back(wall_of(geometry::make_point({2, -2, 0})));
         walls[2].motion.spins.push_back({{1, 0, 0}, {0, 0, -2}, 2, 0});
     },
     [](const Vec3d& x) { return norm(x) < 3.5; }},
};

class GrainVessel : public testing::TestWithParam<Vessel> {};

TEST_P(GrainVessel, KeepsWhatIsInIt) {
    model::System system = space({0.9, 0.2, 0.4}, 4e-3);
    system.gravity = {0, 0, -3};
    GetParam().build(system.walls);
    base::Random random(6, 1);
    const auto is_clear = [&](const Vec3d& at) {
        for (const model::Wall& wall : system.walls) {
            if (geometry::nearest(wall.shape, wall.pose.to_local(at)).distance < 0.6) {
                return false;
            }
        }
        return true;
    };
    for (int n = 0; n < 4 * 4 * 4; ++n) {
        const Vec3d at = (site(n, 4) - Vec3d{1.5, 1.5, 1.5}) * 1.1;
        const Vec3d velocity = random_vector(random, 2);
        const Vec3d spin = random_vector(random, 6);
        if (norm(at) < 2.6 && is_clear(at)) {
            add(system, n % 3 - 1, at, velocity, spin, random_vector(random, 3), 0.5);
        }
    }
    const double before = mechanical(system);
    const std::size_t count = system.bodies.size();
    ASSERT_GT(count, 15);
    Options options;
    options.impacts = {system.materials.pair_law[0].impact};
    options.slow = {0.03, 0.003};
    options.step = system.clock.step;
    GrainEngine engine(system, options, false);
    for (int n = 0; n < 30; ++n) {
        engine.advance_steps(10);
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_TRUE(GetParam().inside(system.bodies.position[i])) << n;
            for (const geometry::Ball& ball : model::spheres_of(system.bodies, system.grains, i)) {
                for (const model::Wall& wall : system.walls) {
                    const double distance = geometry::nearest(wall.shape, wall.pose.to_local(ball.center)).distance;
                    EXPECT_GT(distance, ball.radius - 1e-11) << n;
                }
            }
        }
    }
    EXPECT_GT(engine.measures().collisions, 20);
    EXPECT_GT(engine.measures().wall_collisions, 50);
    EXPECT_LT(system.counters.largest_overlap, 1e-11);
    EXPECT_LT(imbalance(system, before), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Shapes, GrainVessel, testing::ValuesIn(vessels),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace talus::tests
