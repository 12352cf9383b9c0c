// Normal springs against their closed forms: force, energy as the integral of the force, restitution, duration.
#include <gtest/gtest.h>

#include <numbers>

#include "laws/contact_samples.h"
#include "talus/laws/collision.h"
#include "talus/laws/normal_hertz.h"
#include "talus/laws/normal_hooke.h"

namespace talus::tests {
namespace {

using laws::NormalHertz;
using laws::NormalHooke;
using std::numbers::pi;

TEST(NormalHooke, ForceDampingAndEnergyHaveTheirClosedForms) {
    struct Row {
        double kn, ratio, cn, overlap, speed, repulsion, damping, stored;
    };
    // The reduced mass of head_on is 0.002 kg: sqrt(kn mass) is 2 kg/s at 2000 N/m.
    const Row rows[] = {
        {2000, 0, 0, 1e-4, 0, 0.2, 0, 1e-5},        {2000, 0, 0, 1e-4, 3, 0.2, 0, 1e-5},
        {2000, 0.25, 0, 1e-4, -0.1, 0.3, 1, 1e-5},  {2000, 0.25, 0, 1e-4, 0.3, -0.1, 1, 1e-5},
        {2000, 0, 0.5, 2e-4, -0.2, 0.5, 0.5, 4e-5}, {2000, 0.5, 0.5, 2e-4, -0.2, 0.9, 2.5, 4e-5},
        {500, 1, 0, 1e-5, -1, 2.005, 2, 2.5e-8},
    };
    for (const Row& row : rows) {
        const auto contact = head_on(row.overlap, row.speed);
        const auto f = NormalHooke::respond(contact, {row.kn, row.ratio, row.cn}, contact.opening);
        EXPECT_NEAR(f.repulsion, row.repulsion, 1e-13);
        EXPECT_NEAR(f.damping, row.damping, 1e-14);
        EXPECT_NEAR(f.stored, row.stored, 1e-17);
        EXPECT_NEAR(f.root, std::sqrt(row.kn * 0.002), 1e-14);
    }
}

TEST(NormalHooke, DurationIsEq38AndFiniteForCriticalDamping) {
    for (const double ratio : {0.0, 0.1, 0.5}) {
        EXPECT_DOUBLE_EQ(NormalHooke::duration(head_on(1e-5), NormalHooke::Params{2000, ratio, 0}),
                         pi * std::sqrt(0.002 / (2000 * (1 - ratio * ratio))));
    }
    const double at_critical = NormalHooke::duration(head_on(1e-5), NormalHooke::Params{2000, 1, 0});
    const double ratio = laws::damping_ratio(0.1);
    EXPECT_NEAR(at_critical, pi * std::sqrt(0.002 / (2000 * (1 - ratio * ratio))), 1e-15);
}

TEST(NormalHertz, ForceIsFourThirdsModulusRootRadius) {
    const double modulus = 3e7;
    for (const double overlap : {1e-7, 1e-6, 1e-5, 1e-4}) {
        // Two balls of 1 cm: R* = 5 mm.
        const auto f = NormalHertz::respond(head_on(overlap), {modulus, 0, 0}, 0.0);
        const double expected = 4.0 / 3.0 * modulus * std::sqrt(0.005) * std::pow(overlap, 1.5);
        EXPECT_NEAR(f.repulsion / expected, 1, 1e-13);
        EXPECT_NEAR(f.root, std::sqrt(1.5 * expected / overlap * 0.002), 1e-12 * f.root);  // tangent stiffness
    }
}

/// Work against the repulsion from first touch to `overlap`, by Simpson's rule in a variable that tames x^(3/2).
template <class Normal>
double work_against(const typename Normal::Params& params, double overlap) {
    constexpr int n = 2000;
    double sum = 0;
    for (int k = 0; k <= n; ++k) {
        const double t = k / static_cast<double>(n);
        const double x = overlap * t * t;
        const double force = x > 0 ? Normal::respond(head_on(x), params, 0.0).repulsion : 0.0;
        sum += (k == 0 || k == n ? 1 : (k % 2 ? 4 : 2)) * force * 2 * t * overlap;
    }
    return sum / (3.0 * n);
}

TEST(NormalSprings, StoredEnergyIsTheIntegralOfTheForce) {
    for (const double overlap : {1e-6, 1e-4, 1e-3}) {
        const double hooke = NormalHooke::respond(head_on(overlap), {8e4, 0, 0}, 0.0).stored;
        EXPECT_NEAR(work_against<NormalHooke>({8e4, 0, 0}, overlap) / hooke, 1, 1e-8);
        const double hertz = NormalHertz::respond(head_on(overlap), {1e8, 0, 0}, 0.0).stored;
        EXPECT_NEAR(work_against<NormalHertz>({1e8, 0, 0}, overlap) / hertz, 1, 1e-8);
    }
}

struct Outcome {
    double restitution, duration, deepest;
};

/// A head-on collision of two balls of 4 g by the classical Runge-Kutta method in fine steps: an independent
/// integrator.
template <class Normal>
Outcome collide(const typename Normal::Params& params, double speed, double step) {
    constexpr double mass = 0.002;
    const auto acceleration = [&](double x, double v) {  // v: speed of approach
        return x > 0 ? -Normal::respond(head_on(x), params, -v).repulsion / mass : 0.0;
    };
    double x = 0;
    double v = speed;
    Outcome out{0, 0, 0};
    for (;;) {
        const double k1 = acceleration(x, v);
        const double k2 = acceleration(x + 0.5 * step * v, v + 0.5 * step * k1);
        const double k3 = acceleration(x + 0.5 * step * (v + 0.5 * step * k1), v + 0.5 * step * k2);
        const double k4 = acceleration(x + step * (v + 0.5 * step * k2), v + step * k3);
        const double x_new = x + step * v + step * step / 6 * (k1 + k2 + k3);
        const double v_new = v + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        if (x_new <= 0) {
            const double part = x / (x - x_new);
            return {-(v + part * (v_new - v)) / speed, out.duration + part * step, out.deepest};
        }
        x = x_new;
        v = v_new;
        out.duration += step;
        out.deepest = std::max(out.deepest, x);
    }
}

TEST(NormalSprings, DampingGivesTheRestitutionAskedFor) {
    for (const double e : {0.1, 0.3, 0.5, 0.8, 0.95, 1.0}) {
        const double ratio = laws::damping_ratio(e);
        const Outcome hooke = collide<NormalHooke>({8e4, ratio, 0}, 1.0, 1e-7);
        EXPECT_NEAR(hooke.restitution, e, 2e-4);
        // Hertz: the same at every speed, though the duration is not.
        double last_duration = 1e300;
        for (const double speed : {0.01, 0.3, 3.0}) {
            const Outcome hertz = collide<NormalHertz>({1e8, ratio, 0}, speed, 1e-7);
            EXPECT_NEAR(hertz.restitution, e, 2e-3) << "speed " << speed;
            EXPECT_LT(hertz.duration, last_duration);
            last_duration = hertz.duration;
        }
    }
}

TEST(NormalSprings, UndampedCollisionsLastAndReachAsDeepAsTheirClosedForms) {
    const Outcome hooke = collide<NormalHooke>({8e4, 0, 0}, 0.7, 1e-7);
    EXPECT_NEAR(hooke.duration, pi * std::sqrt(0.002 / 8e4), 1e-9);
    EXPECT_NEAR(hooke.deepest, 0.7 * std::sqrt(0.002 / 8e4), 1e-9);
    const double k = 4.0 / 3.0 * 1e8 * std::sqrt(0.005);
    const Outcome hertz = collide<NormalHertz>({1e8, 0, 0}, 0.7, 1e-7);
    const double deepest = std::pow(1.25 * 0.002 * 0.49 / k, 0.4);
    EXPECT_NEAR(hertz.deepest / deepest, 1, 1e-5);
    EXPECT_NEAR(hertz.duration / (2.94328 * deepest / 0.7), 1, 1e-4);
}

}  // namespace
}  // namespace talus::tests
