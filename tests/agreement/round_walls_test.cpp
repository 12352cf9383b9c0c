// Contacts on both sides of a round wall do not depend on how pairs are listed, nor on the number of threads.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/random_scene.h"

namespace talus::tests {
namespace {

/// Grains that shake in holes, rings, cones, pipes and cavities about as wide as themselves, some of which move.
model::System tight_scene() {
    using namespace geometry;
    model::System system = make_system("hooke",
                                       {{"kn", 2e4},
                                        {"kt", 6e3},
                                        {"restitution", 0.9},
                                        {"ct", 0.01},
                                        {"friction.static", 0.4},
                                        {"friction.rolling", 0.02},
                                        {"slip_memory", 0.5}},
                                       0);
    system.domain.low = {-0.1, -1, -1};
    system.domain.high = {0.1, 1, 1};
    system.domain.periodic = {true, false, false};
    system.gravity = {0, 0, -9.81};
    base::Random random(3, 0);
    for (int n = 0; n < 100; ++n) {
        const double size = random.uniform(0.004, 0.006);
        const Vec3d at{0.02 * (n % 10) - 0.095, 0.02 * (n / 10), 0};
        const double tight = size * random.uniform(0.999, 1.001);
        const Vec3d up = normalized(Vec3d{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 1});
        const Placed places[] = {
            make_disk(at - up * size, up, 0.009, 0.6 * size),
            make_ring(at - up * size, up, 0.7 * size),
            make_tube(at - up * (3 * size), at + up * 0.002, 0, 0.009),
            make_tube(at - up * 0.02, at + up * 0.02, tight, tight),
            make_sphere(at, tight),
        };
        const std::size_t w = add_wall(system, places[n % 5]);
        if (n % 3 == 0) {
            system.walls[w].motion.oscillations.push_back({{1e-3, 0, 1e-3}, 200, 0, 0});
        }
        add_sphere(system, at, size, random_vector(random, 0.3), random_vector(random, 30));
    }
    system.clock.step = collision_time(system, 2e-4) / 30;
    return system;
}

struct Result {
    std::uint64_t hash = 0;
    std::size_t far_contacts = 0;  // of all steps
};

Result run(const engines::soft::Options& options) {
    model::System system = tight_scene();
    engines::soft::Engine engine(system, options, false);
    Result out;
    for (int k = 0; k < 2000; ++k) {
        engine.step();
        for (std::size_t q = 0; q < system.wall_pairs.size(); ++q) {
            out.far_contacts += system.wall_pairs.touching[q] && system.wall_pairs.side[q] ? 1U : 0U;
        }
    }
    out.hash = model::state_hash(system);
    return out;
}

TEST(RoundWalls, DoNotDependOnLists) {
    const Result normal = run({});
    std::printf("%zu contacts with far sides\n", normal.far_contacts);
    EXPECT_GT(normal.far_contacts, 5000U);
    EXPECT_EQ(run({.rebuild_every_step = true}).hash, normal.hash) << "rebuilt at every step";
    for (const double skin : {1e-9, 1e-6, 2e-4, 1e-2}) {
        EXPECT_EQ(run({.skin = skin}).hash, normal.hash) << "skin " << skin;
    }
    EXPECT_EQ(run({.threads = 3}).hash, normal.hash);
}

}  // namespace
}  // namespace talus::tests
