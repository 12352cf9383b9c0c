// A grid becomes wires across its rectangle, or points in the plane, each a wall of its own.
#include <gtest/gtest.h>

#include <string>

#include "fault_table.h"
#include "talus/geometry/make_shape.h"

namespace talus::scene {
namespace {

std::string with_grid(const std::string& keys) {
    return sound_scene() + "[[walls]]\nname = \"net\"\nmaterial = \"steel\"\nshape = { grid = { " + keys + " } }\n";
}

std::size_t bars(const Scene& scene) {
    std::size_t count = 0;
    for (const model::Wall& wall : scene.system.walls) {
        count += wall.name.starts_with("net.") ? 1U : 0U;
    }
    return count;
}

TEST(Grid, SpreadsWiresEvenlyBothWays) {
    const Scene scene =
        load_text(with_grid("corner = [0, 0, 2], edge1 = [1, 0, 0], edge2 = [0, 0.5, 0], spacing = 0.3"), "s.toml");
    EXPECT_EQ(bars(scene), 5U + 3U);  // a quarter apart along the first edge, and along the second
    const model::Wall& second = scene.system.walls[2];
    EXPECT_EQ(second.name, "net.1");
    EXPECT_EQ(second.shape.kind, geometry::ShapeKind::segment);
    const geometry::Placed expected = geometry::make_segment({0.25, 0, 2}, {0.25, 0.5, 2});
    EXPECT_EQ(second.base.position, expected.position);
}

TEST(Grid, RunsOneWayIfAsked) {
    const Scene scene = load_text(
        with_grid("corner = [0, 0, 2], edge1 = [1, 0, 0], edge2 = [0, 0.5, 0], spacing = 0.25, crossed = false"),
        "s.toml");
    EXPECT_EQ(bars(scene), 5U);
}

TEST(Grid, IsPointsInThePlane) {
    const std::string text =
        "dimensions = 2\n[time]\nend = 1\n[materials.grain]\ndensity = 1000\n[[contacts]]\nbetween = [\"*\", "
        "\"*\"]\nlaw = \"hooke\"\nkn = 1e4\nrestitution = 1\n[[fill]]\nmaterial = \"grain\"\nradius = 0.01\ncount = "
        "4\nrandom = {}\nbox = { low = [0, 0], high = [1, 1] }\n[[walls]]\nname = \"net\"\nmaterial = \"grain\"\n";
    const Scene scene =
        load_text(text + "shape = { grid = { corner = [0, 2], edge1 = [1, 0], spacing = 0.1 } }\n", "s.toml");
    EXPECT_EQ(bars(scene), 11U);
    EXPECT_EQ(scene.system.walls[3].shape.kind, geometry::ShapeKind::point);
    expect_told(text + "shape = { grid = { corner = [0, 2], edge1 = [1, 0], edge2 = [0, 1], spacing = 0.1 } }\n",
                {"walls[0].shape.grid: has a second edge; the scene has two dimensions"});
}

TEST(Grid, FaultsAreTold) {
    expect_told(with_grid("corner = [0, 0, 2], edge1 = [1, 0, 0], spacing = 0.3"),
                {"s.toml:26", "walls[1].shape.grid: needs the key \"edge2\""});
    expect_told(with_grid("corner = [0, 0, 2], edge1 = [1, 0, 0], edge2 = [1, 1, 0], spacing = 0.3"),
                {"walls[1].shape.grid: is no rectangle"});
    expect_told(with_grid("corner = [0, 0, 2], edge1 = [1, 0, 0], edge2 = [0, 1, 0], spacing = \"1 um\""),
                {"walls[1].shape.grid.spacing: makes more than 1000 bars along an edge"});
    expect_told(with_grid("corner = [0, 0, 2], edge1 = [1, 0, 0], edge2 = [0, 1, 0], spacing = 0"),
                {"walls[1].shape.grid.spacing: must be positive"});
}

}  // namespace
}  // namespace talus::scene
