#include "talus/scene/fill_overlaps.h"

#include <fmt/format.h>

#include <algorithm>

namespace talus::scene {

namespace {

constexpr double much = 0.05;  // radii of the smaller grain

Bounds box_of(const std::vector<Grain>& grains) {
    Bounds out{grains.front().position, grains.front().position};
    for (const Grain& grain : grains) {
        for (int i = 0; i < 3; ++i) {
            out.low[i] = std::min(out.low[i], grain.position[i] - grain.radius);
            out.high[i] = std::max(out.high[i], grain.position[i] + grain.radius);
        }
    }
    return out;
}

}  // namespace

void tell_of_overlaps(const FillSpec& spec, const std::vector<Grain>& grains, const model::System& system,
                      base::Diagnostics& diagnostics) {
    if (grains.empty()) {
        return;
    }
    double largest = 0;
    for (const Grain& grain : grains) {
        largest = std::max(largest, grain.radius);
    }
    FillSpace space({}, box_of(grains), system, largest, 0);
    std::int64_t on_grains = 0;
    std::int64_t on_walls = 0;
    double deepest = 0;
    std::size_t worst = 0;
    for (std::size_t k = 0; k < grains.size(); ++k) {
        const Grain& grain = grains[k];
        const SphereGrid::Overlap overlap = space.deepest(grain.position, grain.radius);
        const double smaller = std::min(grain.radius, overlap.wanted - grain.radius);
        if (overlap.depth > 0 && overlap.depth > much * smaller) {
            ++on_grains;
            if (overlap.depth > deepest * smaller) {
                deepest = overlap.depth / smaller;
                worst = k;
            }
        }
        on_walls += space.on_wall(grain.position, grain.radius, much) ? 1 : 0;
        space.add(grain.position, grain.radius);
    }
    if (on_grains > 0) {
        diagnostics.warning(
            spec.where, spec.key,
            fmt::format("{} of the {} grains overlap others by more than {} radii, by {:.3g} radii at most (grain {} "
                        "of the file): soft grains will fly apart, hard ones part slowly or never",
                        on_grains, grains.size(), much, deepest, worst + 1));
    }
    if (on_walls > 0) {
        diagnostics.warning(
            spec.where, spec.key,
            fmt::format("{} of the {} grains reach into a wall by more than {} radii", on_walls, grains.size(), much));
    }
}

}  // namespace talus::scene
