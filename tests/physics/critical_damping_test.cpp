// Restitution 0 means critical damping: grains that meet stay together, and nothing swings back.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"

namespace talus::tests {
namespace {

TEST(CriticalDamping, LeavesNoReboundAtRestitutionZero) {
    const struct {
        const char* law;
        laws::ParameterValues values;
    } cases[] = {{"hooke", {{"kn", 8e4}, {"restitution", 0.0}}},
                 {"hertz", {{"young", 1e8}, {"poisson", 0.25}, {"restitution", 0.0}}}};
    for (const auto& c : cases) {
        model::System system = make_system(c.law, c.values, 0);
        add_sphere(system, {0, 0, 0}, 0.01, {0.5, 0, 0});
        add_sphere(system, {0.02001, 0, 0}, 0.01, {-0.5, 0, 0});
        const double duration = collision_time(system, 0.5 * system.bodies.mass[0], 0.005, 1);
        system.clock.step = duration / 500;
        engines::soft::Engine engine(system, {}, false);
        LedgerWatch ledger(system, engine);
        double rebound = 0;
        while (system.clock.time() < 10 * duration) {
            engine.step();
            ledger.look();
            rebound = std::max(rebound, system.bodies.velocity[1].x - system.bodies.velocity[0].x);
        }
        const double left = std::abs(system.bodies.velocity[1].x - system.bodies.velocity[0].x);
        std::printf("%s at restitution 0: fastest rebound %.3f of the impact, %.1e in the end; ledger %.1e\n", c.law,
                    rebound, left, ledger.error());
        // x = v t exp(-w t): the fastest way back is exp(-2) of the impact, and it dies away.
        EXPECT_LT(rebound, 0.14);
        EXPECT_LT(left, 0.01);
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

}  // namespace
}  // namespace talus::tests
