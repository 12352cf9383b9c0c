// Impact rules: what must be conserved, what restitution was asked for, and closed forms of HSDEM Eqs. 4-8.
#include "talus/laws/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact_samples.h"
#include "talus/math/rotation.h"

namespace talus::tests {
namespace {

using laws::ImpactBody;
using laws::ImpactParams;

ImpactBody<double> random_sphere(base::Random& random) {
    const double mass = random.uniform(0.1, 10);
    const double radius = random.uniform(0.01, 1);
    return {random_vector(random, 3), random_vector(random, 20), 1 / mass, 1 / (0.4 * mass * radius * radius), radius};
}

struct Sample {
    Vec3d normal;
    ImpactBody<double> i, j;
};

/// Two spheres that approach one another.
Sample random_impact(base::Random& random) {
    Sample out;
    do {
        out = {normalized(random_vector(random, 1)), random_sphere(random), random_sphere(random)};
    } while (dot(laws::surface_velocity(out.normal, out.i, out.j), out.normal) > -0.01);
    return out;
}

double energy(const ImpactBody<double>& b) {
    const double inertia = b.inverse_inertia > 0 ? 1 / b.inverse_inertia : 0;
    return 0.5 * (norm2(b.velocity) / b.inverse_mass + inertia * norm2(b.spin));
}

laws::Impact<double> carry_out(Sample& s, const ImpactParams& params) {
    const auto result = laws::impact(s.normal, s.i, s.j, params);
    laws::apply(result, 1.0, s.i);
    laws::apply(result, -1.0, s.j);
    return result;
}

ImpactParams random_params(base::Random& random) {
    const double limit = random.uniform() < 0.5 ? random.uniform(0, 1) : std::numeric_limits<double>::infinity();
    return {random.uniform(0, 1), random.uniform(-1, 1), limit};
}

TEST(Impact, ConservesMomentumAndAngularMomentum) {
    base::Random random(31, 1);
    for (int k = 0; k < 10000; ++k) {
        Sample s = random_impact(random);
        const auto momentum = [&] { return s.i.velocity / s.i.inverse_mass + s.j.velocity / s.j.inverse_mass; };
        // About the contact point: centres are at -lever n and +lever n.
        const auto turning = [&] {
            return s.i.spin / s.i.inverse_inertia + s.j.spin / s.j.inverse_inertia +
                   cross(s.normal,
                         s.j.velocity * (s.j.lever / s.j.inverse_mass) - s.i.velocity * (s.i.lever / s.i.inverse_mass));
        };
        const Vec3d p = momentum();
        const Vec3d l = turning();
        carry_out(s, random_params(random));
        EXPECT_LT(norm(momentum() - p), 1e-13 * 100);
        EXPECT_LT(norm(turning() - l), 1e-12 * 100);
    }
}

TEST(Impact, GivesTheRestitutionAskedFor) {
    base::Random random(31, 2);
    for (int k = 0; k < 10000; ++k) {
        Sample s = random_impact(random);
        ImpactParams params = random_params(random);
        params.friction = std::numeric_limits<double>::infinity();
        const Vec3d before = laws::surface_velocity(s.normal, s.i, s.j);
        carry_out(s, params);
        const Vec3d after = laws::surface_velocity(s.normal, s.i, s.j);
        const Vec3d along = s.normal * dot(before, s.normal);
        const Vec3d expected = along * -params.restitution + (before - along) * params.tangential;  // HSDEM Eq. 4
        EXPECT_LT(norm(after - expected), 1e-13 * (1 + norm(before)));
    }
}

TEST(Impact, BooksExactlyTheEnergyThatIsGone) {
    base::Random random(31, 3);
    for (int k = 0; k < 10000; ++k) {
        Sample s = random_impact(random);
        const double before = energy(s.i) + energy(s.j);
        const auto result = carry_out(s, random_params(random));
        EXPECT_GE(result.normal_loss, 0);
        EXPECT_GE(result.tangential_loss, -1e-15 * before);
        EXPECT_GE(result.sliding_loss, 0);
        const double booked = result.normal_loss + result.tangential_loss + result.sliding_loss;
        EXPECT_NEAR(before - energy(s.i) - energy(s.j), booked, 1e-13 * before);
    }
}

TEST(Impact, KeepsToCoulombsLimit) {
    base::Random random(31, 4);
    int sliding = 0;
    for (int k = 0; k < 10000; ++k) {
        Sample s = random_impact(random);
        const ImpactParams params{random.uniform(0, 1), random.uniform(-1, 1), random.uniform(0, 0.5)};
        const Vec3d before = laws::surface_velocity(s.normal, s.i, s.j);
        const auto result = carry_out(s, params);
        const double along = dot(result.impulse, s.normal);
        const Vec3d across = result.impulse - s.normal * along;
        EXPECT_LE(norm(across), params.friction * -along + 1e-12 * norm(result.impulse));
        if (result.sliding_loss > 0) {
            ++sliding;
            EXPECT_NEAR(norm(across), params.friction * -along, 1e-12 * norm(result.impulse));
            EXPECT_GT(dot(across, before), 0);  // i is dragged along with j's surface
        }
    }
    EXPECT_GT(sliding, 1000);
    EXPECT_LT(sliding, 9000);
}

TEST(Impact, DoesNotDependOnTheFrame) {
    base::Random random(31, 5);
    for (int k = 0; k < 1000; ++k) {
        const Sample s = random_impact(random);
        const ImpactParams params = random_params(random);
        const auto turn = math::rotation_matrix(random_vector(random, 3));
        const Vec3d drift = random_vector(random, 5);
        Sample moved = s;
        moved.normal = turn * s.normal;
        for (auto* body : {&moved.i, &moved.j}) {
            body->velocity = turn * body->velocity + drift;
            body->spin = turn * body->spin;
        }
        const auto one = laws::impact(s.normal, s.i, s.j, params);
        const auto two = laws::impact(moved.normal, moved.i, moved.j, params);
        EXPECT_LT(norm(turn * one.impulse - two.impulse), 1e-12 * norm(one.impulse));
        // Seen from the other body.
        const auto swapped = laws::impact(-s.normal, s.j, s.i, params);
        EXPECT_LT(norm(one.impulse + swapped.impulse), 1e-12 * norm(one.impulse));
    }
}

TEST(Impact, OfGearsInMeshHasNoSlip) {
    const ImpactBody<double> i{{1, 0, 0}, {0, 0, 3}, 1, 2.5, 1};
    const ImpactBody<double> j{{-1, 0, 0}, {0, 0, -6}, 1, 10, 0.5};  // turns the other way, twice as fast
    const auto result = laws::impact({1.0, 0.0, 0.0}, i, j, ImpactParams{1, 0});
    EXPECT_EQ(result.impulse, (Vec3d{-2, 0, 0}));
}

TEST(Impact, OnAWallFollowsThePapersRule) {
    base::Random random(31, 6);
    for (int k = 0; k < 1000; ++k) {
        ImpactBody<double> grain = random_sphere(random);
        const ImpactBody<double> wall{random_vector(random, 1), {}, 0, 0, 0};
        const Vec3d n = normalized(random_vector(random, 1));  // from the wall to the grain
        const Vec3d s = n * -grain.lever;
        const Vec3d u = grain.velocity + cross(grain.spin, s) - wall.velocity;  // HSDEM Eq. 8
        if (dot(u, n) > 0) {
            continue;
        }
        const ImpactParams params{random.uniform(0, 1), random.uniform(-1, 1)};
        const Vec3d un = n * dot(u, n);
        const Vec3d v =
            grain.velocity - un * (1 + params.restitution) - (u - un) * (2.0 / 7.0 * (1 - params.tangential));  // Eq. 6
        const Vec3d w = grain.spin - cross(s, u) * (5.0 / 7.0 * (1 - params.tangential) / norm2(s));            // Eq. 7
        const auto result = laws::impact(-n, grain, wall, params);
        laws::apply(result, 1.0, grain);
        EXPECT_LT(norm(grain.velocity - v), 1e-12);
        EXPECT_LT(norm(grain.spin - w), 1e-11 * (1 + norm(w)));
    }
}

TEST(Impact, IsElasticBelowTheThresholdAloneAndNeverTooSlow) {
    const laws::SlowImpacts slow{0.01, 0.001};
    EXPECT_EQ(laws::rebound_speed(0.5, 0.009, slow), 0.009);
    EXPECT_EQ(laws::rebound_speed(0.5, 0.01, slow), 0.005);
    EXPECT_EQ(laws::rebound_speed(0.5, 0.0, slow), 0.001);
    EXPECT_EQ(laws::rebound_speed(0.5, 0.0, {}), 0.0);  // off
    EXPECT_EQ(laws::rebound_speed(0.5, 0.01, {}), 0.005);
}

TEST(Impact, AlongTheLineOfCentresIsTheSameByLength) {
    base::Random random(31, 7);
    for (int k = 0; k < 1000; ++k) {
        const Sample s = random_impact(random);
        const double length = s.i.lever + s.j.lever;
        const Vec3d d = s.normal * -length;  // i minus j
        const double per_length = [&] {
            const double opening = dot(d, s.i.velocity - s.j.velocity);
            return laws::normal_impulse_per_length(opening, -0.7 * opening, norm2(d),
                                                   s.i.inverse_mass + s.j.inverse_mass);
        }();
        const auto result = laws::impact(s.normal, s.i, s.j, ImpactParams{0.7});
        EXPECT_LT(norm(result.impulse + d * per_length), 1e-12 * (1 + norm(result.impulse)));
    }
}

}  // namespace
}  // namespace talus::tests
