// Tangential motion in collisions: meshed gears feel nothing, and the tangential restitution is the one asked for.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/ledger_watch.h"
#include "physics/random_scene.h"

namespace talus::tests {
namespace {

laws::ParameterValues rough(double restitution, double tangential) {
    return {{"kn", 8e6},
            {"kt", 8e6 * 2 / 7},
            {"restitution", restitution},
            {"tangential_restitution", tangential},
            {"friction.static", 1e9},
            {"slip_memory", 1.0}};
}

TEST(Gears, InMeshFeelNoSlip) {
    // Equal grains turning like gears meet head-on: a full collision leaves their spins as they were.
    model::System system = make_system("hooke", rough(0.8, -0.5), 0);
    add_sphere(system, {0, 0, 0}, 0.01, {0.05, 0.3, 0}, {20, -30, 100});
    add_sphere(system, {0.02001, 0, 0}, 0.01, {-0.05, 0.3, 0}, {20, 30, -100});
    system.clock.step = collision_time(system, 0.5 * system.bodies.mass[0]) / 50;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    for (int k = 0; k < 400; ++k) {
        engine.step();
        ledger.look();
    }
    const double change =
        norm(system.bodies.spin[0] - Vec3d{20, -30, 100}) + norm(system.bodies.spin[1] - Vec3d{20, 30, -100});
    std::printf("gears: change of spin %.1e rad/s of 210, sideways speed %.1e m/s; ledger %.1e\n", change,
                std::abs(system.bodies.velocity[0].y - 0.3), ledger.error());
    EXPECT_GT(system.bodies.velocity[1].x, 0.03);  // they did collide
    EXPECT_LT(change, 1e-9);
    EXPECT_NEAR(system.bodies.velocity[0].y, 0.3, 1e-12);
    EXPECT_LT(ledger.error(), 1e-3);
}

TEST(Gears, OfDifferentSizeFeelNoSlip) {
    model::System system = make_system("hooke", rough(0.8, -0.5), 1e-7);
    const double distance = 0.0299;
    const double lever = 0.5 * (distance + (0.01 - 0.02) * 0.03 / distance);
    add_sphere(system, {0, 0, 0}, 0.01, {}, {0, 3 / lever, 4 / lever});
    add_sphere(system, {distance, 0, 0}, 0.02, {}, {0, -3 / (distance - lever), -4 / (distance - lever)});
    engines::soft::Engine engine(system, {}, false);
    EXPECT_GT(norm(system.bodies.acceleration[0]), 1);  // pushed apart, and only that
    EXPECT_LT(std::abs(system.bodies.acceleration[0].y) + std::abs(system.bodies.acceleration[0].z),
              1e-9 * norm(system.bodies.acceleration[0]));
    EXPECT_LT(norm(system.bodies.spin_rate[0]) * 0.01, 1e-9 * norm(system.bodies.acceleration[0]));
    EXPECT_LT(norm(system.bodies.spin_rate[1]) * 0.02, 1e-9 * norm(system.bodies.acceleration[0]));
}

struct Oblique {
    double tangential = 0;  // measured restitution
    double ledger = 0;
};

Vec3d surface_slip(const model::System& system, const Vec3d& n, bool wall) {
    const model::Bodies& b = system.bodies;
    Vec3d u = -b.velocity[0] + cross(n, b.spin[0]) * b.radius[0];
    if (!wall) {
        u += b.velocity[1] + cross(n, b.spin[1]) * b.radius[1];
    }
    return u - n * dot(u, n);
}

Oblique impact(double restitution, double wanted, double other_radius, bool wall, double step_fraction) {
    model::System system = make_system("hooke", rough(restitution, wanted), 0);
    const Vec3d n = normalized(Vec3d{1, 2, -2});
    const Vec3d t = normalized(cross(n, Vec3d{0, 0, 1}));
    add_sphere(system, {}, 0.01, n * 0.02 + t * 0.004, cross(n, t) * 1.5 + n * 2.0);
    double mass = system.bodies.mass[0];
    if (wall) {
        add_wall(system, geometry::make_plane(n * 0.010001, n));
    } else {
        add_sphere(system, n * (0.010001 + other_radius), other_radius, n * -0.01, cross(n, t) * 0.7 + t * 1.0);
        mass = mass * system.bodies.mass[1] / (mass + system.bodies.mass[1]);
    }
    const double duration = collision_time(system, mass);
    system.clock.step = duration / 50 * step_fraction;
    engines::soft::Engine engine(system, {}, false);
    LedgerWatch ledger(system, engine);
    const Vec3d before = surface_slip(system, n, wall);
    const auto steps = static_cast<int>((0.0001 / 0.02 + 2.5 * duration) / system.clock.step);
    for (int k = 0; k < steps; ++k) {
        engine.step();
        if (k % 10 == 0) {
            ledger.look();
        }
    }
    ledger.look();
    EXPECT_EQ(engine.contacts().size(), 0U);
    const Vec3d after = surface_slip(system, n, wall);
    EXPECT_LT(norm(cross(before, after)), 2e-3 * norm2(before));
    return {dot(before, after) / norm2(before), ledger.error()};
}

TEST(TangentialRestitution, IsTheOneAskedFor) {
    for (const double wanted : {-1.0, -0.8, -0.5, -0.2, -0.05}) {
        const Oblique equal = impact(1.0, wanted, 0.01, false, 0.1);
        const Oblique unequal = impact(1.0, wanted, 0.023, false, 0.1);
        const Oblique wall = impact(1.0, wanted, 0, true, 0.1);
        std::printf("tangential restitution %.2f: equal %.5f, unequal %.5f, wall %.5f; ledger %.1e %.1e %.1e\n", wanted,
                    equal.tangential, unequal.tangential, wall.tangential, equal.ledger, unequal.ledger, wall.ledger);
        for (const Oblique& o : {equal, unequal, wall}) {
            EXPECT_NEAR(o.tangential, wanted, 2e-3);
            EXPECT_LT(o.ledger, 1e-3);
        }
    }
}

TEST(TangentialRestitution, WithNormalDampingIsNearTheOneAskedFor) {
    // Eq. 35 lets friction act to the very end; a damped contact is tensile for its last moments and carries none.
    for (const double wanted : {-0.8, -0.5, -0.2}) {
        const Oblique o = impact(0.8, wanted, 0.01, false, 0.1);
        std::printf("tangential restitution %.2f at e = 0.8: %.5f; ledger %.1e\n", wanted, o.tangential, o.ledger);
        EXPECT_NEAR(o.tangential, wanted, 0.03);
        EXPECT_LT(o.ledger, 1e-3);
    }
}

}  // namespace
}  // namespace talus::tests
