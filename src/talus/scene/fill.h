// How grains get into a scene: what a [[fill]] entry says, as plain data, and the functions that carry it out.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/base/random.h"
#include "talus/model/region.h"
#include "talus/model/system.h"

namespace talus::scene {

using math::Vec3d;

// --- sizes --------------------------------------------------------------------------------------------------------
// All radii in metres. Unbounded distributions are cut to [low, high] by drawing again; a cut of 0 is not given and
// stands for three deviations (of ln(radius) for the log-normal), the normal's lower one for a tenth of the mean at
// least.

struct FixedSize {
    double radius = 0;
};
struct UniformSize {
    double low = 0, high = 0;
};
struct NormalSize {
    double mean = 0, deviation = 0, low = 0, high = 0;
};
struct LogNormalSize {
    double median = 0, sigma = 0, low = 0, high = 0;  // sigma: of ln(radius)
};
struct PowerLawSize {  // number of grains per radius interval ~ radius^-exponent
    double low = 0, high = 0, exponent = 3;
};
struct TableSize {  // radii with relative numbers
    std::vector<double> radius, weight;
};
using SizeDistribution = std::variant<FixedSize, UniformSize, NormalSize, LogNormalSize, PowerLawSize, TableSize>;

/// A radius drawn with numbers from `random`. Throws base::InputError if the cuts leave almost nothing to draw.
double draw_radius(const SizeDistribution& sizes, base::Random& random);
double largest_radius(const SizeDistribution& sizes);
double smallest_radius(const SizeDistribution& sizes);
/// What is wrong with a distribution, in words; empty if nothing is. The functions above need a sound one.
std::string size_fault(const SizeDistribution& sizes);

// --- placements ---------------------------------------------------------------------------------------------------

enum class Lattice { fcc, hcp, cubic, hexagonal, square };  // the last two in the plane

/// One crystal filling the region; its first site touches the region's low sides, about which it is turned.
struct LatticeFill {
    Lattice lattice = Lattice::fcc;
    Vec3d rotation{};    // rad, rotation vector of the crystal
    double spacing = 1;  // nearest neighbour distance in diameters of the largest grain (1: just touching)
    double jitter = 0;   // largest random displacement along each axis, in radii of the largest grain
};

/// SSDEM Sect. 3.2: rectangular blocks of a close-packed crystal, each turned at random, that fill the region without
/// overlap between blocks (each keeps to its own ball, and the balls are packed closest) and are clipped at its sides.
struct BlockFill {
    Lattice lattice = Lattice::fcc;
    bool random_orientation = true;
    int cells = 3;  // unit cells along an edge of a block
    double spacing = 1.001;
};

/// Random positions without overlap (sequential, with a cell grid); stops with an error that tells the fraction
/// reached when no place is found.
struct RandomFill {
    double gap = 0;                // smallest distance between surfaces, in radii of the smaller grain
    std::int64_t attempts = 2000;  // per grain
};

/// A dense random pack: places drawn at random, then overlaps relaxed by moving grains apart. Beyond random close
/// packing some overlap remains, which is told in a warning; the fraction reached is told in a note.
struct PackFill {
    std::int64_t sweeps = 4000;  // at most
};

/// Grains listed in a file: CSV with a header (x, y, z, radius [, vx, vy, vz, wx, wy, wz, density]), a LAMMPS data file
/// (atom_style sphere), or a Talus HDF5 frame or checkpoint (the format is told by the ending: .csv, .data/.lmp, .h5).
/// The fill's velocity and spin are added to the file's; grains outside region or domain are left out with a warning.
struct FileFill {
    std::string path;  // as resolved against the scene's folder
};

using Placement = std::variant<LatticeFill, BlockFill, RandomFill, PackFill, FileFill>;

struct FillSpec {
    std::vector<std::int32_t> materials{0};  // dealt to the grains in equal parts, at random
    SizeDistribution sizes = FixedSize{};
    /// Places in Grains::shapes: a list for each name, names and then those of a list dealt like materials. Empty:
    /// spheres. A grain's radius is that of the smallest ball about its centre of mass that holds it.
    std::vector<std::vector<std::int32_t>> shapes{};
    bool as_drawn = false;         // grains have the size of their shape; `sizes` follows (with_shapes)
    bool turned_at_random = true;  // otherwise as drawn
    double solid_part = 1;         // of a grain's ball, in the mean (with_shapes)
    Placement placement = RandomFill{};
    model::Region region;               // whole spheres lie inside it
    std::optional<std::int64_t> count;  // wanted number; absent: as many as fit (an error for RandomFill and PackFill
                                        // without `fraction`)
    std::optional<double> fraction;     // RandomFill, PackFill: wanted solid fraction of the region
    double most_overlap = std::numeric_limits<double>::infinity();  // radii, that a pack may be left with
    Vec3d velocity;                                                 // m/s
    double velocity_spread = 0;                                     // m/s, standard deviation of each component
    Vec3d spin;                                                     // rad/s
    std::vector<model::Moments> moments{};  // of the grains of each of `materials`, as drawn; empty: none
    bool hold_rotation = false;
    bool hold_position = false;
    std::uint64_t seed = 0;  // of this fill; derived from the scene's seed and the fill's place if not given
    // For messages.
    base::Location where;
    std::string key;  // "fill[0]"
};

/// Carries out one fill. Whole grains lie inside region and domain; along a period, a box that spans it all confines
/// nothing. Grains never overlap those already there or walls that are present (they are left out and counted in a
/// warning, except for files, which are taken as they are). Lattices and blocks with a count fill up from the bottom,
/// against gravity. Ids follow a space-filling order; fewer than 256 grains keep the order of their file.
/// Faults go to `diagnostics`; then nothing is added.
void append_fill(const FillSpec& spec, model::System& system, base::Diagnostics& diagnostics);

}  // namespace talus::scene
