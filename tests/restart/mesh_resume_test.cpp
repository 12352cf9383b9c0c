// Runs with meshes: stopped and resumed they equal one that never stopped, whatever has become of the files by then;
// and neither threads nor how pairs are listed change a bit.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "mesh_files.h"
#include "restart/same_run.h"
#include "talus/base/diagnostics.h"
#include "talus/geometry/surface.h"
#include "temporary_folder.h"

namespace talus::tests {
namespace {

/// Grains fall into a turning trough of bent sheets; then a second mesh comes down on them.
class Trough {
public:
    /// `grain`: more lines for the fill.
    explicit Trough(std::string engine = "", std::string law = soft_law, std::string grain = "")
        : engine_(std::move(engine)), law_(std::move(law)), grain_(std::move(grain)) {
        Mesh trough;
        const int n = 16;
        for (int k = 0; k < n; ++k) {
            const auto rim = [&](int i, double y) {
                const double angle = -0.5 * 3.141592653589793 + (i - n / 2) * 0.19;
                return Vec3d{0.05 * std::cos(angle), y, 0.05 * std::sin(angle)};
            };
            add_parallelogram(trough, rim(k, -0.05), rim(k + 1, -0.05) - rim(k, -0.05), {0, 0.1, 0}, 3);
        }
        for (const double y : {-0.05, 0.05}) {
            add_parallelogram(trough, {-0.06, y, -0.06}, {0.12, 0, 0}, {0, 0, 0.1}, 2);
        }
        write_obj(folder_ / "trough.obj", trough);
        write_obj(folder_ / "ram.obj", box_of_triangles({0.03, 0.05, 0.03}, 2));
        std::ofstream(folder_ / "trough.toml") << text();
    }
    scene::Scene load() const { return scene::load(folder_ / "trough.toml"); }
    void forget_meshes() const {
        fs::remove(folder_ / "trough.obj");
        std::ofstream(folder_ / "ram.obj") << "v 0 0 0\n";
    }
    const fs::path& folder() const { return folder_.path(); }

    static constexpr const char* soft_law =
        "law = \"hooke\"\nkn = 3000\nkt = \"2/7 kn\"\nrestitution = 0.6\nct = 0.1\nfriction = { static = 0.4, rolling "
        "= "
        "0.01 }\nslip_memory = 1\n";
    static constexpr const char* midpoint = "time = { step = 2e-5 }\nintegration = { method = \"midpoint\" }\n";
    static constexpr const char* long_step = "time = { step = 2e-5 }\n";
    static constexpr const char* dumbbells = "grain = \"dumbbell\"\n";
    static constexpr const char* hard_law = "law = \"impact\"\nrestitution = 0.7\ntangential_restitution = 0.6\n";

private:
    std::string text() const {
        return "seed = 3\n" + engine_ + R"(
[gravity]
uniform = [0, 0, -9.81]
[domain]
low  = [-0.2, -0.2, -0.2]
high = [0.2, 0.2, 0.4]
[materials.grain]
density = 2500
[materials.steel]
[grains.dumbbell]
dumbbell = { radius = 0.0018, distance = 0.0024 }
[[contacts]]
between = ["grain", "*"]
)" + law_ + R"(
[[walls]]
name = "trough"
material = "steel"
shape = { mesh = { file = "trough.obj" } }
motion = [ { spin = { axis = [0, 1, 0], rate = 3 } }, { oscillate = { amplitude = [0, 0, 0.001], frequency = 20 } } ]
[[fill]]
material = "grain"
)" + grain_ + R"(radius = 0.003
random = {}
box = { low = [-0.025, -0.045, -0.04], high = [0.025, 0.045, 0.06] }
count = 600
[[stages]]
name = "fall"
until = { duration = 0.06 }
[[stages]]
name = "press"
until = { duration = 0.06 }
[[stages.do]]
[stages.do.add_wall]
name     = "ram"
material = "steel"
shape    = { mesh = { file = "ram.obj", position = [-0.015, -0.025, 0.045] } }
motion   = [ { translate = { velocity = [0, 0, -0.4] } } ]
[output]
series = 0.01
frames = 0.04
)";
    }
    std::string engine_, law_, grain_;
    TemporaryFolder folder_;
};

constexpr const char* stepped = "engine = \"stepped\"\n[time]\nstep = 1e-4\n";
constexpr const char* hard = "engine = \"hard\"\n[time]\nstep = 1e-3\n";

void expect_no_trace(const Trough& scene, std::int64_t stop_after) {
    simulation::Run whole(scene.load(), scene.folder() / "whole", options(1));
    const simulation::RunResult expected = whole.go();
    ASSERT_TRUE(expected.finished);
    ASSERT_LT(stop_after, expected.manifest.steps);
    simulation::RunOptions stopping = options(2);
    stopping.stop_after = stop_after;
    {
        simulation::Run part(scene.load(), scene.folder() / "parts", stopping);
        ASSERT_FALSE(part.go().finished);
    }
    scene.forget_meshes();
    const auto resumed = simulation::Run::resume(scene.folder() / "parts", options(1));
    const simulation::RunResult result = resumed->go();
    expect_same_run(result, scene.folder() / "parts", expected, scene.folder() / "whole");
    // Pictures of a frame need no files either.
    const output::FrameFile frame = output::read_frame(output::list_frames(scene.folder() / "parts").back());
    ASSERT_EQ(frame.walls.size(), 2U);
    EXPECT_EQ(frame.walls[0].shape.surface->faces(), 304U);
    EXPECT_EQ(frame.walls[1].shape.surface->faces(), 48U);
}

TEST(MeshResume, LeavesNoTraceBeforeTheSecondMeshComes) {
    expect_no_trace(Trough(), 1500);
}
TEST(MeshResume, LeavesNoTraceWhileBothAreThere) {
    expect_no_trace(Trough(), 4500);
}
TEST(MeshResume, LeavesNoTraceInTheGeneralEngine) {
    expect_no_trace(Trough(Trough::midpoint), 4500);
}
TEST(MeshResume, LeavesNoTraceWithGrainsOfManySpheres) {
    expect_no_trace(Trough(Trough::long_step, Trough::soft_law, Trough::dumbbells), 4500);
}
TEST(MeshResume, LeavesNoTraceInTheSteppedEngine) {
    expect_no_trace(Trough(stepped, Trough::hard_law), 900);
}
TEST(MeshResume, LeavesNoTraceInTheHardEngine) {
    expect_no_trace(Trough(hard, Trough::hard_law), 80);
}

std::uint64_t hash_after(const Trough& scene, const simulation::Options& options, std::int64_t steps) {
    simulation::Simulation run(scene.load(), options);
    run.step(steps);
    EXPECT_GT(norm(run.system().walls[0].record.impulse), 0) << "nobody has met the mesh";
    return run.state_hash();
}

struct Lists {
    const char* name;
    const char* engine;
    const char* law;
    const char* grain;
    bool general;
    std::int64_t steps;
};
void PrintTo(const Lists& lists, std::ostream* out) {
    *out << lists.name;
}

class MeshLists : public testing::TestWithParam<Lists> {};

TEST_P(MeshLists, ChangeNoBitNorDoThreads) {
    const Lists& how = GetParam();
    const Trough scene(how.engine, how.law, how.grain);
    const std::uint64_t expected = hash_after(scene, {1, 0, how.general}, how.steps);
    for (const simulation::Options& other : {simulation::Options{2, 0}, {3, 0}, {1, 2e-4}, {2, 3e-3}}) {
        EXPECT_EQ(hash_after(scene, {other.threads, other.skin, how.general}, how.steps), expected)
            << other.threads << " threads, skin " << other.skin;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Engines, MeshLists,
    testing::Values(Lists{"packed", "", Trough::soft_law, "", false, 3000},
                    Lists{"general", "", Trough::soft_law, "", true, 3000},
                    Lists{"midpoint", Trough::midpoint, Trough::soft_law, "", false, 2500},
                    Lists{"dumbbells", Trough::long_step, Trough::soft_law, Trough::dumbbells, false, 2500},
                    Lists{"stepped", stepped, Trough::hard_law, "", false, 800},
                    Lists{"stepped_dumbbells", stepped, Trough::hard_law, Trough::dumbbells, false, 400},
                    Lists{"hard", hard, Trough::hard_law, "", false, 60}),
    [](const auto& how) { return std::string(how.param.name); });

}  // namespace
}  // namespace talus::tests
