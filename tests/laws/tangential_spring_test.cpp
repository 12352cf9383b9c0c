// The tangential spring: sticking, the Coulomb limit and what slipping leaves of the spring (errata 2 and 5).
#include "talus/laws/tangential_spring.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "laws/contact_samples.h"
#include "talus/math/rotation.h"

namespace talus::tests {
namespace {

using laws::TangentialSpring;
using Params = TangentialSpring::Params;
using History = TangentialSpring::History<double>;

constexpr double dt = 1e-5;

constexpr double mass = 0.002;  // kg, reduced, of head_on

/// The dashpot that makes up for the lag of predicted velocities: k_t (w h)^2 h / 4 with w^2 = 7/2 k_t / mass, kg/s.
double lag(double kt) {
    return kt * (3.5 * kt / mass * dt * dt) * dt / 4;
}

/// A contact at rest but for the slip velocity.
laws::Kinematics<double> slipping(const Vec3d& slip) {
    auto contact = head_on(1e-5);
    contact.slip = slip;
    return contact;
}

struct Push {
    TangentialSpring::Force<double> force;
    double stored;  // J
};

/// What it answers with the given spring and repulsion, at sqrt(k_n mass) = 2 kg/s.
Push push(const Params& p, const Vec3d& spring, const Vec3d& slip, double repulsion, double step = dt) {
    const History before{spring};
    const auto force = TangentialSpring::respond(slipping(slip), p, before, repulsion, 2.0, step);
    return {force, TangentialSpring::stored(p, before, force.history)};
}

TEST(TangentialSpring, WhileStickingTheSpringIsTheIntegralOfTheSlip) {
    const Params p{1000, 0.5, 0.1, 1e9, 0};
    const Vec3d slip{0, 0.02, -0.01};
    History history{};
    for (int k = 1; k <= 100; ++k) {
        const auto [f, stored] = push(p, history.spring, slip, 1.0);
        // At the instant: half a step behind what is kept; damping ct + ct_scaled sqrt(kn m).
        const double ct = 0.7 + lag(1000);
        EXPECT_LT(norm(f.force - slip * (1000 * (k - 0.5) * dt + ct)), 1e-15);
        EXPECT_LT(norm(f.history.spring - slip * (k * dt)), 1e-18);
        // The mean of what the spring holds half a step before and after.
        EXPECT_NEAR(stored, 250 * norm2(slip) * dt * dt * (k * k + (k - 1) * (k - 1)), 1e-18);
        EXPECT_NEAR(f.damping, ct * norm2(slip), 1e-15);
        EXPECT_EQ(f.sliding, 0);
        EXPECT_FALSE(f.slips);
        history = f.history;
    }
}

/// The rate at which the amplitude of a sticking contact grows a step, where it swings by `wh` a step. The engine's own
/// order of a step: half kick, prediction, force, half kick.
double growth_of_swing(double wh, double extra_damping) {
    const double kt = 1000;
    const double h = wh / std::sqrt(3.5 * kt / mass);
    const Params p{kt, extra_damping, 0, std::numeric_limits<double>::infinity(), 1};
    History history{};
    double velocity = 1;
    double acceleration = 0;
    constexpr int steps = 4000;
    const int swing = static_cast<int>(4 * std::numbers::pi / wh);
    double early = 0;
    double late = 0;
    for (int k = 0; k < steps; ++k) {
        const double half = velocity + 0.5 * h * acceleration;
        const Vec3d predicted{0, half + 0.5 * h * acceleration, 0};
        const auto [f, stored] = push(p, history.spring, predicted, 1.0, h);
        history = f.history;
        acceleration = -3.5 * f.force.y / mass;
        velocity = half + 0.5 * h * acceleration;
        const double energy = 0.5 * mass / 3.5 * velocity * velocity + stored;
        early = k < swing ? std::max(early, energy) : early;
        late = k >= steps - swing ? std::max(late, energy) : late;
    }
    return 0.5 * std::log(late / early) / (steps - swing);
}

TEST(TangentialSpring, AStickingContactSwingsWithoutGainOrLoss) {
    for (const double wh : {0.05, 0.1, 0.2}) {
        const double h = wh / std::sqrt(3.5 * 1000 / mass);
        // Without the dashpot for the lag the amplitude would grow by (w h)^4 / 8 a step.
        const double bare = growth_of_swing(wh, -1000 * wh * wh * h / 4);
        const double mended = growth_of_swing(wh, 0);
        std::printf("swing at w h = %.2f: growth a step %.2e, without the dashpot %.2e\n", wh, mended, bare);
        EXPECT_NEAR(bare / (std::pow(wh, 4) / 8), 1, 0.03);
        EXPECT_LE(mended, 0.02 * bare);
        EXPECT_GT(mended, -0.5 * std::pow(wh, 6));  // what is left is of the next order
    }
}

TEST(TangentialSpring, TheCapActsAlongTheTrialForceNotAlongTheSpring) {
    const Params p{1000, 10, 0, 0.3, 1};
    const Vec3d spring{0, 1e-4, 0};
    const Vec3d slip{0, 0, 0.02};
    const Vec3d trial = (spring + slip * (0.5 * dt)) * 1000.0 + slip * (10.0 + lag(1000));
    const auto f = push(p, spring, slip, 0.5).force;
    ASSERT_GT(norm(trial), 0.15);
    EXPECT_NEAR(norm(f.force), 0.15, 1e-15);
    EXPECT_LT(norm(cross(f.force, trial)), 1e-16);
    EXPECT_GT(dot(f.force, trial), 0);
    EXPECT_GT(f.sliding, 0);
    EXPECT_EQ(f.damping, 0);
    // Just below the limit nothing is capped.
    const auto held = push(p, spring, slip, norm(trial) / 0.3 * 1.0001).force;
    EXPECT_LT(norm(held.force - trial), 1e-16);
}

TEST(TangentialSpring, TensionCarriesNoFrictionAndForgets) {
    for (const double b : {0.0, 0.5, 1.0}) {
        for (const double repulsion : {-0.1, 0.0}) {
            const Vec3d slip{0, 0.01, 0};
            const auto f = push({1000, 0, 0, 0.3, b}, {0, 1e-4, 0}, slip, repulsion).force;
            EXPECT_TRUE(f.slips);
            EXPECT_EQ(norm(f.force), 0);
            EXPECT_EQ(f.history.spring, slip * (0.5 * dt));  // what the half step after the force adds
        }
    }
}

TEST(TangentialSpring, SlippingKeepsTheFractionBOfTheGreatestForce) {
    struct Row {
        double b, length, kept;  // kt = 1000, mu N = 0.1
    };
    const Row rows[] = {
        {0, 1e-3, 0}, {0.25, 1e-3, 2.5e-5}, {0.5, 1e-3, 5e-5}, {1, 1e-3, 1e-4}, {1, 1.1e-4, 1e-4},
    };
    for (const Row& row : rows) {
        const auto [f, stored] = push({1000, 0, 0, 0.2, row.b}, {0, 0, row.length}, {}, 0.5);
        EXPECT_NEAR(norm(f.history.spring), row.kept, 1e-18);
        EXPECT_NEAR(f.history.spring.z, row.kept, 1e-18);  // along the spring, as the erratum says
        // At the instant half of the loss is still to come.
        EXPECT_NEAR(stored, 250 * (row.kept * row.kept + row.length * row.length), 1e-18);
        EXPECT_NEAR(f.sliding * dt, 500 * (row.length * row.length - row.kept * row.kept), 1e-15);
    }
}

TEST(TangentialSpring, SlippingNeverLengthensTheSpring) {
    // Spring and damping together exceed the limit, the spring alone is below b of it.
    const Params p{1000, 4.5, 0, 0.2, 1};
    const auto f = push(p, {0, 5e-5, 0}, {0, 0.02, 0}, 0.5).force;
    EXPECT_NEAR(norm(f.force), 0.1, 1e-15);
    EXPECT_NEAR(norm(f.history.spring), 5e-5 + 0.02 * dt, 1e-18);
}

TEST(TangentialSpring, DampingAloneBeyondTheLimitForgetsForEveryB) {
    for (const double b : {0.0, 0.5, 1.0}) {
        const Vec3d slip{0, 0.03, 0};
        const auto f = push({1000, 4, 0, 0.2, b}, {0, 0, 8e-5}, slip, 0.5).force;
        EXPECT_NEAR(norm(f.force), 0.1, 1e-15);
        EXPECT_EQ(f.history.spring, slip * (0.5 * dt));
    }
}

TEST(TangentialSpring, WithoutStiffnessItIsADashpotWithALimit) {
    const auto below = push({0, 2, 0, 0.5, 1}, {}, {0, 0.1, 0}, 1.0).force;
    EXPECT_NEAR(below.force.y, 0.2, 1e-16);
    const auto above = push({0, 2, 0, 0.5, 1}, {}, {0, 1, 0}, 1.0).force;
    EXPECT_NEAR(above.force.y, 0.5, 1e-15);
    EXPECT_TRUE(std::isfinite(above.history.spring.y));
    const auto nothing = push({0, 0, 0, 0, 0}, {}, {0, 1, 0}, 1.0).force;
    EXPECT_EQ(norm(nothing.force), 0);
}

struct TurnError {
    double direction, length, tangency;
};

/// A pair turns rigidly once about an axis that stands anyhow to its normal; the spring must turn with it.
TurnError whole_turn(const Vec3d& axis, int steps) {
    const double angle = 2 * std::numbers::pi / steps;
    const double step = 1e-4;
    const Vec3d omega = axis * (angle / step);
    const Vec3d start{1e-5, 2e-5, 0};
    Vec3d s = start;
    TurnError error{0, 0, 0};
    for (int k = 1; k <= steps; ++k) {
        const math::Mat3d turn = math::rotation_matrix(axis, angle * k);
        Ball i;
        Ball j;
        j.position = turn * Vec3d{0, 0, 0.0199};
        for (Ball* ball : {&i, &j}) {
            ball->velocity = cross(omega, ball->position);
            ball->spin = omega;
        }
        const auto contact = contact_of(i, j, step);
        s = TangentialSpring::turned(s, contact, step);
        error.tangency = std::max(error.tangency, std::abs(dot(s, contact.normal)) / norm(start));
        error.length = std::max(error.length, std::abs(norm(s) / norm(start) - 1));
        error.direction = std::max(error.direction, norm(s - turn * start) / norm(start));
    }
    return error;
}

TEST(TangentialSpring, HistoryTurnsWithThePairToSecondOrder) {
    for (const Vec3d& axis :
         {Vec3d{1, 0, 0}, Vec3d{0, 0, 1}, normalized(Vec3d{1, -2, 2}), normalized(Vec3d{3, 1, -1})}) {
        const TurnError coarse = whole_turn(axis, 500);
        const TurnError fine = whole_turn(axis, 1000);
        std::printf(
            "whole turn about (%.2f %.2f %.2f) in 500/1000 steps: direction %.2e/%.2e length %.2e/%.2e "
            "tangency %.1e\n",
            axis.x, axis.y, axis.z, coarse.direction, fine.direction, coarse.length, fine.length, fine.tangency);
        EXPECT_LT(coarse.direction, 3e-4);
        EXPECT_LT(fine.direction, 0.3 * coarse.direction + 1e-10);
        EXPECT_LT(coarse.length, 2e-4);
        EXPECT_LT(fine.length, 0.3 * coarse.length + 1e-10);
        EXPECT_LT(fine.tangency, 1e-14);
    }
}

TEST(TangentialSpring, SpinsAboutTheNormalTwistTheSpringByTheirMean) {
    for (const double wi : {0.0, 40.0}) {
        Ball i;
        Ball j;
        j.position = {0, 0, 0.0199};
        i.spin = {0, 0, wi};
        j.spin = {0, 0, 100};
        const auto s = TangentialSpring::turned({1e-5, 0, 0}, contact_of(i, j, dt), dt);
        const double angle = 0.5 * (wi + 100) * dt;
        EXPECT_NEAR(s.x, 1e-5 * std::cos(angle), 1e-5 * std::pow(angle, 4) / 20);  // to second order
        EXPECT_NEAR(s.y, 1e-5 * std::sin(angle), 1e-5 * std::pow(angle, 3) / 5);
    }
}

}  // namespace
}  // namespace talus::tests
