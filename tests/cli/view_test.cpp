// `talus view` and `talus run --view` as a person starts them: what is refused, what is printed, how a browser is
// opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "program.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ViewCommand : public CommandLine {
protected:
    void SetUp() override {
        CommandLine::SetUp();
        if (!fs::exists(fs::path(TALUS_PROGRAM).parent_path() / "viewer" / "index.html")) {
            GTEST_SKIP() << "built without the page of the view";
        }
        ASSERT_EQ(call({"run", "small.toml", "--out", "out", "--quiet"}).code, 0);
        pretend_a_desktop();
    }
    /// A program called xdg-open that notes what it was given and what it has open, in a desktop that is not there.
    void pretend_a_desktop() const {
        fs::create_directories(folder() / "bin");
        write("bin/xdg-open",
              "#!/bin/sh\nstat -c '%a' \"$1\" > told 2>/dev/null\ncat \"$1\" >> told 2>/dev/null\n"
              "ls -l /proc/self/fd | grep -c socket > sockets\nps -o sid= -p $$ > session\necho \"$1\" > argument\n");
        fs::permissions(folder() / "bin/xdg-open", fs::perms::owner_all);
    }
    static void use_the_desktop() {
        ::setenv("DISPLAY", ":pretended", 1);
        ::unsetenv("XDG_RUNTIME_DIR");
        ::setenv("PATH", (std::string("bin:") + std::getenv("PATH")).c_str(), 1);
    }
    std::string text_of(const std::string& name) const {
        std::string text = read_file(folder() / name);
        while (!text.empty() && text.back() == '\n') {
            text.pop_back();
        }
        return text;
    }
};

TEST_F(ViewCommand, AFolderWithoutARunIsRefusedBeforeAnythingIsServed) {
    const Outcome outcome = call({"view", "nowhere", "--no-browser"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("nowhere: holds no frames to show"), Not(HasSubstr("the view is at"))));
}

TEST_F(ViewCommand, ASceneThatIsWrongIsRefusedBeforeAnythingIsAnnounced) {
    write("wrong.toml", "title = 7\n");
    const Outcome outcome = call({"run", "wrong.toml", "--view", "--no-browser", "--view-port", "0"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, Not(HasSubstr("the view is at")));
}

TEST_F(ViewCommand, ARunThatHasFinishedIsForTalusView) {
    const Outcome outcome = call({"run", "--resume", "out", "--view", "--no-browser"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("`talus view out`"), Not(HasSubstr("the view is at"))));
}

TEST_F(ViewCommand, APortThatIsTakenIsRefusedWhereItWasNamed) {
    Process first(talus_command({"view", "out"}), folder(), use_the_desktop);
    ASSERT_TRUE(first.wait_for([&] { return !text_of("argument").empty(); }));
    const std::string url = text_of("argument");  // http://127.0.0.1:8377/
    const std::string port = url.substr(url.rfind(':') + 1, url.size() - url.rfind(':') - 2);
    const Outcome refused = call({"view", "out", "--no-browser", "--port", port});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("cannot listen at 127.0.0.1 port " + port));
    first.signal(SIGINT);
    EXPECT_EQ(first.wait().code, 0);
}

TEST_F(ViewCommand, ABrowserHasNothingOfThisProgramAndNobodyReadsTheToken) {
    Process process(talus_command({"view", "out", "--token"}), folder(), use_the_desktop);
    ASSERT_TRUE(process.wait_for([&] { return !text_of("argument").empty(); }));
    const std::string file = text_of("argument");
    EXPECT_THAT(file, AllOf(HasSubstr("talus-view-"), Not(HasSubstr("token"))));
    EXPECT_TRUE(fs::exists(file));
    process.signal(SIGINT);
    const Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(fs::exists(file));
    EXPECT_THAT(text_of("told"), AllOf(HasSubstr("600"), HasSubstr("url=http://127.0.0.1:"), HasSubstr("#token=")));
    EXPECT_EQ(text_of("sockets"), "0");
    EXPECT_NE(std::stol(text_of("session")), static_cast<long>(::getsid(0)));
}

TEST_F(ViewCommand, AnAddressWithoutATokenIsOpenedAsItIs) {
    Process process(talus_command({"view", "out"}), folder(), use_the_desktop);
    ASSERT_TRUE(process.wait_for([&] { return !text_of("argument").empty(); }));
    EXPECT_THAT(text_of("argument"), HasSubstr("http://127.0.0.1:"));
    process.signal(SIGINT);
    EXPECT_EQ(process.wait().code, 0);
}

}  // namespace
}  // namespace talus::tests
