// Random sequential addition: each grain goes to the first free place drawn, the large ones first.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "talus/model/solid.h"
#include "talus/scene/fill_placements.h"

namespace talus::scene {

std::optional<Vec3d> draw_inside(const FillSpace& space, double radius, std::int64_t& budget, base::Random& random) {
    const Bounds box = space.centers(radius);
    if (box.empty()) {
        return std::nullopt;
    }
    while (budget-- > 0) {
        const Vec3d p{random.uniform(box.low.x, box.high.x), random.uniform(box.low.y, box.high.y),
                      random.uniform(box.low.z, box.high.z)};
        if (space.inside(p, radius, 0)) {
            return p;
        }
    }
    return std::nullopt;
}

std::vector<double> draw_radii(const FillSpec& spec, const FillSpace& space) {
    const auto solid = [&](double r) { return spec.solid_part * model::solid_volume(space.domain().dimensions, r); };
    base::Random random = stream(spec, FillStream::size);
    std::vector<double> radii;
    double missing = spec.fraction ? *spec.fraction * space.volume() : 0;  // m3
    while (static_cast<double>(radii.size()) < most_grains) {
        if (spec.count && static_cast<std::int64_t>(radii.size()) >= *spec.count) {
            break;
        }
        const double radius = draw_radius(spec.sizes, random);
        if (spec.fraction && solid(radius) > 2 * missing) {
            break;
        }
        radii.push_back(radius);
        missing -= solid(radius);
    }
    return radii;
}

namespace {

constexpr int pushes = 12;                    // moves out of an overlap before a new place is drawn
constexpr std::int64_t draws_outside = 1000;  // for each attempt, before the region counts as too narrow

/// Moves an overlapping sphere out of its deepest overlap, a few times. Near the densest random packing free places
/// are so rare that blind draws do not find them, but they lie beside the places drawn.
std::optional<Vec3d> push_free(const FillSpace& space, Vec3d p, double radius, base::Random& random) {
    for (int i = 0; i <= pushes; ++i) {
        const SphereGrid::Overlap overlap = space.deepest(p, radius);
        if (overlap.depth <= 0) {
            return p;
        }
        const double distance = overlap.wanted - overlap.depth;
        if (distance <= 0) {
            return std::nullopt;
        }
        // A little further than needed, at random: touching exactly would be a rare and artificial state.
        const double step = overlap.wanted * (1 + 0.02 * random.uniform()) / distance - 1;
        p = wrapped(space.domain(), p + overlap.from * step);
        if (!space.inside(p, radius, 0)) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<Vec3d> find_place(const FillSpace& space, double radius, std::int64_t attempts, base::Random& random) {
    std::int64_t budget = std::min<std::int64_t>(attempts, 1000000) * draws_outside;
    for (std::int64_t attempt = 0; attempt < attempts; ++attempt) {
        std::optional<Vec3d> p = draw_inside(space, radius, budget, random);
        if (!p) {
            return std::nullopt;
        }
        if (attempt >= attempts / 8) {
            p = push_free(space, *p, radius, random);
        }
        if (p && space.judge(*p, radius, 0) == FillSpace::Verdict::free) {
            return p;
        }
    }
    return std::nullopt;
}

}  // namespace

Placed place_random(const FillSpec& spec, const RandomFill& how, FillSpace& space, base::Diagnostics& diagnostics) {
    std::vector<double> radii = draw_radii(spec, space);
    Placed placed;
    if (static_cast<double>(radii.size()) >= most_grains) {
        diagnostics.error(spec.where, spec.key, fmt::format("asks for more than {:.0e} grains", most_grains),
                          "a smaller count or region, or larger grains");
        return placed;
    }
    // Small grains find room between large ones, not the other way round.
    std::sort(radii.begin(), radii.end(), std::greater<>());
    base::Random random = stream(spec, FillStream::place);
    double solid = 0;  // m3
    for (std::size_t i = 0; i < radii.size(); ++i) {
        const std::optional<Vec3d> p = find_place(space, radii[i], how.attempts, random);
        if (!p) {
            const double volume = space.volume();
            diagnostics.error(
                spec.where, spec.key,
                fmt::format("no place found for grain {} of {} (radius {:.6g} m) in {} attempts; the solid fraction "
                            "reached is {:.4f}",
                            i + 1, radii.size(), radii[i], how.attempts, volume > 0 ? solid / volume : 0),
                fmt::format(
                    "fewer grains, a larger region or a smaller gap (equal grains reach a fraction of about {}), "
                    "or pack in place of random",
                    space.domain().planar() ? 0.54 : 0.35));
            return placed;
        }
        space.add(*p, radii[i]);
        placed.grains.push_back({*p, radii[i]});
        solid += spec.solid_part * model::solid_volume(space.domain().dimensions, radii[i]);
    }
    return placed;
}

}  // namespace talus::scene
