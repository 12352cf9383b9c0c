// Teams of threads: all of them or none.
#include "talus/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace talus::tests {
namespace {

TEST(Parallel, EveryMemberOfATeamWorksOnce) {
    std::vector<int> seen(3);
    base::in_team(3, [&](std::size_t rank) { ++seen[rank]; });
    EXPECT_EQ(seen, std::vector<int>(3, 1));
}

/// Within a parallel region a second team would be one thread, that waits for the others for ever.
TEST(Parallel, ATeamThatCannotBeHadIsRefused) {
    std::atomic<int> worked = 0;
    std::atomic<int> refused = 0;
    base::in_team(2, [&](std::size_t) {
        try {
            base::in_team(2, [&](std::size_t) { ++worked; });
        } catch (const std::runtime_error&) {
            ++refused;
        }
    });
    EXPECT_EQ(worked, 0);
    EXPECT_EQ(refused, 2);
}

TEST(Parallel, SharedBlocksAreEachTakenByOne) {
    for (const std::size_t count : {0U, 1U, 7U, 64U, 1000U}) {
        std::vector<int> seen(count);
        base::SharedBlocks blocks(count, 16);
        base::in_team(3, [&](std::size_t) {
            blocks.take([&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    ++seen[i];
                }
            });
        });
        EXPECT_EQ(seen, std::vector<int>(count, 1)) << count;
    }
}

TEST(Parallel, OneThatDoesNotHoldIsFound) {
    EXPECT_TRUE(base::holds_for_all(0, 2, [](std::size_t) { return false; }));
    EXPECT_TRUE(base::holds_for_all(100, 2, [](std::size_t i) { return i < 100; }));
    for (const std::size_t odd : {0U, 49U, 50U, 99U}) {
        EXPECT_FALSE(base::holds_for_all(100, 2, [odd](std::size_t i) { return i != odd; })) << odd;
    }
}

}  // namespace
}  // namespace talus::tests
