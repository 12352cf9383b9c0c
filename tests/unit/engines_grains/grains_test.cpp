// Soft contacts between grains of many spheres: conservation, the packed engine as a witness for spheres, and the same
// bits for any number of threads, however pairs are listed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "talus/base/diagnostics.h"
#include "talus/base/random.h"
#include "talus/geometry/make_shape.h"
#include "unit/engines_grains/soft_grains.h"

namespace talus::tests {
namespace {

/// Grains of two shapes and spheres among them in a box with a turning floor, periodic along y.
model::System mixed_box(int count, double step, const model::PairLaw& law) {
    model::System out = space(law, step);
    out.gravity = {0, 0, -9.81};
    out.grains.shapes.push_back(model::make_grain_shape("boomerang", four));
    out.grains.shapes.push_back(model::make_grain_shape("dumbbell", {{{0, 0, 0}, 0.3}, {{0.4, 0, 0}, 0.3}}));
    base::Random random(5, 1);
    const int edge = static_cast<int>(std::ceil(std::cbrt(count)));
    for (int n = 0; n < count; ++n) {
        const int shape = n % 3 - 1;
        const Vec3d velocity = random_vector(random, 3);
        const Vec3d spin = random_vector(random, 5);
        const Vec3d turn = random_vector(random, 3);
        add(out, shape, site(n, edge) + Vec3d{0.5, 0.5, 0.6}, velocity, spin, turn, random.uniform(0.35, 0.49));
    }
    put_in_box(out, edge);
    return out;
}

TEST(FreeGrain, KeepsEnergyAndAngularMomentumOverAMillionSteps) {
    model::System system = space(smooth(), 1e-3);
    system.grains.shapes.push_back(model::make_grain_shape("boomerang", four));
    add(system, 0, {}, {}, {1, 8, 0.5}, {}, 0.5);  // about the middle axis: it turns end over end
    const double before = mechanical(system);
    const Vec3d turning = analysis::angular_momentum(system, {});
    Engine engine(system, {}, false);
    double first = 0;
    double last = 0;
    for (int k = 0; k < 5000; ++k) {
        engine.advance(200);
        const double off = mechanical(system) / before - 1;
        EXPECT_LT(std::abs(off), 2e-5);  // it wavers with the square of the step
        (k < 500 ? first : last) += k < 500 || k >= 4500 ? off / 500 : 0;
    }
    EXPECT_LT(std::abs(last - first), 1e-6);  // and does not drift
    EXPECT_LT(norm(analysis::angular_momentum(system, {}) - turning), 1e-12 * norm(turning));
}

TEST(FreeGrain, TurnsAsEulersEquationsSay) {
    // Against the fourth-order Runge-Kutta solution of Euler's equations in the body's frame, with a finer step.
    model::System system = space(smooth(), 1e-4);
    system.grains.shapes.push_back(model::make_grain_shape("boomerang", four));
    add(system, 0, {}, {}, {0.3, 6, 0.2}, {}, 0.5);
    const Vec3d moment = system.grains.moment[0];
    Vec3d w = system.bodies.spin[0];  // the principal axes are the world's at the start
    const auto rate = [&](const Vec3d& v) {
        return Vec3d{(moment.y - moment.z) / moment.x * v.y * v.z, (moment.z - moment.x) / moment.y * v.z * v.x,
                     (moment.x - moment.y) / moment.z * v.x * v.y};
    };
    Engine engine(system, {}, false);
    bool turned_over = false;
    for (int k = 0; k < 100; ++k) {
        engine.advance(1000);
        const double h = 2.5e-5;
        for (int s = 0; s < 4000; ++s) {
            const Vec3d a = rate(w);
            const Vec3d b = rate(w + a * (0.5 * h));
            const Vec3d c = rate(w + b * (0.5 * h));
            const Vec3d d = rate(w + c * h);
            w += (a + b * 2.0 + c * 2.0 + d) * (h / 6);
        }
        const Vec3d own = transpose_times(to_matrix(system.grains.turn[0]), system.bodies.spin[0]);
        EXPECT_LT(norm(own - w), 5e-6) << "at " << 0.1 * (k + 1) << " s";
        turned_over |= w.y < 0;
    }
    EXPECT_TRUE(turned_over);
}

class AnyMethod : public testing::TestWithParam<Method> {};

TEST_P(AnyMethod, KeepsMomentumAndEnergyOfSmoothCollisions) {
    model::System system = space(smooth(), 2e-5);
    system.integration.method = GetParam();
    if (system.integration.adaptive()) {
        system.clock.step = 1e-3;
        system.integration.tolerance = 1e-6;
        system.integration.shortest = 1e-6;
        system.integration.successive = false;
    }
    system.grains.shapes.push_back(model::make_grain_shape("boomerang", four));
    add(system, 0, {-0.7, 0, 0}, {2, 0.1, 0}, {1, 2, 3}, {}, 0.5);
    add(system, 0, {0.7, 0.2, 0.1}, {-2, 0, 0.1}, {-1, 1, 0}, {1, 0.4, 2}, 0.5);
    add(system, -1, {0, 1.1, 0.1}, {0, -2, 0}, {0, 0, 4}, {}, 0.5);
    const double before = mechanical(system);
    const Vec3d momentum = analysis::momentum(system);
    const Vec3d turning = analysis::angular_momentum(system, {});
    Engine engine(system, {}, false);
    std::size_t touching = 0;
    for (int k = 0; k < 500; ++k) {
        engine.advance(system.integration.adaptive() ? 1 : 50);
        touching += engine.touching_pairs();
    }
    EXPECT_GT(touching, 0U);
    EXPECT_LT(norm(analysis::momentum(system) - momentum), 1e-12 * 2000);
    // Positions and velocities of different stages do not make up an angular momentum that is kept exactly.
    EXPECT_LT(norm(analysis::angular_momentum(system, {}) - turning),
              (system.integration.adaptive() ? 1e-9 : 1e-12) * 2000);
    EXPECT_NEAR(mechanical(system), before, 2e-4 * before);
}

INSTANTIATE_TEST_SUITE_P(Methods, AnyMethod,
                         testing::Values(Method::leapfrog, Method::midpoint, Method::rkf45, Method::rk23), name_of);

TEST(GrainEngine, AgreesWithThePackedEngineOnSpheres) {
    const auto bed = [] {
        model::System system = space(rough(), 2e-5);
        system.gravity = {0, 0, -9.81};
        base::Random random(9, 2);
        for (int n = 0; n < 27; ++n) {
            add(system, -1, {n % 3 * 1.02, n / 3 % 3 * 1.01, n / 9 * 1.03 + 0.55}, random_vector(random, 1),
                random_vector(random, 2), {}, 0.5);
        }
        system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
        return system;
    };
    model::System packed = bed();
    model::System general = bed();
    engines::soft::Engine soft(packed, {}, false);
    Engine engine(general, {}, false);
    soft.advance(2500);
    engine.advance(2500);
    for (std::size_t i = 0; i < packed.bodies.size(); ++i) {
        EXPECT_LT(norm(packed.bodies.position[i] - general.bodies.position[i]), 2e-5);
        EXPECT_LT(norm(packed.bodies.spin[i] - general.bodies.spin[i]), 2e-2);
    }
    EXPECT_NEAR(mechanical(general), mechanical(packed), 1e-4 * std::abs(mechanical(packed)));
}

TEST(GrainEngine, ClosesItsLedger) {
    model::System system = mixed_box(60, 2e-5, rough());
    Engine engine(system, {}, false);
    const double initial = mechanical(system);
    engine.advance(20'000);
    const auto balance = analysis::energy_balance(analysis::measure_energies(system), initial);
    EXPECT_LT(std::abs(balance.relative()), 1e-3);
    EXPECT_GT(analysis::measure_energies(system).dissipated_total(), 0.2 * initial);
}

TEST(GrainEngine, GivesTheSameBitsForAnyThreadsAndLists) {
    const auto hash = [](const Options& options, Method method) {
        model::System system = mixed_box(520, 2e-5, rough());
        system.integration.method = method;
        std::int64_t steps = 60;
        if (system.integration.adaptive()) {
            system.clock.step = 1e-3;
            system.integration.shortest = 2e-5;
            steps = 3;
        }
        Engine engine(system, options, false);
        engine.advance(steps);
        engine.publish();
        return model::state_hash(system);
    };
    for (const Method method : {Method::leapfrog, Method::midpoint, Method::rkf45}) {
        const std::uint64_t plain = hash({}, method);
        Options threads;
        threads.threads = 2;
        EXPECT_EQ(hash(threads, method), plain);
        threads.threads = 3;
        threads.skin = 0.2;
        EXPECT_EQ(hash(threads, method), plain);
        Options always;
        always.rebuild_every_step = true;
        EXPECT_EQ(hash(always, method), plain);
    }
}

TEST(GrainEngine, GoesOnFromAPublishedSystemAsIfItHadNeverStopped) {
    for (const Method method : {Method::leapfrog, Method::midpoint, Method::rkf45}) {
        const auto start = [&] {
            model::System system = mixed_box(40, 5e-5, rough());
            system.integration.method = method;
            system.clock.step = method == Method::rkf45 ? 5e-3 : 5e-5;
            system.integration.shortest = 2e-5;
            return system;
        };
        const std::int64_t half = method == Method::rkf45 ? 40 : 4000;
        model::System whole = start();
        Engine first(whole, {}, false);
        first.advance(half);
        first.publish();
        model::System copy = whole;
        first.advance(half);
        first.publish();
        Engine second(copy, {}, true);
        second.advance(half);
        second.publish();
        EXPECT_GT(whole.grain_contacts.size(), 0U);
        EXPECT_EQ(model::state_hash(copy), model::state_hash(whole)) << static_cast<int>(method);
    }
}

TEST(GrainEngine, NamesAGrainThatIsThrownOut) {
    model::System system = space(smooth(), 1e-2);
    system.grains.shapes.push_back(model::make_grain_shape("boomerang", four));
    add(system, 0, {}, {1e4, 0, 0}, {}, {}, 0.5);
    Engine engine(system, {}, false);
    try {
        engine.advance(1);
        FAIL() << "it went on";
    } catch (const base::RunError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("grain 0"));
    }
}

TEST(GrainEngine, CountsGrainsThatLeaveOrAreAbsorbed) {
    model::System system = mixed_box(30, 5e-5, rough());
    system.walls[1].behaviour = model::WallBehaviour::absorbing;
    const double initial = mechanical(system);
    Engine engine(system, {}, false);
    engine.advance(10'000);
    EXPECT_GT(system.walls[1].record.absorbed, 0);
    EXPECT_EQ(static_cast<std::int64_t>(system.bodies.size()) + system.walls[1].record.absorbed, 30);
    const auto balance = analysis::energy_balance(analysis::measure_energies(system), initial);
    EXPECT_LT(std::abs(balance.relative()), 2e-4);
}

}  // namespace
}  // namespace talus::tests
