// The engine beside the oracle of all_pairs.h: the same impacts in the same order at the same times.
//
// To the last bit, and for as many epochs as there are: the design promises that the time of an event is a function of
// the flights alone, whoever asks and however often, and that an epoch begins at an impact, when every flight begins
// anew. Chaos makes this sharp: after some hundred impacts nothing of an error of one bit would be left to compare.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "all_pairs.h"

namespace talus::tests {

struct Comparison {
    laws::ImpactParams params;
    laws::SlowImpacts slow;
    double step = 0;           // s, of drifts; 0: event-driven
    std::size_t impacts = 0;   // to be carried out
    double until = 1e9;        // s, at most
    std::size_t at_least = 0;  // impacts that there must have been
    std::int64_t epochs = 0;   // that must have begun
};

/// Returns the oracle, for what else there is to ask of it.
inline AllPairs compare_with_all_pairs(const model::System& start, const Comparison& how) {
    AllPairs oracle(start, how.params, how.slow, how.step);
    const std::vector<Collision> expected =
        how.step > 0 ? oracle.run_drifts(how.impacts) : oracle.run(how.impacts, how.until);
    EXPECT_GE(expected.size(), how.at_least) << "too few to compare";
    EXPECT_GE(oracle.epochs(), how.epochs);

    model::System system = start;
    engines::hard::Options options;
    options.impacts = {how.params};
    options.slow = how.slow;
    options.step = how.step;
    engines::hard::BallisticEngine engine(system, options);
    std::vector<Collision> seen;
    engine.watch(&seen);
    if (how.step > 0) {
        engine.advance_steps(oracle.steps());
    } else if (expected.size() == how.impacts) {
        engine.advance_events(static_cast<std::int64_t>(how.impacts));
    } else {
        engine.advance(how.until);
    }
    EXPECT_EQ(seen.size(), expected.size());
    for (std::size_t k = 0; k < std::min(seen.size(), expected.size()); ++k) {
        const bool same = seen[k].a == expected[k].a && seen[k].b == expected[k].b && seen[k].time == expected[k].time;
        EXPECT_TRUE(same) << "impact " << k << " of " << seen[k].a << " and " << seen[k].b << " at " << seen[k].time
                          << ", expected of " << expected[k].a << " and " << expected[k].b << " at " << expected[k].time
                          << " (" << seen[k].time - expected[k].time << ")";
        if (!same) {
            return oracle;
        }
    }
    if (how.step == 0) {
        EXPECT_EQ(engine.measures().epochs, oracle.epochs());
    }
    EXPECT_EQ(engine.measures().wall_collisions, oracle.on_walls());
    EXPECT_EQ(engine.measures().held_collisions, oracle.on_held());
    EXPECT_LT(system.counters.largest_overlap, 1e-11);
    EXPECT_EQ(system.counters.left_domain, static_cast<std::int64_t>(oracle.left()));
    const std::size_t gone = oracle.left() + static_cast<std::size_t>(oracle.absorbed());
    EXPECT_EQ(system.bodies.size() + gone, start.bodies.size());
    for (std::size_t b = 0; b < system.bodies.size() && gone == 0; ++b) {
        EXPECT_EQ(system.bodies.stuck_to[b], oracle.bodies().stuck_to[b]);
        if (oracle.flies(b)) {
            EXPECT_EQ(system.bodies.spin[b], oracle.bodies().spin[b]);
        }
        if (oracle.flies(b) && how.step == 0) {
            EXPECT_EQ(system.flights.velocity[b], oracle.bodies().velocity[b]);
        }
    }
    ::testing::Test::RecordProperty("impacts", static_cast<int>(expected.size()));
    ::testing::Test::RecordProperty("epochs", static_cast<int>(oracle.epochs()));
    ::testing::Test::RecordProperty("on_walls", static_cast<int>(oracle.on_walls()));
    ::testing::Test::RecordProperty("on_held", static_cast<int>(oracle.on_held()));
    return oracle;
}

}  // namespace talus::tests
