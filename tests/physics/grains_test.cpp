// Grains of many spheres as the papers have them: POLY's cavity, SOLVER's piles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/gallery.h"
#include "talus/simulation/order.h"
#include "talus/simulation/simulation.h"

namespace talus::tests {
namespace {

TEST(Cavity, HasAnEnergyErrorOfTheSquareOfTheStepThatComesBack) {
    simulation::OrderOptions options;
    options.halvings = 4;
    options.samples = 300;
    options.until = 3e-3;
    const simulation::OrderStudy study = simulation::study_order(
        [](const std::vector<std::string>& more) { return gallery("cavity.toml", more); }, options);
    EXPECT_GT(study.energy_order, 1.9);  // as asked for: 1.9 to 2.1 over four halvings
    EXPECT_LT(study.energy_order, 2.1);
    EXPECT_GT(study.trajectory_order, 1.8);
    for (std::size_t k = 0; k < study.step.size(); ++k) {
        // Between the first impacts, up to 2.6 ms, and the end all grains fly.
        EXPECT_LT(std::abs(study.energy[k].back()), 0.3 * study.wrong[k]) << study.step[k];
    }
}

struct Taken {
    std::int64_t accepted = 0, rejected = 0;
    double height = 0;  // m, of the highest grain
};

/// A small pile, from a funnel of its size.
Taken pile(const std::vector<std::string>& more) {
    std::vector<std::string> settings = {"fill.0.count=60",
                                         "time.end=14",
                                         "walls.cone.shape.cylinder.from=[0, 0, 14]",
                                         "walls.cone.shape.cylinder.to=[0, 0, 26]",
                                         "walls.cone.shape.cylinder.radius_from=13",
                                         "walls.cone.shape.cylinder.radius_to=16",
                                         "walls.barrel.shape.cylinder.from=[0, 0, 26]",
                                         "walls.barrel.shape.cylinder.radius=16"};
    settings.insert(settings.end(), more.begin(), more.end());
    simulation::Simulation run(gallery("pile.toml", settings), {1, 0});
    while (!run.finished()) {
        run.step();
    }
    Taken out{run.system().integration_state.accepted, run.system().integration_state.rejected, 0};
    for (const math::Vec3d& x : run.system().bodies.position) {
        out.height = std::max(out.height, x.z);
    }
    return out;
}

TEST(Pile, NeedsFewerStepsOfRkf45ThanOfRk23AndMoreOfAFinerTolerance) {
    const Taken coarse = pile({"integration.tolerance=0.05"});
    const Taken fine = pile({"integration.tolerance=0.005"});
    const Taken low_order = pile({"integration.tolerance=0.05", "integration.method=\"rk23\""});
    EXPECT_LT(coarse.accepted, fine.accepted);
    EXPECT_LT(coarse.accepted, low_order.accepted);
    EXPECT_LT(coarse.rejected, fine.rejected);
}

TEST(Pile, StandsWithFrictionAndSpreadsWithout) {
    const Taken rough = pile({});
    const Taken smooth = pile({"contacts.0.mu_s=0", "contacts.0.mu_r=0"});
    EXPECT_GT(rough.height, 1.3 * smooth.height);
}

}  // namespace
}  // namespace talus::tests
