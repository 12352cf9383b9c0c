// The packed bed: the case that all codes are compared in.
#include <algorithm>

#include "talus/simulation/bench_cases.h"
#include "talus/simulation/bench_parts.h"

namespace talus::simulation {

namespace {

constexpr std::int64_t tile_grains = 2000;
constexpr double tile_edge = 6 * lattice_pitch;  // m

}  // namespace

model::System packed_tile(std::int64_t grains, std::int64_t steps, int threads) {
    model::System tile = bench_system(bench_grain::kn, {});
    tile.domain.low = {0, 0, -1};
    tile.domain.high = {tile_edge, tile_edge, 100};
    tile.domain.periodic = {true, true, false};
    model::Wall floor;
    floor.name = "floor";
    floor.material = fixed_material;
    tile.walls.push_back(floor);
    grains = std::min(grains, tile_grains);
    add_loosely(tile, grains, {0, 0, 0}, tile.domain.high, [](const Vec3d&) { return true; });
    // The lattice has fallen together after 0.38 s; drag then takes most of the motion. Friction lets the bed creep on
    // for another 0.4 s, which drag would only delay.
    const Settling whole{bench_grain::coarse_step, steps, 9500, 11000};
    settle(tile, whole.with_grains(grains, tile_grains), threads);
    return tile;
}

model::System packed_bed(std::int64_t particles, int threads) {
    const model::System tile = packed_tile(particles, 21000, threads);
    const TileCounts counts = tile_counts(particles, static_cast<std::int64_t>(tile.bodies.size()));
    return repeated(tile, counts, bench_grain::step, 0);
}

}  // namespace talus::simulation
