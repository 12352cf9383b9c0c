// Grains in uniform fields and two grains that attract each other follow the paths that textbooks give.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "talus/model/fields.h"
#include "unit/engines_grains/field_systems.h"

namespace talus::tests {
namespace {

using std::numbers::pi;

/// The mean order with which `error(step)` falls over three halvings.
double order_of(const std::function<double(double)>& error, double step) {
    return std::log2(error(step) / error(step / 8)) / 3;
}

class FieldPaths : public testing::TestWithParam<Method> {
protected:
    static double expected_order() { return GetParam() == Method::rkf45 ? 4 : (GetParam() == Method::rk23 ? 3 : 2); }
};

constexpr double charge = 2e-6;  // C

TEST_P(FieldPaths, ChargesFallAlongParabolasInAnElectricField) {
    model::System system = space(smooth(), 1e-3);
    method_of(system, GetParam());
    system.fields.electric.value = {300, -50, 1000};
    put(system, {0, 0, 0}, {1, 2, -3}, {charge, {}, {}});
    const Vec3d acceleration = system.fields.electric.value * (charge / system.bodies.mass[0]);
    Engine engine(system, {}, false);
    engine.advance(1000);
    const Vec3d expected = Vec3d{1, 2, -3} + acceleration * 0.5;
    EXPECT_LT(norm(system.bodies.position[0] - expected), 1e-12);
    EXPECT_LT(norm(system.bodies.velocity[0] - (Vec3d{1, 2, -3} + acceleration)), 1e-12);
}

/// Distance from the helix after a turn and a third.
double helix_error(Method method, double step) {
    model::System system = space(smooth(), step);
    method_of(system, method);
    put(system, {0, 0, 0}, {}, {});
    const double rate = 8;  // rad/s
    system.fields.magnetic.value = {0, 0, -rate * system.bodies.mass[0] / charge};
    system.fields.moments.assign(1, {charge, {}, {}});
    system.bodies.velocity[0] = {1, 0, 0.3};
    Engine engine(system, {}, false);
    const double time = 4.0 / 3 * 2 * pi / rate;
    const auto steps = static_cast<std::int64_t>(std::lround(time / step));
    engine.advance(steps);
    const double angle = rate * step * static_cast<double>(steps);
    const Vec3d expected{std::sin(angle) / rate, (1 - std::cos(angle)) / rate, 0.3 * angle / rate};
    return norm(system.bodies.position[0] - expected);
}

TEST_P(FieldPaths, ChargesRunOnHelicesInAMagneticField) {
    EXPECT_LT(helix_error(GetParam(), 1e-3), 1e-4);
    EXPECT_NEAR(order_of([](double step) { return helix_error(GetParam(), step); }, 8e-3), expected_order(), 0.1);
}

/// Where a body on an ellipse with half-axes 1 and sqrt(1 - e^2) about a focus is at `time`, with turns of 1 s.
Vec3d on_ellipse(double e, double time) {
    double angle = 2 * pi * time;  // Kepler's equation by Newton's method
    for (int k = 0; k < 50; ++k) {
        angle -= (angle - e * std::sin(angle) - 2 * pi * time) / (1 - e * std::cos(angle));
    }
    return {std::cos(angle) - e, std::sqrt(1 - e * e) * std::sin(angle), 0};
}

/// Two opposite charges, or two masses, on an ellipse: how far the one is from where Kepler has it after most of a
/// turn.
double ellipse_error(Method method, double step, bool masses) {
    model::System system = space(smooth(), step);
    method_of(system, method);
    system.fields.masses = masses;
    system.fields.electric_moments = !masses;
    constexpr double e = 0.4;
    const Vec3d start = on_ellipse(e, 0) * 0.5;  // from the middle
    put(system, -start, {}, {-charge, {}, {}});
    put(system, start, {}, {charge, {}, {}});
    const double m = system.bodies.mass[0];
    const double strength = 4 * pi * pi * (m / 2);  // of r'' = -k/(m/2) / r^2: a turn takes 1 s
    system.fields.gravitational_constant = strength / (m * m);
    system.fields.electric_constant = strength / (charge * charge);
    const double speed = 2 * pi * std::sqrt((1 + e) / (1 - e));
    system.bodies.velocity[0] = {0, -speed / 2, 0};
    system.bodies.velocity[1] = {0, speed / 2, 0};
    Engine engine(system, {}, false);
    engine.advance(std::lround(0.7 / step));
    return norm(system.bodies.position[1] - on_ellipse(e, 0.7) * 0.5);
}

TEST_P(FieldPaths, TwoChargesRunOnAnEllipse) {
    EXPECT_NEAR(order_of([](double step) { return ellipse_error(GetParam(), step, false); }, 1.0 / 1000),
                expected_order(), 0.15);
}

TEST_P(FieldPaths, TwoMassesRunOnAnEllipse) {
    EXPECT_NEAR(order_of([](double step) { return ellipse_error(GetParam(), step, true); }, 1.0 / 1000),
                expected_order(), 0.15);
}

/// A dipole that swings in a field: the error of its angle after some swings, against a far finer run.
double swing_angle(Method method, double step, bool electric) {
    model::System system = space(smooth(), step);
    method_of(system, method);
    model::UniformField& field = electric ? system.fields.electric : system.fields.magnetic;
    field.value = {1, 0, 0};
    const Vec3d tilted{0.4, 0, 0.3};
    put(system, {}, {}, electric ? Moments{0, tilted, {}} : Moments{0, {}, tilted});
    system.bodies.inertia[0] = 0.01;
    system.bodies.spin[0] = {0.3, 1, 0.2};
    system.grains.moment[0] = Vec3d{1, 1, 1} * 0.01;
    Engine engine(system, {}, false);
    engine.advance(std::lround(2 / step));
    const Vec3d p = electric ? model::electric_dipole(system, 0) : model::magnetic_dipole(system, 0);
    EXPECT_NEAR(norm(p), 0.5, 1e-12);
    return p.x;
}

TEST_P(FieldPaths, DipolesSwingInAField) {
    for (const bool electric : {true, false}) {
        const double exact = swing_angle(Method::rkf45, 1e-4, electric);
        const auto error = [&](double step) { return std::abs(swing_angle(GetParam(), step, electric) - exact); };
        EXPECT_LT(error(1e-3), 1e-4);
        EXPECT_NEAR(order_of(error, 1.0 / 125), expected_order(), 0.2);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, FieldPaths,
                         testing::Values(Method::leapfrog, Method::midpoint, Method::rkf45, Method::rk23), name_of);

TEST(FieldPath, SmallSwingsOfADipoleHaveTheirPeriod) {
    model::System system = space(smooth(), 1e-4);
    system.fields.electric.value = {0, 0, 200};
    const double angle = 0.01;
    put(system, {}, {}, {0, {2e-4 * std::sin(angle), 0, 2e-4 * std::cos(angle)}, {}});
    system.bodies.inertia[0] = 1e-3;
    system.grains.moment[0] = Vec3d{1, 1, 1} * 1e-3;
    const double period = 2 * pi * std::sqrt(1e-3 / (2e-4 * 200)) * (1 + angle * angle / 16);
    Engine engine(system, {}, false);
    engine.advance(std::lround(0.25 * period / 1e-4));
    EXPECT_LT(std::abs(model::electric_dipole(system, 0).x), 1e-4 * 2e-4 * angle * 30);  // upright after a quarter
    engine.advance(std::lround(0.25 * period / 1e-4));
    EXPECT_NEAR(model::electric_dipole(system, 0).x / 2e-4, -std::sin(angle), 1e-6);
}

TEST(FieldPath, ChargesDriftAcrossElectricAndMagneticFieldsAsTheyShould) {
    model::System system = space(smooth(), 0.02);  // a third of a radian a step: coarse
    put(system, {}, {}, {});
    const double mass = system.bodies.mass[0];
    const Vec3d b{0, 0, 16 * mass / charge};
    const Vec3d e{0, 3 * b.z, 0};
    system.fields.magnetic.value = b;
    system.fields.electric.value = e;
    system.fields.moments.assign(1, {charge, {}, {}});
    const Vec3d drift = cross(e, b) / norm2(b);
    system.bodies.velocity[0] = drift;
    Engine engine(system, {}, false);
    // Half a step of circling is left, whose radius goes with the square of the step; the drift itself has no error.
    for (int k = 1; k <= 100; ++k) {
        engine.advance(1000);
        EXPECT_LT(norm(system.bodies.position[0] - drift * (20.0 * k)), 0.01);
    }
}

TEST(FieldPath, AMagneticFieldKeepsTheSpeedThroughAMillionSteps) {
    model::System system = space(smooth(), 0.02);
    put(system, {}, {}, {});
    system.fields.magnetic.value = Vec3d{1, -2, 2} * (5 * system.bodies.mass[0] / charge);
    system.fields.moments.assign(1, {charge, {}, {}});
    system.bodies.velocity[0] = {0.01, 0.02, -0.03};
    const double speed = norm(system.bodies.velocity[0]);
    Engine engine(system, {}, false);
    engine.advance(1000000);
    EXPECT_NEAR(norm(system.bodies.velocity[0]) / speed, 1, 1e-10);
}

TEST(FieldPath, AFieldThatTurnsPushesRound) {
    // x'' = a (cos wt, sin wt): from rest x = a/w^2 (1 - cos wt, wt - sin wt).
    model::System system = space(smooth(), 1e-4);
    system.fields.electric = {{500, 0, 0}, {0, 0, 1}, 2 * pi};
    put(system, {}, {}, {charge, {}, {}});
    const double a = 500 * charge / system.bodies.mass[0] / (4 * pi * pi);
    Engine engine(system, {}, false);
    const double before = mechanical(system);
    engine.advance(2500);
    EXPECT_NEAR(system.bodies.position[0].x, a, 1e-7 * a);
    EXPECT_NEAR(system.bodies.position[0].y, a * (pi / 2 - 1), 1e-7 * a);
    EXPECT_LT(imbalance(system, before), 1e-12);
    EXPECT_EQ(model::field_lift(system), 0);
}

}  // namespace
}  // namespace talus::tests
