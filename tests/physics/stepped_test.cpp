// Time-stepped hard grains as a scene: the Couette cell in small, what the change of AHS is for, and packs at rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/gallery.h"
#include "talus/simulation/simulation.h"

namespace talus::tests {
namespace {

using math::Vec3d;

/// Radii: mean over all pairs that overlap of how much they do, weighted by all grains.
double mean_overlap(const model::Bodies& bodies) {
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
            const double overlap = bodies.radius[i] + bodies.radius[j] - norm(bodies.position[j] - bodies.position[i]);
            sum += overlap > 0 ? overlap / std::min(bodies.radius[i], bodies.radius[j]) : 0;
        }
    }
    return sum / static_cast<double>(bodies.size());
}

/// The Couette cell of the gallery in small and with longer steps.
scene::Scene cell(double fraction) {
    return gallery("couette.toml",
                   {"time={ end = 6, step = 1e-3 }", "walls.inner.shape={ circle = { center = [0, 0], radius = 8 } }",
                    "walls.outer.shape={ circle = { center = [0, 0], radius = 20 } }",
                    "fill.0.circle={ radius = 20, hole = 8 }", fmt::format("fill.0.pack.fraction={}", fraction),
                    "measure.0.radial={ inner = 8, outer = 20, bins = 6, after = 3 }"});
}

struct CellResult {
    double proxy = 0;
    analysis::Table profile;

    double at(std::size_t row, const std::string& name) const {
        for (std::size_t k = 0; k < profile.columns.size(); ++k) {
            if (profile.columns[k].name == name) {
                return profile.rows[row][k];
            }
        }
        return std::nan("");
    }
};

CellResult shear(double fraction) {
    simulation::Simulation run(cell(fraction), {1, 0});
    while (!run.finished()) {
        run.step(50);
        run.sample_measures();
    }
    EXPECT_LT(std::abs(run.balance().relative()), 1e-9);
    const analysis::Measure& radial = *run.measures().front();
    return {radial.summary()[0].value, radial.tables()[0]};
}

TEST(SteppedCouette, StressRisesWithPackingAndTheInsideIsLoose) {
    const CellResult loose = shear(0.70);
    const CellResult dense = shear(0.82);
    EXPECT_GT(dense.proxy, 10 * loose.proxy);
    for (const CellResult* result : {&loose, &dense}) {
        EXPECT_LT(result->at(0, "packing"), result->at(3, "packing"));
        EXPECT_GT(result->at(0, "angular_velocity"), 3 * std::abs(result->at(3, "angular_velocity")));
        // Below jamming grains go where their velocities say.
        EXPECT_NEAR(result->at(1, "angular_velocity_moved"), result->at(1, "angular_velocity"), 0.02);
    }
    EXPECT_GT(dense.at(2, "stress_rr"), 0);
}

/// Discs that fall onto a floor.
struct Bed {
    const char* collide = "ahead";
    const char* step = "0.1 ms";
    const char* contact = "restitution = 0.5\nfriction = 0.5";
    double fraction = 0.8, height = 0.08;  // of the fill
};

simulation::Simulation fall(const Bed& bed) {
    const std::string text = fmt::format(R"(
engine = "stepped"
stepping = {{ collide = "{}" }}
dimensions = 2
time = {{ end = "5 s", step = "{}" }}
gravity.uniform = [0, -9.81]
materials.disc = {{ density = 1000 }}
[[contacts]]
between = ["disc", "disc"]
law = "impact"
{}
[[walls]]
name = "floor"
shape = {{ plane = {{ point = [0, 0], normal = [0, 1] }} }}
material = "disc"
[[fill]]
material = "disc"
radius = {{ uniform = {{ low = "4 mm", high = "6 mm" }} }}
pack = {{ fraction = {} }}
box = {{ low = [0, 0], high = [0.3, {}] }}
[domain]
low = [0, "open"]
high = [0.3, "open"]
periodic = ["x"]
[[measure]]
center_of_mass = {{}}
)",
                                         bed.collide, bed.step, bed.contact, bed.fraction, bed.height);
    return simulation::Simulation(scene::load_text(text, "bed"), {1, 0});
}

/// What AHS changes: grains that collide only once they overlap, and lose energy only once, stay inside one another.
TEST(SteppedVariants, OnlyTheOriginalOneLeavesGrainsInsideOneAnother) {
    const auto overlap_left = [](const char* collide) {
        simulation::Simulation run = fall({collide, "0.2 ms", "restitution = 0.6", 0.5, 0.06});
        run.step(5000);
        return mean_overlap(run.system().bodies);
    };
    const double ahead = overlap_left("ahead");
    const double original = overlap_left("overlapping");
    EXPECT_LT(ahead, 0.01);
    EXPECT_GT(original, 5 * ahead);
}

/// A minute of 2,000 discs is in docs/stepped.md; here fewer, for two seconds, by their centre of mass: the top of so
/// few is one disc.
TEST(SteppedPack, KeepsItsHeight) {
    simulation::Simulation run = fall({});
    run.step(5000);
    run.sample_measures();
    const double before = run.measures().front()->values()[1];
    run.step(15'000);
    run.sample_measures();
    EXPECT_NEAR(run.measures().front()->values()[1], before, 0.01 * before);
}

}  // namespace
}  // namespace talus::tests
