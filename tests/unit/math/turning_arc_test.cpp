// The power series of free turning against the closed form of a symmetric top and a scheme with very short steps, and
// the bounds that searches rely on.
#include "talus/math/turning_arc.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random_vector.h"
#include "talus/base/random.h"
#include "talus/math/free_rotation.h"

namespace talus::tests {
namespace {

using math::quaternion_from_rotation_vector;
using math::Quaterniond;
using math::TurningArc;
using math::Vec3d;

double apart(const Quaterniond& a, const Quaterniond& b) {
    return math::way_between(normalized(a), normalized(b));
}

/// Moments of a real body: none exceeds the sum of the others.
Vec3d random_moment(base::Random& random) {
    const Vec3d r = {random.uniform(0.05, 1), random.uniform(0.05, 1), random.uniform(0.05, 1)};
    return {r.y + r.z, r.z + r.x, r.x + r.y};
}

TEST(TurningArc, ASymmetricTopTurnsAboutItsAngularMomentumAndItsAxis) {
    const Vec3d inverse{1 / 0.3, 1 / 1.1, 1 / 1.1};
    const Quaterniond start = quaternion_from_rotation_vector({0.4, -1, 0.3});
    const Vec3d l{0.7, 0.5, -1.3};
    const TurningArc arc(start, l, inverse);
    const double along = dot(to_matrix(start).column(0), l);
    for (const double part : {0.0, 0.3, 1.0}) {
        const double t = part * arc.span();
        const Quaterniond expected = quaternion_from_rotation_vector(l * (t * inverse.y)) * start *
                                     math::quaternion_from_axis_angle({1, 0, 0}, along * (inverse.x - inverse.y) * t);
        EXPECT_LT(apart(arc.orientation_at(t), expected), 1e-15);
    }
}

TEST(TurningArc, AnyBodyTurnsAsInManyShortSteps) {
    base::Random random(1, 1);
    for (int k = 0; k < 10; ++k) {
        const Vec3d moment = random_moment(random);
        const Vec3d inverse{1 / moment.x, 1 / moment.y, 1 / moment.z};
        const Vec3d l = random_vector(random, 3);
        const Quaterniond start = quaternion_from_rotation_vector(random_vector(random, 2));
        const TurningArc arc(start, l, inverse);
        // The error falls with the square of the step: what is left of it follows from two of them.
        const auto by_steps = [&](int steps) {
            Quaterniond turn = start;
            for (int n = 0; n < steps; ++n) {
                turn = math::turned_by_parts(turn, l, inverse, arc.span() / steps);
            }
            return turn;
        };
        const Quaterniond coarse = by_steps(500);
        const Quaterniond fine = by_steps(1000);
        const Quaterniond limit{fine.w + (fine.w - coarse.w) / 3, fine.v + (fine.v - coarse.v) / 3.0};
        EXPECT_LT(apart(arc.orientation_at(arc.span()), limit), 1e-13);
    }
}

TEST(TurningArc, KeepsTheEnergyToRoundingAndItsBounds) {
    base::Random random(2, 1);
    for (int k = 0; k < 200; ++k) {
        const Vec3d moment = random_moment(random);
        const Vec3d inverse{1 / moment.x, 1 / moment.y, 1 / moment.z};
        const Vec3d l = random_vector(random, 3);
        const TurningArc arc(quaternion_from_rotation_vector(random_vector(random, 2)), l, inverse);
        const Vec3d arm = random_vector(random, 1);
        const double energy = dot(l, arc.at(0).spin);
        const double h = arc.span() / 64;
        for (int n = 1; n < 64; ++n) {
            const TurningArc::Turned here = arc.at(n * h);
            EXPECT_NEAR(dot(l, here.spin), energy, 4e-15 * energy);
            EXPECT_LE(norm(here.spin), arc.fastest());
            const auto velocity = [&](const TurningArc::Turned& at) { return cross(at.spin, at.axes * arm); };
            const Vec3d change = velocity(arc.at((n + 1) * h)) - velocity(arc.at((n - 1) * h));
            EXPECT_LE(norm(change) / (2 * h), arc.bend() * norm(arm));
            // The spin is that of the way itself.
            const Vec3d way = arc.at((n + 1) * h).axes * arm - arc.at((n - 1) * h).axes * arm;
            EXPECT_LT(norm(way / (2 * h) - velocity(here)), 1e-5 * arc.fastest() * norm(arm));
        }
    }
}

TEST(TurningArc, WhatDoesNotTurnStays) {
    const Quaterniond start = quaternion_from_rotation_vector({0.4, -1, 0.3});
    for (const TurningArc& arc : {TurningArc(start), TurningArc(start, {}, {1, 2, 3})}) {
        EXPECT_EQ(arc.orientation_at(7), start);
        EXPECT_EQ(arc.at(7).spin, Vec3d{});
        EXPECT_EQ(arc.fastest(), 0);
        EXPECT_TRUE(std::isinf(arc.span()));
    }
}

}  // namespace
}  // namespace talus::tests
