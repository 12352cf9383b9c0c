// What walls of triangles share with walls of one piece: grains of many spheres upon them, poses at given times, and
// grains that they hold or take away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mesh_files.h"
#include "physics/one_grain.h"
#include "talus/base/diagnostics.h"

namespace talus::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Engine {
    const char* name;
    std::string head;
    bool general = false;
};
void PrintTo(const Engine& engine, std::ostream* out) {
    *out << engine.name;
}

const Engine packed{"packed", "[time]\nstep = 2e-5\n" + hooke_law};
const Engine general{"general", "[time]\nstep = 2e-5\n" + hooke_law, true};
const Engine rkf45{"rkf45", "time = { step = 1e-4 }\nintegration = { method = \"rkf45\" }\n" + hooke_law};
const Engine hard{"hard", "engine = \"hard\"\n[time]\nstep = 0.001\n" + impact_law};
const Engine stepped{"stepped", "engine = \"stepped\"\n[time]\nstep = 2e-4\n" + impact_law};

const std::string falling = "[gravity]\nuniform = [0.3, 0, -9.81]\n";
const std::string shapes =
    "[grains.cube]\ncube = { radius = 0.0025, edge = 0.003 }\n"
    "[grains.dumbbell]\ndumbbell = { radius = 0.003, distance = 0.004 }\n";

/// A floor with a corner at (-0.2, -0.2, 0), which is its origin.
const std::string rectangle = "rectangle = { corner = [-0.2, -0.2, 0], edge1 = [0.6, 0, 0], edge2 = [0, 0.6, 0] }";
const std::string triangles = "mesh = { file = \"floor.obj\", position = [-0.2, -0.2, 0] }";

class AboveAFloor : public OneGrain {
public:
    AboveAFloor(const Engine& engine, const std::string& shape)
        : OneGrain("0.013,0.017,0.012,0.11,0.07,-0.2", engine.head + falling + shapes, shape) {
        Mesh floor;
        add_parallelogram(floor, {}, {0.6, 0, 0}, {0, 0.6, 0}, 97);
        mesh("floor.obj", floor);
    }
};

/// How far two runs are apart at most, in radii and as part of the energy.
struct Apart {
    double path = 0, turn = 0, energy = 0;
};

Apart compare(Simulation& one, Simulation& mesh, int looks) {
    Apart out;
    const auto steps = static_cast<std::int64_t>(0.002 / one.clock().step) + 1;
    const double scale = one.energies().mechanical();
    for (int k = 0; k < looks; ++k) {
        one.step(steps);
        mesh.step(steps);
        const model::Bodies& a = one.system().bodies;
        const model::Bodies& b = mesh.system().bodies;
        out.path = std::max(out.path, norm(a.position[0] - b.position[0]) / 0.005);
        out.turn = std::max(out.turn, norm(a.spin[0] - b.spin[0]));
        out.energy = std::max(out.energy, std::abs(one.energies().mechanical() - mesh.energies().mechanical()) / scale);
        EXPECT_LT(norm(a.position[0]), 0.2) << "it has left the floor";
    }
    return out;
}

struct OnAFloor {
    const char* name;
    Engine engine;
    std::string shape;  // none: a sphere
    std::string motion;
};
void PrintTo(const OnAFloor& what, std::ostream* out) {
    *out << what.name;
}

class MeshOrRectangle : public testing::TestWithParam<OnAFloor> {};

TEST_P(MeshOrRectangle, IsTheSameToTheGrain) {
    const OnAFloor& how = GetParam();
    const AboveAFloor grain(how.engine, how.shape);
    const auto one = grain.start(wall("floor", rectangle, how.motion), how.engine.general);
    const auto mesh = grain.start(wall("floor", triangles, how.motion), how.engine.general);
    const Apart apart = compare(*one, *mesh, 200);
    const model::WallRecord& of_one = one->system().walls[0].record;
    const model::WallRecord& of_mesh = mesh->system().walls[0].record;
    std::printf("%s: path %.1e radii, spin %.1e rad/s, energy %.1e, impulse %.1e of %.1e N s, work %.1e of %.1e J\n",
                how.name, apart.path, apart.turn, apart.energy, norm(of_mesh.impulse - of_one.impulse),
                norm(of_one.impulse), std::abs(of_mesh.work - of_one.work), of_one.work);
    EXPECT_LT(apart.path, 1e-9);
    EXPECT_LT(apart.energy, 1e-9);
    EXPECT_GT(norm(of_one.impulse), 0);
    EXPECT_LT(norm(of_mesh.impulse - of_one.impulse), 1e-9 * norm(of_one.impulse));
    EXPECT_LE(std::abs(of_mesh.work - of_one.work), 1e-9 * std::abs(of_one.work));
    EXPECT_NE(norm(one->system().bodies.spin[0]), 0) << "it never rubbed";
}

const std::string keyframes =
    "motion = [ { keyframes = [ { time = 0 }, { time = 0.1, displacement = [0.002, 0, 0.01], rotation = [0.02, 0.01, "
    "0] }, { time = 0.25, displacement = [0, 0.003, 0.004], rotation = [0, 0.01, 0.1] }, { time = 0.35 } ] } ]\n";

INSTANTIATE_TEST_SUITE_P(
    Floors, MeshOrRectangle,
    testing::Values(
        OnAFloor{"cube_general", general, "cube", ""}, OnAFloor{"cube_rkf45", rkf45, "cube", ""},
        OnAFloor{"cube_hard", hard, "cube", ""}, OnAFloor{"cube_stepped", stepped, "cube", ""},
        OnAFloor{"dumbbell_general", general, "dumbbell", ""}, OnAFloor{"dumbbell_rkf45", rkf45, "dumbbell", ""},
        OnAFloor{"dumbbell_hard", hard, "dumbbell", ""}, OnAFloor{"dumbbell_stepped", stepped, "dumbbell", ""},
        OnAFloor{"keyframes_packed", packed, "", keyframes}, OnAFloor{"keyframes_general", general, "", keyframes},
        OnAFloor{"keyframes_hard", hard, "", keyframes}, OnAFloor{"keyframes_stepped", stepped, "", keyframes},
        OnAFloor{"keyframes_cube_general", general, "cube", keyframes},
        OnAFloor{"keyframes_cube_hard", hard, "cube", keyframes},
        OnAFloor{"keyframes_cube_stepped", stepped, "cube", keyframes}),
    [](const auto& how) { return std::string(how.param.name); });

const std::string rising = "motion = [ { translate = { velocity = [0.1, 0, 0.05] } } ]\n";

class StickyMesh : public testing::TestWithParam<Engine> {};

TEST_P(StickyMesh, HoldsAndCarriesAGrainAsARectangleDoes) {
    const AboveAFloor grain(GetParam(), "");
    const std::string more = "behaviour = \"sticky\"\n" + rising;
    const auto one = grain.start(wall("floor", rectangle, more));
    const auto mesh = grain.start(wall("floor", triangles, more));
    EXPECT_LT(compare(*one, *mesh, 100).path, 1e-9);
    const model::System& held = mesh->system();
    EXPECT_EQ(held.walls[0].record.stuck, 1);
    EXPECT_EQ(held.bodies.stuck_to[0], 0);
    EXPECT_LT(norm(held.bodies.velocity[0] - Vec3d{0.1, 0, 0.05}), 1e-12);
    EXPECT_LT(norm(held.walls[0].record.impulse - one->system().walls[0].record.impulse),
              1e-9 * norm(one->system().walls[0].record.impulse));
}

INSTANTIATE_TEST_SUITE_P(Engines, StickyMesh, testing::Values(packed, hard, stepped),
                         [](const auto& engine) { return std::string(engine.param.name); });

struct Refused {
    const char* name;
    Engine engine;
    std::string shape;
};
void PrintTo(const Refused& what, std::ostream* out) {
    *out << what.name;
}

class StickyMeshRefused : public testing::TestWithParam<Refused> {};

TEST_P(StickyMeshRefused, WithThePlaceInTheFile) {
    const AboveAFloor grain(GetParam().engine, GetParam().shape);
    try {
        grain.start(wall("floor", triangles, "behaviour = \"sticky\"\n"));
        FAIL() << "it was taken";
    } catch (const base::InputError& fault) {
        EXPECT_THAT(fault.what(),
                    AllOf(HasSubstr("s.toml:"), HasSubstr("behaviour"),
                          HasSubstr("\"floor\" is sticky at some time, which holds plain spheres alone")));
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, StickyMeshRefused,
                         testing::Values(Refused{"general_by_its_method", rkf45, ""},
                                         Refused{"general_by_its_grains", packed, "cube"},
                                         Refused{"hard_grains", hard, "cube"},
                                         Refused{"stepped_grains", stepped, "cube"}),
                         [](const auto& what) { return std::string(what.param.name); });

class AbsorbingMesh : public testing::TestWithParam<OnAFloor> {};

TEST_P(AbsorbingMesh, TakesAGrainAwayWhenARectangleDoes) {
    const OnAFloor& how = GetParam();
    const AboveAFloor grain(how.engine, how.shape);
    const std::string more = "behaviour = \"absorbing\"\n" + rising;
    const auto one = grain.start(wall("floor", rectangle, more), how.engine.general);
    const auto mesh = grain.start(wall("floor", triangles, more), how.engine.general);
    const double mass = one->system().bodies.mass[0];
    while (one->grains() > 0 && one->time() < 0.2) {
        one->step();
        mesh->step();
        ASSERT_EQ(one->grains(), mesh->grains()) << one->time();
    }
    const model::WallRecord& record = mesh->system().walls[0].record;
    EXPECT_EQ(record.absorbed, 1);
    EXPECT_EQ(record.absorbed_mass, mass);
    EXPECT_LE(norm(record.impulse - one->system().walls[0].record.impulse), 1e-9 * norm(record.impulse));
}

INSTANTIATE_TEST_SUITE_P(Engines, AbsorbingMesh,
                         testing::Values(OnAFloor{"packed", packed, "", ""}, OnAFloor{"general", general, "", ""},
                                         OnAFloor{"hard", hard, "", ""}, OnAFloor{"stepped", stepped, "", ""},
                                         OnAFloor{"general_cube", general, "cube", ""},
                                         OnAFloor{"hard_cube", hard, "cube", ""},
                                         OnAFloor{"stepped_cube", stepped, "cube", ""}),
                         [](const auto& how) { return std::string(how.param.name); });

}  // namespace
}  // namespace talus::tests
