// A turning drum: moving walls, and grains that rise with the wall and flow down the surface.
#include <algorithm>
#include <cmath>

#include "talus/geometry/make_shape.h"
#include "talus/math/portable.h"
#include "talus/simulation/bench_cases.h"
#include "talus/simulation/bench_parts.h"

namespace talus::simulation {

namespace {

constexpr std::int64_t slice_grains = 2000;
constexpr double slice_length = 6 * lattice_pitch;  // m, along the axis
constexpr double full_radius = 0.26;                // m: 2000 grains at a solid fraction of 0.58 fill just under half
constexpr double froude = 0.05;                     // rate^2 radius / g: a flowing surface, no cataracts
constexpr double surface_slope = 25.0 * 3.14159265358979323846 / 180;  // rad
const Vec3d drum_axis{0, 1, 0};

model::Wall drum_wall(double radius) {
    const geometry::Placed placed = geometry::make_cylinder({0, 0, 0}, drum_axis, radius);
    model::Wall wall;
    wall.name = "drum";
    wall.shape = placed.shape;
    wall.base.position = placed.position;
    wall.base.rotation = placed.rotation;
    wall.material = fixed_material;
    wall.motion.spins.push_back({drum_axis, {0, 0, 0}, std::sqrt(froude * 9.81 / radius), 0});
    return wall;
}

}  // namespace

model::System turning_drum(std::int64_t particles, int threads) {
    const std::int64_t grains = std::min(particles, slice_grains);
    const double share = static_cast<double>(grains) / static_cast<double>(slice_grains);
    const double radius = full_radius * std::sqrt(share);
    model::System slice = bench_system(bench_grain::kn, {0.5, 1.0});
    slice.domain.low = {-1.1 * radius, 0, -1.1 * radius};
    slice.domain.high = {1.1 * radius, slice_length, 1.1 * radius};
    slice.domain.periodic = {false, true, false};
    slice.walls.push_back(drum_wall(radius));
    const double reach = radius - bench_grain::radius;
    add_loosely(slice, grains, {-radius, 0, -radius}, {radius, slice_length, radius},
                [&](const Vec3d& at) { return at.x * at.x + at.z * at.z < reach * reach; });
    // Settled under a gravity that leans, the surface has the slope of the flow from the start.
    const math::SinCos lean = math::sincos(surface_slope);
    const Vec3d gravity = slice.gravity;
    slice.gravity = {gravity.z * lean.sin, 0, gravity.z * lean.cos};
    settle(slice, Settling{bench_grain::coarse_step, 7000, 0, 0}.with_grains(grains, slice_grains), threads);
    slice.gravity = gravity;
    settle(slice, Settling{bench_grain::coarse_step, 12000, 0, 0}.with_grains(grains, slice_grains), threads);
    const auto slice_size = std::max<std::int64_t>(1, static_cast<std::int64_t>(slice.bodies.size()));
    return repeated(slice, {1, (particles + slice_size - 1) / slice_size}, bench_grain::step, 0.01);
}

}  // namespace talus::simulation
