// What is asked wrongly is told clearly, with exit code 2, and leaves nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(CommandLine, WrongCallsExitWith2AndSayWhy) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> calls = {
        {{}, "subcommand"},
        {{"rum", "small.toml"}, "no command \"rum\"; did you mean \"run\"?"},
        {{"run"}, "scene"},
        {{"run", "small.toml", "--resume", "out"}, "either a scene or --resume"},
        {{"run", "absent.toml"}, "absent.toml"},
        {{"run", "--resume", "absent"}, "absent"},
        {{"run", "--resume", "absent", "--set", "seed=2"}, "--set"},
        {{"run", "small.toml", "--threads", "0"}, "--threads"},
        {{"run", "small.toml", "--colour"}, "--colour"},
        {{"run", "small.toml", "--set", "seed"}, "seed"},
        {{"check", "absent.toml"}, "absent.toml"},
        {{"info", "absent.h5"}, "absent.h5"},
        {{"export", "absent"}, "absent"},
        {{"export", "absent", "--format", "pdf"}, "pdf"},
        {{"docs", "poems"}, "poems"},
        {{"new", "hoper_quick"}, "did you mean \"hopper_quick\""},
        {{"bench", "beds"}, "beds"},
    };
    for (const auto& [arguments, said] : calls) {
        const Outcome outcome = call(arguments);
        std::string all;
        for (const std::string& argument : arguments) {
            all += " " + argument;
        }
        EXPECT_EQ(outcome.code, 2) << "talus" << all << "\n" << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(said)) << "talus" << all;
        EXPECT_THAT(outcome.out, IsEmpty()) << "talus" << all;
    }
    EXPECT_FALSE(fs::exists(folder() / "out"));
}

TEST_F(CommandLine, HelpAndVersionAreNoFaults) {
    for (const std::string command : {"--help", "--version"}) {
        EXPECT_EQ(call({command}).code, 0);
        EXPECT_THAT(call({command}).out, HasSubstr("talus"));
    }
    EXPECT_THAT(call({"run", "--help"}).out, AllOf(HasSubstr("--resume"), HasSubstr("--set"), HasSubstr("--json")));
}

TEST_F(CommandLine, AllFaultsOfASceneAreToldAndNothingIsWritten) {
    std::string text = small_scene();
    text.replace(text.find("density"), 7, "densty");
    text += "[[stages]]\nname = \"a\"\nuntil = { duration = \"3 kg\" }\n";
    write("bad.toml", text);
    for (const std::string command : {"run", "check"}) {
        const Outcome outcome = call({command, "bad.toml"});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.out, IsEmpty());
        EXPECT_THAT(outcome.err, HasSubstr("bad.toml:8:1: error: materials.grain.densty: unknown key"));
        EXPECT_THAT(outcome.err, HasSubstr("did you mean \"density\"?"));
        EXPECT_THAT(outcome.err, HasSubstr("stages[0].until.duration"));
    }
    EXPECT_EQ(call({"run", "small.toml", "--out", "here", "--set", "materials.grain.density=-1"}).code, 2);
    EXPECT_FALSE(fs::exists(folder() / "here"));
    EXPECT_FALSE(fs::exists(folder() / "out"));
}

TEST_F(CommandLine, ACoarseStepWarnsAndRunsAndAnUnstableOneIsRefused) {
    const Outcome coarse = call({"run", "small.toml", "--out", "coarse", "--set", "time.step=2e-4"});
    EXPECT_EQ(coarse.code, 0) << coarse.err;
    EXPECT_THAT(coarse.err, AllOf(HasSubstr("warning"), HasSubstr("time.step")));
    const Outcome unstable = call({"run", "small.toml", "--out", "unstable", "--set", "time.step=0.01"});
    EXPECT_EQ(unstable.code, 2);
    EXPECT_THAT(unstable.err, HasSubstr("time.step"));
    EXPECT_FALSE(fs::exists(folder() / "unstable"));
}

}  // namespace
}  // namespace talus::tests
