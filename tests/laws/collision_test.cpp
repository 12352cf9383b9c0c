// Set-up formulas: damping from restitution (Eqs. 15 and 35), what cannot be had, and the longest stable step.
#include "talus/laws/collision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/laws/registry.h"

namespace talus::tests {
namespace {

using std::numbers::pi;

TEST(DampingRatio, IsEq15) {
    EXPECT_EQ(laws::damping_ratio(1), 0);
    EXPECT_EQ(laws::damping_ratio(0), 1);
    EXPECT_NEAR(laws::damping_ratio(std::exp(-pi)), std::sqrt(0.5), 1e-14);
    for (double e = 0.01; e < 1; e += 0.01) {
        // The inverse: a half period at this damping shrinks the amplitude to e.
        const double ratio = laws::damping_ratio(e);
        EXPECT_NEAR(std::exp(-pi * ratio / std::sqrt(1 - ratio * ratio)), e, 1e-13);
    }
}

/// s'' = -(7/2) (kt s + ct s') in units of kn = mass = 1, from s = 0, s' = 1 for the time of a normal contact, by
/// fine steps of the classical Runge-Kutta method. Returns s' at the end.
double tangential_by_integration(double ct, double kt, double normal_ratio) {
    const double duration = pi / std::sqrt(1 - normal_ratio * normal_ratio);
    const int n = 4000 + static_cast<int>(4000 * ct);
    const double h = duration / n;
    const auto rate = [&](double s, double v) { return -3.5 * (kt * s + ct * v); };
    double s = 0;
    double v = 1;
    for (int k = 0; k < n; ++k) {
        const double k1 = rate(s, v);
        const double k2 = rate(s + 0.5 * h * v, v + 0.5 * h * k1);
        const double k3 = rate(s + 0.5 * h * (v + 0.5 * h * k1), v + 0.5 * h * k2);
        const double k4 = rate(s + h * (v + 0.5 * h * k2), v + h * k3);
        s += h * v + h * h / 6 * (k1 + k2 + k3);
        v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return v;
}

TEST(TangentialRestitution, Eq35AgreesWithTheOscillatorAlsoWhenOverdamped) {
    int overdamped = 0;
    for (const double kt : {0.05, 2.0 / 7.0, 1.0, 3.0}) {
        const double critical = 2 * std::sqrt(kt / 3.5);  // (7/4) ct = sqrt(7/2 kt)
        for (const double ct : {0.0, 0.01, 0.1, 0.3, 0.57, critical, critical * (1 + 1e-14), critical * (1 + 1e-9),
                                critical * 1.0001, 1.0, 5.0, 30.0}) {
            for (const double ratio : {0.0, 0.07, 0.4}) {
                EXPECT_NEAR(laws::tangential_restitution(ct, kt, ratio), tangential_by_integration(ct, kt, ratio), 1e-9)
                    << "ct " << ct << " kt " << kt << " ratio " << ratio;
                overdamped += ct > critical ? 1 : 0;
            }
        }
    }
    EXPECT_GT(overdamped, 30);
}

TEST(TangentialRestitution, DampingIsFoundForEveryValueOfMinusOneToZero) {
    for (const double ratio : {0.0, 0.05, laws::damping_ratio(0.5)}) {
        const laws::TangentialRange range = laws::tangential_range(2.0 / 7.0, ratio);
        if (ratio == 0) {
            EXPECT_NEAR(range.low, -1, 1e-12);
        }
        EXPECT_LT(range.high, 1e-6);
        for (double wanted = -1; wanted < -0.001; wanted += 0.01) {
            const auto damping = laws::tangential_damping(wanted, 2.0 / 7.0, ratio);
            ASSERT_EQ(damping.has_value(), wanted >= range.low) << wanted << " at ratio " << ratio;
            if (damping) {
                EXPECT_NEAR(laws::tangential_restitution(*damping, 2.0 / 7.0, ratio), wanted, 1e-10);
            }
        }
        for (const double wanted : {0.001, 0.3, 1.0}) {
            EXPECT_FALSE(laws::tangential_damping(wanted, 2.0 / 7.0, ratio).has_value()) << wanted;
        }
    }
}

TEST(TangentialRestitution, AnotherStiffnessReachesOtherValues) {
    // A spring so soft that it never turns the motion round: restitution stays near 1.
    const auto soft = laws::tangential_damping(0.8, 0.01, 0);
    ASSERT_TRUE(soft.has_value());
    EXPECT_NEAR(laws::tangential_restitution(*soft, 0.01, 0), 0.8, 1e-10);
}

TEST(TangentialRestitution, ARefusalExplainsItself) {
    const laws::LawInfo& hooke = laws::registry()[static_cast<std::size_t>(laws::find_law("hooke"))];
    for (const double wanted : {0.0, 0.5, 1.0, -1.0}) {
        std::vector<laws::ParameterFault> faults;
        hooke.derive({{"kn", 8e4}, {"kt", 8e4 * 2 / 7}, {"restitution", 0.5}, {"tangential_restitution", wanted}},
                     faults);
        ASSERT_EQ(faults.size(), 1U) << wanted;
        EXPECT_EQ(faults[0].key, "tangential_restitution");
        EXPECT_NE(faults[0].message.find("cannot be had with kt = 0.2857 kn"), std::string::npos) << faults[0].message;
        EXPECT_NE(faults[0].expected.find("another kt"), std::string::npos) << faults[0].expected;
    }
    std::vector<laws::ParameterFault> faults;
    hooke.derive({{"kn", 8e4}, {"kt", 8e4 * 2 / 7}, {"restitution", 1.0}, {"tangential_restitution", -0.5}}, faults);
    EXPECT_TRUE(faults.empty());
}

/// The engine's step on one oscillator, kick by kick. Returns the greatest |x| seen late over that seen early.
double growth(double w2, double a, bool history, double h) {
    double x = 1;
    double v = 0.3;
    double acceleration = -w2 * x - 2 * a * v;
    if (history) {  // the dashpot that TangentialSpring adds for the lag of predicted velocities
        a += w2 * w2 * h * h * h / 8;
    }
    double early = 0;
    double late = 0;
    constexpr int steps = 6000;
    for (int k = 0; k < steps; ++k) {
        const double half = v + 0.5 * h * acceleration;
        const double predicted = half + 0.5 * h * acceleration;
        double force_at = 0;
        if (history) {  // the spring takes half a step of the predicted velocity before and after the force
            force_at = x + 0.5 * h * predicted;
            x = force_at + 0.5 * h * predicted;
        } else {
            x += h * half;
            force_at = x;
        }
        acceleration = -w2 * force_at - 2 * a * predicted;
        v = half + 0.5 * h * acceleration;
        (k < steps / 10 ? early : late) = std::max(k < steps / 10 ? early : late, std::abs(x) + std::abs(v * h));
        if (late > 1e6 * early && early > 0) {
            break;
        }
    }
    return late / early;
}

TEST(StableStep, SeparatesGrowthFromDecayInADirectSimulation) {
    for (const bool history : {false, true}) {
        for (const double w2 : {0.0, 1.0, 400.0}) {
            for (const double a : {0.0, 0.05, 1.0, 7.0, 60.0}) {
                if (w2 == 0 && a == 0) {
                    continue;
                }
                const double limit = laws::stable_step(w2, a, history);
                EXPECT_GT(limit, 0);
                EXPECT_LT(growth(w2, a, history, 0.99 * limit), 5) << "w2 " << w2 << " a " << a << " " << history;
                EXPECT_GT(growth(w2, a, history, 1.03 * limit), 100) << "w2 " << w2 << " a " << a << " " << history;
            }
        }
    }
}

TEST(StableStep, AnUndampedHistorySpringNeitherGrowsNorDecaysAtTheSuggestedStep) {
    // Its displacement is the integral of predicted velocities; the dashpot against their lag leaves (w h)^6 / 32 of
    // the amplitude a step, a loss.
    for (const double wh : {2 * pi / 100, 0.1, 0.2}) {
        EXPECT_LT(growth(1, 0, true, wh), 1 + 1e-6) << wh;
        EXPECT_GT(growth(1, 0, true, wh), 0.95 * std::exp(-5400 * std::pow(wh, 6) / 32)) << wh;
    }
}

TEST(StableStep, IsTwoOverTheFrequencyWithoutDamping) {
    EXPECT_NEAR(laws::stable_step(25, 0, false), 0.4, 1e-4);
}

TEST(StableStep, OfALawIsThatOfItsStiffestPart) {
    const laws::LawInfo& hooke = laws::registry()[static_cast<std::size_t>(laws::find_law("hooke"))];
    std::vector<laws::ParameterFault> faults;
    const double mass = 0.002;
    const auto smooth = hooke.derive({{"kn", 8e4}, {"restitution", 1.0}}, faults);
    EXPECT_NEAR(hooke.stable_step(smooth, mass, 0.005, 1), 2 * std::sqrt(mass / 8e4), 1e-4 * std::sqrt(mass / 8e4));
    const auto stiff_tangent = hooke.derive({{"kn", 8e4}, {"kt", 32e4}, {"restitution", 1.0}}, faults);
    EXPECT_NEAR(hooke.stable_step(stiff_tangent, mass, 0.005, 1), laws::stable_step(3.5 * 32e4 / mass, 0, true), 1e-12);
    EXPECT_LT(hooke.stable_step(stiff_tangent, mass, 0.005, 1), hooke.stable_step(smooth, mass, 0.005, 1));
    EXPECT_TRUE(faults.empty());
}

}  // namespace
}  // namespace talus::tests
