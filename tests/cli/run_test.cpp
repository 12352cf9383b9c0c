// `talus run`: its folder, what it prints where, and what it says when a run goes wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>

#include <nlohmann/json.hpp>

#include "program.h"
#include "talus/output/manifest.h"
#include "talus/output/run_folder.h"
#include "talus/output/series.h"
#include "talus/scene/scene.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(CommandLine, RunWritesItsFolderBesideTheCaller) {
    const Outcome outcome = call({"run", "small.toml", "--threads", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("finished at t = 0.02"), HasSubstr("results are in out/small"),
                                   HasSubstr("height: p99"), HasSubstr("energy ledger")));
    for (const char* name :
         {"manifest.json", "series.csv", "checkpoint.h5", "checkpoint.previous.h5", "frames/000002.h5"}) {
        EXPECT_TRUE(fs::exists(folder() / "out/small" / name)) << name;
    }
    const Outcome again = call({"run", "small.toml", "--threads", "1"});
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, AllOf(HasSubstr("out/small already holds a run"), HasSubstr("--overwrite")));
    EXPECT_EQ(call({"run", "small.toml", "--threads", "1", "--overwrite"}).code, 0);
    EXPECT_EQ(call({"run", "small.toml", "--threads", "1", "--overwrite", "--out", "new"}).code, 0)
        << "nothing to replace";
}

TEST_F(CommandLine, OutputThatIsNoTerminalIsPlain) {
    const Outcome outcome = call({"run", "small.toml", "--threads", "1"});
    for (const std::string& text : {outcome.out, outcome.err}) {
        EXPECT_THAT(text, Not(HasSubstr("\r")));
        EXPECT_THAT(text, Not(HasSubstr("\033")));
    }
    EXPECT_THAT(outcome.err, StartsWith("8 grains from t = 0 s in steps of"));
}

TEST_F(CommandLine, QuietSaysNothing) {
    const Outcome outcome = call({"run", "small.toml", "--threads", "1", "--quiet", "--set", "time.step=2e-4"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_NE(call({"run", "small.toml", "--quiet"}).err, "") << "but faults are told";
}

TEST_F(CommandLine, JsonIsOneObjectAndNothingElse) {
    const Outcome outcome = call({"run", "small.toml", "--threads", "1", "--json"});
    EXPECT_EQ(outcome.code, 0);
    const auto json = nlohmann::json::parse(outcome.out);  // throws if anything else is there
    EXPECT_EQ(json.at("status"), "finished");
    EXPECT_EQ(json.at("out"), "out/small");
    EXPECT_EQ(json.at("grains"), 8);
    EXPECT_NEAR(json.at("time").get<double>(), 0.02, 1e-4);
    EXPECT_TRUE(json.at("result").at("height.max").contains("error"));
    const auto manifest = output::read_manifest(output::manifest_path(folder() / "out/small"));
    EXPECT_EQ(json.at("state_hash"), manifest.state_hash);
    EXPECT_EQ(json.at("steps"), manifest.steps);
    const Outcome quiet = call({"run", "small.toml", "--threads", "1", "--json", "--quiet", "--overwrite"});
    EXPECT_EQ(nlohmann::json::parse(quiet.out).at("state_hash"), manifest.state_hash) << "and the same bits again";
    EXPECT_THAT(quiet.err, IsEmpty());
}

TEST_F(CommandLine, RunsOfHardGrainsCountImpacts) {
    const std::vector<std::string> hard = {"run", "small.toml", "--threads", "1", "--set", "engine=hard"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), hard.begin(), hard.end());
        return call(more);
    };
    const Outcome drift = with({"--out", "drift"});
    EXPECT_EQ(drift.code, 0) << drift.err;
    EXPECT_THAT(drift.err, StartsWith("8 grains from t = 0 s in steps of 0.0004516 s, 1 thread"));
    EXPECT_THAT(drift.out,
                AllOf(HasSubstr(" impacts: 8 between grains, 8 on walls, 0 on held grains"),
                      HasSubstr("after 44 steps with "), HasSubstr(" impacts a second\n"), Not(HasSubstr(" ns per"))));
    const Outcome ballistic = with({"--out", "ballistic", "--set", "flight=ballistic"});
    EXPECT_EQ(ballistic.code, 0) << ballistic.err;
    EXPECT_THAT(ballistic.err, StartsWith("8 grains from t = 0 s from impact to impact, 1 thread"));
    EXPECT_THAT(ballistic.out, AllOf(HasSubstr("finished at t = 0.02 s after "), HasSubstr(" impacts, 8 grains; "),
                                     Not(HasSubstr("steps"))));
    const Outcome again = call({"run", "--resume", "ballistic", "--threads", "1"});
    EXPECT_EQ(again.code, 0);
    EXPECT_THAT(again.out, AllOf(HasSubstr("had finished before"), HasSubstr(" impacts, 8 grains; ")));
    const auto json = nlohmann::json::parse(with({"--out", "json", "--set", "flight=ballistic", "--json"}).out);
    EXPECT_EQ(json.at("impacts"), 16);
    EXPECT_TRUE(json.contains("impacts_per_second"));
    EXPECT_FALSE(json.contains("ns_per_particle_step"));
    EXPECT_EQ(json.at("result").at("impacts.walls").at("value"), 8);
}

TEST_F(CommandLine, OverridesAreKeptWithTheResults) {
    const Outcome outcome = call({"run", "small.toml", "--threads", "1", "--out", "heavy", "--set",
                                  "materials.grain.density=2000", "--set", "fill.0.count=4", "--set", "title=four"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto manifest = output::read_manifest(output::manifest_path(folder() / "heavy"));
    EXPECT_EQ(manifest.title, "four");
    EXPECT_EQ(manifest.scene_file, "small.toml");
    const scene::Scene scene = scene::load_text(manifest.scene_text, "as run");
    EXPECT_EQ(scene.system.materials.list[0].density, 2000);
    EXPECT_EQ(scene.system.bodies.size(), 4U);
    // The scene as run, on its own, gives the same run.
    write("again.toml", manifest.scene_text);
    ASSERT_EQ(call({"run", "again.toml", "--threads", "1"}).code, 0);
    EXPECT_EQ(output::read_manifest(output::manifest_path(folder() / "out/again")).state_hash, manifest.state_hash);
}

TEST_F(CommandLine, AGrainThrownOutEndsTheRunWith3) {
    std::string text = small_scene();
    text.replace(text.find("end = 0.02"), 10, "");
    write("wild.toml",
          text +
              "[[stages]]\nname = \"calm\"\nuntil = { duration = 0.01 }\n[[stages]]\nname = \"wild\"\n"
              "do = [ { set_velocity = { velocity = [0, 0, 1e5], below = { x = \"2 cm\", y = \"2 cm\", z = "
              "\"2 cm\" } } } ]\nuntil = { duration = 0.01 }\n");
    const Outcome outcome = call({"run", "wild.toml", "--threads", "1"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("grain 0 was thrown out at t = 0.01"), HasSubstr("time step"),
                                   HasSubstr("talus run --resume out/wild")));
    const Outcome info = call({"info", "out/wild"});
    EXPECT_EQ(info.code, 0);
    EXPECT_THAT(info.out, AllOf(HasSubstr("status       failed"), HasSubstr("checkpoint   0 s (step 0), 8 grains")));
    const Outcome resumed = call({"run", "--resume", "out/wild", "--threads", "1"});
    EXPECT_EQ(resumed.code, 3) << "the same bits fail in the same place";
    EXPECT_THAT(resumed.err, HasSubstr("grain 0 was thrown out at t = 0.01"));
}

TEST_F(CommandLine, AnOutFolderThatCannotBeMadeIsTold) {
    write("file", "in the way");
    const Outcome outcome = call({"run", "small.toml", "--out", "file/inside"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("file/inside"));
}

TEST_F(CommandLine, OnATerminalTheBarStaysOnOneLine) {
    int master = -1;
    int slave = -1;
    winsize size{24, 70, 0, 0};
    ASSERT_EQ(::openpty(&master, &slave, nullptr, nullptr, &size), 0);
    // Longer than anybody wants to wait: stopped when two bars were seen.
    Process process(
        talus_command({"run", "small.toml", "--threads", "1", "--set", "time.end=4000", "--set", "output.frames=0"}),
        folder(), [slave] { ::dup2(slave, 2); });
    ::close(slave);
    std::string shown;
    char buffer[4096];
    const auto two_bars = [&shown] { return shown.rfind("\r\033[K[") != shown.find("\r\033[K["); };
    for (ssize_t got = 0; !two_bars() && (got = ::read(master, buffer, sizeof buffer)) > 0;) {
        shown.append(buffer, static_cast<std::size_t>(got));
    }
    process.signal(SIGINT);
    for (ssize_t got = 0; (got = ::read(master, buffer, sizeof buffer)) > 0;) {
        shown.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(master);
    EXPECT_THAT(shown,
                AllOf(HasSubstr("\r\033[K["), HasSubstr(" % run: t = "), HasSubstr(" of 4000 s"), HasSubstr(" left")));
    std::size_t bars = 0;
    for (std::size_t at = shown.find("\r\033[K["); at != std::string::npos; at = shown.find("\r\033[K[", at + 1)) {
        const std::size_t end = shown.find('\r', at + 1);
        EXPECT_LT(end - at - 4, 70U) << "it would wrap: " << shown.substr(at + 4, end - at - 4);
        ++bars;
    }
    EXPECT_GE(bars, 2U);
    EXPECT_TRUE(shown.ends_with("\r\033[K")) << "the last bar is taken away";
}

}  // namespace
}  // namespace talus::tests
