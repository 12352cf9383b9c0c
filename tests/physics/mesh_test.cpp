// Walls of triangles against the same walls of one piece: in every engine a grain must not tell them apart.
#include <gtest/gtest.h>

#include <cstdio>

#include "mesh_files.h"
#include "physics/one_grain.h"
#include "talus/analysis/energy.h"

namespace talus::tests {
namespace {

const Vec3d box_size{0.08, 0.07, 0.06};
const std::string six_rectangles =
    wall("x0", "rectangle = { corner = [0,0,0], edge1 = [0,0.07,0], edge2 = [0,0,0.06] }") +
    wall("x1", "rectangle = { corner = [0.08,0,0], edge1 = [0,0.07,0], edge2 = [0,0,0.06] }") +
    wall("y0", "rectangle = { corner = [0,0,0], edge1 = [0,0,0.06], edge2 = [0.08,0,0] }") +
    wall("y1", "rectangle = { corner = [0,0.07,0], edge1 = [0,0,0.06], edge2 = [0.08,0,0] }") +
    wall("z0", "rectangle = { corner = [0,0,0], edge1 = [0.08,0,0], edge2 = [0,0.07,0] }") +
    wall("z1", "rectangle = { corner = [0,0,0.06], edge1 = [0.08,0,0], edge2 = [0,0.07,0] }");

/// A bouncing grain: 4.5 s at some 30 bounces a second.
struct Bouncing {
    const char* name;
    std::string head;
    bool general = false;
};

class BouncingGrain : public testing::TestWithParam<Bouncing> {};

TEST_P(BouncingGrain, FollowsTheSamePathInABoxOfAnyNumberOfTriangles) {
    const Bouncing& how = GetParam();
    const OneGrain grain("0.03,0.031,0.029,0.71,0.93,1.07", how.head);
    grain.mesh("coarse.obj", box_of_triangles(box_size, 1));
    grain.mesh("fine.obj", box_of_triangles(box_size, 29));
    const auto one = grain.start(six_rectangles, how.general);
    const auto coarse = grain.start(wall("box", "mesh = { file = \"coarse.obj\" }"), how.general);
    const auto fine = grain.start(wall("box", "mesh = { file = \"fine.obj\" }"), how.general);
    ASSERT_EQ(one->clock().step, fine->clock().step);
    double worst_coarse = 0;
    double worst_fine = 0;
    int bounces = 0;
    Vec3d last;
    const auto steps = static_cast<std::int64_t>(0.01 / one->clock().step) + 1;
    while (bounces < 100) {
        for (Simulation* run : {one.get(), coarse.get(), fine.get()}) {
            run->step(steps);
        }
        const Vec3d& x = one->system().bodies.position[0];
        const Vec3d v = one->system().bodies.velocity[0];
        for (int k = 0; k < 3; ++k) {
            bounces += v[k] * last[k] < 0 ? 1 : 0;
        }
        last = v;
        worst_coarse = std::max(worst_coarse, norm(coarse->system().bodies.position[0] - x));
        worst_fine = std::max(worst_fine, norm(fine->system().bodies.position[0] - x));
        ASSERT_LT(one->time(), 20) << "it does not bounce";
    }
    std::printf("%s: %d bounces, off by %.1e m with 12 triangles, %.1e m with 10092\n", how.name, bounces, worst_coarse,
                worst_fine);
    EXPECT_LT(worst_coarse, 1e-9);
    EXPECT_LT(worst_fine, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Engines, BouncingGrain,
                         testing::Values(Bouncing{"soft", "[time]\nstep = 2e-5\n" + hooke_law},
                                         Bouncing{"general", "[time]\nstep = 2e-5\n" + hooke_law, true},
                                         Bouncing{"hard", "engine = \"hard\"\n[time]\nstep = 0.001\n" + impact_law},
                                         Bouncing{"stepped",
                                                  "engine = \"stepped\"\n[time]\nstep = 2e-4\n" + impact_law}),
                         [](const auto& how) { return std::string(how.param.name); });

/// A grain that slides over a floor until it rolls, over some forty edges.
void expect_as_on_a_plane(bool general) {
    const std::string rough =
        "[[contacts]]\nbetween = [\"grain\", \"*\"]\nlaw = \"hooke\"\nkn = 1e4\nkt = \"2/7 kn\"\nrestitution = 0.7\n"
        "ct = 0.4\nfriction = { static = 0.4, rolling = 0.01 }\nslip_memory = 1\n";
    const OneGrain grain("0.013,0.017,0.00499,0.31,0.17,0",
                         "[time]\nstep = 2e-5\n[gravity]\nuniform = [0.3, 0, -9.81]\n" + rough);
    Mesh floor;
    add_parallelogram(floor, {}, {0.2, 0, 0}, {0, 0.2, 0}, 60);
    grain.mesh("floor.obj", floor);
    const auto plane = grain.start(wall("floor", "plane = {}"), general);
    const auto mesh = grain.start(wall("floor", "mesh = { file = \"floor.obj\" }"), general);
    double path = 0;
    double energy = 0;
    double spring = 0;
    double spin = 0;
    for (int k = 0; k < 200; ++k) {
        plane->step(100);
        mesh->step(100);
        const model::System& a = plane->system();
        const model::System& b = mesh->system();
        path = std::max(path, norm(a.bodies.position[0] - b.bodies.position[0]) / 0.005);
        spin = std::max(spin, norm(a.bodies.spin[0] - b.bodies.spin[0]));
        const analysis::Energies of_plane = plane->energies();
        const analysis::Energies of_mesh = mesh->energies();
        energy = std::max(energy, std::abs(of_mesh.mechanical() - of_plane.mechanical()) / of_plane.mechanical());
        spring = std::max(spring, std::abs(b.ledger.stored.tangential - a.ledger.stored.tangential));
        ASSERT_LT(a.bodies.position[0].x, 0.19);
    }
    EXPECT_GT(plane->system().bodies.position[0].x, 0.11);
    EXPECT_GT(plane->system().ledger.stored.tangential, 0);
    std::printf("rolling, %s: path %.1e radii, energy %.1e, spin %.1e rad/s, spring %.1e J of %.1e J\n",
                general ? "general" : "packed", path, energy, spin, spring, plane->system().ledger.stored.tangential);
    EXPECT_LT(path, 1e-6);
    EXPECT_LT(energy, 1e-6);
    EXPECT_LT(spring, 1e-6 * plane->system().ledger.stored.tangential);
}

TEST(MeshFloor, IsAPlaneToAGrainThatSlidesAndRolls) {
    expect_as_on_a_plane(false);
}

TEST(MeshFloor, IsAPlaneInTheGeneralEngineToo) {
    expect_as_on_a_plane(true);
}

TEST(MeshFloor, TiltedByItsRotationIsATiltedPlane) {
    const OneGrain grain("0,0,0.02,0.3,0,0",
                         "[time]\nstep = 2e-5\n" + hooke_law + "[gravity]\nuniform = [0, 0, -9.81]\n");
    Mesh floor;
    add_parallelogram(floor, {-0.5, -0.5, 0}, {1, 0, 0}, {0, 1, 0}, 97);
    grain.mesh("floor.obj", floor);
    // Rotation by 0.2 about y: the normal is (sin 0.2, 0, cos 0.2).
    const auto plane = grain.start(wall("floor", "plane = { normal = [0.19866933079506122, 0, 0.98006657784124163] }"));
    const auto mesh = grain.start(wall("floor", "mesh = { file = \"floor.obj\", rotation = [0, 0.2, 0] }"));
    double worst = 0;
    for (int k = 0; k < 100; ++k) {
        plane->step(100);
        mesh->step(100);
        worst = std::max(worst, norm(plane->system().bodies.position[0] - mesh->system().bodies.position[0]));
    }
    std::printf("tilted: off by %.1e m\n", worst);
    EXPECT_LT(worst, 1e-9);
}

TEST(MeshFloor, GoesOnAcrossThePeriodThatItSpans) {
    const OneGrain grain("0.05,0.017,0.00499,0.31,0.17,0",
                         "[time]\nstep = 2e-5\n[gravity]\nuniform = [0.3, 0, -9.81]\n" + hooke_law +
                             "[domain]\nlow = [0, 0, -0.1]\nhigh = [0.06, 0.05, 0.1]\nperiodic = [\"x\", \"y\"]\n");
    Mesh floor;
    add_parallelogram(floor, {}, {0.06, 0, 0}, {0, 0.05, 0}, 7);
    grain.mesh("floor.obj", floor);
    for (const bool general : {false, true}) {
        const auto plane = grain.start(wall("floor", "plane = {}"), general);
        const auto mesh = grain.start(wall("floor", "mesh = { file = \"floor.obj\" }"), general);
        double worst = 0;
        for (int k = 0; k < 300; ++k) {
            plane->step(100);
            mesh->step(100);
            worst = std::max(worst, norm(plane->system().bodies.position[0] - mesh->system().bodies.position[0]));
        }
        std::printf("periodic: off by %.1e m after %.2f s\n", worst, plane->time());
        EXPECT_LT(worst, 1e-9);
    }
}

// A box that swings and turns, of rectangles and of triangles.
class MovingBox : public testing::TestWithParam<Bouncing> {};

TEST_P(MovingBox, IsTheSameOfRectanglesAndOfTriangles) {
    const Bouncing& how = GetParam();
    const std::string motion =
        "motion = [ { oscillate = { amplitude = [0.002, 0.001, 0.003], frequency = 3 } }, "
        "{ spin = { axis = [0.3, 0.2, 1], through = [0.04, 0.035, 0.03], rate = 2 } } ]\n";
    std::string rectangles = six_rectangles;
    for (std::size_t at = 0; (at = rectangles.find("[[walls]]", at)) != std::string::npos; at += 9 + motion.size()) {
        rectangles.insert(at + 10, motion);
    }
    const OneGrain grain("0.03,0.031,0.029,0.31,0.23,0.17", how.head);
    grain.mesh("box.obj", box_of_triangles(box_size, 3));
    const auto one = grain.start(rectangles, how.general);
    const auto mesh = grain.start(wall("box", "mesh = { file = \"box.obj\" }", motion), how.general);
    double worst = 0;
    const auto steps = static_cast<std::int64_t>(0.01 / one->clock().step) + 1;
    for (int k = 0; k < 150; ++k) {
        one->step(steps);
        mesh->step(steps);
        worst = std::max(worst, norm(one->system().bodies.position[0] - mesh->system().bodies.position[0]));
    }
    Vec3d impulse;
    Vec3d of_mesh = mesh->system().walls[0].record.impulse;
    for (const model::Wall& w : one->system().walls) {
        impulse += w.record.impulse;
    }
    std::printf("%s, moving: off by %.1e m after %.2f s, impulse %.3g N s, off by %.1e\n", how.name, worst, one->time(),
                norm(impulse), norm(impulse - of_mesh));
    EXPECT_LT(worst, 1e-9);
    EXPECT_GT(norm(impulse), 0);
    EXPECT_LT(norm(impulse - of_mesh), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Engines, MovingBox,
                         testing::Values(Bouncing{"soft", "[time]\nstep = 2e-5\n" + hooke_law},
                                         Bouncing{"general", "[time]\nstep = 2e-5\n" + hooke_law, true},
                                         Bouncing{"hard", "engine = \"hard\"\n[time]\nstep = 0.001\n" + impact_law},
                                         Bouncing{"stepped",
                                                  "engine = \"stepped\"\n[time]\nstep = 2e-4\n" + impact_law}),
                         [](const auto& how) { return std::string(how.param.name); });

}  // namespace
}  // namespace talus::tests
