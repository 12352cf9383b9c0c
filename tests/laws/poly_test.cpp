// POLY's law (Sect. 5) against its closed forms.
#include "talus/laws/poly.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/collision_run.h"

namespace talus::tests {
namespace {

laws::Poly::Params poly_of(double young, double poisson, double restitution, double friction = 0, double nu = 0) {
    const auto law = derived({"poly",
                              {{"young", young},
                               {"poisson", poisson},
                               {"restitution", restitution},
                               {"friction.static", friction},
                               {"slip_speed", nu}}});
    return law.block.as<laws::Poly::Params>();
}
auto answer(const laws::Kinematics<double>& contact, const laws::Poly::Params& params) {
    return laws::Poly::respond(contact, params, {{}, 0.01}, 1e-9, 1e-9);
}

TEST(Poly, ForceIsEq57WithHarmonicMeans) {
    const double young = 5e8;
    const double poisson = 0.3;
    const double mean = young / (1 - poisson * poisson);  // of two equal values
    for (const double radius_j : {0.01, 0.002, 1e9}) {    // the last as good as a wall
        const double curvature = 1 / 0.01 + 1 / radius_j;
        const double r = 2 * 0.01 * radius_j / (0.01 + radius_j);
        for (const double x : {1e-6, 1e-4}) {
            auto contact = head_on(x, -1);
            contact.curvature = curvature;
            const double expected = std::sqrt(2.0) / 3 * mean * std::sqrt(r) * std::pow(x, 1.5);
            const auto in = answer(contact, poly_of(young, poisson, 0.6));
            EXPECT_NEAR(-in.force.x / expected, 1, 1e-12);
            EXPECT_NEAR(in.stored_normal / (0.4 * expected * x), 1, 1e-12);
            EXPECT_EQ(in.normal_damping, 0);
            contact.opening = 2;
            const auto out = answer(contact, poly_of(young, poisson, 0.6));
            EXPECT_NEAR(-out.force.x / (0.36 * expected), 1, 1e-12);
            EXPECT_NEAR(out.normal_damping / (0.64 * expected * 2), 1, 1e-6);  // corrected for the step
        }
    }
}

TEST(Poly, RestitutionIsTheRootOfDeltaAtEverySpeed) {
    for (const double e : {1.0, 0.9, 0.5, 0.1}) {
        for (const double speed : {0.01, 1.0, 10.0}) {
            const DerivedLaw law = derived({"poly", {{"young", 1e8}, {"restitution", e}}});
            const double time = law.info().collision_time(law.block, 0.002, 0.005, speed);
            const Collision c = collide(law, meeting(speed, time / 4000), time / 4000);
            ASSERT_TRUE(c.parted);
            EXPECT_NEAR(parting_speed(c) / speed, e, 1e-3);
            EXPECT_NEAR(c.deepest / law.info().largest_overlap(law.block, 0.002, 0.005, speed), 1, 1e-5);
            // Half of an elastic collision in, and more slowly out.
            EXPECT_NEAR(c.duration / (0.5 * time * (1 + 1 / e)), 1, 2e-3);
        }
    }
}

TEST(Poly, FrictionIsEq53) {
    struct Row {
        double slip, nu, part;
    };
    for (const Row& row : {Row{0.1, 0.1, 0.5}, Row{0.3, 0.1, 0.75}, Row{1e-3, 0.1, 1e-3 / 0.101}, Row{2, 0, 1}}) {
        auto contact = head_on(1e-5, -0.1);
        contact.slip = {0, 0, row.slip};
        const auto r = answer(contact, poly_of(1e7, 0.25, 0.8, 0.4, row.nu));
        EXPECT_NEAR(r.force.z, -0.4 * r.force.x * row.part, 1e-12);
        EXPECT_NEAR(r.sliding, r.force.z * row.slip, 1e-12);
        EXPECT_EQ(r.stored_tangential, 0);
    }
    // No slip, no force, whatever nu.
    const auto still = answer(head_on(1e-5, -0.1), poly_of(1e7, 0.25, 0.8, 0.4, 0));
    EXPECT_EQ(still.couple, Vec3d{});
}

TEST(Poly, FrictionNeverTurnsTheSlipRoundInAStep) {
    auto contact = head_on(1e-3, 0);
    contact.slip = {0, 1e-6, 0};
    const double step = 1e-4;
    const auto r = laws::Poly::respond(contact, poly_of(1e9, 0.25, 1, 1, 0), {{}, 0.01}, step, step);
    EXPECT_NEAR(r.force.y * 3.5 / 0.002 * step, 0.05e-6, 1e-15);  // of the slip, for spheres
}

}  // namespace
}  // namespace talus::tests
