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

}  // namespace
}  // namespace talus::tests
