// `talus plot` as a person uses it: curves of a run's series and of its profiles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "program.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Plot : public CommandLine {
protected:
    void SetUp() override {
        CommandLine::SetUp();
        if (std::system("/usr/bin/python3 -c 'import matplotlib' > /dev/null 2>&1") != 0) {
            GTEST_SKIP() << "no matplotlib";
        }
        ASSERT_EQ(call({"run", "small.toml", "--threads", "1", "--out", "run"}).code, 0);
        write("run/flow.csv",
              "r [m],low [m],high [m],samples,packing,packing_error\n1,0,2,9,0.5,0.1\n3,2,4,9,0.6,0.1\n");
    }
};

TEST_F(Plot, DrawsWhatThereIsOrWhatIsAskedFor) {
    const Outcome all = call({"plot", "run"});
    EXPECT_EQ(all.code, 0) << all.err;
    EXPECT_THAT(all.out, HasSubstr("run/plot.png"));
    EXPECT_EQ(read_file(folder() / "run/plot.png").substr(1, 3), "PNG");
    const Outcome some = call({"plot", "run", "flow", "energy", "-o", "some.svg"});
    EXPECT_EQ(some.code, 0) << some.err;
    EXPECT_THAT(read_file(folder() / "some.svg"), HasSubstr("<!-- packing -->"));
}

TEST_F(Plot, SaysWhatItCannotDraw) {
    const Outcome unknown = call({"plot", "run", "enrgy", "-o", "p.png"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean 'energy'?"));
    EXPECT_EQ(call({"plot", "run", "-o", "p.gif"}).code, 2);
    EXPECT_EQ(call({"plot", "nowhere"}).code, 2);
    EXPECT_FALSE(fs::exists(folder() / "p.png"));
}

}  // namespace
}  // namespace talus::tests
