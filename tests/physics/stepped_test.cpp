// Time-stepped hard grains as a scene: the Couette cell in small, what the change of AHS is for, and packs at rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "physics/gallery.h"
#include "restart/same_run.h"
#include "talus/simulation/run.h"
#include "talus/simulation/simulation.h"
#include "temporary_folder.h"

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

/// Of 1,300 discs: loops take all threads from 512 on.
scene::Scene wide_cell() {
    return gallery("couette.toml",
                   {"time={ end = 0.4, step = 1e-3 }", "output={ series = 0.1 }",
                    "walls.inner.shape={ circle = { center = [0, 0], radius = 20 } }",
                    "walls.outer.shape={ circle = { center = [0, 0], radius = 45 } }",
                    "fill.0.circle={ radius = 45, hole = 20 }", "fill.0.pack.fraction=0.82",
                    "measure.0.radial={ inner = 20, outer = 45, bins = 5, after = 0.1 }", "measure.0.interval=0.01"});
}

TEST(SteppedCouette, HasTheSameBitsForAnyNumberOfThreadsAndAfterAStop) {
    const TemporaryFolder folder;
    simulation::RunOptions stopping = options(2);
    stopping.stop_after = 155;
    const simulation::RunResult one = simulation::Run(wide_cell(), folder / "1", options(1)).go();
    ASSERT_TRUE(one.finished);
    for (const int threads : {2, 3}) {
        const auto name = std::to_string(threads);
        const simulation::RunResult other = simulation::Run(wide_cell(), folder / name, options(threads)).go();
        EXPECT_EQ(other.manifest.state_hash, one.manifest.state_hash) << threads << " threads";
        EXPECT_EQ(contents(folder / name / "radial.csv"), contents(folder / "1/radial.csv"));
    }
    ASSERT_FALSE(simulation::Run(wide_cell(), folder / "parts", stopping).go().finished);
    const simulation::RunResult parts = simulation::Run::resume(folder / "parts", options(1))->go();
    EXPECT_EQ(parts.manifest.state_hash, one.manifest.state_hash);
    EXPECT_EQ(contents(folder / "parts/radial.csv"), contents(folder / "1/radial.csv"));
    EXPECT_EQ(contents(folder / "parts/series.csv"), contents(folder / "1/series.csv"));
}

/// Discs that fall onto a floor.
struct Bed {
    const char* collide = "ahead";
    const char* step = "0.1 ms";
    const char* contact = "law = \"impact\"\nrestitution = 0.5\nfriction = 0.5";
    double fraction = 0.8, height = 0.08;  // of the fill
    double side = 0.3;                     // m
    const char* end = "5 s";
    bool soft = false;

    std::string top() const {
        return soft ? "engine = \"soft\""
                    : fmt::format("engine = \"stepped\"\nstepping = {{ collide = \"{}\" }}", collide);
    }
};

double value_of(const analysis::Measure& measure, const std::string& name) {
    const auto columns = measure.columns();
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k].name.ends_with(name)) {
            return measure.values()[k];
        }
    }
    ADD_FAILURE() << "no column " << name;
    return 0;
}

simulation::Simulation fall(const Bed& bed) {
    const std::string text =
        fmt::format(R"(
{}
dimensions = 2
time = {{ end = "{}", step = "{}" }}
gravity.uniform = [0, -9.81]
materials.disc = {{ density = 1000 }}
[[contacts]]
between = ["disc", "disc"]
{}
[[walls]]
name = "floor"
shape = {{ plane = {{ point = [0, 0], normal = [0, 1] }} }}
material = "disc"
[[fill]]
material = "disc"
radius = {{ uniform = {{ low = "4 mm", high = "6 mm" }} }}
pack = {{ fraction = {} }}
box = {{ low = [0, 0], high = [{}, {}] }}
[domain]
low = [0, "open"]
high = [{}, "open"]
periodic = ["x"]
[[measure]]
center_of_mass = {{}}
[[measure]]
height = {{}}
[[measure]]
stress = {{ box = {{ low = [0, 0], high = [{}, 0.1] }} }}
)",
                    bed.top(), bed.end, bed.step, bed.contact, bed.fraction, bed.side, bed.height, bed.side, bed.side);
    return simulation::Simulation(scene::load_text(text, "bed"), {1, 0});
}

/// What AHS changes: grains that collide only once they overlap, and lose energy only once, stay inside one another.
TEST(SteppedVariants, OnlyTheOriginalOneLeavesGrainsInsideOneAnother) {
    const auto overlap_left = [](const char* collide) {
        simulation::Simulation run = fall({collide, "0.2 ms", "law = \"impact\"\nrestitution = 0.6", 0.5, 0.06});
        run.step(5000);
        return mean_overlap(run.system().bodies);
    };
    const double ahead = overlap_left("ahead");
    const double original = overlap_left("overlapping");
    EXPECT_LT(ahead, 0.01);
    EXPECT_GT(original, 5 * ahead);
}

/// Fewer discs, for two seconds, by their centre of mass: the top of so few is one disc.
TEST(SteppedPack, KeepsItsHeight) {
    simulation::Simulation run = fall({});
    run.step(5000);
    run.sample_measures();
    const double before = run.measures().front()->values()[1];
    run.step(15'000);
    run.sample_measures();
    EXPECT_NEAR(run.measures().front()->values()[1], before, 0.01 * before);
}

/// The pack of docs/stepped.md, 2,005 discs for a minute: a quarter of an hour.
TEST(SteppedPack, FullKeepsItsHeightForAMinute) {
    Bed bed;
    bed.side = 1.6;
    bed.height = 0.124;
    bed.end = "61 s";
    simulation::Simulation run = fall(bed);
    ASSERT_GE(run.grains(), 2000U);
    run.step(10'000);
    const auto look = [&] {
        run.sample_measures();
        return std::pair{run.measures()[0]->values()[1], run.measures()[1]->values()[0]};
    };
    const auto [centre, top] = look();
    while (!run.finished()) {
        run.step(10'000);
        const auto [lies, reaches] = look();
        EXPECT_NEAR(lies, centre, 0.01 * centre) << run.time();
        EXPECT_NEAR(reaches, top, 0.01 * top) << run.time();
    }
    EXPECT_GE(run.time(), 61 - 1e-6);
    std::printf("height %.4f m at 1 s, %.4f m at 61 s\n", top, run.measures()[1]->values()[0]);
}

/// What a bed weighs passes through it: by the virial theorem the sum of force times branch along the vertical is that
/// of weight times height, told by the forces of soft discs as by the impulses of stepped ones.
TEST(StressOfABed, IsItsWeightByForcesAndByImpulses) {
    const std::string soft =
        "law = \"hooke\"\nkn = 1e6\nkt = \"1/3 kn\"\nrestitution = 0.5\nfriction = { static = 0.5 }";
    for (const bool stepped : {true, false}) {
        Bed bed;
        bed.height = 0.03;
        if (!stepped) {
            bed.soft = true;
            bed.contact = soft.c_str();
            bed.step = "20 us";
        }
        simulation::Simulation run = fall(bed);
        const auto steps = [&](double time) { return static_cast<std::int64_t>(std::lround(time / run.clock().step)); };
        run.step(steps(1.0));
        run.sample_measures();
        double stress = 0;
        double weight = 0;
        constexpr int looks = 20;
        for (int look = 0; look < looks; ++look) {
            run.step(steps(0.01));
            run.sample_measures();
            const model::Bodies& b = run.system().bodies;
            const analysis::Measure& measure = *run.measures()[2];
            stress +=
                (value_of(measure, ".yy") + value_of(measure, "kinetic_yy")) * 0.3 * 0.1 / looks;  // times the area
            for (std::size_t i = 0; i < b.size(); ++i) {
                weight += b.mass[i] * 9.81 * b.position[i].y / looks;
            }
        }
        std::printf("%s: vertical stress times area %.4f J, weight times height %.4f J\n", stepped ? "stepped" : "soft",
                    stress, weight);
        EXPECT_NEAR(stress / weight, 1, 0.02);
    }
}

}  // namespace
}  // namespace talus::tests
