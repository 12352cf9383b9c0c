// A discharging hopper that never empties: grains at rest, grains that flow and a jet in free fall, and curved walls.
#include <algorithm>

#include "talus/geometry/make_shape.h"
#include "talus/simulation/bench_cases.h"
#include "talus/simulation/bench_parts.h"

namespace talus::simulation {

namespace {

// A quarter of the bed's stiffness doubles the step; overlaps stay near a percent of the radius.
constexpr double kn = 2e4;             // N/m
constexpr double flow_step = 4e-5;     // s
constexpr double opening_step = 1e-4;  // s, while the flow begins
constexpr std::int64_t opening_steps = 1200;
constexpr double slenderness = 2.4;  // height of the filling over the barrel's radius
constexpr double hole_share = 0.4;   // of the barrel's radius, as in SSDEM's Sim. 2

}  // namespace

model::System flowing_hopper(std::int64_t particles, int threads) {
    const double radius = barrel_radius(particles, slenderness);
    const double hole = std::max(hole_share * radius, 6 * bench_grain::radius);
    const model::System tile = packed_tile(std::min<std::int64_t>(particles, 1000), 12000, threads);
    model::System hopper = bench_system(kn, {0.3, 0.3});
    double top = 0;
    for (const Vec3d& at : cut_out(tile, particles, radius, [](const Vec3d&) { return true; })) {
        hopper.bodies.add_sphere(hopper.counters.next_id++, at, bench_grain::radius, bench_grain::density,
                                 grain_material);
        top = std::max(top, at.z);
    }
    const double gap = std::max(0.5 * radius, 12 * bench_grain::radius);  // m of free fall from the floor to the top
    hopper.domain.low = {-1.1 * radius, -1.1 * radius, -gap / 2};
    hopper.domain.high = {1.1 * radius, 1.1 * radius, top + gap / 2};
    hopper.domain.periodic = {false, false, true};
    hopper.walls.push_back(placed_wall("barrel", geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, radius)));
    hopper.walls.push_back(placed_wall("floor", geometry::make_disk({0, 0, 0}, {0, 0, 1}, 1.05 * radius, hole)));
    settle(hopper, {opening_step, opening_steps, 0, 0}, threads);
    return repeated(hopper, {1, 1}, flow_step, 0);
}

}  // namespace talus::simulation
