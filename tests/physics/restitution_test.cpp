// Two spheres meeting head-on come apart with the restitution asked for, whatever the phase of the first contact.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ostream>

#include "physics/two_body.h"

namespace talus::tests {
namespace {

struct Spread {
    double rms = 0, worst = 0;
    double ledger = 0;      // greatest error of the energy ledger at any instant, of the initial energy
    double ledger_end = 0;  // and after the collision
};

/// Restitution errors over 200 phases of the first contact.
Spread restitution_errors(const std::string& law, double restitution, double mass_ratio, double step_fraction) {
    constexpr int phases = 200;
    constexpr double radius = 0.01;
    const double other_radius = radius * std::cbrt(mass_ratio);
    const laws::ParameterValues values =
        law == "hooke" ? laws::ParameterValues{{"kn", 8e4}, {"restitution", restitution}}
                       : laws::ParameterValues{{"young", 1e8}, {"poisson", 0.25}, {"restitution", restitution}};
    Spread spread;
    double sum2 = 0;
    for (int phase = 0; phase < phases; ++phase) {
        model::System system = make_system(law, values, 0);
        add_sphere(system, {}, radius, {0.5, 0, 0});
        add_sphere(system, {}, other_radius, {-0.5, 0, 0});
        const double m0 = system.bodies.mass[0];
        const double m1 = system.bodies.mass[1];
        const double reduced = m0 * m1 / (m0 + m1);
        const double curvature_radius = radius * other_radius / (radius + other_radius);
        const double duration = collision_time(system, reduced, curvature_radius, 1.0);
        system.clock.step = duration / 50 * step_fraction;
        // The first contact falls between two steps, at a fraction of a step given by the phase.
        const double gap = (3 + phase / static_cast<double>(phases)) * system.clock.step;
        system.bodies.position[1] = {radius + other_radius + gap, 0, 0};
        engines::soft::Engine engine(system, {}, false);
        const double start = ledger_total(system, engine);
        const double energy = kinetic_energy(system);
        const auto steps = static_cast<int>(4 * duration / system.clock.step);
        for (int k = 0; k < steps; ++k) {
            engine.step();
            spread.ledger = std::max(spread.ledger, std::abs(ledger_total(system, engine) - start) / energy);
        }
        spread.ledger_end = std::max(spread.ledger_end, std::abs(ledger_total(system, engine) - start) / energy);
        const double measured = system.bodies.velocity[1].x - system.bodies.velocity[0].x;
        const double error = measured - restitution;
        sum2 += error * error;
        spread.worst = std::max(spread.worst, std::abs(error));
    }
    spread.rms = std::sqrt(sum2 / phases);
    return spread;
}

struct Case {
    const char* law;
    double restitution, mass_ratio;
};
void PrintTo(const Case& c, std::ostream* out) {
    *out << c.law << " e = " << c.restitution << " ratio " << c.mass_ratio;
}

class Restitution : public testing::TestWithParam<Case> {};

TEST_P(Restitution, IsTheOneAskedForAtTheSuggestedStepAndTenTimesBetterAtATenth) {
    const Case& c = GetParam();
    const Spread whole = restitution_errors(c.law, c.restitution, c.mass_ratio, 1.0);
    const Spread tenth = restitution_errors(c.law, c.restitution, c.mass_ratio, 0.1);
    std::printf("%s e=%.2f ratio %g: rms %.5f worst %.5f ledger %.2e end %.2e; tenth rms %.6f worst %.6f ledger %.2e\n",
                c.law, c.restitution, c.mass_ratio, whole.rms, whole.worst, whole.ledger, whole.ledger_end, tenth.rms,
                tenth.worst, tenth.ledger);
    EXPECT_LT(whole.rms, 0.005);
    EXPECT_LT(whole.worst, 0.02);
    EXPECT_LT(tenth.rms, 0.0005);
    EXPECT_LT(tenth.worst, 0.002);
    // The ledger's error is of second order in the step. In the middle of a collision at the suggested step it holds
    // the leapfrog's own swing too, (w h)^2/4 of the energy, which is gone when the grains part.
    EXPECT_LT(whole.ledger, 1e-3);
    EXPECT_LT(whole.ledger_end, 5e-4);
    EXPECT_LT(tenth.ledger, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Hooke, Restitution,
                         testing::Values(Case{"hooke", 0.1, 1}, Case{"hooke", 0.2, 1}, Case{"hooke", 0.3, 1},
                                         Case{"hooke", 0.5, 1}, Case{"hooke", 0.7, 1}, Case{"hooke", 0.8, 1},
                                         Case{"hooke", 0.9, 1}, Case{"hooke", 1.0, 1}, Case{"hooke", 0.1, 1000},
                                         Case{"hooke", 0.5, 1000}, Case{"hooke", 0.8, 30}, Case{"hooke", 1.0, 1000}));
INSTANTIATE_TEST_SUITE_P(Hertz, Restitution,
                         testing::Values(Case{"hertz", 0.1, 1}, Case{"hertz", 0.3, 1}, Case{"hertz", 0.5, 1},
                                         Case{"hertz", 0.8, 1}, Case{"hertz", 1.0, 1}, Case{"hertz", 0.5, 1000}));

}  // namespace
}  // namespace talus::tests
