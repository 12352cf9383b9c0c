// Periodic boxes: tiny ones in which a pair meets through two images, and contacts that cross the boundary.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"
#include "physics/random_scene.h"

namespace talus::tests {
namespace {

laws::ParameterValues rough(double kn = 1e4) {
    return {{"kn", kn},
            {"kt", kn * 2 / 7},
            {"restitution", 0.9},
            {"ct", 0.2},
            {"friction.static", 0.5},
            {"friction.rolling", 0.02},
            {"friction.twisting", 0.05},
            {"slip_memory", 1.0}};
}

model::System two_in_a_box(const Vec3d& box) {
    model::System system = make_system("hooke", rough(), 0);
    system.domain.low = {};
    system.domain.high = box;
    system.domain.periodic = {true, true, true};
    add_sphere(system, {0.3 * box.x, 0.5 * box.y, 0.5 * box.z}, 0.01, {0.4, 0.1, 0.2}, {10, -20, 30});
    add_sphere(system, {0.8 * box.x, 0.51 * box.y, 0.49 * box.z}, 0.01, {-0.3, 0.12, 0.19}, {-5, 15, 20});
    system.clock.step = collision_time(system, 0.5 * system.bodies.mass[0]) / 100;
    return system;
}

/// The same twice, side by side along x.
model::System doubled(model::System system) {
    const double period = system.domain.high.x;
    const model::Bodies once = system.bodies;
    for (std::size_t i = 0; i < 2; ++i) {
        add_sphere(system, once.position[i] + Vec3d{period, 0, 0}, once.radius[i], once.velocity[i], once.spin[i]);
    }
    system.domain.high.x = 2 * period;
    return system;
}

TEST(TinyBox, WithContactsThroughTwoImagesEqualsTheSameTwiceSideBySide) {
    // Slightly more and slightly less than two diameters: in the second both images touch at once.
    for (const double width : {0.0404, 0.0396}) {
        model::System one = two_in_a_box({width, 0.05, 0.05});
        model::System two = doubled(one);
        engines::soft::Engine engine_one(one, {}, false);
        engines::soft::Engine engine_two(two, {}, false);
        LedgerWatch ledger(one, engine_one);
        const Vec3d before = momentum(one);
        const double scale = one.bodies.mass[0] * (norm(one.bodies.velocity[0]) + norm(one.bodies.velocity[1]));
        std::size_t most = 0;
        double worst = 0;
        double momentum_error = 0;
        while (one.clock.time() < 0.01) {
            engine_one.step();
            engine_two.step();
            ledger.look();
            most = std::max(most, engine_one.touching_pairs());
            momentum_error = std::max(momentum_error, norm(momentum(one) - before) / scale);
            for (std::size_t i = 0; i < 4; ++i) {
                const Vec3d d = nearest_difference(one.domain, two.bodies.position[i] - one.bodies.position[i % 2]);
                worst = std::max(worst, norm(d) + 1e-3 * norm(two.bodies.velocity[i] - one.bodies.velocity[i % 2]));
            }
        }
        std::printf(
            "box of %.2f diameters: up to %zu contacts of one pair; the doubled box differs by %.1e m; momentum "
            "%.1e; ledger %.1e\n",
            width / 0.02, most, worst, momentum_error, ledger.error());
        EXPECT_EQ(most, width < 0.04 ? 2U : 1U);
        EXPECT_LT(worst, 1e-11);
        EXPECT_LT(momentum_error, 1e-13);
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

/// A slow rough collision of three grains while all drift together.
model::System drifting(const Vec3d& offset, bool periodic) {
    model::System system = make_system("hooke", rough(100), 0);
    if (periodic) {
        system.domain.low = {0, 0, 0};
        system.domain.high = {0.25, 0.25, 0.25};
        system.domain.periodic = {true, true, true};
    }
    const Vec3d drift{0.5, 0.45, -0.55};
    add_sphere(system, offset, 0.01, drift + Vec3d{0.05, 0, 0}, {3, 4, 20});
    add_sphere(system, offset + Vec3d{0.0199, 0.001, 0.002}, 0.01, drift - Vec3d{0.05, 0, 0}, {-3, 6, 25});
    add_sphere(system, offset + Vec3d{0.0095, 0.0165, -0.001}, 0.009, drift - Vec3d{0, 0.08, 0}, {8, 0, -10});
    system.clock.step = collision_time(system, 0.5 * system.bodies.mass[0]) / 200;
    return system;
}

TEST(PeriodicBox, AContactThatCrossesTheBoundaryKeepsItsHistory) {
    // All three cross the faces, edges and corner of the box while they touch, at different times.
    for (const bool rebuild : {false, true}) {
        model::System open = drifting({-0.003, -0.002, 0.003}, false);
        model::System box = drifting({-0.003, -0.002, 0.003}, true);
        for (Vec3d& x : box.bodies.position) {
            for (int axis = 0; axis < 3; ++axis) {
                x[axis] += x[axis] < 0 ? 0.25 : 0;
            }
        }
        engines::soft::Engine open_engine(open, {}, false);
        engines::soft::Engine box_engine(box, {.rebuild_every_step = rebuild}, false);
        LedgerWatch ledger(box, box_engine);
        int crossings = 0;
        double worst = 0;
        std::vector<Vec3d> last = box.bodies.position;
        bool touched_while_crossing = false;
        while (open.clock.time() < 0.06) {
            open_engine.step();
            box_engine.step();
            ledger.look();
            for (std::size_t i = 0; i < 3; ++i) {
                if (norm(box.bodies.position[i] - last[i]) > 0.1) {
                    ++crossings;
                    touched_while_crossing |= box_engine.touching_pairs() > 0;
                }
                worst = std::max(
                    {worst, norm(nearest_difference(box.domain, box.bodies.position[i] - open.bodies.position[i])),
                     1e-2 * norm(box.bodies.velocity[i] - open.bodies.velocity[i]),
                     1e-4 * norm(box.bodies.spin[i] - open.bodies.spin[i])});
            }
            last = box.bodies.position;
        }
        ASSERT_EQ(box_engine.touching_pairs(), 0U);
        std::printf("contacts across the boundary, rebuild %d: %d crossings, differs by %.1e m; ledger %.1e\n", rebuild,
                    crossings, worst, ledger.error());
        EXPECT_GE(crossings, 6);
        EXPECT_TRUE(touched_while_crossing);
        EXPECT_LT(worst, 1e-12);
        EXPECT_LT(ledger.error(), 1e-3);
    }
}

TEST(PeriodicBox, AWallIsFeltThroughTheBoundary) {
    // A post near one face is struck from the other side of the box.
    model::System system = make_system("hooke", rough(), 0);
    system.domain.low = {0, 0, 0};
    system.domain.high = {0.2, 0.2, 0.2};
    system.domain.periodic = {true, true, false};
    add_wall(system, geometry::make_segment({0.005, 0.1, 0.05}, {0.005, 0.1, 0.15}));
    add_sphere(system, {0.18, 0.1, 0.1}, 0.01, {0.5, 0, 0});
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    while (system.clock.time() < 0.06) {
        engine.step();
        ledger.look();
        for (const model::ContactSample& contact : engine.contacts()) {
            EXPECT_GT(contact.overlap, 0);
            EXPECT_LT(contact.overlap, 1e-3);
        }
    }
    std::printf("post through the boundary: comes back at %.4f of its speed; ledger %.1e\n",
                -system.bodies.velocity[0].x / 0.5, ledger.error());
    EXPECT_NEAR(-system.bodies.velocity[0].x / 0.5, 0.9, 5e-3);
    EXPECT_LT(ledger.error(), 1e-3);
}

}  // namespace
}  // namespace talus::tests
