// Ctrl-C, SIGTERM, kill -9 and a full disk: the run goes on afterwards, and ends in the bits of one never disturbed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "program.h"
#include "talus/output/manifest.h"
#include "talus/output/run_folder.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Interrupted : public CommandLine {
protected:
    /// A run of the scene in `out`, 200,000 steps long: about a second.
    static std::vector<std::string> run(const std::string& out) {
        return talus_command({"run", "small.toml", "--threads", "1", "--out", out, "--set", "time.end=10", "--set",
                              "time.step=5e-5", "--set", "output.series=10 ms", "--set", "output.frames=100 ms",
                              "--set", "output.checkpoints=20 ms"});
    }
    static std::vector<std::string> resume(const std::string& out) {
        return talus_command({"run", "--threads", "1", "--resume", out});
    }
    /// How much of the series of the whole run is there.
    bool has_written(const std::string& out, double share) const {
        std::error_code none;
        const auto size = static_cast<double>(fs::file_size(output::series_path(folder() / out), none));
        return !none && size > share * static_cast<double>(fs::file_size(output::series_path(folder() / "whole")));
    }
    output::Manifest manifest(const std::string& out) const {
        return output::read_manifest(output::manifest_path(folder() / out));
    }
    void expect_same(const std::string& a, const std::string& b) const {
        EXPECT_EQ(manifest(a).status, "finished");
        EXPECT_EQ(manifest(a).state_hash, manifest(b).state_hash);
        EXPECT_EQ(manifest(a).result, manifest(b).result);
        EXPECT_EQ(read_file(output::series_path(folder() / a)), read_file(output::series_path(folder() / b)));
        EXPECT_EQ(output::list_frames(folder() / a).size(), output::list_frames(folder() / b).size());
    }
};

TEST_F(Interrupted, SignalsAndKillsLeaveNoTrace) {
    ASSERT_EQ(Process(run("whole"), folder()).wait().code, 0);
    {
        Process process(run("parts"), folder());
        ASSERT_TRUE(process.wait_for([&] { return has_written("parts", 0.1); }));
        process.signal(SIGINT);
        const Outcome outcome = process.wait();
        EXPECT_EQ(outcome.code, 4) << outcome.err;
        EXPECT_THAT(outcome.out, AllOf(HasSubstr("interrupted at t = "), HasSubstr("talus run --resume parts")));
        EXPECT_EQ(manifest("parts").status, "interrupted");
    }
    {
        Process process(resume("parts"), folder());
        ASSERT_TRUE(process.wait_for([&] { return has_written("parts", 0.25); }));
        process.signal(SIGTERM);
        const Outcome outcome = process.wait();
        EXPECT_EQ(outcome.code, 4) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("talus run --resume parts"));
    }
    {
        Process process(resume("parts"), folder());
        ASSERT_TRUE(process.wait_for([&] { return has_written("parts", 0.4); }));
        process.signal(SIGKILL);
        EXPECT_EQ(process.wait().code, 128 + SIGKILL);
        EXPECT_EQ(manifest("parts").status, "running") << "it had no time to say anything else";
        const Outcome info = call({"info", "parts"});
        EXPECT_EQ(info.code, 0);
    }
    const Outcome last = Process(resume("parts"), folder()).wait();
    EXPECT_EQ(last.code, 0) << last.err;
    EXPECT_EQ(manifest("parts").resumed.size(), 3U);
    expect_same("parts", "whole");
}

TEST_F(Interrupted, AFileThatCannotGrowEndsTheRunWith3AndTheCheckpointIsGood) {
    const Outcome whole = Process(run("whole"), folder()).wait();
    ASSERT_EQ(whole.code, 0) << whole.err;
    // The series outgrows the limit; checkpoints (some 70 kB) do not.
    const auto limit = fs::file_size(output::series_path(folder() / "whole")) * 2 / 3;
    ASSERT_GT(limit, fs::file_size(output::checkpoint_path(folder() / "whole")) * 11 / 10);
    const Outcome full = Process(run("full"), folder(), [limit] {
                             const rlimit size{limit, limit};
                             ::setrlimit(RLIMIT_FSIZE, &size);
                             ::signal(SIGXFSZ, SIG_IGN);
                         }).wait();
    EXPECT_EQ(full.code, 3);
    EXPECT_THAT(full.err,
                AllOf(HasSubstr("cannot write full/series.csv: File too large"), HasSubstr("talus run --resume full")));
    EXPECT_EQ(manifest("full").status, "failed");
    EXPECT_EQ(call({"info", "full/checkpoint.h5"}).code, 0);
    const Outcome resumed = Process(resume("full"), folder()).wait();
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    expect_same("full", "whole");
}

/// A small disk of its own, if this machine lets us mount one; a heavy file in it is taken away for the second part.
TEST_F(Interrupted, AFullDiskEndsTheRunWith3AndTheRunGoesOnWhenThereIsRoom) {
    const std::vector<std::string> namespaces =
        ::geteuid() == 0 ? std::vector<std::string>{"unshare", "-m"} : std::vector<std::string>{"unshare", "-rm"};
    const auto on_a_small_disk = [&](const std::string& script) {
        std::vector<std::string> command = namespaces;
        command.insert(command.end(),
                       {"sh", "-c", "mkdir disk && mount -t tmpfs -o size=1m none disk || exit 77\n" + script});
        return Process(command, folder()).wait();
    };
    if (on_a_small_disk("exit 0").code != 0) {
        GTEST_SKIP() << "no small disk can be mounted here";
    }
    fs::remove(folder() / "disk");
    const auto line = [](const std::vector<std::string>& command) {
        std::string text;
        for (const std::string& word : command) {
            text += "'" + word + "' ";
        }
        return text;
    };
    ASSERT_EQ(Process(run("whole"), folder()).wait().code, 0);
    const Outcome outcome = on_a_small_disk("head -c 500000 /dev/zero > disk/ballast\n" + line(run("disk/run")) +
                                            "; echo first $?\n" + line(talus_command({"info", "disk/run"})) +
                                            "; echo info $?\nrm disk/ballast\nmount -o remount,size=64m disk\n" +
                                            line(resume("disk/run")) + "; echo second $?\ncp -r disk/run saved\n");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("first 3"), HasSubstr("info 0"), HasSubstr("second 0"))) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("cannot write disk/run/"), HasSubstr("No space left on device"),
                                   HasSubstr("talus run --resume disk/run")));
    expect_same("saved", "whole");
}

}  // namespace
}  // namespace talus::tests
