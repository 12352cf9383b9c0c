// What a person sees while a run goes on.
#include "talus/simulation/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace talus::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ProgressState half_way() {
    ProgressState state;
    state.time = 1;
    state.start = 0;
    state.end = 2;
    state.steps = 50000;
    state.particle_steps = 50000.0 * 3000;
    state.grains = 3000;
    state.contacts = 7123;
    state.kinetic_energy = 0.0123;
    state.stage = "discharge";
    return state;
}

TEST(Progress, ALineSaysEverything) {
    const std::string line = progress_line(half_way(), 100);
    EXPECT_EQ(line,
              "discharge: t = 1.000 of 2 s, 1 min 40 s left, 3000 grains, 7123 contacts, E_kin 1.23e-02 J, "
              "500 steps/s, 1.5 Mgrain-steps/s");
}

TEST(Progress, ImpactsStandWhereThereAreNoLastingContacts) {
    ProgressState state = half_way();
    state.impacts = 2'500'000;
    state.impacts_before = 500'000;  // in an earlier session
    EXPECT_EQ(progress_line(state, 100),
              "discharge: t = 1.000 of 2 s, 1 min 40 s left, 3000 grains, 2500000 impacts, E_kin 1.23e-02 J, "
              "500 steps/s, 20 kimpacts/s");
    state.has_steps = false;
    EXPECT_THAT(progress_line(state, 100), HasSubstr("E_kin 1.23e-02 J, 20 kimpacts/s"));
    EXPECT_THAT(progress_line(state, 100), Not(HasSubstr("steps")));
}

TEST(Progress, ABarNeverWraps) {
    for (std::size_t columns = 1; columns < 200; ++columns) {
        EXPECT_LE(progress_bar(half_way(), 100, columns).size(), columns);
    }
    EXPECT_THAT(progress_bar(half_way(), 100, 79), StartsWith("[#####.....]  50 % discharge: t = 1.000 of 2 s"));
    EXPECT_THAT(progress_bar(half_way(), 100, 79), HasSubstr("1 min 40 s left"));
    EXPECT_THAT(progress_bar(half_way(), 100, 200), HasSubstr("grain-steps/s"));
}

TEST(Progress, AnUnknownEndHasNoBarAndNoTimeLeft) {
    ProgressState state = half_way();
    state.end.reset();
    EXPECT_THAT(progress_bar(state, 100, 200), StartsWith("discharge: t = 1 s, 3000 grains"));
    EXPECT_THAT(progress_line(state, 100), Not(HasSubstr("left")));
}

TEST(Progress, TimeLeftOfAResumedRunCountsFromItsResumption) {
    ProgressState state = half_way();
    state.start = 0.9;  // a tenth of a second in 100 s: 1 s more takes 1000 s
    EXPECT_THAT(progress_line(state, 100), HasSubstr("16 min 40 s left"));
}

TEST(Progress, DurationsAreReadable) {
    EXPECT_EQ(duration_text(0), "0.0 s");
    EXPECT_EQ(duration_text(4.46), "4.5 s");
    EXPECT_EQ(duration_text(9.96), "10 s");
    EXPECT_EQ(duration_text(59.6), "1 min 00 s");
    EXPECT_EQ(duration_text(3720), "1 h 02 min");
    EXPECT_EQ(duration_text(-1), "0.0 s");
}

}  // namespace
}  // namespace talus::simulation
