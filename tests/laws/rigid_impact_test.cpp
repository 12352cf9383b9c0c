// The impact rule for bodies of any shape: that of spheres between spheres, conservation, restitution, Coulomb's limit,
// and never more energy than before.
#include "talus/laws/rigid_impact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contact_samples.h"
#include "talus/math/rotation.h"

namespace talus::tests {
namespace {

using laws::ImpactParams;
using laws::RigidBody;
using math::Mat3d;

Mat3d scaled(const Mat3d& m, const Vec3d& by) {
    return {{m.row[0] * by.x, m.row[1] * by.y, m.row[2] * by.z}};
}

/// With its principal moments, which make a triangle as those of bodies do.
struct Sample {
    Vec3d normal;
    RigidBody i, j;
    Mat3d inertia_i, inertia_j;
};

void make_body(base::Random& random, RigidBody& body, Mat3d& inertia) {
    const double mass = random.uniform(0.1, 10);
    const Vec3d extent{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
    const Vec3d moment = Vec3d{extent.y + extent.z, extent.x + extent.z, extent.x + extent.y} * mass;
    const Mat3d axes = math::rotation_matrix(random_vector(random, 3));
    inertia = transposed(axes) * scaled(axes, moment);
    body.inverse_inertia = transposed(axes) * scaled(axes, {1 / moment.x, 1 / moment.y, 1 / moment.z});
    body.inverse_mass = 1 / mass;
    body.velocity = random_vector(random, 3);
    body.spin = random_vector(random, 5);
    body.arm = random_vector(random, 1);
}

Sample random_impact(base::Random& random) {
    Sample out;
    double opening = 0;
    do {
        out.normal = normalized(random_vector(random, 1));
        make_body(random, out.i, out.inertia_i);
        make_body(random, out.j, out.inertia_j);
        opening = dot(laws::velocity_at_contact(out.j) - laws::velocity_at_contact(out.i), out.normal);
    } while (opening > -0.01);
    return out;
}

double energy(const RigidBody& b, const Mat3d& inertia) {
    return 0.5 * (norm2(b.velocity) / b.inverse_mass + dot(b.spin, inertia * b.spin));
}

ImpactParams random_params(base::Random& random) {
    const double limit = random.uniform() < 0.7 ? random.uniform(0, 4) : std::numeric_limits<double>::infinity();
    return {random.uniform(0, 1), random.uniform(-1, 1), limit};
}

TEST(RigidImpact, OfSpheresIsTheRuleOfSpheres) {
    base::Random random(3, 1);
    for (int k = 0; k < 20'000; ++k) {
        const auto sphere = [&] {
            const double mass = random.uniform(0.1, 10);
            const double radius = random.uniform(0.1, 1);
            return laws::ImpactBody<double>{random_vector(random, 3), random_vector(random, 20), 1 / mass,
                                            1 / (0.4 * mass * radius * radius), radius};
        };
        const laws::ImpactBody<double> a = sphere();
        const laws::ImpactBody<double> b = sphere();
        const Vec3d normal = normalized(random_vector(random, 1));
        const ImpactParams params = random_params(random);
        const double opening = dot(b.velocity - a.velocity, normal);
        if (opening > -0.01) {
            continue;
        }
        const auto rigid = [](const laws::ImpactBody<double>& s, const Vec3d& arm) {
            return RigidBody{s.velocity, s.spin, s.inverse_mass,
                             scaled(Mat3d::identity(), Vec3d{1, 1, 1} * s.inverse_inertia), arm};
        };
        const double rebound = -params.restitution * opening;
        const auto expected = laws::impact(normal, a, b, params, rebound);
        const auto found =
            laws::impact(normal, rigid(a, normal * a.lever), rigid(b, normal * -b.lever), params, rebound);
        const double size = norm(expected.impulse);
        EXPECT_LT(norm(found.impulse - expected.impulse), 1e-11 * size);
        const double loss = expected.normal_loss + expected.tangential_loss + expected.sliding_loss;
        EXPECT_NEAR(found.normal_loss, expected.normal_loss, 1e-11 * loss);
        EXPECT_NEAR(found.tangential_loss, expected.tangential_loss, 1e-9 * loss);
        EXPECT_NEAR(found.sliding_loss, expected.sliding_loss, 1e-9 * loss);
    }
}

TEST(RigidImpact, ConservesWhatItMustAndNeverMakesEnergy) {
    base::Random random(5, 2);
    int wedged = 0;
    for (int k = 0; k < 100'000; ++k) {
        Sample s = random_impact(random);
        const ImpactParams params = random_params(random);
        const auto opening = [&] {
            return dot(laws::velocity_at_contact(s.j) - laws::velocity_at_contact(s.i), s.normal);
        };
        const double before = opening();
        const double energy_before = energy(s.i, s.inertia_i) + energy(s.j, s.inertia_j);
        const auto result = laws::impact(s.normal, s.i, s.j, params, -params.restitution * before);
        // About the contact point: momentum of the centre plus spin.
        const auto angular = [&] {
            return s.inertia_i * s.i.spin + s.inertia_j * s.j.spin - cross(s.i.arm, s.i.velocity) / s.i.inverse_mass -
                   cross(s.j.arm, s.j.velocity) / s.j.inverse_mass;
        };
        const auto linear = [&] { return s.i.velocity / s.i.inverse_mass + s.j.velocity / s.j.inverse_mass; };
        const Vec3d angular_before = angular();
        const Vec3d linear_before = linear();
        apply(result.impulse, s.i);
        apply(-result.impulse, s.j);
        const double scale = norm(result.impulse) + norm(linear_before);
        EXPECT_LT(norm(linear() - linear_before), 1e-12 * scale);
        EXPECT_LT(norm(angular() - angular_before), 1e-11 * (scale + norm(angular_before)));
        const double lost = energy_before - energy(s.i, s.inertia_i) - energy(s.j, s.inertia_j);
        EXPECT_GT(lost, -1e-11 * energy_before);
        EXPECT_NEAR(lost, result.normal_loss + result.tangential_loss + result.sliding_loss, 1e-10 * energy_before);
        const double pressing = -dot(result.impulse, s.normal);
        EXPECT_GT(pressing, 0);
        EXPECT_LE(norm(result.impulse + s.normal * pressing), params.friction * pressing * (1 + 1e-9));
        const bool exact = std::abs(opening() + params.restitution * before) < 1e-9 * std::abs(before);
        wedged += exact ? 0 : 1;  // see below
    }
    EXPECT_LT(wedged, 10);
}

/// A rod strikes the floor at a slant, sliding so that friction turns it into the floor (Painleve's): the push of the
/// normal would have to grow without bound. The rule then gives what the guard allows, and no energy comes of it.
TEST(RigidImpact, OfARodThatWedgesMakesNoEnergy) {
    constexpr double mass = 1;
    constexpr double inertia = 1.0 / 12;
    for (const double friction : {2.0, 4.0, 8.0}) {
        RigidBody rod{{-2, 0, -1}, {}, 1 / mass, scaled(Mat3d::identity(), Vec3d{1, 1, 1} / inertia), {0.25, 0, -0.43}};
        const double straight = 1 / mass + 0.25 * 0.25 / inertia;
        const double coupling = 0.25 * 0.43 / inertia;  // of friction into the normal
        ASSERT_LT(straight - friction * coupling, 0.1 * straight) << "no wedge";
        const double before = 0.5 * mass * norm2(rod.velocity);
        const auto result = laws::impact({0, 0, -1}, rod, RigidBody{}, {0.5, 0, friction}, 0.5);
        apply(result.impulse, rod);
        const double after = 0.5 * (mass * norm2(rod.velocity) + inertia * norm2(rod.spin));
        EXPECT_LE(after, before * (1 + 1e-12));
        EXPECT_NEAR(before - after, result.normal_loss + result.tangential_loss + result.sliding_loss, 1e-12 * before);
        EXPECT_GT(result.impulse.z, 0);
        EXPECT_LE(std::abs(result.impulse.x), friction * result.impulse.z * (1 + 1e-12));
    }
}

/// A rod that falls on its end, smooth: the closed form of an off-centre impact.
TEST(RigidImpact, OfARodThatFallsOnItsEnd) {
    constexpr double mass = 2;
    constexpr double inertia = 0.5;  // about its centre, across it
    constexpr double arm = 0.7;
    RigidBody rod{{0, 0, -3}, {}, 1 / mass, scaled(Mat3d::identity(), Vec3d{1, 1, 1} / inertia), {arm, 0, 0}};
    const RigidBody floor{};
    const auto result = laws::impact({0, 0, -1}, rod, floor, {0.5, 1, 0}, 1.5);
    apply(result.impulse, rod);
    const double impulse = 3 * 1.5 / (1 / mass + arm * arm / inertia);
    EXPECT_NEAR(result.impulse.z, impulse, 1e-14);
    EXPECT_NEAR(rod.velocity.z, -3 + impulse / mass, 1e-14);
    EXPECT_NEAR(rod.spin.y, -arm * impulse / inertia, 1e-14);
    EXPECT_NEAR(laws::velocity_at_contact(rod).z, 1.5, 1e-14);
}

}  // namespace
}  // namespace talus::tests
