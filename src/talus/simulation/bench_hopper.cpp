// A discharging hopper that never empties: grains at rest, grains that flow and a jet in free fall, and curved walls.
#include <algorithm>
#include <numbers>
#include <vector>

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

/// The barrel that holds so many grains; half a radius at a time, since any size near it will do.
double barrel_radius(std::int64_t particles) {
    const double needed = static_cast<double>(particles) * bench_grain::volume / 0.58;
    double radius = 4 * bench_grain::radius;
    while (std::numbers::pi * radius * radius * radius * slenderness < needed) {
        radius += 0.5 * bench_grain::radius;
    }
    return radius;
}

/// Positions cut out of the packed tile, repeated in all directions: the lowest so many within the barrel.
std::vector<Vec3d> cut_out(const model::System& tile, std::int64_t particles, double radius) {
    const Vec3d size = tile.domain.size();
    double top = 0;
    for (const Vec3d& x : tile.bodies.position) {
        top = std::max(top, x.z + bench_grain::radius);
    }
    const double reach = radius - bench_grain::radius;
    const auto across = static_cast<std::int64_t>(radius / size.x) + 1;
    std::vector<Vec3d> found;
    for (std::int64_t storey = 0; static_cast<std::int64_t>(found.size()) < particles; ++storey) {
        for (std::int64_t y = -across; y < across; ++y) {
            for (std::int64_t x = -across; x < across; ++x) {
                const Vec3d shift{static_cast<double>(x) * size.x, static_cast<double>(y) * size.y,
                                  static_cast<double>(storey) * top};
                for (const Vec3d& in_tile : tile.bodies.position) {
                    const Vec3d at = in_tile + shift;
                    if (at.x * at.x + at.y * at.y < reach * reach) {
                        found.push_back(at);
                    }
                }
            }
        }
    }
    std::vector<double> heights;
    heights.reserve(found.size());
    for (const Vec3d& at : found) {
        heights.push_back(at.z);
    }
    const auto last = heights.begin() + static_cast<std::ptrdiff_t>(particles - 1);
    std::nth_element(heights.begin(), last, heights.end());
    const double rim = *last;
    std::erase_if(found, [rim](const Vec3d& at) { return at.z > rim; });
    found.resize(static_cast<std::size_t>(particles));  // copies of a grain are equally high
    return found;
}

model::Wall placed_wall(const std::string& name, const geometry::Placed& placed) {
    model::Wall wall;
    wall.name = name;
    wall.shape = placed.shape;
    wall.base.position = placed.position;
    wall.base.rotation = placed.rotation;
    wall.material = fixed_material;
    return wall;
}

}  // namespace

model::System flowing_hopper(std::int64_t particles, int threads) {
    const double radius = barrel_radius(particles);
    const double hole = std::max(hole_share * radius, 6 * bench_grain::radius);
    const model::System tile = packed_tile(std::min<std::int64_t>(particles, 1000), 12000, threads);
    model::System hopper = bench_system(kn, {0.3, 0.3});
    double top = 0;
    for (const Vec3d& at : cut_out(tile, particles, radius)) {
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
