// SOLVER's scenes with objects (Sect. 3.4, Appendix A), with fewer grains: studies/objects.py runs them whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/gallery.h"
#include "talus/simulation/simulation.h"

namespace talus::tests {
namespace {

using simulation::Simulation;

TEST(Plough, DividesAPileInTwo) {
    Simulation run(gallery("plough.toml", {"fill.0.count=300", "fill.0.cylinder.radius=32"}), {});
    run.step(2016);
    EXPECT_TRUE(run.finished());
    int on_the_way = 0;
    int left = 0, right = 0;            // beside it
    int high_left = 0, high_right = 0;  // and on top of others
    for (const math::Vec3d& x : run.system().bodies.position) {
        on_the_way += std::abs(x.y) < 12 ? 1 : 0;
        left += x.y > 14 ? 1 : 0;
        right += x.y < -14 ? 1 : 0;
        high_left += x.y > 14 && x.z > 6 ? 1 : 0;
        high_right += x.y < -14 && x.z > 6 ? 1 : 0;
    }
    EXPECT_LT(on_the_way, 15);
    EXPECT_GT(left, 120);
    EXPECT_GT(right, 120);
    EXPECT_GT(high_left, 15);
    EXPECT_GT(high_right, 15);
}

TEST(Overturn, ThrowsGrainsOntoTheFloorWhereTheyComeToRest) {
    Simulation run(gallery("overturn.toml", {"fill.0.count=300"}), {});
    const auto kinetic = [&run] { return run.energies().kinetic(); };
    double most = 0;
    while (!run.finished()) {
        run.step(1);
        most = std::max(most, kinetic());
    }
    EXPECT_LT(kinetic(), 1e-4 * most);
    int on_the_floor = 0;
    for (const math::Vec3d& x : run.system().bodies.position) {
        EXPECT_GT(x.z, 0);
        on_the_floor += x.z < 20 ? 1 : 0;
    }
    EXPECT_GT(on_the_floor, 250);  // a few have come down on the tray
}

}  // namespace
}  // namespace talus::tests
