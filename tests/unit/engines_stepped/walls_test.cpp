// Time-stepped hard spheres on walls of every shape in every motion: they stay outside, the books close, and a run that
// is stopped goes on with the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "random_vector.h"
#include "talus/analysis/energy.h"
#include "talus/engines/stepped/engine.h"
#include "talus/geometry/make_shape.h"
#include "talus/search/wall_distance.h"
#include "wall_of.h"

namespace talus::tests {
namespace {

using engines::stepped::Engine;
using math::Vec3d;

struct Named {
    const char* name;
    geometry::Placed placed;
};
void PrintTo(const Named& named, std::ostream* out) {
    *out << named.name;
}

class SteppedWall : public testing::TestWithParam<Named> {};

std::vector<model::Motion> motions() {
    std::vector<model::Motion> out(5);
    out[1].translations.push_back({{0.3, 0, 0.4}, 0.1});
    out[2].oscillations.push_back({{0.02, 0, 0.03}, 20, 0, 0});
    out[3].spins.push_back({normalized(Vec3d{0.2, 0.1, 1}), {}, 3, 0});
    out[4].keyframes = {{0.1, {}, {}}, {0.4, {0.1, 0, 0.2}, {0.1, 0.2, 0.5}}, {0.7, {0, 0, 0.1}, {0, 0, 1}}};
    return out;
}

model::System shower(const geometry::Placed& placed, const model::Motion& motion) {
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law.resize(1);
    out.materials.pair_law[0].impact = {0.6, 0, 0.4};
    out.clock.step = 2e-4;
    out.gravity = {0, 0, -9.81};
    out.walls.push_back(wall_of(placed));
    out.walls[0].motion = motion;
    base::Random random(7, 2);
    for (int n = 0; n < 125; ++n) {
        const int row = n / 5;
        const int layer = n / 25;
        const Vec3d at = Vec3d{n % 5 - 2.0, row % 5 - 2.0, layer - 1.0} * 0.26;
        const double radius = random.uniform(0.06, 0.12);
        const geometry::Nearest near = search::nearest_wall_point(out.walls[0], out.domain, at);
        if (near.acts && near.distance < 1.05 * radius) {
            continue;
        }
        out.bodies.add_sphere(out.counters.next_id++, at, radius, 1000, 0);
        out.bodies.velocity.back() = random_vector(random, 0.5);
        out.bodies.spin.back() = random_vector(random, 5);
    }
    return out;
}

TEST_P(SteppedWall, HoldsGrainsOffInEveryMotionAndTheBooksClose) {
    int choice = 0;
    double worst = 0;  // radii
    for (const model::Motion& motion : motions()) {
        SCOPED_TRACE(choice++);
        model::System system = shower(GetParam().placed, motion);
        const double before = analysis::measure_energies(system).mechanical();
        model::System stopped = system;
        Engine engine(system, {}, false);
        for (int look = 0; look < 80; ++look) {
            engine.advance(50);
            for (std::size_t b = 0; b < system.bodies.size(); ++b) {
                const geometry::Nearest near =
                    search::nearest_wall_point(system.walls[0], system.domain, system.bodies.position[b]);
                worst = std::max(worst, near.acts ? 1 - near.distance / system.bodies.radius[b] : 0.0);
            }
        }
        EXPECT_GT(engine.measures().wall_collisions, 0);
        EXPECT_EQ(system.walls[0].record.work != 0, !motion.at_rest());
        const double off = analysis::energy_balance(analysis::measure_energies(system), before).relative();
        EXPECT_LT(std::abs(off), 1e-10);
        for (const int steps : {1300, 700, 2000}) {
            const model::System kept = stopped;
            stopped = kept;
            Engine(stopped, {}, stopped.clock.steps > 0).advance(steps);
        }
        EXPECT_EQ(model::state_hash(stopped), model::state_hash(system));
    }
    std::printf("%s: at most %.1e radii deep\n", GetParam().name, worst);
    EXPECT_LT(worst, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SteppedWall,
    testing::Values(Named{"plane", geometry::make_plane({0, 0, -1}, {0.2, 0, 1})},
                    Named{"disk", geometry::make_disk({0, 0, -1}, {0, 0, 1}, 1.5)},
                    Named{"disk_with_a_hole", geometry::make_disk({0, 0, -1}, {0, 0, 1}, 1.5, 0.3)},
                    Named{"rectangle", geometry::make_rectangle({-1, -1, -1}, {2, 0, 0.2}, {0, 2, 0})},
                    Named{"triangle", geometry::make_triangle({-2, -1, -1}, {2, -1, -1}, {0, 2, -1.2})},
                    Named{"cylinder", geometry::make_cylinder({0, 0, 0}, {1, 0, 0.1}, 1)},
                    Named{"cylinder_outside", geometry::make_cylinder({0, 0, -1}, {1, 0, 0.1}, 0.4)},
                    Named{"tube", geometry::make_tube({0, 0, 1}, {0, 0, -1}, 1, 1)},
                    Named{"cone", geometry::make_tube({0, 0, 1}, {0, 0, -1}, 1, 0.3)},
                    Named{"sphere", geometry::make_sphere({0, 0, 0}, 1.2)},
                    Named{"sphere_outside", geometry::make_sphere({0, 0, -1}, 0.4)},
                    Named{"ring", geometry::make_ring({0, 0, -1}, {0, 0, 1}, 0.4)},
                    Named{"line", geometry::make_line({0, 0.1, -1}, {1, 0, 0})},
                    Named{"segment", geometry::make_segment({-0.5, 0, -1}, {0.5, 0.1, -1})},
                    Named{"point", geometry::make_point({0.1, 0, -1})}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace talus::tests
