// One grain that bounces off walls at rest without loss of its own: how much energy it gains, whatever friction does.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "physics/random_scene.h"

namespace talus::tests {

struct Friction {
    double mu, ct, slip_memory;
};

inline constexpr double radius = 0.01;  // m
inline constexpr double speed = 0.5;    // m/s

inline model::System rough_system(const Friction& f) {
    return make_system("hooke",
                       {{"kn", 8e5},
                        {"kt", 8e5 * 2 / 7},
                        {"restitution", 1.0},
                        {"ct", f.ct},
                        {"friction.static", f.mu},
                        {"slip_memory", f.slip_memory}},
                       0);
}

struct Outcome {
    double gain = 0;    // of the energy before, at its greatest
    double ledger = 0;  // error, of the energy before
    bool touched = false;
    bool on_two_sides = false;  // of a round wall at once

    void merge(const Outcome& other) {
        gain = std::max(gain, other.gain);
        ledger = std::max(ledger, other.ledger);
        touched |= other.touched;
        on_two_sides |= other.on_two_sides;
    }
};

/// Runs the one grain of a system until it has touched and been free for a while. Energy is looked at while it is free.
/// `longest`: greatest number of steps of the suggested length, a fiftieth of a collision.
inline Outcome bounce(model::System& system, double step_fraction, int longest) {
    system.clock.step = collision_time(system, system.bodies.mass[0]) / 50 * step_fraction;
    engines::soft::Engine engine(system, {}, false);
    const double before = kinetic_energy(system);
    const double ledger = ledger_total(system, engine);
    Outcome out;
    int free_steps = 0;
    while (free_steps < 20 / step_fraction && static_cast<double>(system.clock.steps) < longest / step_fraction) {
        engine.step();
        const auto& touching = system.wall_pairs.touching;
        const auto contacts = std::count(touching.begin(), touching.end(), 1);
        out.touched |= contacts > 0;
        out.on_two_sides |= contacts > 1;
        free_steps = out.touched && contacts == 0 ? free_steps + 1 : 0;
        if (contacts == 0) {
            out.gain = std::max(out.gain, kinetic_energy(system) / before - 1);
        }
    }
    out.ledger = std::abs(ledger_total(system, engine) - ledger) / before;
    return out;
}

struct Shaped {
    const char* name;
    geometry::Placed placed;
};

/// Smooth impacts, worst(wall, step fraction) on each: the collision need not last a whole number of steps.
template <class Worst>
void expect_no_gain(const std::vector<Shaped>& walls, const Worst& worst) {
    for (const Shaped& wall : walls) {
        std::printf("%-15s greatest gain", wall.name);
        for (const double fraction : {1.0, 0.97, 0.7071}) {
            const Outcome found = worst(wall.placed, fraction);
            std::printf(" %.1e (ledger %.1e)", found.gain, found.ledger);
            EXPECT_LT(found.gain, 1e-4) << wall.name << " at " << fraction << " of the suggested step";
            EXPECT_LT(found.ledger, 1e-3) << wall.name << " at " << fraction << " of the suggested step";
        }
        std::printf("\n");
    }
}

/// The same with friction, at half of the suggested step and at all of it.
inline void expect_no_gain(const Shaped& wall, const Outcome& half, const Outcome& whole) {
    std::printf("%-15s greatest gain %.1e, ledger %.1e; at the suggested step %.1e, %.1e\n", wall.name, half.gain,
                half.ledger, whole.gain, whole.ledger);
    EXPECT_LT(half.gain, 1e-4) << wall.name;
    EXPECT_LT(half.ledger, 1e-3) << wall.name;
    EXPECT_LT(whole.gain, 1e-4) << wall.name;
    EXPECT_LT(whole.ledger, 1e-3) << wall.name;
}

}  // namespace talus::tests
