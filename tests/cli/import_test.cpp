// `talus import walls`: a wall file in, a scene out that the other commands take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string cup =
    "lengthunit 6.68459e-14  # 1 cm\n"
    "timeunit 1.99099e-07    # 1 s\n"
    "defaults epsn 0.5 epst 0.9\n"
    "wall # floor\n  type disk radius 3 osc-ampl 0.1 osc-freq 60\n"
    "wall # barrel\n  type cylinder-finite origin 0 0 2 radius 3 length 4 transparency 80\n"
    "wall # catcher\n  type plane origin 0 0 -5 epsn -1\n";

TEST_F(CommandLine, ImportWritesASceneThatRuns) {
    write("cup.dat", cup);
    const Outcome outcome = call({"import", "walls", "cup.dat", "-o", "cup.toml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_THAT(outcome.out, HasSubstr("wrote cup.toml with 3 walls"));
    const Outcome check = call({"check", "cup.toml", "--threads", "1"});
    EXPECT_EQ(check.code, 0) << check.err;
    EXPECT_THAT(check.out, AllOf(HasSubstr("Walls of cup.dat"), HasSubstr("walls             3")));
    const Outcome run = call({"run", "cup.toml", "--threads", "1", "--quiet", "--set", "time.end=1e-3"});
    EXPECT_EQ(run.code, 0) << run.err;

    const Outcome again = call({"import", "walls", "cup.dat", "-o", "cup.toml"});
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, HasSubstr("cup.toml is there already"));
    const Outcome printed = call({"import", "walls", "cup.dat"});
    EXPECT_EQ(printed.code, 0);
    EXPECT_EQ(printed.out, read_file(folder() / "cup.toml"));
    const Outcome other = call({"import", "walls", "cup.dat", "--length-unit", "1 mm", "--time-unit", "1 s"});
    EXPECT_THAT(other.out, HasSubstr("radius = 0.003"));
    EXPECT_THAT(other.err, HasSubstr("cup.dat:1:1: warning: lengthunit: is not used"));
}

TEST_F(CommandLine, ImportOfABadFileWritesNothing) {
    write("bad.dat", "wall type plane\n  raduis 3\nwall type disk radius -1\n");
    const Outcome outcome = call({"import", "walls", "bad.dat", "-o", "bad.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, StartsWith("bad.dat:2:3: error: raduis: "));
    EXPECT_THAT(outcome.err, HasSubstr("bad.dat:3:23: error: radius: -1 is out of bounds"));
    EXPECT_FALSE(fs::exists(folder() / "bad.toml"));
    EXPECT_EQ(call({"import", "walls", "none.dat"}).code, 2);
    EXPECT_EQ(call({"import", "walls"}).code, 2);
    EXPECT_EQ(call({"import"}).code, 2);
    EXPECT_EQ(call({"import", "grains", "bad.dat"}).code, 2);
}

}  // namespace
}  // namespace talus::tests
