// Wall motions: closed forms one by one, and velocities and spins of any mixture against differences of its poses.
#include "talus/model/motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/base/random.h"
#include "talus/math/rotation.h"

namespace talus::model {
namespace {

constexpr double pi = std::numbers::pi;

void expect_near(const Vec3d& actual, const Vec3d& expected, double tolerance) {
    EXPECT_LT(norm(actual - expected), tolerance)
        << "(" << actual.x << ", " << actual.y << ", " << actual.z << ") instead of (" << expected.x << ", "
        << expected.y << ", " << expected.z << ")";
}

Pose tilted_base() {
    Pose base;
    base.position = {0.3, -0.2, 1.1};
    base.rotation = math::rotation_matrix({0.4, -0.9, 0.3});
    return base;
}

Vec3d random_vector(base::Random& random) {
    return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// The derivative by time of where the material point `local` is, by a fourth-order difference.
Vec3d differenced_velocity(const Pose& base, const Motion& motion, double t, const Vec3d& local) {
    const double h = 1e-3;
    const auto at = [&](double time) { return pose_at(base, motion, time).to_world(local); };
    return (8.0 * (at(t + h) - at(t - h)) - (at(t + 2 * h) - at(t - 2 * h))) / (12 * h);
}

/// Velocity of three points fixes velocity and spin.
void expect_derivatives(const Pose& base, const Motion& motion, double t, double tolerance) {
    const Pose pose = pose_at(base, motion, t);
    for (const Vec3d& local : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0.2, 1, -0.5}}) {
        expect_near(pose.velocity_at(pose.to_world(local)), differenced_velocity(base, motion, t, local), tolerance);
    }
}

double distance_from_orthogonal(const Mat3d& m) {
    double worst = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            worst = std::max(worst, std::abs(dot(m.column(i), m.column(j)) - (i == j ? 1 : 0)));
        }
    }
    return worst;
}

TEST(Motion, AWallWithoutMotionStaysAtItsBaseBitForBit) {
    Pose base = tilted_base();
    for (const double t : {-1.0, 0.0, 12345.678}) {
        const Pose pose = pose_at(base, {}, t);
        EXPECT_EQ(pose.position, base.position);
        EXPECT_EQ(pose.rotation, base.rotation);
        EXPECT_EQ(pose.velocity, Vec3d{});
        EXPECT_EQ(pose.spin, Vec3d{});
    }
}

TEST(Motion, TranslationActsFromItsStart) {
    Motion motion;
    motion.translations = {{{1, 2, 3}, 0}, {{0, 0, -1}, 4}};
    const Pose base = tilted_base();
    expect_near(pose_at(base, motion, 3).position, base.position + Vec3d{3, 6, 9}, 1e-15);
    expect_near(pose_at(base, motion, 3).velocity, {1, 2, 3}, 1e-15);
    expect_near(pose_at(base, motion, 6).position, base.position + Vec3d{6, 12, 16}, 1e-14);
    expect_near(pose_at(base, motion, 4).velocity, {1, 2, 2}, 1e-15);  // the start belongs to the motion
    expect_near(pose_at(base, motion, -1).velocity, {0, 0, 0}, 1e-300);
    EXPECT_EQ(pose_at(base, motion, -1).position, base.position);
    EXPECT_EQ(pose_at(base, motion, 6).rotation, base.rotation);
}

TEST(Motion, OscillationStartsWithoutAJump) {
    Motion motion;
    motion.oscillations = {{{0, 0, 0.1}, 5, 0.7, 2}};
    const Pose base = tilted_base();
    EXPECT_EQ(pose_at(base, motion, 1.999).position, base.position);
    EXPECT_EQ(pose_at(base, motion, 2).position, base.position);
    EXPECT_EQ(pose_at(base, motion, 1.999).velocity, Vec3d{});
    const double t = 3.3;
    const double angle = 5 * (t - 2) + 0.7;
    expect_near(pose_at(base, motion, t).position, base.position + Vec3d{0, 0, 0.1 * (std::sin(angle) - std::sin(0.7))},
                1e-15);
    expect_near(pose_at(base, motion, t).velocity, {0, 0, 0.5 * std::cos(angle)}, 1e-15);
}

TEST(Motion, SpinAboutTheWallsOwnAxisKeepsItInPlace) {
    // a tilted disk that turns about its own normal through its own origin (SSDEM Eq. A.1: Sigma N x (Q - O))
    const Pose base = tilted_base();
    const Vec3d normal = base.rotation.column(2);
    Motion motion;
    motion.spins = {{normal, base.position, 3, 0}};
    for (const double t : {0.1, 7.0, 1000.0}) {
        const Pose pose = pose_at(base, motion, t);
        EXPECT_EQ(pose.position, base.position);
        expect_near(pose.rotation.column(2), normal, 1e-15);
        expect_near(pose.spin, 3.0 * normal, 1e-15);
        EXPECT_EQ(pose.velocity, Vec3d{});
        const double angle = 3 * t;
        expect_near(pose.rotation.column(0),
                    std::cos(angle) * base.rotation.column(0) + std::sin(angle) * base.rotation.column(1), 2e-15);
        const Vec3d at = pose.to_world({0.5, 0, 0});
        expect_near(pose.velocity_at(at), cross(3.0 * normal, at - pose.position), 1e-14);
    }
}

TEST(Motion, SpinAboutAGivenAxisCarriesTheWallRound) {
    Pose base;
    base.position = {2, 0, 0};
    Motion motion;
    motion.spins = {{{0, 0, 1}, {1, 0, 5}, pi / 2, 1}};
    const Pose pose = pose_at(base, motion, 2);  // a quarter turn
    expect_near(pose.position, {1, 1, 0}, 1e-15);
    expect_near(pose.velocity, {-pi / 2, 0, 0}, 1e-15);
    expect_near(pose.rotation.column(0), {0, 1, 0}, 1e-15);
    EXPECT_EQ(pose_at(base, motion, 0.5).spin, Vec3d{});
    EXPECT_EQ(pose_at(base, motion, 0.5).position, base.position);
}

TEST(Motion, SpinAxisIsCarriedAlongFromTheMomentOfItsStart) {
    Pose base;
    base.position = {2, 0, 0};
    Motion motion;
    motion.translations = {{{0, 0, 1}, 0}, {{0, 3, 0}, 0}};
    motion.spins = {{{0, 0, 1}, {1, 3, 1}, pi, 1}};  // `through` is where the axis stands at t = 1
    const Pose pose = pose_at(base, motion, 2);      // half a turn about an axis that is now at (1, 6)
    expect_near(pose.position, {0, 6, 2}, 1e-14);
    expect_near(pose.velocity, {0, 3 - pi, 1}, 1e-14);
}

TEST(Motion, SpinsComposeInOrder) {
    Pose base;
    Motion motion;
    motion.spins = {{{1, 0, 0}, {}, pi / 2, 0}, {{0, 0, 1}, {}, pi / 2, 0}};
    const Pose pose = pose_at(base, motion, 1);
    expect_near(pose.rotation * Vec3d{0, 1, 0}, {0, 0, 1}, 1e-15);  // y -> z about x, then z stays
    expect_near(pose.rotation * Vec3d{0, 0, 1}, {1, 0, 0}, 1e-15);  // z -> -y, then -y -> x
    expect_near(pose.spin, {0, pi / 2, pi / 2}, 1e-15);             // the first spin's axis has been turned to y
}

TEST(Motion, KeyframesAreHeldOutsideAndLinearBetween) {
    Motion motion;
    motion.keyframes = {{1, {0, 0, 0}, {}}, {3, {4, 0, 0}, {0, 0, 1}}, {4, {4, 1, 0}, {0, 0, 1}}};
    const Pose base;
    EXPECT_EQ(pose_at(base, motion, 0).position, Vec3d{});
    EXPECT_EQ(pose_at(base, motion, 0).velocity, Vec3d{});
    expect_near(pose_at(base, motion, 1).velocity, {2, 0, 0}, 1e-15);  // the segment that starts there
    expect_near(pose_at(base, motion, 2).position, {2, 0, 0}, 1e-15);
    expect_near(pose_at(base, motion, 2).spin, {0, 0, 0.5}, 1e-15);
    expect_near(pose_at(base, motion, 2).rotation.column(0), {std::cos(0.5), std::sin(0.5), 0}, 1e-15);
    expect_near(pose_at(base, motion, 3).velocity, {0, 1, 0}, 1e-15);
    EXPECT_EQ(pose_at(base, motion, 3).spin, Vec3d{});
    expect_near(pose_at(base, motion, 9).position, {4, 1, 0}, 1e-15);
    EXPECT_EQ(pose_at(base, motion, 4).velocity, Vec3d{});
    EXPECT_EQ(pose_at(base, motion, 9).spin, Vec3d{});
}

TEST(Motion, ASingleKeyframeOrTwoAtOneTimeDoNoHarm) {
    Motion motion;
    motion.keyframes = {{1, {1, 0, 0}, {}}};
    expect_near(pose_at({}, motion, 5).position, {1, 0, 0}, 1e-300);
    motion.keyframes = {{0, {}, {}}, {1, {1, 0, 0}, {}}, {1, {2, 0, 0}, {}}, {2, {3, 0, 0}, {}}};
    expect_near(pose_at({}, motion, 1).position, {2, 0, 0}, 1e-15);
    expect_near(pose_at({}, motion, 1).velocity, {1, 0, 0}, 1e-15);
}

TEST(Motion, VelocitiesAreTheDerivativesOfAnyMixture) {
    base::Random random(31, 1);
    for (int i = 0; i < 300; ++i) {
        Motion motion;
        if (random.uniform() < 0.6) {
            motion.translations = {{random_vector(random), 0}, {random_vector(random), 0.5}};
        }
        if (random.uniform() < 0.6) {
            motion.oscillations = {{random_vector(random), 3, random.uniform(0, 6), 0.2},
                                   {random_vector(random), 2, 0, 0}};
        }
        for (int k = 0; k < 3; ++k) {
            if (random.uniform() < 0.6) {
                motion.spins.push_back({math::normalized(random_vector(random)), random_vector(random),
                                        random.uniform(-3, 3), random.uniform(0, 0.9)});
            }
        }
        if (random.uniform() < 0.6) {
            motion.keyframes = {{0, random_vector(random), random_vector(random)},
                                {2, random_vector(random), 2.0 * random_vector(random)},
                                {3, random_vector(random), random_vector(random)}};
        }
        const Pose base = tilted_base();
        for (const double t : {1.0, 1.7, 2.5}) {  // away from starts and keyframes
            expect_derivatives(base, motion, t, 1e-9);
            ASSERT_LT(distance_from_orthogonal(pose_at(base, motion, t).rotation), 4e-15);
        }
        if (HasFailure()) {
            return;
        }
    }
}

TEST(Motion, RestartsWhereItWas) {
    Motion first;
    first.translations = {{{1, 0, 0}, 0}};
    first.spins = {{{0, 1, 0}, {0.5, 0, 0}, 2, 0}};
    const double t0 = 1.3;
    const Pose now = pose_at(tilted_base(), first, t0);
    Motion relative;
    relative.translations = {{{0, 0, 2}, 0}};
    relative.oscillations = {{{0, 0.1, 0}, 3, 0.4, 0.5}};
    relative.spins = {{{0, 0, 1}, now.position, 1, 0}};
    relative.keyframes = {{0, {}, {}}, {1, {0, 1, 0}, {0, 0, 1}}};
    const auto [base, motion] = restart_motion(now, relative, t0);
    const Pose then = pose_at(base, motion, t0);
    EXPECT_EQ(then.position, now.position);
    EXPECT_EQ(then.rotation, now.rotation);
    expect_near(then.velocity, {0, 1, 2}, 1e-15);
    expect_near(then.spin, {0, 0, 2}, 1e-15);
    for (const double since : {0.2, 0.7, 3.0}) {  // the same as from a clock that starts at zero
        const Pose shifted = pose_at(base, motion, t0 + since);
        const Pose plain = pose_at(base, relative, since);
        expect_near(shifted.position, plain.position, 1e-14);
        expect_near(shifted.velocity, plain.velocity, 1e-14);
        expect_near(shifted.rotation.column(1), plain.rotation.column(1), 1e-14);
        expect_near(shifted.spin, plain.spin, 1e-14);
    }
    const auto [rest, nothing] = restart_motion(now, {}, t0);
    EXPECT_EQ(pose_at(rest, nothing, 9).position, now.position);
    EXPECT_EQ(pose_at(rest, nothing, 9).velocity, Vec3d{});
}

TEST(Motion, AnOwnAxisIsWhereTheWallIsWhenTheSpinStarts) {
    const Pose base = tilted_base();
    Motion motion;
    motion.translations = {{{1, 2, 0}, 0.5}};
    motion.spins = {{{1, 0, 0}, {0, 0, 0}, pi, 1.0}, {{0, 0, 1}, {}, 3, 2.0}, {{0, 1, 0}, {7, 8, 9}, 1, 2.5}};
    take_own_axes(base, motion, {{false, true}, {true, true}, {false, false}});
    // Half a second of translation by the start of the first spin, half a turn about x by that of the second.
    expect_near(motion.spins[0].through, base.position + Vec3d{0.5, 1, 0}, 1e-15);
    EXPECT_EQ(motion.spins[0].axis, (Vec3d{1, 0, 0}));
    expect_near(motion.spins[1].through, base.position + Vec3d{1.5, 3, 0}, 1e-15);
    const Vec3d own = base.rotation.column(2);
    expect_near(motion.spins[1].axis, {own.x, -own.y, -own.z}, 1e-14);
    EXPECT_EQ(motion.spins[2].axis, (Vec3d{0, 1, 0}));
    EXPECT_EQ(motion.spins[2].through, (Vec3d{7, 8, 9}));
    // Turning about its own origin leaves that to the translation.
    motion.spins.pop_back();
    expect_near(pose_at(base, motion, 3).position, base.position + Vec3d{2.5, 5, 0}, 1e-14);
}

}  // namespace
}  // namespace talus::model
