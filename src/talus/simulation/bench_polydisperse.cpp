// A settled bed of very unequal grains: what a search made for equal grains does badly.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/laws/registry.h"
#include "talus/scene/fill.h"
#include "talus/simulation/bench_cases.h"
#include "talus/simulation/bench_parts.h"

namespace talus::simulation {

namespace {

constexpr std::int64_t tile_grains = 2000;
constexpr double smallest = 1e-3;  // m
constexpr double largest = 1e-2;
constexpr double exponent = 3.5;
constexpr double mean_volume = 10.83 * 4.0 / 3.0 * std::numbers::pi * smallest * smallest * smallest;  // m3
constexpr double kn = 2e3;     // N/m: the largest grains overlap by a percent or two
constexpr double step = 4e-6;  // s, a twenty-fifth of a collision of the smallest
constexpr double coarse_step = 1e-5;
constexpr double loose_fraction = 0.5;  // solid, at the start

model::System empty_tile(double edge, double height) {
    model::System tile = bench_system(kn, {});
    const int law = laws::find_law("hooke");
    std::vector<laws::ParameterFault> faults;
    // Restitution instead of a damping rate: masses differ a thousandfold.
    const laws::ParameterValues values = {
        {"kn", kn}, {"kt", 2.0 / 7.0 * kn}, {"restitution", 0.8}, {"friction.static", 0.2}, {"slip_memory", 1.0}};
    const model::PairLaw contact{law, laws::registry()[static_cast<std::size_t>(law)].derive(values, faults)};
    tile.materials.set(grain_material, grain_material, contact);
    tile.materials.set(grain_material, fixed_material, contact);
    tile.domain.low = {0, 0, -0.1};
    tile.domain.high = {edge, edge, 2 * height};
    tile.domain.periodic = {true, true, false};
    model::Wall floor;
    floor.name = "floor";
    floor.material = fixed_material;
    tile.walls.push_back(floor);
    return tile;
}

}  // namespace

model::System polydisperse_bed(std::int64_t particles, int threads) {
    const std::int64_t grains = std::min(particles, tile_grains);
    constexpr double edge = 0.045;  // m
    const double height = static_cast<double>(grains) * mean_volume / (loose_fraction * edge * edge) + 2 * largest;
    model::System tile = empty_tile(edge, height);
    scene::FillSpec fill;
    fill.materials = {grain_material};
    fill.sizes = scene::PowerLawSize{smallest, largest, exponent};
    fill.placement = scene::RandomFill{};
    fill.region.parts = {model::Box{{0, 0, 0}, {edge, edge, height}}};
    fill.count = grains;
    fill.seed = 1969;
    base::Diagnostics diagnostics;
    scene::append_fill(fill, tile, diagnostics);
    if (diagnostics.has_errors()) {
        throw base::InputError(diagnostics);
    }
    settle(tile, {coarse_step, 15000, 9000, 12500}, threads);
    const TileCounts counts = tile_counts(particles, static_cast<std::int64_t>(tile.bodies.size()));
    return repeated(tile, counts, step, 0);
}

}  // namespace talus::simulation
