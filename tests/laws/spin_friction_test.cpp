// Rolling and twisting friction: direction, size, opposite on the partner, late onset, and no reversal (errata 3, 4).
#include "talus/laws/spin_friction.h"

#include <gtest/gtest.h>

#include "laws/contact_samples.h"
#include "talus/laws/hertz.h"
#include "talus/laws/hooke.h"

namespace talus::tests {
namespace {

using laws::RollingFriction;
using laws::TwistingFriction;

constexpr double dt = 1e-6;

TEST(SpinFriction, RollingOpposesTheRelativeSpinAcrossTheNormal) {
    base::Random random(7, 1);
    for (int k = 0; k < 1000; ++k) {
        const BallPair pair = random_pair(random);
        const auto contact = contact_of(pair.i, pair.j, dt);
        const Vec3d moment = RollingFriction::moment(contact, {0.2}, 1e-6, 1e-9);
        const Vec3d w = pair.i.spin - pair.j.spin;
        const Vec3d across = w - contact.normal * dot(w, contact.normal);
        EXPECT_NEAR(norm(moment), 0.2 * std::min(contact.lever_i, contact.lever_j) * 1e-6, 1e-20);
        EXPECT_LT(norm(normalized(moment) + normalized(across)), 1e-13);
    }
}

TEST(SpinFriction, TwistingOpposesTheRelativeSpinAlongTheNormal) {
    base::Random random(7, 2);
    for (int k = 0; k < 1000; ++k) {
        const BallPair pair = random_pair(random);
        const auto contact = contact_of(pair.i, pair.j, dt);
        const Vec3d moment = TwistingFriction::moment(contact, {0.3}, 1e-6, 1e-9);
        // The circle in which the two spheres cut.
        const double circle = std::sqrt(pair.i.radius * pair.i.radius - contact.lever_i * contact.lever_i);
        EXPECT_NEAR(norm(moment) / (0.3 * circle * 1e-6), 1, 1e-9);
        EXPECT_LT(norm(cross(moment, contact.normal)), 1e-22);
        EXPECT_LT(dot(moment, contact.normal) * dot(pair.i.spin - pair.j.spin, contact.normal), 0);
    }
}

TEST(SpinFriction, OneStepNeverTakesMoreThanATwentiethOfTheRelativeSpin) {
    base::Random random(7, 3);
    int limited = 0;
    for (int k = 0; k < 2000; ++k) {
        const BallPair pair = random_pair(random);
        const auto contact = contact_of(pair.i, pair.j, dt);
        const double repulsion = random.uniform(0, 200);
        const Vec3d moment = RollingFriction::moment(contact, {0.5}, repulsion, dt) +
                             TwistingFriction::moment(contact, {0.5}, repulsion, dt);
        const Vec3d before = pair.i.spin - pair.j.spin;
        const Vec3d after = before + moment * dt * (1 / pair.i.inertia() + 1 / pair.j.inertia());
        EXPECT_GE(dot(after, before), (0.95 - 1e-12) * norm2(before));
        EXPECT_LE(norm(after), norm(before));
        limited += norm(after) < 0.9500001 * norm(before) ? 1 : 0;
    }
    EXPECT_GT(limited, 50);  // so the limit was met
}

TEST(SpinFriction, NothingTurnsWithoutSpinOrPressure) {
    Ball i;
    Ball j;
    j.position = {0.0199, 0, 0};
    i.spin = j.spin = {1, 2, 3};
    EXPECT_EQ(norm(RollingFriction::moment(contact_of(i, j, dt), {0.5}, 1.0, dt)), 0);
    EXPECT_EQ(norm(TwistingFriction::moment(contact_of(i, j, dt), {0.5}, 1.0, dt)), 0);
    j.spin = {};
    EXPECT_EQ(norm(RollingFriction::moment(contact_of(i, j, dt), {0.5}, 0.0, dt)), 0);
}

template <class Law>
void expect_late_onset(const typename Law::Params& params, double duration) {
    Ball i;
    Ball j;
    j.position = {0.0199, 0, 0};
    i.spin = {5, 6, 7};
    const auto contact = contact_of(i, j, dt);
    const auto at_age = [&](double age) {
        typename Law::template History<double> old{};
        old.age = age;
        return Law::respond(contact, params, old, dt);
    };
    for (const double age : {0.0, 0.5 * duration, 0.999 * duration}) {
        EXPECT_EQ(at_age(age).moment, Vec3d{}) << age;
        EXPECT_EQ(at_age(age).rolling, 0);
        EXPECT_EQ(at_age(age).twisting, 0);
    }
    const auto later = at_age(1.001 * duration);
    EXPECT_LT(later.moment.x, 0);
    EXPECT_LT(later.moment.y, 0);
    EXPECT_EQ(later.couple, Vec3d{});  // no tangential spring here
    EXPECT_GT(later.rolling, 0);
    EXPECT_GT(later.twisting, 0);
    EXPECT_EQ(later.history.age, 1.001 * duration + dt);
}

TEST(SpinFriction, BeginsAfterTheCollisionTime) {
    laws::Hooke::Params hooke{};
    hooke.normal = {2000, 0.2, 0};
    hooke.rolling = {0.1};
    hooke.twisting = {0.1};
    expect_late_onset<laws::Hooke>(hooke, laws::NormalHooke::duration(head_on(1e-4), hooke.normal));
    laws::Hertz::Params hertz{};
    hertz.normal = {1e7, 0.2, 0};
    hertz.rolling = {0.1};
    hertz.twisting = {0.1};
    expect_late_onset<laws::Hertz>(hertz, laws::NormalHertz::duration(head_on(1e-4), hertz.normal));
}

}  // namespace
}  // namespace talus::tests
