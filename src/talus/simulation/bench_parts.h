// What the bench cases are made of: one kind of grain, loose lattices, settling, and the repeating of a settled piece.
// Cases are built in code and not from scenes, so that large ones are ready in seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "talus/engines/soft/engine.h"
#include "talus/geometry/make_shape.h"
#include "talus/model/system.h"

namespace talus::simulation {

using math::Vec3d;

/// The grain of the packed bed that other codes were measured with.
namespace bench_grain {
inline constexpr double radius = 0.01;                                                           // m
inline constexpr double density = 1000;                                                          // kg/m3
inline constexpr double volume = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;  // m3
inline constexpr double mass = volume * density;                                                 // kg
inline constexpr double kn = 8e4;                                                                // N/m
inline constexpr double step = 2e-5;         // s, a twenty-fifth of a collision
inline constexpr double coarse_step = 4e-5;  // s, for getting ready: half as many steps, the same state at rest
}  // namespace bench_grain

/// Materials of a bench: grains, and whatever stands still or is driven (walls and held grains).
inline constexpr std::int32_t grain_material = 0;
inline constexpr std::int32_t fixed_material = 1;

struct BenchFriction {
    double grains = 0.2;
    double fixed = 0.2;
};

/// A system of one kind of grain, without grains yet: both materials, the contacts between them, the clock. Damping is
/// a rate times the reduced mass, as other codes have it: 875.7 1/s for kn = 8e4 (restitution 0.8 between grains), half
/// of that along the contact.
model::System bench_system(double kn, const BenchFriction& friction);

/// The one place where bench cases are stepped.
void run_steps(engines::soft::Engine& engine, std::int64_t steps);

struct Settling {
    double step = 0;             // s
    std::int64_t steps = 0;      // in all
    std::int64_t drag_from = 0;  // between these steps velocities are damped, to bring grains to rest
    std::int64_t drag_to = 0;

    /// For a piece with fewer grains than it is meant for: times go with the square root of its depth.
    Settling with_grains(std::int64_t grains, std::int64_t meant) const;
};

/// Lets a system run by itself.
void settle(model::System& system, const Settling& how, int threads);

/// Places up to `count` grains on a loose, randomly shaken lattice, layer by layer from low.z on, with random
/// velocities; sites where `inside` is false stay empty. Returns how many were placed.
std::int64_t add_loosely(model::System& system, std::int64_t count, const Vec3d& low, const Vec3d& high,
                         const std::function<bool(const Vec3d&)>& inside);
inline constexpr double lattice_pitch = 0.024;   // m, sideways; periodic tiles are a multiple of it wide
inline constexpr double lattice_layer = 0.0217;  // m

struct TileCounts {
    std::int64_t x = 1, y = 1;
};
/// How many tiles side by side make at least `particles` grains, in a patch at most twice as long as wide.
TileCounts tile_counts(std::int64_t particles, std::int64_t tile_grains);

/// The tile repeated along its periodic axes, at time zero and without contact histories. `shake` (m/s) is added to
/// each velocity component at random, so that copies do not move in step.
model::System repeated(const model::System& tile, const TileCounts& counts, double step, double shake);

/// The barrel that holds so many grains, filled to `slenderness` times its radius; half a grain's radius at a time,
/// since any size near it will do.
double barrel_radius(std::int64_t particles, double slenderness);

/// Positions cut out of a packed tile, repeated in all directions: the lowest so many within an upright barrel about
/// the z axis and `inside`.
std::vector<Vec3d> cut_out(const model::System& tile, std::int64_t particles, double radius,
                           const std::function<bool(const Vec3d&)>& inside);

model::Wall placed_wall(const std::string& name, const geometry::Placed& placed);

}  // namespace talus::simulation
