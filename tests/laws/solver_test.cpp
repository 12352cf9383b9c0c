// SOLVER's four models (Sects. 2.3.2-2.3.5 and 2.6, with errata) against their closed forms.
#include "talus/laws/solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/collision_run.h"

namespace talus::tests {
namespace {

constexpr double instant = 1e-12;

template <class Law>
typename Law::Params params_of(const char* name, const laws::ParameterValues& values) {
    return derived({name, values}).block.as<typename Law::Params>();
}

/// A contact that slips along y.
laws::Kinematics<double> sliding(double overlap, double opening, double slip) {
    auto contact = head_on(overlap, opening);
    contact.slip = {0, slip, 0};
    return contact;
}

TEST(Solver, NormalForceIsElasticPlusViscous) {
    for (const double alpha : {1.5, 1.0, 1.3}) {
        for (const double beta : {0.5, 1.0, 0.8}) {
            const auto p =
                params_of<laws::SolverBasic>("solver_basic", {{"young", 2e7}, {"alpha", alpha}, {"beta", beta}});
            const double k = 4.0 / 3.0 * 2e7 / (2 * (1 - 0.09)) * std::sqrt(0.005);
            for (const double x : {1e-6, 3e-4}) {
                for (const double opening : {-0.3, 0.0, 0.2}) {
                    const auto r = laws::SolverBasic::respond(head_on(x, opening), p, {}, instant, instant);
                    const double expected = k * std::pow(x, alpha) - 50 * std::pow(x, beta) * opening;
                    EXPECT_NEAR(-r.force.x / expected, 1, 1e-12);
                    EXPECT_NEAR(r.stored_normal / (k * std::pow(x, alpha + 1) / (alpha + 1)), 1, 1e-12);
                }
            }
        }
    }
    // An object's modulus is that of the pair: twice as stiff.
    const auto object = params_of<laws::SolverObject>("solver_object", {});
    const auto r = laws::SolverObject::respond(head_on(1e-4), object, {}, instant, instant);
    EXPECT_NEAR(-r.force.x, 4.0 / 3.0 * 2e8 / (1 - 0.09) * std::sqrt(0.005) * 1e-6, 1e-8);
}

TEST(Solver, DefaultsAreThoseOfSect26) {
    const auto basic = params_of<laws::SolverBasic>("solver_basic", {});
    EXPECT_DOUBLE_EQ(basic.normal.modulus, 1e8 / (2 * (1 - 0.09)));
    EXPECT_EQ(basic.normal.alpha, 1.5);
    EXPECT_EQ(basic.normal.beta, 0.5);
    EXPECT_EQ(basic.normal.k_beta, 50);
    EXPECT_EQ(basic.tangential.friction, 0);
    EXPECT_EQ(basic.tangential.kt, 0);
    EXPECT_EQ(basic.rolling.friction, 0);
    const auto object = params_of<laws::SolverObject>("solver_object", {});
    EXPECT_EQ(object.tangential.friction, 1);
    EXPECT_EQ(object.tangential.kt, 1);
    EXPECT_EQ(object.rolling.friction, 0.0005);
    const laws::Stiction hold = laws::SolverObject::stiction(object);
    EXPECT_EQ(hold.mu_q, 1);
    EXPECT_EQ(hold.k_s, 1);
    EXPECT_EQ(hold.k_tau, 0.1);
    EXPECT_EQ(hold.t_q, 0.001);
}

TEST(Solver, BasicFrictionIsViscousUpToCoulomb) {
    const auto p = params_of<laws::SolverBasic>("solver_basic", {{"young", 1e7}, {"mu_s", 0.5}, {"k_t", 2}});
    for (const double slip : {0.01, 0.1, 3.0}) {
        const auto r = laws::SolverBasic::respond(sliding(1e-4, 0, slip), p, {{}, 0.01}, instant, instant);
        const double limit = -0.5 * r.force.x;
        EXPECT_NEAR(r.force.y, std::min(limit, 2 * slip), 1e-12);
        EXPECT_EQ(r.slips, 2 * slip > limit);
        EXPECT_NEAR(r.sliding + r.tangential_damping, r.force.y * slip, 1e-12);
    }
}

TEST(Solver, StaticFrictionGrowsWithThePathWhicheverWayItWent) {
    const auto p = params_of<laws::SolverStatic>("solver_static", {{"young", 1e7}, {"mu_s", 0.5}, {"k_t", 1e4}});
    laws::SolverStatic::History<double> history{};
    double path = 0;
    for (int k = 0; k < 100; ++k) {  // back and forth
        const double slip = k % 2 == 0 ? 0.1 : -0.05;
        const auto r = laws::SolverStatic::respond(sliding(1e-4, 0, slip), p, history, 1e-6, instant);
        const double at = path + 0.5e-6 * std::abs(slip);
        EXPECT_NEAR(r.force.y, (slip > 0 ? 1 : -1) * std::min(-0.5 * r.force.x, 1e4 * at), 1e-12);
        path += 1e-6 * std::abs(slip);
        history = r.history;
        EXPECT_NEAR(history.tangential.path, path, 1e-18);
    }
}

TEST(Solver, DampedFrictionSaturatesAtTheReach) {
    for (const double gamma : {1.5, 0.5, 1.0}) {
        const auto p =
            params_of<laws::SolverDamped>("solver_damped", {{"young", 1e7}, {"mu_s", 0.4}, {"gamma", gamma}});
        const double reach = 0.4 * (2 - 0.3) / (2 * (1 - 0.3)) * 1e-4;
        const double limit = -0.4 * laws::SolverDamped::respond(head_on(1e-4), p, {}, instant, instant).force.x;
        for (const double part : {0.01, 0.3, 0.9, 1.0, 2.0}) {
            const laws::SolverDamped::History<double> history{{{0, part * reach, 0}, limit, reach}, 0.01};
            const auto r = laws::SolverDamped::respond(head_on(1e-4), p, history, 0.0, 1e-6);
            EXPECT_NEAR(r.force.y / limit, 1 - std::pow(1 - std::min(part, 1.0), gamma), 1e-10) << part;
        }
    }
}

TEST(Solver, DampedFrictionHasTheTangentStiffnessTimesKtOfDamping) {
    const double kt = 1e-6;
    const auto p = params_of<laws::SolverDamped>("solver_damped", {{"young", 1e7}, {"mu_s", 0.4}, {"k_t", kt}});
    const double reach = 0.4 * 1.7 / 1.4 * 1e-4;
    const auto still = laws::SolverDamped::respond(head_on(1e-4), p, {}, instant, instant);
    const double limit = -0.4 * still.force.x;
    for (const double part : {0.0, 0.5, 0.9}) {
        const laws::SolverDamped::History<double> history{{{0, part * reach, 0}, limit, reach}, 0.01};
        const double tangent = 1.5 * limit / reach * std::sqrt(1 - part);
        const auto at_rest = laws::SolverDamped::respond(head_on(1e-4), p, history, 0.0, 1e-6);
        const auto moving = laws::SolverDamped::respond(sliding(1e-4, 0, 0.1), p, history, 0.0, 1e-6);
        EXPECT_NEAR((moving.force.y - at_rest.force.y) / (kt * tangent * 0.1), 1, 1e-9);
    }
}

TEST(Solver, ADampedSpringUnderAChangingLoadNeverGains) {
    // Displaced, then pressed harder or less, and let go: the energy is never more than the work that went in.
    base::Random random(22, 0);
    const auto p = params_of<laws::SolverDamped>("solver_damped", {{"young", 1e7}, {"mu_s", 0.8}});
    int tested = 0;
    for (int k = 0; k < 2000; ++k) {
        laws::SolverDamped::History<double> history{};
        history.age = 0.01;
        double work = 0;
        double x = 1e-4;
        for (int step = 0; step < 50; ++step) {
            const double slip = random.uniform(-1, 1) * 0.2;
            x *= random.uniform(0.8, 1.25);
            const double dt = 1e-6;
            const auto r = laws::SolverDamped::respond(sliding(x, random.uniform(-0.1, 0.1), slip), p, history, dt, dt);
            const double held = laws::SolverDamped::released(p, history);
            history = r.history;
            work += r.force.y * slip * dt;
            const double now = laws::SolverDamped::released(p, history);
            EXPECT_LT(now, held + r.force.y * slip * dt + 1e-3 * std::abs(r.force.y * slip * dt) + 1e-15);
            ++tested;
        }
        EXPECT_LT(laws::SolverDamped::released(p, history), work + 1e-12);
    }
    EXPECT_EQ(tested, 100000);
}

TEST(Solver, SpinIsResistedByALengthTimesTheForceOrInProportion) {
    auto contact = head_on(1e-4);
    contact.spin = {3, -4, 0};
    const auto p = params_of<laws::SolverStatic>("solver_static", {{"young", 1e7}, {"mu_r", 1e-4}});
    const auto r = laws::SolverStatic::respond(contact, p, {}, instant, instant);
    EXPECT_LT(norm(r.moment - Vec3d{-0.6, 0.8, 0} * (1e-4 * -r.force.x)), 1e-15);
    const auto object = params_of<laws::SolverObject>("solver_object", {{"mu_tau", 2e-4}});
    const auto s = laws::SolverObject::respond(contact, object, {}, instant, instant);
    EXPECT_LT(norm(s.moment - contact.spin * (-2e-4 * -s.force.x)), 1e-13);
    // Over a long step only a part of the spin is taken.
    const auto longest = laws::SolverStatic::respond(contact, p, {}, 1.0, 1.0);
    EXPECT_LT(norm(longest.moment + contact.spin * (0.05 * contact.inertia)), 1e-15);
}

}  // namespace
}  // namespace talus::tests
