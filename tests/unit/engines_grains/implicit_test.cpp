// Implicit steps: the closed forms of a stiff, overdamped contact, the explicit methods as witnesses, the same bits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/geometry/make_shape.h"
#include "unit/engines_grains/soft_grains.h"

namespace talus::tests {
namespace {

class Implicit : public testing::Test {
protected:
    void SetUp() override {
#ifndef TALUS_HAS_ARKODE
        GTEST_SKIP() << "SUNDIALS (libsundials-dev) was not found when Talus was configured";
#endif
    }

    static void use(model::System& system, Method method, double frame, double tolerance) {
        system.integration.method = method;
        system.integration.tolerance = tolerance;
        system.integration.shortest = 1e-9;
        system.integration.successive = false;
        system.clock.step = frame;
    }

    /// A heavy sphere just above a floor that damps it fifty times more than it needs.
    static model::System mud(Method method) {
        const double mass = 4.0 / 3 * std::numbers::pi * 1000 * 0.001;
        const double kn = 1e6;
        model::System system =
            space(law_of("hooke", {{"kn", kn}, {"cn", 100 * std::sqrt(kn * mass)}, {"kt", 0}}), 0.01);
        use(system, method, 0.01, 1e-4);
        system.gravity = {0, 0, -9.81};
        add(system, -1, {0, 0, 0.1}, {}, {}, {}, 0.1);
        system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
        return system;
    }
};

TEST_F(Implicit, AStiffContactSinksAsItsClosedFormInLongSteps) {
    model::System system = mud(Method::implicit);
    Engine engine(system, {}, false);
    engine.advance(100);
    // Overdamped: x = (m g / k) (1 - exp(-k t / c)), the fast root aside.
    const double mass = system.bodies.mass[0];
    const double c = 100 * std::sqrt(1e6 * mass);
    const double sunk = mass * 9.81 / 1e6 * (1 - std::exp(-1e6 / c * 1.0));
    EXPECT_NEAR(0.1 - system.bodies.position[0].z, sunk, 1e-3 * sunk + 1e-7);
    const std::int64_t few = system.integration_state.accepted;

    model::System explicitly = mud(Method::rkf45);
    Engine other(explicitly, {}, false);
    other.advance(100);
    EXPECT_NEAR(explicitly.bodies.position[0].z, system.bodies.position[0].z, 1e-6);
    EXPECT_LT(100 * few, explicitly.integration_state.accepted);  // stability alone holds these back
}

model::System three(Method method, double tolerance) {
    model::System system = space(smooth(), 0.02);
    system.integration.method = method;
    system.integration.tolerance = tolerance;
    system.integration.shortest = 1e-8;
    system.integration.successive = false;
    system.gravity = {0, 0, -9.81};
    system.grains.shapes.push_back(model::make_grain_shape("boomerang", four));
    add(system, 0, {-0.7, 0, 0.6}, {2, 0.1, 0}, {1, 2, 3}, {}, 0.5);
    add(system, 0, {0.7, 0.2, 0.7}, {-2, 0, 0.1}, {-1, 1, 0}, {1, 0.4, 2}, 0.5);
    add(system, -1, {0, 1.1, 0.6}, {0, -2, 0}, {0, 0, 4}, {}, 0.5);
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    return system;
}

TEST_F(Implicit, AgreesWithExplicitStepsAndConverges) {
    model::System witness = three(Method::rkf45, 1e-8);
    Engine(witness, {}, false).advance(8);
    double last = 1;
    for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
        model::System system = three(Method::implicit, tolerance);
        Engine engine(system, {}, false);
        engine.advance(8);
        EXPECT_GT(system.counters.largest_overlap, 1e-3);  // they have met
        double off = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            off = std::max(off, norm(system.bodies.position[i] - witness.bodies.position[i]));
        }
        EXPECT_LT(off, 0.2 * last) << tolerance;
        last = off;
    }
    EXPECT_LT(last, 1e-6);
}

TEST_F(Implicit, NoGrainGoesFartherThanItsRadiusInAStep) {
    model::System system = space(rough(), 0);
    use(system, Method::implicit, 0.02, 1e-4);
    system.gravity = {0, 0, -9.81};
    add(system, -1, {0, 0, 0}, {0, 0, -5}, {}, {}, 1e-3);  // 100 radii a frame
    Engine engine(system, {}, false);
    engine.advance(10);
    EXPECT_LT(norm(system.bodies.position[0] - Vec3d{0, 0, -1 - 0.5 * 9.81 * 0.04}), 1e-6);
    EXPECT_LE(system.integration_state.longest, 1e-3 / 5);
}

TEST_F(Implicit, GivesTheSameBitsForAnyThreadsAndAfterAStop) {
    const auto hash = [](int threads, bool stopped) {
        model::System system = three(Method::implicit, 1e-3);
        Options options;
        options.threads = threads;
        Engine engine(system, options, false);
        engine.advance(5);
        engine.publish();
        if (stopped) {
            Engine again(system, options, true);
            again.advance(5);
            again.publish();
        } else {
            engine.advance(5);
            engine.publish();
        }
        return model::state_hash(system);
    };
    const std::uint64_t plain = hash(1, false);
    EXPECT_EQ(hash(2, false), plain);
    EXPECT_EQ(hash(1, true), plain);
}

}  // namespace
}  // namespace talus::tests
