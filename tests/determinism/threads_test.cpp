// The same scene gives the same bits for any number of threads and however often pairs are listed.
#include <gtest/gtest.h>

#include <cstdio>

#include "hard_stages.h"
#include "small_hopper.h"
#include "talus/simulation/simulation.h"

namespace talus::tests {
namespace {

std::uint64_t hash_after(int threads, std::int64_t steps, double skin = 0) {
    simulation::Simulation simulation(small_hopper(700, 0.08, 0.05), {threads, skin});
    simulation.step(steps);
    return simulation.state_hash();
}

TEST(Threads, DoNotChangeABitIn10000Steps) {
    const std::uint64_t one = hash_after(1, 10000);
    EXPECT_EQ(hash_after(2, 10000), one);
    std::printf("state after 10000 steps: %016lx\n", one);
}

TEST(Threads, DoNotChangeABitWhenOversubscribed) {
    const std::uint64_t one = hash_after(1, 1500);
    EXPECT_EQ(hash_after(3, 1500), one);
    EXPECT_EQ(hash_after(8, 1500), one);
}

TEST(Threads, DoNotChangeABitOfHardSpheres) {
    for (const char* flight : {"drift", "ballistic", "stepped"}) {
        const auto hash = [&](int threads) {
            simulation::Simulation run(hard_stages(flight), {threads, 0});
            while (!run.finished()) {
                run.step(100);
            }
            EXPECT_GT(*run.engine().impacts(), 1000) << flight;
            return run.state_hash();
        };
        const std::uint64_t one = hash(1);
        EXPECT_EQ(hash(2), one) << flight;
        EXPECT_EQ(hash(3), one) << flight;
    }
}

TEST(Listing, DoesNotChangeABit) {
    const std::uint64_t automatic = hash_after(1, 3000);
    EXPECT_EQ(hash_after(1, 3000, 2e-5), automatic);
    EXPECT_EQ(hash_after(1, 3000, 4e-3), automatic);
}

TEST(Looking, DoesNotChangeABit) {
    simulation::Simulation looked_at(small_hopper(200, 0.05, 0.02), {1, 0});
    for (int k = 0; k < 2000; ++k) {
        looked_at.step();
        looked_at.sample_measures();
        looked_at.energies();
    }
    simulation::Simulation alone(small_hopper(200, 0.05, 0.02), {1, 0});
    alone.step(2000);
    EXPECT_EQ(looked_at.state_hash(), alone.state_hash());
}

}  // namespace
}  // namespace talus::tests
