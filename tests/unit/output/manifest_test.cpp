// A manifest says everything about a run and reads back the same.
#include "talus/output/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "temporary_folder.h"

namespace talus::output {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::ThrowsMessage;

Manifest sample_manifest() {
    Manifest manifest;
    manifest.title = "Körner";
    manifest.scene_file = "hopper.toml";
    manifest.scene_text = "title = \"Körner\"\n# \\ \"\n";
    manifest.version = "0.1.0";
    manifest.revision = "abc1234";
    manifest.seed = 0xFFFFFFFFFFFFFFFFU;
    manifest.engine = "soft";
    manifest.threads = 2;
    manifest.hardware = {"A CPU", 2, 48'000'000'000};
    manifest.status = "finished";
    manifest.started = "2025-11-15T18:20:54Z";
    manifest.ended = "2025-11-15T18:30:00Z";
    manifest.resumed = {"2025-11-15T18:25:00Z"};
    manifest.timings = {{"contacts", 1.25}, {"pairs", 1.0 / 3}};
    manifest.steps = 123456789012;
    manifest.time = 0.1;
    manifest.grains = 4000;
    manifest.state_hash = hash_text(0xABCU);
    manifest.stages = {{"fill", 0, 1.5, "settled"}, {"discharge", 1.5, {}, ""}};
    manifest.warnings = {"large overlap"};
    manifest.events = {{1.5, "floor replaced"}};
    manifest.result = R"({"discharge":{"rate":13.57,"error":0.1}})";
    return manifest;
}

TEST(Manifest, ReadsBackAsWritten) {
    const tests::TemporaryFolder folder;
    const Manifest written = sample_manifest();
    write_manifest(folder / "manifest.json", written);
    const Manifest back = read_manifest(folder / "manifest.json");
    EXPECT_EQ(back.title, written.title);
    EXPECT_EQ(back.scene_file, written.scene_file);
    EXPECT_EQ(back.scene_text, written.scene_text);
    EXPECT_EQ(back.version, written.version);
    EXPECT_EQ(back.revision, written.revision);
    EXPECT_EQ(back.seed, written.seed);
    EXPECT_EQ(back.engine, written.engine);
    EXPECT_EQ(back.threads, written.threads);
    EXPECT_EQ(back.hardware.cpu, written.hardware.cpu);
    EXPECT_EQ(back.hardware.cores, written.hardware.cores);
    EXPECT_EQ(back.hardware.memory, written.hardware.memory);
    EXPECT_EQ(back.status, written.status);
    EXPECT_EQ(back.started, written.started);
    EXPECT_EQ(back.ended, written.ended);
    EXPECT_EQ(back.resumed, written.resumed);
    EXPECT_EQ(back.timings, written.timings);
    EXPECT_EQ(back.steps, written.steps);
    EXPECT_EQ(back.time, written.time);
    EXPECT_EQ(back.grains, written.grains);
    EXPECT_EQ(back.state_hash, "0000000000000abc");
    ASSERT_EQ(back.stages.size(), 2U);
    EXPECT_EQ(back.stages[0].name, "fill");
    EXPECT_EQ(back.stages[0].end, 1.5);
    EXPECT_EQ(back.stages[0].ended_by, "settled");
    EXPECT_EQ(back.stages[1].start, 1.5);
    EXPECT_FALSE(back.stages[1].end.has_value());
    EXPECT_EQ(back.warnings, written.warnings);
    ASSERT_EQ(back.events.size(), 1U);
    EXPECT_EQ(back.events[0].time, 1.5);
    EXPECT_EQ(back.events[0].text, "floor replaced");
    EXPECT_EQ(back.result, written.result);
    const auto json = nlohmann::json::parse(read_text_file(folder / "manifest.json"));
    EXPECT_EQ(json["result"]["discharge"]["rate"], 13.57);
}

TEST(Manifest, TakesTheDefaults) {
    const tests::TemporaryFolder folder;
    const Manifest plain;
    write_manifest(folder / "manifest.json", plain);
    EXPECT_EQ(read_manifest(folder / "manifest.json").status, "running");
}

TEST(Manifest, SurvivesTextThatIsNotUtf8) {
    const tests::TemporaryFolder folder;
    Manifest manifest = sample_manifest();
    manifest.title = "K\xF6rner";
    write_manifest(folder / "manifest.json", manifest);
    EXPECT_THAT(read_manifest(folder / "manifest.json").title, HasSubstr("rner"));
}

TEST(Manifest, ReportsFaults) {
    const tests::TemporaryFolder folder;
    Manifest manifest;
    manifest.result = "[1, 2";
    EXPECT_THROW(write_manifest(folder / "manifest.json", manifest), base::RunError);
    EXPECT_FALSE(std::filesystem::exists(folder / "manifest.json"));
    EXPECT_THROW(write_manifest(folder / "no" / "manifest.json", sample_manifest()), base::RunError);
    const auto expect_refused = [&](const std::string& text, const std::string& why) {
        write_text_file(folder / "m.json", text);
        EXPECT_THAT([&] { read_manifest(folder / "m.json"); },
                    ThrowsMessage<base::InputError>(::testing::AllOf(HasSubstr("m.json"), HasSubstr(why))));
    };
    expect_refused("{", "not usable");
    expect_refused("{}", "not a Talus manifest");
    expect_refused("[]", "not a Talus manifest");
    expect_refused(R"({"format": "talus-manifest", "format_version": 7})", "format 7");
    expect_refused(R"({"format": "talus-manifest", "format_version": 1})", "not usable");
    EXPECT_THROW(read_manifest(folder / "missing.json"), base::InputError);
}

TEST(Manifest, KnowsTheMachineAndTheTime) {
    const Hardware machine = this_machine();
    EXPECT_GE(machine.cores, 1);
    EXPECT_GT(machine.memory, 1'000'000);
    EXPECT_THAT(wall_time(), MatchesRegex("20[0-9][0-9]-[0-9]+-[0-9]+T[0-9]+:[0-9]+:[0-9]+Z"));
}

}  // namespace
}  // namespace talus::output
