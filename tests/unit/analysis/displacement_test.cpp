// Mean-square displacements of straight flights and random walks, across periodic borders.
#include "talus/analysis/displacement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "normal_numbers.h"

namespace talus::analysis {
namespace {

/// Grains in a box that is periodic along x and y.
struct Walkers {
    model::System system;
    base::Random random{53, 0};

    explicit Walkers(int grains) {
        system.domain.low = {0, 0, 0};
        system.domain.high = {2, 3, 5};
        system.domain.periodic = {true, true, false};
        for (int i = 0; i < grains; ++i) {
            const math::Vec3d at = {random.uniform(0, 2), random.uniform(0, 3), random.uniform(0, 5)};
            system.bodies.add_sphere(3 * i, at, 0.01, 1000, 0);
        }
    }
    void move(std::size_t i, const math::Vec3d& step) {
        math::Vec3d& x = system.bodies.position[i];
        x += step;
        x.x -= 2 * std::floor(x.x / 2);
        x.y -= 3 * std::floor(x.y / 3);
    }
};

model::MeasureSpec spec_of_displacement() {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::displacement;
    return spec;
}

TEST(Displacement, OfStraightFlightsAcrossBorders) {
    Walkers walkers(100);
    Displacement measure(spec_of_displacement());
    const math::Vec3d step = {0.9, -1.4, 2.5};  // just below half a period
    const int steps = 40;
    for (int k = 0; k <= steps; ++k) {
        measure.sample({walkers.system, {}, 10 + 0.5 * k});
        for (std::size_t i = 0; i < 100; ++i) {
            walkers.move(i, i % 2 == 0 ? step : math::Vec3d{-step.x, step.y, step.z});
        }
    }
    const double n2 = steps * steps;
    EXPECT_EQ(measure.columns().at(0).name, "displacement.msd");
    EXPECT_NEAR(measure.values().at(0), n2 * norm2(step), 1e-8);
    EXPECT_NEAR(measure.values().at(1), n2 * step.x * step.x, 1e-8);
    EXPECT_NEAR(measure.values().at(2), n2 * step.y * step.y, 1e-8);
    EXPECT_NEAR(measure.values().at(3), n2 * step.z * step.z, 1e-8);
    EXPECT_NEAR(measure.values().at(4), steps * std::hypot(step.y, step.z), 1e-9) << "x cancels";
    // Half the slope of v^2 t^2 between 10 s and 20 s is at 15 s.
    EXPECT_NEAR(measure.diffusion().value, norm2(step) / 0.25 * 2 * 15 / 6, 1e-6);
}

TEST(Displacement, OfARandomWalk) {
    const int grains = 1000;
    const int steps = 200;
    const double dt = 0.25;
    const double sigma = 0.1;  // m a step and axis
    Walkers walkers(grains);
    Displacement measure(spec_of_displacement());
    for (int k = 0; k <= steps; ++k) {
        measure.sample({walkers.system, {}, dt * k});
        for (std::size_t i = 0; i < grains; ++i) {
            walkers.move(i, normal_vector(walkers.random) * sigma);
        }
    }
    const double expected = 3 * sigma * sigma * steps;
    EXPECT_NEAR(measure.values().at(0), expected, 4 * expected * std::sqrt(2.0 / (3 * grains)));
    const Estimate d = measure.diffusion();
    const double diffusion = sigma * sigma / (2 * dt);
    EXPECT_NEAR(d.value, diffusion, 4 * d.error);
    EXPECT_GT(d.error, 0.01 * diffusion) << "a thousand walkers do not know it better";
    EXPECT_LT(d.error, 0.1 * diffusion);
    EXPECT_EQ(measure.text().rfind("displacement: mean square ", 0), 0U) << measure.text();
    EXPECT_NE(measure.text().find("after 50 s, diffusion "), std::string::npos) << measure.text();
}

TEST(Displacement, FollowsThoseOfTheStart) {
    Walkers walkers(30);
    walkers.system.bodies.flags[7] = model::position_held;
    Displacement measure(spec_of_displacement());
    measure.sample({walkers.system, {}, 0});
    EXPECT_EQ(measure.values().at(0), 0);
    std::vector<char> keep(30, 1);
    keep[0] = keep[12] = 0;
    walkers.system.bodies.compact(keep);
    for (std::size_t i = 0; i < 28; ++i) {
        walkers.move(i, {0, 0, 1});
    }
    walkers.system.bodies.add_sphere(1000, {}, 0.01, 1000, 0);
    measure.sample({walkers.system, {}, 1});
    EXPECT_NEAR(measure.values().at(0), 1, 1e-12);
    EXPECT_EQ(measure.text(), "displacement: mean square 1 m2 after 1 s (27 grains, 2 lost)");
    EXPECT_TRUE(std::isnan(measure.diffusion().value)) << "two points make no slope";
}

}  // namespace
}  // namespace talus::analysis
