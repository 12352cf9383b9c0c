// Dense random packs: as many grains as the fraction asks for, off the walls and clear of each other, or told by how
// much they are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "fault_table.h"
#include "talus/model/solid.h"

namespace talus::scene {
namespace {

std::string materials() {
    return R"([time]
end = 1
[materials.grain]
density = 1000
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 8e4
restitution = 0.8
)";
}

/// The Couette cell of AHS.
std::string couette(double fraction, int outer = 90) {
    return "dimensions = 2\n" + materials() + R"([[walls]]
name = "inner"
shape = { circle = { radius = 30 } }
material = "grain"
[[walls]]
name = "outer"
shape = { circle = { radius = )" +
           std::to_string(outer) + R"( } }
material = "grain"
[[fill]]
material = "grain"
radius = { uniform = { low = 0.8, high = 1.2 } }
inside = "outer"
outside = "inner"
pack = { fraction = )" +
           std::to_string(fraction) + " }\n";
}

double solid(const model::System& system) {
    double sum = 0;
    for (const double r : system.bodies.radius) {
        sum += model::solid_volume(system.domain.dimensions, r);
    }
    return sum;
}

/// The largest overlap by brute force, in radii of the smaller grain.
double largest_overlap(const model::System& system) {
    const model::Bodies& b = system.bodies;
    double worst = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            Vec3d d = b.position[i] - b.position[j];
            for (int k = 0; k < 3; ++k) {
                if (system.domain.periodic[static_cast<std::size_t>(k)]) {
                    const double period = system.domain.size()[k];
                    d[k] -= period * std::floor(d[k] / period + 0.5);
                }
            }
            const double touch = b.radius[i] + b.radius[j];
            if (norm2(d) < touch * touch) {
                worst = std::max(worst, (touch - norm(d)) / std::min(b.radius[i], b.radius[j]));
            }
        }
    }
    return worst;
}

TEST(Pack, FillsTheCouetteCellBelowRandomClosePackingWithoutOverlap) {
    const double area = std::numbers::pi * (90 * 90 - 30 * 30);
    for (const double fraction : {0.70, 0.80}) {
        const Scene scene = load_text(couette(fraction), "s.toml");
        std::printf("%s", scene.warnings.text().c_str());
        EXPECT_NEAR(solid(scene.system) / area, fraction, 2e-4);
        EXPECT_LE(largest_overlap(scene.system), 1e-9);
        const model::Bodies& b = scene.system.bodies;
        for (std::size_t i = 0; i < b.size(); ++i) {
            const double rho = norm(b.position[i]);
            EXPECT_TRUE(rho - b.radius[i] >= 30 && rho + b.radius[i] <= 90);
            EXPECT_EQ(b.position[i].z, 0);
        }
        EXPECT_NE(scene.warnings.text().find("note: fill[0]: packed"), std::string::npos);
        EXPECT_EQ(scene.warnings.text().find("warning"), std::string::npos);
    }
}

TEST(Pack, AboveRandomClosePackingTellsWhatOverlapsAndGoesOn) {
    const Scene scene = load_text(couette(0.88), "s.toml");
    const std::string told = scene.warnings.text();
    std::printf("%s", told.c_str());
    EXPECT_NE(told.find("s.toml:19:1: warning: fill[0]: "), std::string::npos) << told;
    EXPECT_NE(told.find("still overlap"), std::string::npos);
    const double overlap = largest_overlap(scene.system);
    EXPECT_TRUE(overlap > 0.01 && overlap < 0.5) << overlap;
    const model::Bodies& b = scene.system.bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const double rho = norm(b.position[i]);
        EXPECT_TRUE(rho - b.radius[i] >= 30 && rho + b.radius[i] <= 90);
    }
    expect_told("engine = \"hard\"\n" + couette(0.88, 36),
                {"fill[0]: the pack is left with overlaps", "hard grains cannot start"});
}

TEST(Pack, IsTheSameEveryTimeAndAnotherForAnotherSeed) {
    const auto first = load_text(couette(0.72, 50), "s").system.bodies.position;
    EXPECT_TRUE(first == load_text(couette(0.72, 50), "s").system.bodies.position);
    EXPECT_FALSE(first == load_text("seed = 5\n" + couette(0.72, 50), "s").system.bodies.position);
}

TEST(Pack, FillsABoxInSpace) {
    const std::string text = materials() + R"([[fill]]
material = "grain"
radius = 0.5
pack = {}
fraction = 0.56
box = { low = [0, 0, 0], high = [9, 9, 9] }
)";
    const Scene scene = load_text(text, "s.toml");
    std::printf("%s", scene.warnings.text().c_str());
    EXPECT_NEAR(solid(scene.system) / 729, 0.56, 1e-3);
    EXPECT_LE(largest_overlap(scene.system), 1e-9);
    for (const Vec3d& p : scene.system.bodies.position) {
        EXPECT_TRUE(std::min({p.x, p.y, p.z}) >= 0.5 && std::max({p.x, p.y, p.z}) <= 8.5);
    }
}

TEST(Pack, KnowsPeriodsWallsAndGrainsThatAreThere) {
    const std::string text = "dimensions = 2\n" + materials() + R"([domain]
low = [0, "open"]
high = [30, "open"]
periodic = ["x"]
[[walls]]
name = "floor"
shape = { plane = { normal = [0, 1] } }
material = "grain"
[[walls]]
name = "peg"
shape = { segment = { from = [8, 3], to = [12, 9] } }
material = "grain"
[[fill]]
material = "grain"
radius = 4
lattice = {}
count = 1
box = { low = [20, 3], high = [28, 11] }
[[fill]]
material = "grain"
radius = { table = { radius = [0.5, 1], weight = [1, 1] } }
pack = {}
count = 120
box = { low = [0, -0.9], high = [30, 16] }
)";
    const Scene scene = load_text(text, "s.toml");
    std::printf("%s", scene.warnings.text().c_str());
    EXPECT_EQ(scene.system.bodies.size(), 121U);
    EXPECT_LE(largest_overlap(scene.system), 1e-9);
    const model::Bodies& b = scene.system.bodies;
    EXPECT_EQ(b.position[0].x, 24);
    for (std::size_t i = 1; i < b.size(); ++i) {
        EXPECT_GE(b.position[i].y, b.radius[i]);
        EXPECT_LE(b.position[i].y, 16 - b.radius[i]);
        const Vec3d from{8, 3, 0};
        const Vec3d along{4, 6, 0};
        const double t = std::clamp(dot(b.position[i] - from, along) / norm2(along), 0.0, 1.0);
        EXPECT_GE(norm(b.position[i] - from - t * along), b.radius[i] * (1 - 1e-9));
    }
}

TEST(Pack, ThatCannotBeIsRefused) {
    expect_told(couette(0.96), {"s.toml:19:1: error: fill[0]: a solid fraction of 0.960 is more than", "0.95 at most"});
    expect_told(replaced(couette(0.8), "pack = {", "count = 3\npack = {"),
                {"fill[0].pack: says twice how many grains"});
    expect_told(replaced(couette(0.8), "fraction = 0.800000", ""), {"fill[0].pack: does not say how many grains"});
    expect_told(replaced(couette(0.8), "{ radius = 30 }", "{ radius = 89 }"), {"fill[0]: "});
}

}  // namespace
}  // namespace talus::scene
