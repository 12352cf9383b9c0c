// Commands that look and copy: check, new, info, export.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "program.h"
#include "talus/base/diagnostics.h"
#include "talus/output/frame.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(CommandLine, CheckTellsWhatASceneMeans) {
    const Outcome outcome = call({"check", "small.toml", "--threads", "1", "--set", "time.reference_speed=1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    // SSDEM Eqs. 38 and 39 and Eq. 4 by hand; restitution 0.8 gives the damping ratio 0.0709.
    const double mass = 4.0 / 3.0 * std::numbers::pi * 1e-3;
    const double ratio = std::log(0.8) / std::hypot(std::numbers::pi, std::log(0.8));
    const double collision = std::numbers::pi * std::sqrt(0.5 * mass / 5000 / (1 - ratio * ratio));
    EXPECT_THAT(outcome.out, HasSubstr(fmt::format("grain - grain   collision {:.4g} s = 50 steps", collision)));
    EXPECT_THAT(outcome.out,
                HasSubstr(fmt::format("grain | steel   collision {:.4g} s = 71 steps", collision * std::sqrt(2))));
    EXPECT_THAT(outcome.out, HasSubstr(fmt::format("(auto); suggested {:.4g} s (Eq. 39)", collision / 50)));
    EXPECT_THAT(outcome.out, HasSubstr(fmt::format("overlap to {:.3g} m at 1 m/s", std::sqrt(0.5 * mass / 5000))));
    EXPECT_THAT(outcome.out,
                HasSubstr(fmt::format("at 1 m/s        {:.3g} N/m (SSDEM Eq. 4)", mass / (0.01 * 0.01 * 1e-4))));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("grains            8, radius 0.01 to 0.01 m"), HasSubstr("N/m (Eq. 5)"),
                                   HasSubstr("length            at most 0.02 s = "), HasSubstr("on this machine")));
    EXPECT_FALSE(fs::exists(folder() / "out"));
}

TEST_F(CommandLine, CheckSpeaksOfImpactsWhereGrainsAreHard) {
    const Outcome drift = call({"check", "small.toml", "--threads", "1", "--set", "engine=hard"});
    EXPECT_EQ(drift.code, 0) << drift.err;
    // A hundredth of the fall through a radius, a fiftieth of its speed.
    const double fall = std::sqrt(2 * 0.01 / 9.80665);
    const double slow = 0.02 * 9.80665 * fall;
    EXPECT_THAT(drift.out,
                HasSubstr(fmt::format("flight            drifts of {0:.4g} s (auto) between kicks; suggested "
                                      "{0:.4g} s\n",
                                      0.01 * fall)));
    EXPECT_THAT(drift.out,
                AllOf(HasSubstr("  grain - grain   restitution 0.8, tangential restitution 0, friction 0.3\n"),
                      HasSubstr("  grain | steel   restitution 0.8, tangential restitution 0, friction 0.3\n"),
                      HasSubstr(fmt::format("slow impacts      elastic below {:.3g} m/s; none leaves with less than "
                                            "{:.3g} m/s\n",
                                            slow, 0.1 * slow)),
                      HasSubstr("length            at most 0.02 s = 44 steps, about "), HasSubstr(" ms a step now)")));
    const Outcome ballistic =
        call({"check", "small.toml", "--threads", "1", "--set", "engine=hard", "--set", "flight=ballistic", "--set",
              "contacts.0={ between = ['*', '*'], law = 'impact', restitution = 1 }"});
    EXPECT_EQ(ballistic.code, 0) << ballistic.err;
    EXPECT_THAT(
        ballistic.out,
        AllOf(HasSubstr("flight            ballistic, from impact to impact; looked at every 2e-06 s (auto)\n"),
              HasSubstr("  grain - grain   restitution 1, smooth\n"), HasSubstr("slow impacts      as all others"),
              HasSubstr("length            at most 0.02 s, about "), HasSubstr(" s a simulated second now)")));
    for (const char* soft : {"kn", "Eq.", "overlap", "stable"}) {
        EXPECT_THAT(drift.out + ballistic.out, Not(HasSubstr(soft)));
    }
    const std::string change =
        "{ contact = { between = ['grain', 'steel'], law = 'impact', restitution = 0.5, tangential_restitution = 0.9 } "
        "}";
    const std::string stages =
        "stages=[ { name = 'a', until = { time = 0.01 } }, { name = 'b', until = { time = 0.02 }, "
        "do = [ " +
        change + " ] } ]";
    const Outcome later =
        call({"check", "small.toml", "--threads", "1", "--set", "engine=hard", "--set", stages, "--set", "time={}"});
    EXPECT_EQ(later.code, 0) << later.err;
    EXPECT_THAT(later.out,
                HasSubstr("  grain | steel   restitution 0.5, tangential restitution 0.9, no friction limit; from "
                          "stage \"b\" on\n"));
}

TEST_F(CommandLine, NewListsAndCopiesScenes) {
    const Outcome list = call({"new"});
    EXPECT_EQ(list.code, 0);
    EXPECT_THAT(list.out, AllOf(HasSubstr("hopper_quick        A small hopper"), HasSubstr("hopper_sim2")));
    const Outcome copy = call({"new", "hopper_quick"});
    EXPECT_EQ(copy.code, 0) << copy.err;
    EXPECT_THAT(copy.out, HasSubstr("talus run hopper_quick.toml"));
    EXPECT_EQ(read_file(folder() / "hopper_quick.toml"),
              read_file(fs::path(TALUS_SOURCE_DIR) / "scenes/hopper_quick.toml"));
    write("hopper_quick.toml", "mine");
    EXPECT_EQ(call({"new", "hopper_quick"}).code, 2);
    EXPECT_EQ(read_file(folder() / "hopper_quick.toml"), "mine");
    EXPECT_EQ(call({"new", "hopper_quick", "other.toml"}).code, 0);
    EXPECT_TRUE(fs::exists(folder() / "other.toml"));
    EXPECT_EQ(call({"check", "other.toml", "--threads", "1"}).code, 0);
}

TEST_F(CommandLine, InfoKnowsEveryKindOfFile) {
    ASSERT_EQ(call({"run", "small.toml", "--threads", "1", "--out", "run"}).code, 0);
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
        {"run",
         {"run: Talus run", "status       finished", "eight grains", "frames       3", "series       11 rows",
          "height.max: 0.0", "\"run\" 0 to 0.0", "ended by time"}},
        {"run/manifest.json", {"Talus manifest", "state hash"}},
        {"run/series.csv", {"Talus time series", "rows         11", "energy.translational"}},
        {"run/checkpoint.h5", {"Talus checkpoint, complete", "grains       8"}},
        {"run/checkpoint.previous.h5", {"Talus checkpoint, complete", "time         0 s (step 0)"}},
        {"run/frames/000001.h5", {"Talus frame", "grains       8", "\"floor\" (plane)"}},
        {"small.toml", {"a scene"}},
    };
    for (const auto& [path, expected] : cases) {
        const Outcome outcome = call({"info", path});
        EXPECT_EQ(outcome.code, 0) << path << "\n" << outcome.err;
        EXPECT_THAT(outcome.err, IsEmpty());
        for (const std::string& text : expected) {
            EXPECT_THAT(outcome.out, HasSubstr(text)) << path;
        }
    }
    // Damage is found and named.
    fs::resize_file(folder() / "run/checkpoint.h5", fs::file_size(folder() / "run/checkpoint.h5") - 100);
    const Outcome damaged = call({"info", "run/checkpoint.h5"});
    EXPECT_EQ(damaged.code, 2);
    EXPECT_THAT(damaged.err, AllOf(HasSubstr("run/checkpoint.h5"), HasSubstr("incomplete")));
    EXPECT_EQ(call({"info", "."}).code, 2) << "not a run folder";
}

TEST_F(CommandLine, ExportWritesForParaViewAndOvito) {
    ASSERT_EQ(call({"run", "small.toml", "--threads", "1", "--out", "run"}).code, 0);
    const Outcome vtk = call({"export", "run"});
    EXPECT_EQ(vtk.code, 0) << vtk.err;
    EXPECT_THAT(vtk.out, HasSubstr("run/vtk; open grains.pvd"));
    for (const char* name : {"grains.pvd", "walls.pvd", "contacts.pvd", "open_in_paraview.py"}) {
        EXPECT_TRUE(fs::exists(folder() / "run/vtk" / name)) << name;
    }
    const std::string collection = read_file(folder() / "run/vtk/grains.pvd");
    std::size_t entries = 0;
    for (std::size_t at = collection.find("<DataSet"); at != std::string::npos;
         at = collection.find("<DataSet", at + 1)) {
        ++entries;
    }
    EXPECT_EQ(entries, 3U) << "one a frame";

    const Outcome dump = call({"export", "run/frames/000002.h5", "--format", "lammps", "--out", "last.dump"});
    EXPECT_EQ(dump.code, 0) << dump.err;
    const std::string text = read_file(folder() / "last.dump");
    EXPECT_THAT(text, StartsWith("ITEM: TIMESTEP\n"));
    EXPECT_THAT(text, HasSubstr("ITEM: NUMBER OF ATOMS\n8\n"));
    EXPECT_EQ(call({"export", "run", "--format", "lammps"}).code, 0);
    const std::string all = read_file(folder() / "run/talus.dump");
    std::size_t frames = 0;
    for (std::size_t at = all.find("ITEM: TIMESTEP"); at != std::string::npos;
         at = all.find("ITEM: TIMESTEP", at + 1)) {
        ++frames;
    }
    EXPECT_EQ(frames, 3U);
}

}  // namespace
}  // namespace talus::tests
