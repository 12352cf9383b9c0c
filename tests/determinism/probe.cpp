// Prints the state hash of a fixed system after a number of steps. Built twice, optimised and not: the test beside
// compares what both print.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "talus/base/random.h"
#include "talus/engines/soft/engine.h"
#include "talus/geometry/make_shape.h"
#include "talus/laws/registry.h"
#include "talus/model/system.h"

int main(int argc, char** argv) {
    using namespace talus;
    const std::int64_t steps = argc > 1 ? std::atol(argv[1]) : 10000;
    model::System system;
    system.materials.list.push_back({"grain", 1000});
    system.materials.pair_law.resize(1);
    const int law = laws::find_law("hooke");
    std::vector<laws::ParameterFault> faults;
    system.materials.set(0, 0,
                         {law, laws::registry()[static_cast<std::size_t>(law)].derive({{"kn", 2e4},
                                                                                       {"kt", 2.0 / 7 * 2e4},
                                                                                       {"restitution", 0.7},
                                                                                       {"tangential_restitution", -0.5},
                                                                                       {"friction.static", 0.4},
                                                                                       {"friction.rolling", 0.05},
                                                                                       {"friction.twisting", 0.05},
                                                                                       {"slip_memory", 1}},
                                                                                      faults)});
    system.gravity = {0, 0, -9.81};
    system.clock.step = 1e-5;
    system.domain.low = {0, -0.3, -1};
    system.domain.high = {0.1, 0.3, 1};
    system.domain.periodic = {true, false, false};
    // A trough of two tilted planes and a spinning roller, so that walls, edges and motions take part.
    const auto add_wall = [&system](const geometry::Placed& placed) -> model::Wall& {
        model::Wall wall;
        wall.name = "wall" + std::to_string(system.walls.size());
        wall.shape = placed.shape;
        wall.base = {placed.position, placed.rotation, {}, {}};
        system.walls.push_back(wall);
        return system.walls.back();
    };
    add_wall(geometry::make_plane({0, 0, 0}, {0, 0.6, 0.8}));
    add_wall(geometry::make_plane({0, 0, 0}, {0, -0.6, 0.8}));
    model::Wall& roller = add_wall(geometry::make_cylinder({0, 0, 0.02}, {1, 0, 0}, 0.012));
    roller.motion.spins.push_back({{1, 0, 0}, {0, 0, 0.02}, 20, 0});
    roller.motion.oscillations.push_back({{0, 0, 0.002}, 60, 0.3, 0});
    base::Random random(11, 0);
    for (int n = 0; n < 160; ++n) {
        const double x = 0.0065 + 0.0125 * (n % 8);
        const double y = -0.02 + 0.0125 * (n / 8 % 4);
        const double z = 0.045 + 0.0125 * (n / 32);
        system.bodies.add_sphere(system.counters.next_id++, {x, y, z}, random.uniform(0.004, 0.006), 1000, 0);
        system.bodies.velocity.back() = {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), -1};
    }
    engines::soft::Engine engine(system, {}, false);
    for (std::int64_t k = 0; k < steps; ++k) {
        engine.step();
    }
    std::printf("%016lx %zu contacts\n", static_cast<unsigned long>(model::state_hash(system)),
                engine.touching_pairs());
    return 0;
}
