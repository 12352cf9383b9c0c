// Elastic rolling resistance: spring, limit, damping, and a ball that comes to rest on it.
#include "talus/laws/elastic_rolling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/collision_run.h"

namespace talus::tests {
namespace {

using laws::ElasticRolling;

laws::Kinematics<double> rolling(double rate) {
    auto contact = head_on(1e-4);
    contact.spin = {0, rate, 0};
    contact.half_turn = {};
    return contact;
}

TEST(ElasticRolling, IsASpringUpToItsLimit) {
    const ElasticRolling::Params p{0.02, 0, 0.1};
    const double press = 3;
    const double limit = 0.1 * 0.005 * press;  // mu_r R* N
    ElasticRolling::History<double> history{};
    const double dt = 1e-5;
    double angle = 0;
    for (int k = 0; k < 200; ++k) {
        const auto r = ElasticRolling::respond(rolling(100), p, history, press, dt);
        const double trial = 0.02 * (angle + 0.5 * dt * 100);
        EXPECT_NEAR(-r.moment.y, std::min(trial, limit), 1e-6 * limit) << k;
        angle += 100 * dt;
        history = r.history;
    }
    EXPECT_GT(0.02 * angle, 2 * limit);
    EXPECT_NEAR(history.angle.y, limit / 0.02 + 0.5 * dt * 100, 1e-9);
    // Backwards it unloads elastically from there.
    const auto back = ElasticRolling::respond(rolling(-100), p, history, press, dt);
    EXPECT_NEAR(-back.moment.y, limit, 1e-4 * limit);
    const auto further = ElasticRolling::respond(rolling(-100), p, back.history, press, 5e-4);
    EXPECT_NEAR(-further.moment.y, limit - 0.02 * 100 * 2.6e-4, 1e-5);
}

TEST(ElasticRolling, OpposesRollingAndNotTwisting) {
    const ElasticRolling::Params p{0.02, 0.5, 1};
    auto contact = rolling(0);
    contact.spin = contact.normal * 5.0;
    EXPECT_EQ(ElasticRolling::respond(contact, p, {}, 1, 1e-5).moment, Vec3d{});
    const auto r = ElasticRolling::respond(rolling(0.1), p, {}, 1, 0.0);
    const double critical = 2 * std::sqrt(contact.inertia * 0.02);
    EXPECT_NEAR(-r.moment.y, 0.5 * critical * 0.1, 1e-15);
}

TEST(ElasticRolling, SpinDiesAwayAndNothingIsGained) {
    for (const double friction : {0.02, 10.0}) {
        const ElasticRolling::Params p{0.05, 0.2, friction};
        const double inertia = rolling(0).inertia;
        ElasticRolling::History<double> history{};
        double spin = 2;
        double moment = 0;
        const double h = 1e-5;
        double most = 0.5 * inertia * spin * spin;
        for (int k = 0; k < 20000; ++k) {
            const double half = spin + 0.5 * h * moment / inertia;
            const auto r = ElasticRolling::respond(rolling(half + 0.5 * h * moment / inertia), p, history, 5, h);
            history = r.history;
            moment = r.moment.y;
            spin = half + 0.5 * h * moment / inertia;
            EXPECT_GT(r.lost, -1e-3 * most / h);
        }
        const double left = 0.5 * inertia * spin * spin + ElasticRolling::released(p, history);
        EXPECT_LT(std::abs(spin), 1e-6);
        EXPECT_LT(left, most);
    }
}

}  // namespace
}  // namespace talus::tests
