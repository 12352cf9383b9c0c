// Hertz and Mindlin: stiffness, restitution, damping, and cycles of load that lose energy and never gain any.
#include "talus/laws/mindlin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "laws/collision_run.h"

namespace talus::tests {
namespace {

using Law = laws::HertzMindlin;

Law::Params mindlin_of(double friction, double restitution = 1, double poisson = 0.3) {
    const auto law =
        derived({"mindlin",
                 {{"young", 1e7}, {"poisson", poisson}, {"restitution", restitution}, {"friction.static", friction}}});
    return law.block.as<laws::ExtendedLaw<Law>::Params>().core;
}

laws::Kinematics<double> sliding(double overlap, double opening, double slip) {
    auto contact = head_on(overlap, opening);
    contact.slip = {0, slip, 0};
    return contact;
}

TEST(Mindlin, StiffnessIsEightGTimesTheContactRadius) {
    for (const double poisson : {0.0, 0.25, 0.5}) {
        const double g = 1e7 / (2 * (1 + poisson));
        const double g_star = g / (2 * (2 - poisson));
        for (const double x : {1e-6, 1e-4}) {
            const double kt = 8 * g_star * std::sqrt(0.005 * x);
            const Law::History<double> old{{{0, 1e-9, 0}, kt}, 0.01};
            const auto r = Law::respond(head_on(x), mindlin_of(1e9, 1, poisson), old, 0.0, 1e-9);
            EXPECT_NEAR(r.force.y / (kt * 1e-9), 1, 1e-12);
        }
    }
}

TEST(Mindlin, DampingIsTsujisForTheTangentialStiffness) {
    const double e = 0.5;
    const double beta = -std::log(e) / std::hypot(std::numbers::pi, std::log(e));
    const double x = 1e-4;
    const double kt = 8 * (1e7 / 2.6) / (2 * 1.7) * std::sqrt(0.005 * x);
    const auto r = Law::respond(sliding(x, 0, 1e-3), mindlin_of(1e9, e), {{{}, kt}, 0.01}, 0.0, 1e-9);
    EXPECT_NEAR(r.force.y / (2 * std::sqrt(5.0 / 6) * beta * std::sqrt(kt * 0.002) * 1e-3), 1, 1e-9);
}

TEST(Mindlin, RestitutionIsTheOneAskedForAtEverySpeed) {
    for (const double e : {1.0, 0.8, 0.4}) {
        for (const double speed : {0.05, 2.0}) {
            const DerivedLaw law = derived({"mindlin", {{"young", 1e7}, {"restitution", e}}});
            const double time = law.info().collision_time(law.block, 0.002, 0.005, speed);
            EXPECT_NEAR(parting_speed(collide(law, meeting(speed, time / 2000), time / 2000)) / speed, e, 2e-3);
        }
    }
}

TEST(Mindlin, PressingKeepsTheForceAndReleasingTheDisplacement) {
    const auto p = mindlin_of(1e9);
    const double kt = 8 * (1e7 / 2.6) / (2 * 1.7) * std::sqrt(0.005 * 1e-4);
    const Law::History<double> old{{{0, 1e-7, 0}, kt}, 0.01};
    const auto deeper = Law::respond(head_on(4e-4), p, old, 1e-12, 1e-12);
    EXPECT_NEAR(deeper.force.y, kt * 1e-7, 1e-12 * kt);
    EXPECT_NEAR(deeper.history.tangential.stiffness / kt, 2, 1e-12);
    const auto lighter = Law::respond(head_on(0.25e-4), p, old, 1e-12, 1e-12);
    EXPECT_NEAR(lighter.force.y, 0.5 * kt * 1e-7, 1e-12 * kt);
    for (const auto& r : {deeper, lighter}) {
        EXPECT_LT(Law::released(p, r.history), 0.51 * Law::released(p, old));
        EXPECT_GT(r.tangential_damping, 0);
    }
}

TEST(Mindlin, CyclesOfLoadAndShearLoseEnergy) {
    // Load, shear, load more, shear back, unload: the work done by the shear is never negative over a closed cycle.
    base::Random random(23, 0);
    for (int k = 0; k < 500; ++k) {
        const auto p = mindlin_of(random.uniform(0.1, 3));
        Law::History<double> history{};
        const double dt = 1e-6;
        double work = 0;
        double place = 0;
        const auto go = [&](double x, double to) {
            constexpr int n = 200;
            static double depth = 1e-5;
            const double start = place;
            const double from = depth;
            for (int i = 1; i <= n; ++i) {
                const double next = start + (to - start) * i / n;
                const double slip = (next - place) / dt;
                depth = from + (x - from) * i / n;
                const auto r = Law::respond(sliding(depth, 0, slip), p, history, dt, dt);
                work += r.force.y * slip * dt;
                history = r.history;
                place = next;
            }
        };
        for (int leg = 0; leg < 4; ++leg) {
            go(random.uniform(1e-5, 3e-4), random.uniform(-1e-5, 1e-5));
            EXPECT_GE(work, Law::released(p, history) - 1e-12);
        }
        go(1e-5, 0);
        EXPECT_GT(work, 0);
    }
}

}  // namespace
}  // namespace talus::tests
