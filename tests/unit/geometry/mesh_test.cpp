// Meshes: their volume, their faults, distances from them, and the files they come from.
#include "talus/geometry/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <numbers>
#include <stdexcept>

#include "low_discrepancy.h"
#include "mesh_cases.h"
#include "temporary_folder.h"

namespace talus::geometry {
namespace {

using ::testing::HasSubstr;

TEST(Mesh, OfACubeAndOfABall) {
    EXPECT_FALSE(mesh_fault(cube_mesh()));
    EXPECT_NEAR(mesh_volume(cube_mesh(2, {5, 6, 7})), 8, 1e-13);
    EXPECT_NEAR(mesh_area(cube_mesh(2)), 24, 1e-13);
    const Mesh ball = ball_mesh(60);
    EXPECT_FALSE(mesh_fault(ball)) << *mesh_fault(ball);
    EXPECT_NEAR(mesh_volume(ball), 4 * std::numbers::pi / 3, 0.01);
    EXPECT_NEAR(mesh_area(ball), 4 * std::numbers::pi, 0.02);
}

TEST(Mesh, TurnedInsideOutEnclosesTheSame) {
    Mesh mesh = cube_mesh();
    for (auto& t : mesh.triangles) {
        std::swap(t[0], t[1]);
    }
    EXPECT_FALSE(mesh_fault(mesh));
    EXPECT_NEAR(mesh_volume(mesh), 1, 1e-14);
}

TEST(Mesh, FaultsAreTold) {
    Mesh mesh = cube_mesh();
    mesh.triangles.pop_back();
    EXPECT_THAT(*mesh_fault(mesh), HasSubstr("is not closed: the edge from (1, 1, 0) to (1, 0, 1) belongs to one"));
    mesh = cube_mesh();
    std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
    EXPECT_THAT(*mesh_fault(mesh), HasSubstr("face different ways"));
    mesh = cube_mesh();
    mesh.triangles.push_back(mesh.triangles.front());
    EXPECT_THAT(*mesh_fault(mesh), HasSubstr("belongs to 3 triangles"));
    mesh = cube_mesh();
    for (Vec3d& p : mesh.points) {
        p.z = 0;
    }
    EXPECT_THAT(*mesh_fault(mesh), HasSubstr("encloses no volume"));
    EXPECT_THAT(*mesh_fault({}), HasSubstr("no triangles"));
}

TEST(Mesh, DistanceFromACubeIsThatOfItsFacesEdgesAndCorners) {
    const MeshTree tree(cube_mesh());
    for (int k = 0; k < 2000; ++k) {
        const Vec3d p = even_point(k, {-1, -1, -1}, {2, 2, 2});
        double inside = 1e300;
        Vec3d off;
        for (int i = 0; i < 3; ++i) {
            inside = std::min({inside, p[i], 1 - p[i]});
            off[i] = std::max({-p[i], 0.0, p[i] - 1});
        }
        EXPECT_NEAR(tree.distance(p), inside > 0 ? inside : norm(off), 1e-14);
    }
}

TEST(Mesh, DistanceFromABallOfManyTrianglesIsThatOfTheNearestOne) {
    const MeshTree tree(ball_mesh(100));
    for (int k = 0; k < 2000; ++k) {
        const Vec3d p = even_point(k, {-2, -2, -2}, {2, 2, 2});
        EXPECT_NEAR(tree.distance(p), std::abs(norm(p) - 1), 1e-3);
    }
}

// ---- files

class MeshFiles : public testing::Test {
protected:
    std::string write(const std::string& name, const std::string& bytes) const {
        std::string path = (folder / name).string();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    std::string fault_of(const std::string& name, const std::string& bytes) const {
        try {
            read_mesh(write(name, bytes));
        } catch (const std::invalid_argument& fault) {
            EXPECT_THAT(fault.what(), HasSubstr(name));
            return fault.what();
        }
        return "nothing";
    }

    tests::TemporaryFolder folder;
};

std::string text_stl(const Mesh& mesh) {
    std::string out = "solid cube\n";
    for (const auto& t : mesh.triangles) {
        out += "facet normal 0 0 0\n outer loop\n";
        for (const std::int32_t k : t) {
            const Vec3d& p = mesh.points[static_cast<std::size_t>(k)];
            out += "  vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\r\n";
        }
        out += " endloop\nendfacet\n";
    }
    return out + "endsolid cube\n";
}

std::string binary_stl(const Mesh& mesh) {
    std::string out = "solid, says the header of a binary file";
    out.resize(80, ' ');
    const auto word = [&out](std::uint32_t w) {
        for (unsigned k = 0; k < 4; ++k) {
            out += static_cast<char>((w >> (8U * k)) & 0xFFU);
        }
    };
    word(static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const auto& t : mesh.triangles) {
        out.append(12, '\0');
        for (const std::int32_t k : t) {
            for (int i = 0; i < 3; ++i) {
                word(std::bit_cast<std::uint32_t>(static_cast<float>(mesh.points[static_cast<std::size_t>(k)][i])));
            }
        }
        out.append(2, '\0');
    }
    return out;
}

const std::string obj_cube =
    "# faces of four corners, with textures and normals to be skipped\n"
    "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 +2.0\nvn 0 0 1\n"
    "f 4 3 2 1\nf 5/1 6/1 7/1 8/1\nf 1//1 2//1 6//1 5//1\nf -6 -5 -1 -2\nf 2 3 7 6\nf 1 5 8 4\n";

TEST_F(MeshFiles, AllKindsGiveTheSameCube) {
    const Mesh cube = cube_mesh(2);
    for (const std::string& path : {write("a.stl", text_stl(cube)), write("b.stl", binary_stl(cube)),
                                    write("c.obj", obj_cube), write("D.STL", binary_stl(cube))}) {
        const Mesh mesh = read_mesh(path);
        EXPECT_EQ(mesh.points.size(), 8U) << path;
        EXPECT_EQ(mesh.triangles.size(), 12U) << path;
        EXPECT_NEAR(mesh_volume(mesh), 8, 1e-12) << path;
    }
}

TEST_F(MeshFiles, FaultsNameTheFileAndTheLine) {
    EXPECT_THROW(read_mesh((folder / "none.stl").string()), std::invalid_argument);
    EXPECT_THAT(fault_of("a.dxf", "dxf"), HasSubstr("neither .stl nor .obj nor .ply"));
    EXPECT_THAT(fault_of("empty.stl", ""), HasSubstr("is empty"));
    EXPECT_THAT(fault_of("a.stl", "nonsense"), HasSubstr("no STL file"));
    EXPECT_THAT(fault_of("empty.obj", "# nothing\n"), HasSubstr("has no triangles"));
    EXPECT_THAT(fault_of("word.obj", "v 0 0 0\nv 1 x 0\n"), HasSubstr("\"x\" where a number is expected, in line 2"));
    EXPECT_THAT(fault_of("index.obj", "v 0 0 0\nf 1 2 3\n"), HasSubstr("has no point 2, which is named in line 2"));
    EXPECT_THAT(fault_of("short.obj", "v 0 0\n"), HasSubstr("fewer than three numbers in line 1"));
    EXPECT_THAT(fault_of("loop.stl", "solid\nvertex 0 0 0\nendloop\n"), HasSubstr("in line 3"));
    EXPECT_THAT(fault_of("end.stl", "solid\nvertex 0 0 0\n"), HasSubstr("ends within a triangle"));
    EXPECT_THAT(fault_of("nan.obj", "v 0 0 nan\nv 0 0 0\nv 1 0 0\nf 1 2 3\n"), HasSubstr("not finite"));
    Mesh open = cube_mesh();
    open.triangles.pop_back();
    EXPECT_THAT(fault_of("open.stl", text_stl(open)), HasSubstr("is not closed"));
    std::string cut = binary_stl(cube_mesh());
    cut.resize(cut.size() - 60);
    EXPECT_THAT(fault_of("cut.stl", cut), HasSubstr("part of it is missing"));
    EXPECT_THAT(fault_of("half.stl", text_stl(cube_mesh()).substr(0, 600)), HasSubstr("ends within a triangle"));
    EXPECT_THAT(fault_of("two.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"), HasSubstr("fewer than three points in line 3"));
    EXPECT_THAT(fault_of("thin.obj", "v 0 0 0\nv 1 0 0\nf 1 2 1\n"), HasSubstr("two corners in one place"));
}

// ---- PLY

std::string ply_header(const std::string& format, const std::string& faces = "12") {
    return "ply\nformat " + format +
           " 1.0\ncomment a cube\nelement vertex 8\nproperty double x\nproperty float y\nproperty double z\n"
           "property uchar red\nelement face " +
           faces + "\nproperty list uchar int vertex_indices\nproperty short flag\nend_header\n";
}

std::string text_ply(const Mesh& mesh) {
    std::string out = ply_header("ascii");
    for (const Vec3d& p : mesh.points) {
        out += std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + " 7\n";
    }
    for (const auto& t : mesh.triangles) {
        out += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + " -1\n";
    }
    return out;
}

std::string binary_ply(const Mesh& mesh, bool little) {
    std::string out = ply_header(little ? "binary_little_endian" : "binary_big_endian");
    const auto bytes = [&](std::uint64_t bits, std::size_t size) {
        for (std::size_t k = 0; k < size; ++k) {
            out += static_cast<char>((bits >> (8U * (little ? k : size - 1 - k))) & 0xFFU);
        }
    };
    for (const Vec3d& p : mesh.points) {
        bytes(std::bit_cast<std::uint64_t>(p.x), 8);
        bytes(std::bit_cast<std::uint32_t>(static_cast<float>(p.y)), 4);
        bytes(std::bit_cast<std::uint64_t>(p.z), 8);
        bytes(255, 1);
    }
    for (const auto& t : mesh.triangles) {
        bytes(3, 1);
        for (const std::int32_t k : t) {
            bytes(static_cast<std::uint32_t>(k), 4);
        }
        bytes(0xFFFF, 2);
    }
    return out;
}

TEST_F(MeshFiles, PlyFilesOfEveryKindGiveTheSameCube) {
    const Mesh cube = cube_mesh(2, {-1, 0.5, 3});
    for (const std::string& path : {write("a.ply", text_ply(cube)), write("b.ply", binary_ply(cube, true)),
                                    write("c.ply", binary_ply(cube, false))}) {
        const Mesh mesh = read_mesh(path);
        EXPECT_EQ(mesh.points.size(), 8U) << path;
        EXPECT_EQ(mesh.triangles.size(), 12U) << path;
        EXPECT_EQ(mesh_volume(mesh), 8) << path;
    }
}

TEST_F(MeshFiles, FaultsOfPlyFilesAreTold) {
    EXPECT_THAT(fault_of("a.ply", "solid cube\n"), HasSubstr("is no PLY file"));
    EXPECT_THAT(fault_of("b.ply", "ply\nformat ascii 1.0\n"), HasSubstr("no end of its header"));
    EXPECT_THAT(fault_of("c.ply", "ply\nend_header\n"), HasSubstr("no format"));
    EXPECT_THAT(fault_of("d.ply", "ply\nformat ascii 1.0\nelement vertex x\nend_header\n"),
                HasSubstr("\"x\" as a number of elements"));
    EXPECT_THAT(fault_of("e.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n"),
                HasSubstr("unknown type \"quad\""));
    EXPECT_THAT(fault_of("f.ply", "ply\nformat ascii 1.0\nend_header\n"), HasSubstr("has no triangles"));
    const Mesh cube = cube_mesh();
    for (const std::string& whole : {text_ply(cube), binary_ply(cube, true), binary_ply(cube, false)}) {
        EXPECT_THAT(fault_of("g.ply", whole.substr(0, whole.size() - 6)), HasSubstr("ends before"));
    }
    Mesh wrong = cube;
    wrong.triangles[3][1] = 8;
    EXPECT_THAT(fault_of("h.ply", text_ply(wrong)), HasSubstr("has no point 8, which a face names"));
    // Numbers of elements beyond all bounds cost nothing.
    EXPECT_THAT(fault_of("i.ply", ply_header("binary_little_endian", "999999999999")), HasSubstr("ends before"));
}

TEST_F(MeshFiles, WhatIsCutOffAnywhereIsRefusedOrRead) {
    const Mesh cube = cube_mesh();
    const std::vector<std::pair<std::string, std::string>> files = {{"a.stl", text_stl(cube)},
                                                                    {"b.stl", binary_stl(cube)},
                                                                    {"c.obj", obj_cube},
                                                                    {"d.ply", text_ply(cube)},
                                                                    {"e.ply", binary_ply(cube, true)}};
    for (const auto& [name, whole] : files) {
        for (std::size_t n = 0; n < whole.size(); n += 31) {
            std::string broken = whole.substr(0, n);
            fault_of(name, broken);
            broken = whole;
            broken[n] = static_cast<char>(broken[n] ^ 0x55);  // and a byte that is wrong
            fault_of(name, broken);
        }
    }
}

// ---- walls

TEST(MeshTidy, DuplicatesGoAndOddEdgesAreTold) {
    Mesh mesh = cube_mesh();
    mesh.triangles.push_back({1, 2, 0});  // the first again, turned
    mesh.triangles.push_back({2, 1, 0});
    const MeshOddities doubled = tidy(mesh);
    EXPECT_EQ(doubled.duplicates, 2U);
    EXPECT_EQ(mesh.triangles, cube_mesh().triangles);
    EXPECT_EQ(doubled.open_edges + doubled.crowded_edges + doubled.without_area, 0U);
    mesh.triangles.pop_back();
    mesh.points.push_back({0.5, 0, 0});
    mesh.triangles.push_back({0, 8, 1});  // three points of one line
    const MeshOddities odd = tidy(mesh);
    EXPECT_EQ(odd.open_edges, 5U);
    EXPECT_EQ(odd.crowded_edges, 1U);
    EXPECT_EQ(odd.without_area, 1U);
    EXPECT_EQ(odd.crowded[0], (Vec3d{0, 0, 0}));
    EXPECT_EQ(odd.crowded[1], (Vec3d{1, 0, 0}));
}

}  // namespace
}  // namespace talus::geometry
