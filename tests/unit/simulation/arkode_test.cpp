// The Runge-Kutta pairs against ARKODE of SUNDIALS, which has its own tables and its own way through a step: the same
// equations of motion, the same length of steps, so that only rounding may differ.
#include <gtest/gtest.h>

#ifdef TALUS_HAS_ARKODE
#include <arkode/arkode_erkstep.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "talus/engines/grains/engine.h"
#include "talus/math/free_rotation.h"
#include "talus/simulation/simulation.h"
#endif

namespace talus::simulation {
namespace {

#ifdef TALUS_HAS_ARKODE

using engines::grains::Motion;
using math::Quaterniond;
using math::Vec3d;

constexpr double step = 1e-4;
constexpr int steps = 500;
constexpr sunindextype numbers = 13;  // of a grain: position, velocity, quaternion, angular momentum

/// Three peanuts that meet one another and the floor.
scene::Scene peanuts(const std::string& method, const std::string& law) {
    scene::Scene out = scene::load_text(fmt::format(R"(
time = {{ end = 1, step = {0} }}
integration = {{ method = "{1}", successive = false, tolerance = 1e9, shortest = {0} }}
[gravity]
uniform = [0, 0, -9.81]
[materials.grain]
density = 1000
[grains.peanut]
dumbbell = {{ radius = 0.01, distance = 0.01 }}
[[contacts]]
between = ["grain", "grain"]
{2}
[[walls]]
name = "floor"
shape = {{ plane = {{}} }}
material = "grain"
[[fill]]
material = "grain"
grain = "peanut"
radius = 0.015
orientation = "random"
lattice = {{}}
count = 3
box = {{ low = [0, 0, 0], high = [0.1, 0.1, 0.04] }}
)",
                                                    step, method, law),
                                        "s", {});
    model::Bodies& bodies = out.system.bodies;
    bodies.position = {{0, 0, 0.03}, {0.04, 0.005, 0.035}, {0.02, 0.04, 0.03}};
    bodies.velocity = {{0.5, 0.2, 0}, {-0.5, 0, 0}, {0, -1, -0.2}};
    bodies.spin = {{10, 0, 5}, {0, -20, 0}, {3, 7, 11}};
    return out;
}

/// The equations of motion for ARKODE, with the forces that Talus knows.
struct Equations {
    explicit Equations(scene::Scene from) : scene(std::move(from)), engine(scene.system, {}, false) {}

    std::vector<double> start() const {
        std::vector<double> y;
        const model::System& system = scene.system;
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            const auto put = [&](const Vec3d& v) { y.insert(y.end(), {v.x, v.y, v.z}); };
            put(system.bodies.position[i]);
            put(system.bodies.velocity[i]);
            y.push_back(system.grains.turn[i].w);
            put(system.grains.turn[i].v);
            put(system.grains.turning[i]);
        }
        return y;
    }

    static int rates(realtype time, N_Vector state, N_Vector rate, void* self) {
        auto& equations = *static_cast<Equations*>(self);
        const model::System& system = equations.scene.system;
        const double* y = N_VGetArrayPointer(state);
        double* out = N_VGetArrayPointer(rate);
        std::vector<Motion> motion;
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            const double* of = y + numbers * static_cast<sunindextype>(i);
            const Quaterniond turn = normalized(Quaterniond{of[6], {of[7], of[8], of[9]}});
            const Vec3d& moment = system.grains.moment[i];
            const Vec3d spin =
                math::spin_of({of[10], of[11], of[12]}, turn, {1 / moment.x, 1 / moment.y, 1 / moment.z});
            motion.push_back({{of[0], of[1], of[2]}, {of[3], of[4], of[5]}, turn, spin});
        }
        const auto& wrench = equations.engine.wrenches(motion, time, step);
        for (std::size_t i = 0; i < motion.size(); ++i) {
            const Quaterniond turning = Quaterniond{0, motion[i].spin * 0.5} * motion[i].turn;
            for (const Vec3d& v : {motion[i].velocity, wrench[i].force / system.bodies.mass[i] + system.gravity}) {
                out = std::copy_n(&v[0], 3, out);
            }
            *out++ = turning.w;
            out = std::copy_n(&turning.v[0], 3, out);
            out = std::copy_n(&wrench[i].torque[0], 3, out);
        }
        return 0;
    }

    scene::Scene scene;
    engines::grains::Engine engine;
};

/// Positions of the grains after all steps, by ARKODE. `exchanged`: the solution for comparison is the one to keep.
std::vector<Vec3d> by_arkode(scene::Scene scene, ARKODE_ERKTableID which, bool exchanged) {
    Equations equations(std::move(scene));
    std::vector<double> y = equations.start();
    SUNContext context = nullptr;
    EXPECT_EQ(SUNContext_Create(nullptr, &context), 0);
    N_Vector state = N_VMake_Serial(static_cast<sunindextype>(y.size()), y.data(), context);
    void* memory = ERKStepCreate(&Equations::rates, 0, state, context);
    ARKodeButcherTable table = ARKodeButcherTable_LoadERK(which);
    if (exchanged) {
        std::swap(table->b, table->d);
        std::swap(table->q, table->p);
    }
    EXPECT_EQ(ERKStepSetTable(memory, table), ARK_SUCCESS);
    EXPECT_EQ(ERKStepSetUserData(memory, &equations), ARK_SUCCESS);
    EXPECT_EQ(ERKStepSetFixedStep(memory, step), ARK_SUCCESS);
    for (int k = 0; k < steps; ++k) {
        realtype reached = 0;
        EXPECT_GE(ERKStepEvolve(memory, (k + 1) * step, state, &reached, ARK_ONE_STEP), 0);
        // After each step Talus gives quaternions their length again.
        for (std::size_t at = 6; at < y.size(); at += numbers) {
            const Quaterniond turn = normalized(Quaterniond{y[at], {y[at + 1], y[at + 2], y[at + 3]}});
            y[at] = turn.w;
            std::copy_n(&turn.v[0], 3, &y[at + 1]);
        }
        EXPECT_EQ(ERKStepReset(memory, reached, state), ARK_SUCCESS);
    }
    ARKodeButcherTable_Free(table);
    ERKStepFree(&memory);
    N_VDestroy(state);
    SUNContext_Free(&context);
    std::vector<Vec3d> out;
    for (std::size_t at = 0; at < y.size(); at += numbers) {
        out.push_back({y[at], y[at + 1], y[at + 2]});
    }
    return out;
}

double farthest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        out = std::max(out, norm(a[i] - b[i]));
    }
    return out;
}

void expect_the_same_path(const std::string& method, ARKODE_ERKTableID table, bool exchanged) {
    for (const char* law : {"law = \"hertz\"\nyoung = 1e6\npoisson = 0.3\nrestitution = 1",
                            "law = \"poly\"\nyoung = 1e6\npoisson = 0.3\nrestitution = 0.8"}) {
        Simulation run(peanuts(method, law), {1, 0});
        run.step(steps);
        EXPECT_EQ(run.system().integration_state.accepted, steps);
        EXPECT_GT(run.system().counters.largest_overlap, 1e-3);  // they have met
        const std::vector<Vec3d>& found = run.system().bodies.position;
        const double travelled = 0.05;  // m, about
        EXPECT_LT(farthest(found, by_arkode(peanuts(method, law), table, exchanged)), 1e-9 * travelled);
        // The other solution of the pair is another one.
        EXPECT_GT(farthest(found, by_arkode(peanuts(method, law), table, !exchanged)), 1e-8 * travelled);
    }
}

TEST(Arkode, AgreesWithFehlbergsPair) {
    expect_the_same_path("rkf45", ARKODE_FEHLBERG_6_4_5, true);  // SOLVER keeps the fourth order
}

TEST(Arkode, AgreesWithBogackiAndShampinesPair) {
    expect_the_same_path("rk23", ARKODE_BOGACKI_SHAMPINE_4_2_3, false);
}

#else

TEST(Arkode, AgreesWithFehlbergsPair) {
    GTEST_SKIP() << "SUNDIALS (libsundials-dev) was not found when the tests were configured";
}
TEST(Arkode, AgreesWithBogackiAndShampinesPair) {
    GTEST_SKIP() << "SUNDIALS (libsundials-dev) was not found when the tests were configured";
}

#endif

}  // namespace
}  // namespace talus::simulation
