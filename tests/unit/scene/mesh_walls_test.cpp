// Walls from mesh files: what is built, what is told of odd meshes, and faults with scene, line, key and file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "mesh_files.h"
#include "scene_text.h"
#include "talus/geometry/surface.h"
#include "talus/scene/scene.h"
#include "temporary_folder.h"

namespace talus::scene {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class MeshWalls : public testing::Test {
protected:
    MeshWalls() { tests::write_obj(folder / "box.obj", tests::box_of_triangles({1, 2, 3}, 2)); }

    static std::string wall(const std::string& keys) {
        return "[[walls]]\nname = \"mesh\"\nmaterial = \"steel\"\nshape = { mesh = { " + keys + " } }\n";
    }
    Scene load(const std::string& keys) const {
        return load_text(sound_scene() + wall(keys), "s.toml", {}, folder.path());
    }
    std::string told(const std::string& keys) const {
        try {
            return load(keys).warnings.text();
        } catch (const base::InputError& error) {
            return error.what();
        }
    }
    std::string told_of(const std::string& name, const std::string& content) const {
        std::ofstream(folder / name, std::ios::binary) << content;
        return told("file = \"" + name + "\"");
    }

    tests::TemporaryFolder folder;
};

TEST_F(MeshWalls, AreScaledPlacedAndTurned) {
    const Scene scene =
        load("file = \"box.obj\", unit = \"1 cm\", position = [1, 2, 3], rotation = [0, 0, \"90 deg\"]");
    const model::Wall& wall = scene.system.walls.back();
    EXPECT_EQ(wall.shape.kind, geometry::ShapeKind::mesh);
    EXPECT_EQ(wall.shape.surface->faces(), 48U);
    EXPECT_NEAR(wall.shape.a, 0.01 * std::sqrt(14.0), 1e-15);
    EXPECT_NEAR(norm(wall.pose.to_world({0.01, 0, 0}) - Vec3d{1, 2.01, 3}), 0, 1e-15);
    ASSERT_EQ(scene.system.meshes.size(), 1U);
    EXPECT_EQ(scene.system.meshes[0].file, "box.obj");
    EXPECT_THAT(scene.warnings.text(), HasSubstr("a mesh of 48 triangles"));
}

TEST_F(MeshWalls, ShareAMeshThatIsUsedTwice) {
    const std::string keys = "file = \"box.obj\"";
    std::string other = wall(keys);
    other.replace(other.find("\"mesh\""), 6, "\"more\"");
    const Scene scene = load_text(sound_scene() + wall(keys) + other, "s.toml", {}, folder.path());
    EXPECT_EQ(scene.system.meshes.size(), 1U);
    EXPECT_EQ(scene.system.walls.back().shape.surface, scene.system.meshes[0].surface);
    // A run that is resumed takes it from there.
    const Scene again = load_without_grains(scene.text, "s.toml", scene.system.meshes);
    EXPECT_EQ(again.system.walls.back().shape.surface, scene.system.meshes[0].surface);
    EXPECT_THROW(load_without_grains(scene.text, "s.toml"), base::InputError);
}

TEST_F(MeshWalls, OddMeshesAreToldAndTaken) {
    EXPECT_THAT(told_of("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
                AllOf(HasSubstr("note: walls"), HasSubstr("the mesh is open: 3 edges")));
    EXPECT_THAT(told_of("twice.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n"),
                AllOf(HasSubstr("warning: walls"), HasSubstr("one triangle of the mesh left out")));
    EXPECT_THAT(told_of("thin.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\nf 1 1 2\n"),
                AllOf(HasSubstr("one triangle of the mesh without area"), HasSubstr("two corners in one place")));
    EXPECT_THAT(told_of("fins.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n"),
                HasSubstr("more than two triangles meet, such as that from (0, 0, 0) to (1, 0, 0)"));
}

TEST_F(MeshWalls, FaultsNameSceneLineKeyAndFile) {
    const std::string here = "error: walls[1].shape.mesh: the mesh \"";
    EXPECT_THAT(told("file = \"none.stl\""),
                AllOf(HasSubstr("s.toml:"), HasSubstr(here), HasSubstr("none.stl\" cannot")));
    EXPECT_THAT(told_of("empty.stl", ""), AllOf(HasSubstr(here), HasSubstr("empty.stl\" cannot be read, or is empty")));
    EXPECT_THAT(told_of("half.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"),
                AllOf(HasSubstr(here), HasSubstr("ends within a triangle")));
    EXPECT_THAT(told_of("wrong.ply", "solid x\n"), AllOf(HasSubstr(here), HasSubstr("is no PLY file")));
    EXPECT_THAT(told_of("mesh.step", "ISO"), AllOf(HasSubstr(here), HasSubstr("neither .stl nor .obj nor .ply")));
    EXPECT_THAT(told_of("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), HasSubstr("not finite"));
    EXPECT_THAT(told_of("index.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n"), HasSubstr("has no point 3"));
    EXPECT_THAT(told_of("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), HasSubstr("no triangle with an area"));
}

TEST_F(MeshWalls, FillsKeepClear) {
    std::ofstream(folder / "fill.toml") << R"(
[time]
end = 1
[gravity]
uniform = [0, 0, -10]
[materials.grain]
density = 1000
[materials.steel]
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 1e4
restitution = 0.8
[[fill]]
material = "grain"
radius = 0.05
random = {}
box = { low = [-0.5, -0.5, -0.5], high = [1.5, 2.5, 3.5] }
count = 2000
)" << wall("file = \"box.obj\"");
    const Scene scene = scene::load(folder / "fill.toml");
    const geometry::Surface& surface = *scene.system.walls[0].shape.surface;
    ASSERT_GT(scene.system.bodies.size(), 1000U);
    for (const Vec3d& x : scene.system.bodies.position) {
        EXPECT_GE(surface.nearest(x).distance, 0.05 * (1 - 1e-12));
    }
}

}  // namespace
}  // namespace talus::scene
