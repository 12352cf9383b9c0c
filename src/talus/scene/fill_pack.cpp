// Dense random packs: grains are placed where they overlap least, then moved apart, as AHS prepares its cell.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "talus/model/solid.h"
#include "talus/scene/fill_placements.h"

namespace talus::scene {

namespace {

/// Places drawn for a grain, of which the best is taken.
constexpr int draws = 20;
/// Draws that may miss a narrow region before it counts as too narrow.
constexpr std::int64_t most_misses = 100'000;
/// Beyond these no arrangement of grains that are somewhat alike is known; a slip is far more likely.
constexpr double most_in_plane = 0.95;
constexpr double most_in_space = 0.8;

/// The place where the grain overlaps others and walls least, of some drawn at random; nothing if the region is too
/// narrow for it.
std::optional<Vec3d> best_place(const FillSpace& space, double radius, base::Random& random) {
    std::optional<Vec3d> best;
    double least = std::numeric_limits<double>::infinity();
    std::int64_t budget = most_misses;
    for (int k = 0; k < draws && least > 0; ++k) {
        const std::optional<Vec3d> p = draw_inside(space, radius, budget, random);
        if (!p) {
            break;
        }
        Vec3d moved = *p;
        space.push_off_walls(moved, radius);
        double depth = std::max(space.deepest(*p, radius).depth, norm(moved - *p));
        if (!space.inside(moved, radius, 0)) {
            depth += 10 * radius;  // between a wall and a side of the region, from where it would never get away
        }
        if (depth < least) {
            least = depth;
            best = p;
        }
    }
    return best;
}

}  // namespace

Placed place_pack(const FillSpec& spec, const PackFill& how, FillSpace& space, base::Diagnostics& diagnostics) {
    const int dimensions = space.domain().dimensions;
    std::vector<double> radii = draw_radii(spec, space);
    Placed placed;
    if (static_cast<double>(radii.size()) >= most_grains) {
        diagnostics.error(spec.where, spec.key, fmt::format("asks for more than {:.0e} grains", most_grains),
                          "a smaller count or region, or larger grains");
        return placed;
    }
    double solid = 0;  // m3, of the balls: they are what is packed
    for (const double r : radii) {
        solid += model::solid_volume(dimensions, r);
    }
    const double fraction = solid / space.volume();
    const double most = dimensions == 2 ? most_in_plane : most_in_space;
    if (!(fraction <= most)) {
        diagnostics.error(spec.where, spec.key,
                          fmt::format("a solid fraction of {:.3f} is more than grains can be packed to", fraction),
                          fmt::format("{} at most; at random about {} in {}", most, dimensions == 2 ? 0.84 : 0.64,
                                      dimensions == 2 ? "the plane" : "space"));
        return placed;
    }
    std::sort(radii.begin(), radii.end(), std::greater<>());
    base::Random random = stream(spec, FillStream::place);
    for (const double r : radii) {
        const std::optional<Vec3d> p = best_place(space, r, random);
        if (!p) {
            diagnostics.error(spec.where, spec.key, fmt::format("no place found for a grain of radius {:.6g} m", r),
                              "a wider region or smaller grains");
            return placed;
        }
        space.add(*p, r);
        placed.grains.push_back({*p, r});
    }
    placed.pack = Packed{fraction * spec.solid_part, relax(placed.grains, space, how.sweeps)};
    return placed;
}

}  // namespace talus::scene
