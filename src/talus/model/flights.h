// The state of event-driven spheres between events: each flies on from its own instant. Positions and velocities of the
// bodies are a view of this at the present time, so that looking at a run never changes it.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/math/rotation.h"

namespace talus::model {

using math::Vec3d;

/// How a turning grain that sticks to a wall is foreseen within a drift (HSDEM Sect. 2.1).
enum class StuckMotion : std::uint8_t {
    exact,     // as it moves
    parabola,  // with its velocity and acceleration at the start of the drift: the quartic
    line,      // with its velocity at the start of the drift
};

/// How hard spheres fly and what slow impacts do.
struct FlightRules {
    bool ballistic = false;    // without steps, on parabolas; otherwise gravity kicks between drifts
    double elastic_below = 0;  // m/s, see laws::SlowImpacts
    double least_rebound = 0;  // m/s
    StuckMotion stuck_motion = StuckMotion::exact;
    bool resting = true;  // grains that stay in place are put to rest
};

/// Empty, or one row a body. Times count from the epoch, which moves on now and then to keep them short.
struct Flights {
    std::vector<Vec3d> position;  // m, at the body's own time
    std::vector<Vec3d> velocity;  // m/s, at the body's own time
    std::vector<Vec3d> anchor;    // m, where the body was when it was last seen to have moved; empty: nobody rests
    std::vector<math::Quaterniond> anchor_turn;  // how it was turned then; of grains of several spheres alone
    std::vector<double> calm;                    // s, on the clock, since when it has been near its anchor
    std::vector<std::int32_t> knocks;            // how often it has hit walls and grains at rest since then
    std::vector<double> time;                    // s since the epoch, own time; of held bodies on the clock itself
    double epoch = 0;                            // s, on the clock
    double now = 0;                              // s since the epoch
    std::int64_t collisions = 0;                 // since the epoch: it moves on after so many
    /// J: the work on held bodies is `held_work` plus their kinetic energy less `held_energy`, so that it depends on
    /// the instant alone and not on how often it was asked for.
    double held_work = 0, held_energy = 0;

    bool empty() const { return time.empty(); }
};

}  // namespace talus::model
