// The state hash sees every number of the state and nothing of how pairs are listed.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <set>
#include <vector>

#include "talus/base/hash.h"
#include "talus/model/system.h"
#include "unit/model/sample_system.h"

namespace talus::model {
namespace {

TEST(Hasher, GivesTheSameValueOnEveryMachine) {
    base::Hasher hash;
    hash.add(1.5);
    hash.add(std::int32_t{-1});
    hash.add_text("talus and more");
    EXPECT_EQ(hash.value(), 0x414BC020A668943EU);
}

TEST(Hasher, TellsOrderLengthAndSignApart) {
    const auto of = [](const std::vector<double>& values) {
        base::Hasher hash;
        for (const double value : values) {
            hash.add(value);
        }
        return hash.value();
    };
    const std::set<std::uint64_t> distinct = {of({}),         of({0.0}),      of({0.0, 0.0}), of({-0.0}),
                                              of({1.0, 2.0}), of({2.0, 1.0}), of({1.0}),      of({1.0, 0.0})};
    EXPECT_EQ(distinct.size(), 8U);
    base::Hasher a, b;
    a.add_text(std::string("ab\0", 3));
    b.add_text("ab");
    EXPECT_NE(a.value(), b.value());
}

TEST(Hasher, SpreadsCloseWordsOverAllBits) {
    // 64 words that differ in one bit each must give values that differ in about half of their bits.
    base::Hasher reference;
    reference.add(std::uint64_t{0});
    for (unsigned bit = 0; bit < 64; ++bit) {
        base::Hasher hash;
        hash.add(std::uint64_t{1} << bit);
        const int changed = std::popcount(hash.value() ^ reference.value());
        EXPECT_GT(changed, 14) << bit;
        EXPECT_LT(changed, 50) << bit;
    }
}

TEST(StateHash, SeesEveryPartOfTheState) {
    const System system = test::sample_system();
    const std::vector<std::function<void(System&)>> changes = {
        [](System&) {},
        [](System& s) { ++s.clock.steps; },
        [](System& s) { s.clock.step *= 2; },
        [](System& s) { s.gravity.x = 1e-300; },
        [](System& s) { s.bodies.id[3] = 10; },
        [](System& s) { s.bodies.position[0].z += 1e-16; },
        [](System& s) { s.bodies.velocity[1].y = 0; },
        [](System& s) { s.bodies.spin[2].z = 0; },  // was -0
        [](System& s) { s.bodies.acceleration[0].x = 0; },
        [](System& s) { s.bodies.spin_rate[0].x = 0; },
        [](System& s) { s.bodies.radius[0] = 0.2; },
        [](System& s) { s.bodies.mass[0] = 0.2; },
        [](System& s) { s.bodies.inertia[0] = 0.2; },
        [](System& s) { s.bodies.material[0] = 1; },
        [](System& s) { s.bodies.flags[0] = 2; },
        [](System& s) { s.bodies.stuck_to[0] = 0; },
        [](System& s) { s.bodies.stuck_at[3].y = 1; },
        [](System& s) { s.ledger.dissipated[2] = 0; },
        [](System& s) { s.ledger.dissipated[5] = 0; },  // was -1e-310
        [](System& s) { s.ledger.power[4] = 0; },
        [](System& s) { s.ledger.stored.normal = 0; },
        [](System& s) { s.ledger.stored.tangential = 0; },
        [](System& s) { s.ledger.peak[0] = 0; },
        [](System& s) { s.ledger.peak[5] = 0; },
        [](System& s) { s.ledger.held_work = 0; },
        [](System& s) { s.ledger.held_power = 0; },
        [](System& s) { s.ledger.gravity_reference = 0; },
        [](System& s) { s.ledger.removed = 0; },
        [](System& s) { s.ledger.injected = 0; },
        [](System& s) {
            s.pairs.row = {0, 1, 3, 3, 3};
        },
        [](System& s) { s.pairs.partner[0] = 3; },
        [](System& s) { s.pairs.image[1].x = 1; },
        [](System& s) { s.pairs.image[1].z = 0; },
        [](System& s) {
            compact(s.pairs, {0, 1, 1, 1});
        },
        [](System& s) { s.pairs.history[3] = 0; },
        [](System& s) { s.wall_pairs.touching[1] = 1; },
        [](System& s) { s.wall_pairs.history[0] = 0; },
        [](System& s) { s.wall_pairs.normal[2].y = 0; },
        [](System& s) { s.wall_pairs.side[2] = 0; },
        [](System& s) { s.flights.position[1].x = 0; },
        [](System& s) { s.flights.velocity[1].x = 0; },
        [](System& s) { s.flights.time[1] = 0; },
        [](System& s) { s.flights.epoch = 0; },
        [](System& s) { s.flights.now = 0; },
        [](System& s) { s.flights.collisions = 0; },
        [](System& s) { s.flights = {}; },
        [](System& s) { s.walls[1].pose.position.x = 0; },
        [](System& s) { s.walls[1].pose.rotation = math::Mat3d::identity(); },
        [](System& s) { s.walls[1].record.impulse.x = 0; },
        [](System& s) { s.walls[2].present = true; },
    };
    std::set<std::uint64_t> distinct;
    for (const auto& change : changes) {
        System changed = system;
        change(changed);
        distinct.insert(state_hash(changed));
    }
    EXPECT_EQ(distinct.size(), changes.size());
}

TEST(StateHash, DoesNotSeeHowWallPairsAreListed) {
    const System system = test::sample_system();
    System bare = system;
    bare.wall_pairs.history[2] = 1e9;  // of a pair that does not touch
    bare.wall_pairs.normal[3] = {1, 2, 3};
    EXPECT_EQ(state_hash(bare), state_hash(system));
    // The same two touching pairs without the two that were only listed.
    bare.wall_pairs.row = {0, 1, 2, 2, 2};
    bare.wall_pairs.body = {0, 1};
    bare.wall_pairs.wall = {0, 0};
    bare.wall_pairs.side = {0, 1};
    bare.wall_pairs.touching = {1, 1};
    bare.wall_pairs.normal = {{0, 0, -1}, {0, 1.0 / 3, -1}};
    bare.wall_pairs.history = {0.1, 0.2, 0.5, 0.6};
    EXPECT_EQ(state_hash(bare), state_hash(system));
    bare.wall_pairs.history[3] += 1e-15;
    EXPECT_NE(state_hash(bare), state_hash(system));
}

TEST(StateHash, TakesASystemThatNeverStepped) {
    EXPECT_NE(state_hash(System{}), 0U);
    System one;
    one.bodies.add_sphere(0, {}, 1, 1000, 0);
    EXPECT_NE(state_hash(one), state_hash(System{}));
}

}  // namespace
}  // namespace talus::model
