// A dense flow down an incline over a bumpy floor: every pair slides past its neighbours and lists age quickly.
#include <algorithm>
#include <cmath>

#include "talus/base/random.h"
#include "talus/math/portable.h"
#include "talus/simulation/bench_cases.h"
#include "talus/simulation/bench_parts.h"

namespace talus::simulation {

namespace {

constexpr std::int64_t tile_grains = 1000;  // floor included
constexpr int columns = 8;                  // of the floor, along the flow
constexpr int rows = 6;
constexpr double incline = 24.0 * 3.14159265358979323846 / 180;  // rad; between coming to rest and running away
constexpr double bumps = 0.6 * bench_grain::radius;              // m, the floor grains' heights differ by up to this
constexpr double friction = 0.5;
constexpr double surface_speed = 1.0;  // m/s, a guess to start from

/// Held grains whose gaps are too narrow to fall through.
void add_floor(model::System& system) {
    base::Random random(2001, 0);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const Vec3d at{(column + 0.5) * lattice_pitch + random.uniform(-0.0009, 0.0009),
                           (row + 0.5) * lattice_pitch + random.uniform(-0.0009, 0.0009), -random.uniform(0, bumps)};
            system.bodies.add_sphere(system.counters.next_id++, at, bench_grain::radius, bench_grain::density,
                                     fixed_material);
            system.bodies.flags.back() = model::position_held | model::rotation_held;
        }
    }
}

/// Bagnold's profile, so that the steady flow is near from the start: v = v_s (1 - (1 - z/h)^(3/2)).
void set_flowing(model::System& system) {
    double height = 0;
    for (const Vec3d& x : system.bodies.position) {
        height = std::max(height, x.z);
    }
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if ((system.bodies.flags[i] & model::position_held) == 0) {
            const double depth = 1 - system.bodies.position[i].z / height;
            system.bodies.velocity[i].x += surface_speed * (1 - depth * std::sqrt(depth));
        }
    }
}

}  // namespace

model::System flowing_chute(std::int64_t particles, int threads) {
    model::System tile = bench_system(bench_grain::kn, {friction, friction});
    const math::SinCos slope = math::sincos(incline);
    tile.gravity = {9.81 * slope.sin, 0, -9.81 * slope.cos};
    tile.domain.low = {0, 0, -1};
    tile.domain.high = {columns * lattice_pitch, rows * lattice_pitch, 100};
    tile.domain.periodic = {true, true, false};
    add_floor(tile);
    const std::int64_t floor_grains = columns * rows;
    const std::int64_t grains = std::clamp(particles - floor_grains, floor_grains, tile_grains - floor_grains);
    add_loosely(tile, grains, {0, 0, bench_grain::radius}, tile.domain.high, [](const Vec3d&) { return true; });
    set_flowing(tile);
    const Settling whole{bench_grain::coarse_step, 25000, 0, 0};
    settle(tile, whole.with_grains(grains + floor_grains, tile_grains), threads);
    const TileCounts counts = tile_counts(particles, static_cast<std::int64_t>(tile.bodies.size()));
    return repeated(tile, counts, bench_grain::step, 0.02);
}

}  // namespace talus::simulation
