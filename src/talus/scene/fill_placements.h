// The ways to find places for the grains of a fill. Each takes a sound FillSpec and an empty-or-not FillSpace, and
// leaves its faults in `diagnostics`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/scene/fill.h"
#include "talus/scene/fill_space.h"
#include "talus/scene/relax.h"

namespace talus::scene {

/// Streams of a fill's seed, one for each thing that is drawn.
enum class FillStream : std::uint64_t {
    size = 1,
    place = 2,
    orientation = 3,
    velocity = 4,
    material = 5,
    shape = 6,
    turn = 7
};

inline base::Random stream(const FillSpec& spec, FillStream which) {
    return base::Random(spec.seed, static_cast<std::uint64_t>(which));
}

/// More grains than this in one fill are taken for a slip of units.
inline constexpr double most_grains = 5e7;

/// How a pack came out.
struct Packed {
    double fraction = 0;  // solid, of the region
    Relaxed relaxed;
};

struct Placed {
    std::vector<Grain> grains;
    std::int64_t on_grain = 0;  // places left out because another grain is there
    std::int64_t on_wall = 0;   // … or a wall
    std::optional<Packed> pack{};
};

/// `up`: direction in which crystals are filled when only a part of the sites is wanted.
Placed place_lattice(const FillSpec& spec, const LatticeFill& how, FillSpace& space, const Vec3d& up,
                     base::Diagnostics& diagnostics);
Placed place_blocks(const FillSpec& spec, const BlockFill& how, FillSpace& space, const Vec3d& up,
                    base::Diagnostics& diagnostics);
Placed place_pack(const FillSpec& spec, const PackFill& how, FillSpace& space, base::Diagnostics& diagnostics);
Placed place_random(const FillSpec& spec, const RandomFill& how, FillSpace& space, base::Diagnostics& diagnostics);

// --- pieces of random placements ----------------------------------------------------------------------------------

/// A point where a sphere of this radius lies inside the region, or nothing once `budget` draws are used up.
std::optional<Vec3d> draw_inside(const FillSpace& space, double radius, std::int64_t& budget, base::Random& random);
/// Radii by count, or until their volume comes nearest to the wanted fraction; stops at `most_grains`.
std::vector<double> draw_radii(const FillSpec& spec, const FillSpace& space);

}  // namespace talus::scene
