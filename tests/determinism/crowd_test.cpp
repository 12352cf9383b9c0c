// Enough grains that every thread has its share of every phase: the same bits for any number of them, and for lists
// rebuilt at every step.
#include <gtest/gtest.h>

#include "talus/base/random.h"
#include "talus/engines/soft/engine.h"
#include "talus/laws/registry.h"

namespace talus::tests {
namespace {

using math::Vec3d;

/// A hot, crowded periodic box of two materials, most grains equal or not, over a floor.
model::System crowd(bool equal, bool spin_friction) {
    model::System system;
    const int law = laws::find_law("hooke");
    std::vector<laws::ParameterFault> faults;
    const laws::ParameterValues values = {{"kn", 2e4},
                                          {"kt", 6e3},
                                          {"restitution", 0.7},
                                          {"friction.static", 0.4},
                                          {"friction.rolling", spin_friction ? 0.05 : 0.0},
                                          {"slip_memory", 1}};
    const auto block = laws::registry()[static_cast<std::size_t>(law)].derive(values, faults);
    system.materials.list = {{"a", 1000}, {"b", 2000}};
    system.materials.pair_law.resize(4, {law, block});
    system.gravity = {1, 0, -9.81};
    system.clock.step = 1e-5;
    const double pitch = 0.0102;
    constexpr int edge = 20;
    system.domain.low = {0, 0, -0.01};
    system.domain.high = {edge * pitch, edge * pitch, 1};
    system.domain.periodic = {true, true, false};
    model::Wall floor;
    floor.name = "floor";
    system.walls.push_back(floor);
    base::Random random(5, 0);
    for (int n = 0; n < edge * edge * edge; ++n) {
        const Vec3d at{(n % edge + 0.5) * pitch, (n / edge % edge + 0.5) * pitch, (n / edge / edge + 0.5) * pitch};
        const double radius = equal ? 0.005 : random.uniform(0.0044, 0.0057);
        system.bodies.add_sphere(system.counters.next_id++, at, radius, 1000 + 1000 * (n % 2), n % 2);
        system.bodies.velocity.back() = {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
        system.bodies.spin.back() = {random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
    }
    return system;
}

std::uint64_t hash_after(bool equal, bool spin_friction, const engines::soft::Options& options) {
    model::System system = crowd(equal, spin_friction);
    engines::soft::Engine engine(system, options, false);
    engine.advance(150);
    engine.publish();
    EXPECT_GT(engine.touching_pairs(), 2000U);
    return model::state_hash(system);
}

TEST(Crowd, GivesTheSameBitsForAnyNumberOfThreads) {
    for (const bool equal : {true, false}) {
        engines::soft::Options options;
        const std::uint64_t one = hash_after(equal, !equal, options);
        for (const int threads : {2, 3, 8}) {
            options.threads = threads;
            EXPECT_EQ(hash_after(equal, !equal, options), one) << threads << " threads";
        }
    }
}

TEST(Crowd, GivesTheSameBitsHoweverOftenItIsListed) {
    engines::soft::Options options;
    const std::uint64_t automatic = hash_after(true, false, options);
    options.rebuild_every_step = true;
    EXPECT_EQ(hash_after(true, false, options), automatic);
    options.rebuild_every_step = false;
    options.skin = 4e-3;  // lasts for a hundred steps
    EXPECT_EQ(hash_after(true, false, options), automatic);
}

TEST(Crowd, GivesTheSameBitsHoweverItsFlowIsListed) {
    // Two layers that slide over one another at many times the speeds within them.
    const auto flow = [](const engines::soft::Options& options, double speed) {
        model::System system = crowd(true, false);
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            system.bodies.velocity[i] *= 0.1;
            system.bodies.velocity[i].x += speed * (system.bodies.position[i].z > 0.1 ? 1.1 : 1);
        }
        engines::soft::Engine engine(system, options, false);
        engine.advance(120);
        engine.publish();
        return std::pair(model::state_hash(system), engine.rebuilds());
    };
    const auto [automatic, rebuilds] = flow({}, 20);
    EXPECT_LE(rebuilds, 4 + flow({}, 0).second) << "what flows as a whole uses up no list";
    EXPECT_EQ(flow({.rebuild_every_step = true}, 20).first, automatic);
    EXPECT_EQ(flow({.threads = 3}, 20).first, automatic);
}

}  // namespace
}  // namespace talus::tests
